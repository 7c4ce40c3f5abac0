//! Properties that hold for any bytes, on the seeds of the fuzz target, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn seeds_of_models() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/export");
    let mut count = 0;
    for seed in fs::read_dir(folder)? {
        let path = seed?.path();
        let bytes = fs::read(&path)?;
        let mut inputs = vec![bytes.clone()];
        // cut off at many places, and with bytes and numbers changed
        inputs.extend((1..8).map(|part| bytes.get(..bytes.len() * part / 8).unwrap_or_default().to_vec()));
        for n in 0..60 {
            let mut changed = bytes.clone();
            let at = (n * 7919) % changed.len().max(1);
            if let Some(byte) = changed.get_mut(at) {
                *byte = if byte.is_ascii_digit() {
                    b'0' + (n % 10) as u8
                } else {
                    byte.wrapping_add((n % 255) as u8 + 1)
                };
            }
            inputs.push(changed);
        }
        for input in inputs {
            let outcome = std::panic::catch_unwind(|| targets::export::run(&input));
            assert!(outcome.is_ok(), "{}: {}", path.display(), String::from_utf8_lossy(&input));
        }
        count += 1;
    }
    assert!(count > 2, "export has {count} seeds");
    Ok(())
}
