//! Questions for the scale.
