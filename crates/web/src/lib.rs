//! The bucket, the viewer and the API the viewer uses.
