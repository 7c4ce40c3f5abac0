//! The program: requests on standard input, answers on standard output, until the input ends. It takes no arguments and opens no
//! file but the two that its first line names.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    // an answer that cannot be written, or a line that cannot be read: whoever asked is gone
    match pensaer_embeddings::serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(_) => ExitCode::FAILURE,
    }
}
