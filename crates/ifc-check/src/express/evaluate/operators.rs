//! Arithmetic, strings and binaries (ISO 10303-11, 12.1, 12.3 and 12.5).

use super::{Evaluator, Outcome, Stop};
use crate::express::datum::{Datum, Text};
use crate::express::syntax::{Binary, Expr};
use crate::express::truth::Truth;

/// Characters that a text may have that an expression makes.
const CHARACTERS: usize = 16 << 20;

impl<'a> Evaluator<'a> {
    /// Operators whose operands are both needed.
    #[inline(never)]
    pub(super) fn operate(&mut self, operator: Binary, left: Datum<'a>, right: Datum<'a>) -> Outcome<'a> {
        Ok(match operator {
            Binary::Equal => Datum::truth(self.equal(&left, &right)?),
            Binary::Unequal => Datum::truth(self.equal(&left, &right)?.negated()),
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
                Datum::truth(self.ordered(operator, &left, &right)?)
            }
            Binary::Same => Datum::truth(self.same(&left, &right)?),
            Binary::NotSame => Datum::truth(self.same(&left, &right)?.negated()),
            Binary::And => Datum::truth(left.as_truth().and(right.as_truth())),
            Binary::Or => Datum::truth(left.as_truth().or(right.as_truth())),
            Binary::Xor => Datum::truth(left.as_truth().xor(right.as_truth())),
            Binary::In => Datum::truth(self.contained(&left, &right)?),
            Binary::Like => match (left.as_text(), right.as_text()) {
                (Some(text), Some(pattern)) => {
                    self.charge((text.len() as u64 + 1) * (pattern.len() as u64 + 1) / 8)?;
                    Datum::truth(is_like(text, pattern))
                }
                _ => Datum::truth(Truth::Unknown),
            },
            Binary::Combine => self.combine(&left, &right),
            Binary::Plus | Binary::Minus | Binary::Times => match (left.plain(), right.plain()) {
                (Datum::Integer(_) | Datum::Real(_), Datum::Integer(_) | Datum::Real(_)) => {
                    arithmetic(operator, &left, &right)
                }
                (Datum::Text(a), Datum::Text(b)) if operator == Binary::Plus => {
                    if a.len() + b.len() > CHARACTERS {
                        return Err(Stop::Memory);
                    }
                    self.charge((a.len() + b.len()) as u64 / 16)?;
                    Datum::Text(Text::Shared([&**a, &**b].concat().into()))
                }
                (Datum::Binary(a), Datum::Binary(b)) if operator == Binary::Plus => {
                    self.charge((a.len() + b.len()) as u64)?;
                    binary_of(bits(a).chain(bits(b)))
                }
                _ => self.set_operation(operator, &left, &right)?,
            },
            Binary::Power | Binary::Divide | Binary::IntegerDivide | Binary::Modulo => {
                arithmetic(operator, &left, &right)
            }
        })
    }

    /// `text[i:j]` (12.5.1, 12.3.1)
    #[inline(never)]
    pub(super) fn slice(&mut self, parts: &'a (Expr, Expr, Expr)) -> Outcome<'a> {
        let of = self.eval(&parts.0)?;
        let from = self.eval(&parts.1)?.as_integer();
        let to = self.eval(&parts.2)?.as_integer();
        match (from, to) {
            (Some(from), Some(to)) => self.piece(&of, from, to),
            _ => Ok(Datum::Indeterminate),
        }
    }

    /// The characters or bits of these places, counted from 1.
    pub(super) fn piece(&mut self, of: &Datum<'a>, from: i64, to: i64) -> Outcome<'a> {
        let (Ok(first), Ok(count)) = (usize::try_from(from), usize::try_from(to.saturating_sub(from) + 1))
        else {
            return Ok(Datum::Indeterminate);
        };
        if first == 0 || count == 0 {
            return Ok(Datum::Indeterminate);
        }
        Ok(match of.plain() {
            Datum::Text(text) => {
                self.charge(text.len() as u64 / 16)?;
                let piece: String = text.chars().skip(first - 1).take(count).collect();
                if piece.chars().count() < count { Datum::Indeterminate } else { Datum::text(&piece) }
            }
            Datum::Binary(digits) => {
                self.charge(digits.len() as u64)?;
                let piece: Vec<bool> = bits(digits).skip(first - 1).take(count).collect();
                if piece.len() < count { Datum::Indeterminate } else { binary_of(piece.into_iter()) }
            }
            _ => Datum::Indeterminate,
        })
    }
}

/// `-x`
pub(super) fn negated<'a>(operand: &Datum<'a>) -> Datum<'a> {
    match operand.plain() {
        Datum::Integer(value) => value.checked_neg().map_or(Datum::Indeterminate, Datum::Integer),
        Datum::Real(value) => Datum::Real(-value),
        _ => Datum::Indeterminate,
    }
}

