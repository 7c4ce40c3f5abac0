//! The rule on small crates.

use super::*;

fn check_crate(files: &[(&str, &str)]) -> Vec<String> {
    let named = |(name, text): &(&str, &str)| (format!("crates/house/src/{name}"), (*text).to_owned());
    check(&files.iter().map(named).collect::<Vec<_>>())
}

fn edges_of(files: &[(&str, &str)]) -> Vec<String> {
    let mut one = Crate::default();
    for (name, text) in files {
        let name = format!("crates/house/src/{name}");
        let (_, module) = module_of(&name).unwrap();
        one.files.insert(module, (name, Names::parse(text)));
    }
    let short = |name: &str| name.trim_start_matches("crates/house/src/").to_owned();
    one.edges().keys().map(|(from, to)| format!("{} -> {}", short(from), short(to))).collect()
}

const FOUR: [(&str, &str); 5] = [
    ("lib.rs", "mod a; mod b; mod c; mod d;"),
    ("a.rs", "use crate::b::{self, B}; pub struct A(B);"),
    ("b.rs", "pub struct B; pub fn b() { crate::c::C::new() }"),
    ("c.rs", "use super::d; pub struct C; fn c() -> d::D { d::D }"),
    ("d.rs", "use super::a::A as Other; pub struct D; "),
];

#[test]
fn four_files_in_a_cycle_are_found_with_what_ties_them() {
    let findings = check_crate(&FOUR);
    assert_eq!(findings.len(), 1, "{findings:?}");
    for part in
        ["src/a.rs: 4 files", "src/a.rs -> crates/house/src/b.rs: B", "src/d.rs -> crates/house/src/a.rs: A"]
    {
        assert!(findings[0].contains(part), "{}", findings[0]);
    }
}

#[test]
fn three_files_may_need_each_other_and_a_line_is_no_cycle() {
    let three = [FOUR[0], FOUR[1], FOUR[2], ("c.rs", "use super::a::A; pub struct C;")];
    assert_eq!(check_crate(&three), Vec::<String>::new());
    let line = [FOUR[0], FOUR[1], FOUR[2], FOUR[3], ("d.rs", "pub struct D;")];
    assert_eq!(check_crate(&line), Vec::<String>::new());
}

#[test]
fn a_name_that_is_passed_on_counts_for_the_file_that_declares_it() {
    let files = [
        ("lib.rs", "mod wall; pub use wall::Wall; mod shapes;"),
        ("wall.rs", "pub struct Wall;"),
        ("shapes/mod.rs", "mod solid; pub(crate) use solid::{Solid, mesh as meshed};"),
        ("shapes/solid.rs", "use crate::Wall; pub struct Solid; pub fn mesh() {}"),
        ("plan.rs", "use crate::shapes; use crate::{Wall, shapes::Solid}; fn f() { shapes::meshed() }"),
    ];
    assert_eq!(
        edges_of(&files),
        ["plan.rs -> shapes/solid.rs", "plan.rs -> wall.rs", "shapes/solid.rs -> wall.rs"]
    );
}

#[test]
fn a_child_is_needed_where_something_of_it_is_named_and_stands_on_its_parent() {
    let files = [
        ("shapes/mod.rs", "mod solid; mod plane; pub fn area() -> f64 { plane::area(1.0) }"),
        ("shapes/solid.rs", "impl super::Shape for () {}"),
        ("shapes/plane.rs", "pub fn area(plane: f64) -> f64 { plane }"),
    ];
    assert_eq!(edges_of(&files), ["shapes/mod.rs -> shapes/plane.rs"]);
}

#[test]
fn modules_within_a_file_are_that_file() {
    let files = [
        (
            "wall.rs",
            "pub mod kinds { use super::super::slab::Slab; pub struct Kind; fn k() { super::w() } } fn w() {}",
        ),
        ("slab.rs", "use crate::wall::kinds::Kind; pub struct Slab;"),
    ];
    assert_eq!(edges_of(&files), ["slab.rs -> wall.rs", "wall.rs -> slab.rs"]);
}

#[test]
fn comments_strings_tests_and_foreign_crates_do_not_count() {
    let files = [
        (
            "a.rs",
            "// crate::b::B\n/* crate::b::B /* */ crate::b::B */ fn f<'a>() -> &'a str { \"crate::b::B\" }",
        ),
        (
            "b.rs",
            "use a::b; use ::clap::a; pub struct B; const C: char = '\"'; const R: &str = r#\"crate::a \"::f\"#;",
        ),
        (
            "c.rs",
            "#[cfg(test)]\nmod tests { use crate::b::B; }\n#[cfg(all(test, unix))]\nuse crate::{a, b};\nfn f() {}",
        ),
        ("tests.rs", "use crate::b::B;"),
    ];
    assert_eq!(edges_of(&files[..3]), Vec::<String>::new());
    assert_eq!(module_of("crates/house/src/tests.rs"), None);
    assert_eq!(module_of("tests/rust/src/a.rs"), None);
}

#[test]
fn what_stands_behind_a_glob_is_found_where_it_is_declared() {
    let files = [
        ("a.rs", "pub use crate::b::*;"),
        ("b.rs", "pub struct B;"),
        ("c.rs", "use crate::a::B; fn f(b: B) {}"),
    ];
    assert_eq!(edges_of(&files), ["c.rs -> b.rs"]);
}
