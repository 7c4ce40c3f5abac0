//! The catalogue as Model Context Protocol servers, over stdio and HTTP. Only this crate knows JSON-RPC.
