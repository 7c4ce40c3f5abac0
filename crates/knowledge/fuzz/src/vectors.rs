//! Any bytes are a store of vectors or are refused; one that is read finds its own vectors.

use knowledge::vectors::Vectors;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(vectors) = Vectors::decode(bytes) else { return };
    let question = vec![1.0; vectors.dimensions()];
    let Ok(near) = vectors.nearest(&question, 3, |_| true) else { panic!("the question has a direction") };
    assert_eq!(near.len(), vectors.len().min(3));
    assert!(near.iter().all(|(location, _)| vectors.contains(location)));
}
