//! Packs that come with the program, mistakes in packs, and what rules find in models.

mod acc;
mod hostile;
mod house;
mod mistakes;
mod opened;
mod rules;

use super::*;

#[test]
fn every_pack_that_comes_with_the_program_can_be_read() {
    for (id, text) in shipped::TEXTS {
        let pack = read(text).unwrap_or_else(|problems| panic!("{id}: {problems:#?}"));
        assert_eq!(pack.id, id);
    }
    assert_eq!(shipped().len(), shipped::TEXTS.len());
}
