//! Drawings, sheets and reports to be looked at: `cargo run --example documentation -- TASK …`, where TASK is `drawing`, `changes`, `overlay`,
//! `sheets` or `passport`. What follows is told by each where it is missing.
#![allow(clippy::print_stdout, reason = "it is a program for the shell")]

#[path = "documentation/changes.rs"]
mod changes;
#[path = "documentation/drawing.rs"]
mod drawing;
#[path = "documentation/overlay.rs"]
mod overlay;
#[path = "documentation/passport.rs"]
mod passport;
#[path = "documentation/sheets.rs"]
mod sheets;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((task, rest)) => match task.as_str() {
            "changes" => changes::run(rest),
            "drawing" => drawing::run(rest),
            "overlay" => overlay::run(rest),
            "passport" => passport::run(rest),
            "sheets" => sheets::run(rest),
            _ => Err("the task is one of: changes, drawing, overlay, passport, sheets".into()),
        },
        None => Err("the task is one of: changes, drawing, overlay, passport, sheets".into()),
    }
}
