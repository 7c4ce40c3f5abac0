//! Sixty-four bits that stand for content: of bytes, of numbers, of values. Two contents with the same hash are taken
//! to be the same; by chance that happens once in some hundred billion pairs of files with millions of instances.

use ifc::step::text;

const FIRST: u64 = 0xA076_1D64_78BD_642F;
const SECOND: u64 = 0xE703_7ED1_A0B4_28DB;

pub(super) const NULL: u64 = 0x1F83_D9AB_FB41_BD6B;
pub(super) const DERIVED: u64 = 0x5BE0_CD19_137E_2179;
pub(super) const UNKNOWN: u64 = 0x9B05_688C_2B3E_6C1F;
pub(super) const REFERENCE: u64 = 0x510E_527F_ADE6_82D1;
pub(super) const DANGLING: u64 = 0xA54F_F53A_5F1D_36F1;
const TRUE: u64 = 0x3C6E_F372_FE94_F82B;
const FALSE: u64 = 0xBB67_AE85_84CA_A73B;
const REAL: u64 = 0x6A09_E667_F3BC_C908;
const WHOLE: u64 = 0x2545_F491_4F6C_DD1D;
const TEXT: u64 = 0x8EBC_6AF0_9C88_C6E3;
const ENUM: u64 = 0x589D_6B6B_1A5B_0A95;
const BINARY: u64 = 0x1D8E_4E27_C47D_124F;
const TYPED: u64 = 0xEB44_ACCA_B455_D165;
const LIST: u64 = 0x9E37_79B9_7F4A_7C15;
const SET: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// Two numbers as one.
#[inline]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ FIRST) * u128::from(b ^ SECOND);
    product as u64 ^ (product >> 64) as u64
}

/// Bytes as a number.
#[inline]
pub(super) fn bytes(data: &[u8], seed: u64) -> u64 {
    let (words, rest) = data.as_chunks::<8>();
    let mut hash = seed ^ data.len() as u64;
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    let mut last = [0u8; 8];
    for (slot, byte) in last.iter_mut().zip(rest) {
        *slot = *byte;
    }
    mix(hash, u64::from_le_bytes(last))
}

/// A name in capitals.
pub(super) fn name(name: &[u8]) -> u64 {
    if name.iter().any(u8::is_ascii_lowercase) {
        bytes(&name.to_ascii_uppercase(), ENUM)
    } else {
        bytes(name, ENUM)
    }
}

/// A string that stood between quotes.
#[inline]
pub(super) fn raw_text(raw: &[u8]) -> u64 {
    // one pass without a branch in it, for the compiler to make wide
    let is_odd =
        |b: u8| u8::from(b < 0x20) | u8::from(b > 0x7E) | u8::from(b == b'\\') | u8::from(b == b'\'');
    let odd = raw.iter().fold(0, |odd, b| odd | is_odd(*b)) != 0;
    if odd { bytes(text::decode(raw).as_bytes(), TEXT) } else { bytes(raw, TEXT) }
}

pub(super) fn plain_text(text: &str) -> u64 {
    bytes(text.as_bytes(), TEXT)
}

pub(super) fn binary(digits: &[u8]) -> u64 {
    bytes(digits, BINARY)
}

pub(super) fn boolean(value: bool) -> u64 {
    if value { TRUE } else { FALSE }
}

pub(super) fn enumeration(item: &[u8]) -> u64 {
    mix(ENUM, name(item))
}

pub(super) fn typed(type_name: &[u8], inner: u64) -> u64 {
    mix(mix(TYPED, name(type_name)), inner)
}

/// A real; both noughts are one. With a tolerance, the step of that size it lies on.
#[inline]
pub(super) fn real(value: f64, tolerance: Option<f64>) -> u64 {
    let value = match tolerance {
        Some(step) => (value / step).round(),
        None => value,
    };
    mix(REAL, (value + 0.0).to_bits())
}

/// A whole number, which is the same as a real of that value: some programs leave the point out.
#[inline]
pub(super) fn whole(value: i64, tolerance: Option<f64>) -> u64 {
    let number = value as f64;
    if value.unsigned_abs() < 1 << 53 { real(number, tolerance) } else { mix(WHOLE, value as u64) }
}

/// Members gathered into one: in order, or as a set.
pub(super) struct Members {
    hash: u64,
    count: u64,
    set: bool,
}

impl Members {
    pub(super) fn new(set: bool) -> Self {
        Self { hash: 0, count: 0, set }
    }

    #[inline]
    pub(super) fn push(&mut self, member: u64) {
        self.count += 1;
        self.hash = if self.set { self.hash.wrapping_add(mix(member, SET)) } else { mix(self.hash, member) };
    }

    #[inline]
    pub(super) fn finish(&self) -> u64 {
        mix(mix(LIST, self.count), self.hash)
    }
}
