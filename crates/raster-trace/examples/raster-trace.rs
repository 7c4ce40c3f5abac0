//! Tasks for checks by other programs, and for the eye: `trace PICTURE` prints what is read in a picture as JSON, with `PIXELS MM` behind
//! it or a ratio as 1:200 by that scale; `overlay PICTURE OUT` draws it over the picture; `measure PICTURE` says how long it takes.

use raster_trace::{Limits, Options, Scale, overlay, read, trace};
use std::error::Error;
use std::fs;
use std::time::Instant;

#[allow(clippy::print_stdout)] // what it is for
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["trace", file] => println!("{}", json(file, None)?),
        ["trace", file, pixels, mm] => {
            println!("{}", json(file, Some(Scale { pixels: pixels.parse()?, mm: mm.parse()? }))?);
        }
        ["trace", file, ratio] => {
            let picture = read(&fs::read(file)?, &Limits::default())?;
            let scale = Scale::of_ratio(ratio, &picture)?;
            println!("{}", json(file, Some(scale))?);
        }
        ["overlay", file, out] => {
            let picture = read(&fs::read(file)?, &Limits::default())?;
            let found = trace(&picture, &Options::default())?;
            fs::write(out, overlay(&picture, &found)?)?;
        }
        ["measure", file] => {
            let bytes = fs::read(file)?;
            let mut best = [f64::INFINITY; 3];
            for _ in 0..3 {
                let begun = Instant::now();
                let picture = read(&bytes, &Limits::default())?;
                let after_read = begun.elapsed().as_secs_f64();
                let found = trace(&picture, &Options::default())?;
                let after_trace = begun.elapsed().as_secs_f64();
                overlay(&picture, &found)?;
                let after_overlay = begun.elapsed().as_secs_f64();
                let own = [after_read, after_trace - after_read, after_overlay - after_trace];
                best.iter_mut().zip(own).for_each(|(best, own)| *best = best.min(own));
            }
            println!("read {:.3} s, trace {:.3} s, overlay {:.3} s", best[0], best[1], best[2]);
        }
        _ => {
            return Err(
                "usage: trace PICTURE [PIXELS MM | 1:RATIO] | overlay PICTURE OUT | measure PICTURE".into()
            );
        }
    }
    Ok(())
}

fn json(file: &str, scale: Option<Scale>) -> Result<String, Box<dyn Error>> {
    let picture = read(&fs::read(file)?, &Limits::default())?;
    let found = trace(&picture, &Options { scale, most: 2000 })?;
    Ok(serde_json::to_string(&found)?)
}
