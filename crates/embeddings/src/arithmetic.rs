//! Functions of numbers in rows, written so that a compiler makes several at once.

use crate::weights::Norm;

/// Sums that are made at once.
const LANES: usize = 8;

/// The exponential function, right to about a millionth; beyond ±87 it stays what it is there.
fn exp(x: f32) -> f32 {
    /// 1.5 · 2²³: a number added to it is rounded to a whole one, which then stands in its lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let whole = rounded - ROUND;
    // the rest of x beside whole powers of two, at most ln(2) / 2; ln(2) in two parts, the first with few digits
    let rest = x - whole * 0.693_359_4 - whole * -2.121_944_4e-4;
    let mut sum = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * rest + coefficient;
    }
    sum * f32::from_bits((rounded.to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
}

/// The error function, by formula 7.1.26 of Abramowitz and Stegun, right to 2·10⁻⁷.
fn erf(x: f32) -> f32 {
    let part = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let mut sum = 1.061_405_4;
    for coefficient in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        sum = sum * part + coefficient;
    }
    (1.0 - sum * part * exp(-x * x)).copysign(x)
}

/// The gentle threshold between the two multiplications of a layer.
pub fn gelu(numbers: &mut [f32]) {
    for number in numbers {
        *number *= 0.5 + 0.5 * erf(*number * std::f32::consts::FRAC_1_SQRT_2);
    }
}

/// Makes numbers shares: positive, with the sum 1, the ratio of two the exponential of their difference.
pub fn shares(numbers: &mut [f32]) {
    let most = over(numbers, f32::NEG_INFINITY, f32::max);
    for number in &mut *numbers {
        *number = exp(*number - most);
    }
    let by = 1.0 / over(numbers, 0.0, |a, b| a + b);
    for number in numbers {
        *number *= by;
    }
}

/// Makes the mean of numbers 0 and of their squares 1, then scales and shifts each.
pub fn normalize(numbers: &mut [f32], norm: &Norm) {
    let count = numbers.len().max(1) as f32;
    let mean = over(numbers, 0.0, |a, b| a + b) / count;
    for number in &mut *numbers {
        *number -= mean;
    }
    let squares = numbers.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for chunk in squares.0 {
        for (sum, number) in sums.iter_mut().zip(chunk) {
            *sum += number * number;
        }
    }
    let rest: f32 = squares.1.iter().map(|number| number * number).sum();
    let by = 1.0 / ((sums.iter().sum::<f32>() + rest) / count + 1e-12).sqrt();
    for ((number, scale), shift) in numbers.iter_mut().zip(&norm.scale).zip(&norm.shift) {
        *number = *number * by * scale + shift;
    }
}

/// Numbers brought together by a function of two, whose order does not matter.
fn over(numbers: &[f32], from: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut joined = [from; LANES];
    for chunk in chunks {
        for (joined, number) in joined.iter_mut().zip(chunk) {
            *joined = join(*joined, *number);
        }
    }
    joined.iter().chain(rest).fold(from, |a, b| join(a, *b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_are_those_of_the_books() {
        for step in -4_000..=4_000 {
            let x = step as f32 / 50.0;
            let expected = f64::from(x).exp();
            assert!((f64::from(exp(x)) / expected - 1.0).abs() < 2e-6, "{x}: {} {expected}", exp(x));
        }
        // values of a table
        for (x, expected) in
            [(0.0, 0.0), (0.1, 0.112_462_9), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)]
        {
            assert!((erf(x) - expected).abs() < 5e-7 && (erf(-x) + expected).abs() < 5e-7, "{x}: {}", erf(x));
        }
        assert_eq!((erf(20.0), erf(-20.0)), (1.0, -1.0));
        let mut numbers = [-10.0, -1.0, 0.0, 1.0, 10.0];
        gelu(&mut numbers);
        for (found, expected) in numbers.iter().zip([0.0, -0.158_655_3, 0.0, 0.841_344_7, 10.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn shares_add_up_to_one_however_large_the_numbers() {
        let mut numbers: Vec<f32> = (0..19).map(|number| number as f32 * 1e4).collect();
        shares(&mut numbers);
        assert_eq!(numbers.iter().sum::<f32>(), 1.0);
        assert_eq!(numbers.last(), Some(&1.0));
        let mut same = vec![3.0; 10];
        shares(&mut same);
        assert!(same.iter().all(|share| (share - 0.1).abs() < 1e-6), "{same:?}");
    }

    #[test]
    fn normal_numbers_have_the_mean_and_spread_of_their_norm() {
        let mut numbers: Vec<f32> = (0..11).map(|number| number as f32).collect();
        normalize(&mut numbers, &Norm { scale: vec![2.0; 11], shift: vec![5.0; 11] });
        let mean = numbers.iter().sum::<f32>() / 11.0;
        let spread = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / 11.0;
        assert!((mean - 5.0).abs() < 1e-5 && (spread - 4.0).abs() < 1e-4, "{mean} {spread}");
    }
}