/// Arithmetic (12.1). What has no result, such as a division by nought or a number beyond 64 bits, is indeterminate.
fn arithmetic<'a>(operator: Binary, left: &Datum<'a>, right: &Datum<'a>) -> Datum<'a> {
    if let (Some(a), Some(b)) = (left.as_integer(), right.as_integer()) {
        let whole = match operator {
            Binary::Plus => a.checked_add(b),
            Binary::Minus => a.checked_sub(b),
            Binary::Times => a.checked_mul(b),
            Binary::IntegerDivide => a.checked_div(b),
            Binary::Modulo => modulo(a, b),
            Binary::Power => match u32::try_from(b) {
                Ok(exponent) => a.checked_pow(exponent),
                Err(_) => return real((a as f64).powf(b as f64)),
            },
            _ => return real(a as f64 / b as f64),
        };
        return whole.map_or(Datum::Indeterminate, Datum::Integer);
    }
    let (Some(a), Some(b)) = (left.as_number(), right.as_number()) else { return Datum::Indeterminate };
    match operator {
        Binary::Plus => real(a + b),
        Binary::Minus => real(a - b),
        Binary::Times => real(a * b),
        Binary::Divide => real(a / b),
        Binary::Power => real(a.powf(b)),
        // operands of DIV and MOD are truncated (12.1)
        Binary::IntegerDivide | Binary::Modulo => {
            arithmetic(operator, &Datum::Integer(a as i64), &Datum::Integer(b as i64))
        }
        _ => Datum::Indeterminate,
    }
}

/// MOD takes the sign of the divisor.
fn modulo(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    if rest != 0 && (rest < 0) != (b < 0) { rest.checked_add(b) } else { Some(rest) }
}

/// A real number; one that is infinite or none is indeterminate.
pub(super) fn real<'a>(value: f64) -> Datum<'a> {
    if value.is_finite() { Datum::Real(value) } else { Datum::Indeterminate }
}

/// The bits of a binary as a file writes it.
pub(super) fn bits(digits: &str) -> impl Iterator<Item = bool> + '_ {
    let unused = digits.bytes().next().map_or(0, |digit| usize::from(digit.wrapping_sub(b'0') & 3));
    let nibble = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0);
    digits
        .bytes()
        .skip(1)
        .flat_map(move |digit| {
            let value = nibble(digit);
            [8, 4, 2, 1].into_iter().map(move |bit| value & bit != 0)
        })
        .skip(unused)
}

/// A binary of these bits.
pub(super) fn binary_of<'a>(bits: impl Iterator<Item = bool>) -> Datum<'a> {
    let bits: Vec<bool> = bits.collect();
    let unused = (4 - bits.len() % 4) % 4;
    let padded: Vec<bool> = std::iter::repeat_n(false, unused).chain(bits).collect();
    let mut digits = unused.to_string();
    for nibble in padded.chunks(4) {
        let value = nibble.iter().fold(0, |value, bit| value * 2 + u32::from(*bit));
        digits.extend(char::from_digit(value, 16).map(|digit| digit.to_ascii_uppercase()));
    }
    Datum::Binary(Text::Shared(digits.into()))
}

/// LIKE (12.2.5): `@` a letter, `^` a capital, `?` any character, `&` the rest, `#` a digit, `$` a word, `*` any
/// characters, `\` takes the next one literally, `!` negates the next one.
fn is_like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    // which beginnings of the text the beginning of the pattern fits
    let mut fits = vec![false; text.len() + 1];
    if let Some(first) = fits.first_mut() {
        *first = true;
    }
    let mut at = 0;
    while let Some(&sign) = pattern.get(at) {
        at += 1;
        let mut negated = false;
        let mut sign = sign;
        if sign == '!' {
            negated = true;
            let Some(&next) = pattern.get(at) else { return false };
            sign = next;
            at += 1;
        }
        let literal = sign == '\\';
        if literal {
            let Some(&next) = pattern.get(at) else { return false };
            sign = next;
            at += 1;
        }
        let many = !literal && !negated && matches!(sign, '*' | '&' | '$');
        let one = |c: char| {
            let fits = match sign {
                _ if literal => c == sign,
                '@' => c.is_alphabetic(),
                '^' => c.is_uppercase(),
                '?' => true,
                '#' => c.is_ascii_digit(),
                _ => c == sign,
            };
            fits != negated
        };
        let mut next = vec![false; text.len() + 1];
        for from in 0..=text.len() {
            if !fits.get(from).copied().unwrap_or(false) {
                continue;
            }
            if many {
                let end = match sign {
                    '$' => text
                        .iter()
                        .skip(from)
                        .position(|c| c.is_whitespace())
                        .map_or(text.len(), |n| from + n),
                    _ => text.len(),
                };
                let first = if sign == '&' { end } else { from };
                next.iter_mut().take(end + 1).skip(first).for_each(|slot| *slot = true);
            } else if text.get(from).is_some_and(|c| one(*c))
                && let Some(slot) = next.get_mut(from + 1)
            {
                *slot = true;
            }
        }
        fits = next;
    }
    fits.last().copied().unwrap_or(false)
}
