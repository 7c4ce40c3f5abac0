//! Fuzz targets held on their seeds, so that what fuzzing has found stays found without a fuzzer.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// The most places at which a seed is cut off.
const CUTS: usize = 40;

/// Runs a target on each file of a folder of seeds: on the whole, on either half, on it cut off at places spread over it, and with so many of
/// its bytes changed, one at a time. Panics where the target does, or where there are fewer than three seeds.
pub fn hold(folder: impl AsRef<Path>, changes: usize, target: fn(&[u8])) {
    let folder = folder.as_ref();
    let mut count = 0;
    for seed in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = seed.path();
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (n, input) in inputs(&bytes, changes).into_iter().enumerate() {
            let outcome = catch_unwind(|| target(&input));
            let shown: String = String::from_utf8_lossy(&input).chars().take(2000).collect();
            assert!(outcome.is_ok(), "{}, input {n}: {shown}", path.display());
        }
        count += 1;
    }
    assert!(count > 2, "{} has {count} seeds", folder.display());
}

fn inputs(bytes: &[u8], changes: usize) -> Vec<Vec<u8>> {
    let (start, end) = bytes.split_at(bytes.len() / 2);
    let mut inputs = vec![bytes.to_vec(), start.to_vec(), end.to_vec()];
    for n in 0..changes {
        let mut changed = bytes.to_vec();
        let at = (n * 7919) % changed.len().max(1);
        if let Some(byte) = changed.get_mut(at) {
            // a number stays one, of which more is read
            *byte = if byte.is_ascii_digit() && n % 2 == 0 {
                b'0' + (n / 2 % 10) as u8
            } else {
                byte.wrapping_add((n % 255) as u8 + 1)
            };
        }
        inputs.push(changed);
        if n < CUTS {
            inputs.push(bytes.get(..at).unwrap_or_default().to_vec());
        }
    }
    inputs
}
