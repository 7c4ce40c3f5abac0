//! The Execution Service: operations on models in a process of their own, reached over HTTP.
