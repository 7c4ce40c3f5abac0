//! Properties that hold for any bytes, on the seeds of the fuzz targets, on what is left of each, and on each with bytes changed.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn seeds_of_pictures() -> std::io::Result<()> {
    run("picture", targets::picture::run)
}

#[test]
fn seeds_of_traces() -> std::io::Result<()> {
    run("trace", targets::trace::run)
}

fn run(name: &str, target: fn(&[u8])) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
    let mut count = 0;
    for seed in fs::read_dir(folder)? {
        let path = seed?.path();
        let bytes = fs::read(&path)?;
        let (start, end) = bytes.split_at(bytes.len() / 2);
        let mut inputs = vec![bytes.clone(), start.to_vec(), end.to_vec()];
        for n in 0..40 {
            let mut changed = bytes.clone();
            let at = (n * 7919) % changed.len().max(1);
            if let Some(byte) = changed.get_mut(at) {
                *byte = byte.wrapping_add((n % 255) as u8 + 1);
            }
            inputs.push(changed);
            inputs.push(bytes.get(..at).unwrap_or_default().to_vec());
        }
        for (n, input) in inputs.into_iter().enumerate() {
            let outcome = std::panic::catch_unwind(|| target(&input));
            assert!(outcome.is_ok(), "{}, input {n}", path.display());
        }
        count += 1;
    }
    assert!(count > 2, "{name} has {count} seeds");
    Ok(())
}
