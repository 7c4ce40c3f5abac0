//! Packs that come with the program, mistakes in packs, and what rules find in models.

mod acc;
mod hostile;
mod house;
mod mistakes;
mod odd;
mod opened;
mod parameters;
mod rules;
mod values;

use super::*;

#[test]
fn every_pack_that_comes_with_the_program_can_be_read() {
    for (id, text) in shipped::TEXTS {
        let pack = read(text).unwrap_or_else(|problems| panic!("{id}: {problems:#?}"));
        assert_eq!(pack.id, id);
    }
    assert_eq!(shipped().len(), shipped::TEXTS.len());
}

#[test]
fn measures_have_one_name_each_and_say_what_they_are() {
    let mut names: Vec<&str> = measures().map(|measure| measure.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for measure in measures() {
        let of = format!("{}.", measure.kind.as_str());
        assert!(measure.name.starts_with(&of) && measure.means.ends_with('.'), "{measure:?}");
        assert!(measure.arguments.iter().all(|argument| !argument.means.is_empty()), "{measure:?}");
        assert!(std::ptr::eq(super::measure(measure.name).unwrap(), measure));
    }
}
