//! Figures: how long it takes to open the model and to embed texts of 40 and 250 word pieces, one at a time and together, and how much
//! memory it takes at most. `cargo run --release --example embeddings -- <folder with model.onnx and tokenizer.json>`

use embeddings::Embedder;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder of the model")?);
    let begun = Instant::now();
    let embedder = Embedder::open(&folder.join("model.onnx"), &folder.join("tokenizer.json"))?;
    eprintln!("opened in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    peak("after opening");
    for (pieces, times) in [(10, 200), (40, 100), (100, 50), (250, 20), (256, 20)] {
        // one word is one piece; two are the marks of begin and end
        let text = vec!["wall"; pieces - 2].join(" ");
        for together in [1, 4, 16] {
            let texts = vec![text.as_str(); together];
            embedder.embed(&texts)?;
            let mut each: Vec<f64> = Vec::new();
            for _ in 0..(times / together).max(5) {
                let begun = Instant::now();
                embedder.embed(&texts)?;
                each.push(begun.elapsed().as_secs_f64() * 1e3 / together as f64);
            }
            each.sort_by(f64::total_cmp);
            let (least, median) = (each.first().unwrap_or(&0.0), each.get(each.len() / 2).unwrap_or(&0.0));
            eprintln!("{pieces:>3} pieces, {together:>2} together: {median:.1} ms a text (least {least:.1})");
        }
    }
    let texts: Vec<String> = (0..256).map(|number| vec!["door"; 1 + number % 254].join(" ")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let begun = Instant::now();
    embedder.embed(&texts)?;
    eprintln!("256 texts of 3 to 256 pieces: {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    peak("at most");
    Ok(())
}

/// Tells the memory that this process took, where Linux counts it.
fn peak(when: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"));
    let told = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
    eprintln!("{when}: {}", told.join(", "));
}
