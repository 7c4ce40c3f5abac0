//! Properties that hold for any bytes, on the seeds of the fuzz target, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn seeds_of_styles() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/style");
    let (mut count, mut inputs) = (0, vec![include_bytes!("../src/style/default.toml").to_vec()]);
    for seed in fs::read_dir(folder)? {
        let bytes = fs::read(seed?.path())?;
        let (start, end) = bytes.split_at(bytes.len() / 2);
        inputs.extend([start.to_vec(), end.to_vec()]);
        for n in 0..60 {
            let mut changed = bytes.clone();
            let at = (n * 7919) % changed.len().max(1);
            if let Some(byte) = changed.get_mut(at) {
                *byte = byte.wrapping_add((n % 255) as u8 + 1);
            }
            inputs.push(changed);
        }
        inputs.push(bytes);
        count += 1;
    }
    for input in inputs {
        let outcome = std::panic::catch_unwind(|| targets::style::run(&input));
        assert!(outcome.is_ok(), "{}", String::from_utf8_lossy(&input));
    }
    assert!(count > 2, "style has {count} seeds");
    Ok(())
}
