//! What must hold for any bytes: libFuzzer runs it on inputs that it makes up, and a test of the crate on the seeds and on what was
//! found.

pub mod shapes;
