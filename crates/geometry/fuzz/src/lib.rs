//! Properties that hold for any bytes: libFuzzer runs it on inputs that it makes up, and a test of the crate on the seeds and on what was
//! found.

use std::panic;
use std::sync::Once;
use std::thread;

pub mod csg;
pub mod import;
pub mod shapes;

/// Lets the kernel's booleans catch their engine's panics, which is how they are meant to end; libFuzzer's own hook would take them
/// for findings. Panics of any other thread stay what they are.
pub fn spare_the_engine() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some("csg") {
                before(info);
            }
        }));
    });
}
