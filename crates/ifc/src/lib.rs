//! The IFC kernel: STEP files read without loading objects, edited in a persistent overlay, written back byte for byte. It knows no geometry, no tools and no network.
