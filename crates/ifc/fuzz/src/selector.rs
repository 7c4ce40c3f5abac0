//! Any text is a selector or is refused; one that is understood runs on a small house, and so does the text as a path of
//! keys. What is chosen is there, once, in order, and among some elements the same is chosen.
use ifc::relations::Links;
use ifc::selector::Path;
use ifc::{Id, Limits, Model, Selector};
use std::sync::LazyLock;

static HOUSE: LazyLock<Model> = LazyLock::new(|| {
    let bytes = include_bytes!("house.ifc").to_vec();
    Model::from_bytes(bytes, &Limits::default()).map_or_else(|_| unreachable!(), |(model, _)| model)
});

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(selector) = Selector::parse(text) {
        let found = selector.run(&HOUSE);
        assert!(found.is_sorted_by(|a, b| a < b));
        assert!(found.iter().all(|id| HOUSE.contains(*id)));
        let all: Vec<Id> = HOUSE.ids().collect();
        let within = selector.run_within(&HOUSE, &all);
        assert!(found.iter().all(|id| within.contains(id)));
    }
    if let Ok(path) = Path::parse(text) {
        let links = Links::of_many(&HOUSE);
        for id in [Id(10), Id(13), Id(19), Id(22)] {
            let _ = path.follow(&links, id).to_json();
        }
    }
}
