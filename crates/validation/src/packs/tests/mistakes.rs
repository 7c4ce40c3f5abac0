//! Mistakes in packs: each is told with its line, its column and what would do.

use crate::packs::{Problem, read};

const HEAD: &str = r#"[pack]
id = "test"
title = "Test"
edition = "1"
source = "none"
licence = "none"
"#;

/// A rule about doors with these lines within.
fn rule(lines: &str) -> String {
    format!(
        "{HEAD}[[rule]]\nid = \"a\"\nclause = \"1\"\ntitle = \"A\"\ntext = \"a\"\nwhy = \"a\"\nseverity = \"error\"\nverified = false\nsuggestion = \"mend {{element}}\"\neach = \"door\"\n{lines}\n"
    )
}

/// The line at which the lines of [`rule`] begin.
const FIRST: usize = 17;

/// Holds that a rule has one mistake, at a line counted from the first of its own and a column, with such words.
fn refused(lines: &str, line: usize, column: usize, words: &str) {
    let problems = read(&rule(lines)).unwrap_err();
    let found = |p: &Problem| {
        (p.line + 1).saturating_sub(FIRST) == line && p.column == column && p.message.contains(words)
    };
    assert!(problems.len() == 1 && problems.iter().all(found), "{lines}: {problems:#?}");
}

#[test]
fn a_rule_without_a_mistake_is_read() {
    for lines in [
        "require = { measure = \"door.clear_width\", at_least = \"815 mm\" }",
        "select = \"IfcDoor, Name=/.*/\"\nrequire = { attribute = \"Name\", exists = true }",
        "require = { property = \"Pset_DoorCommon.FireRating\", one_of = [\"EI30\", \"EI60\"] }",
        "parameters.w = { default = \"32 in\", means = \"w\" }\nrequire = { measure = \"door.clear_width\", at_least = { parameter = \"w\" } }",
        "require = { every = \"room\", require = { measure = \"room.area\", at_least = \"4 m²\" } }",
        "require = { count = \"room\", between = [1, 2] }",
        "require.any = [{ classification = true, matches = \"^Ss\" }, { not = { measure = \"door.is_exit\", equals = true } }]",
    ] {
        read(&rule(lines)).unwrap_or_else(|problems| panic!("{lines}: {problems:#?}"));
    }
}

#[test]
fn unknown_words_name_their_place_and_what_is_like_them() {
    refused(
        "requires = 1\nrequire = { measure = \"door.clear_width\", at_least = \"1 m\" }",
        1,
        1,
        "`require`",
    );
    refused("require = { measure = \"door.clear_widht\", at_least = \"1 m\" }", 1, 13, "`door.clear_width`");
    refused(
        "require = { measure = \"door.clear_width\", at_leest = \"1 m\" }",
        1,
        11,
        "a comparison is missing",
    );
    refused("require = { measure = \"door.clear_width\", at_least = \"1 mn\" }", 1, 57, "`m`");
    refused("require = { measur = \"door.clear_width\", at_least = \"1 m\" }", 1, 11, "`measure`");
    refused(
        "require = { measure = \"door.clear_width\", with = { fame = \"1 m\" }, at_least = \"1 m\" }",
        1,
        52,
        "`frame`",
    );
    refused(
        "require = { every = \"rooms\", require = { measure = \"room.area\", at_least = \"1 m²\" } }",
        1,
        13,
        "`room`",
    );
    refused("require = { attribute = \"Naem\", exists = true }", 1, 13, "`Naem`");
    refused("select = \"IfcDor\"\nrequire = { attribute = \"Name\", exists = true }", 1, 10, "`IfcDoor`");
    refused(
        "select = \"IfcDoor, Name=\"\nrequire = { attribute = \"Name\", exists = true }",
        1,
        25,
        "`select`",
    );
}

#[test]
fn values_of_another_kind_are_refused() {
    refused("require = { measure = \"door.clear_width\", at_least = \"1 m²\" }", 1, 54, "a length");
    refused("require = { measure = \"door.clear_width\", at_least = 815 }", 1, 54, "a length");
    refused("require = { measure = \"door.clear_width\", at_least = true }", 1, 54, "a length");
    refused("require = { measure = \"door.operation\", at_least = \"1 m\" }", 1, 41, "does not go with");
    refused("require = { measure = \"room.area\", at_least = \"1 m²\" }", 1, 13, "about a door");
    refused(
        "require = { measure = \"door.clear_depth\", with = { depth = \"1 m\", side = \"left\" }, at_least = \"1 m\" }",
        1,
        74,
        "`left`",
    );
    refused("require = { property = \"FireRating\", exists = true }", 1, 13, "its set and its name");
    refused("require = { attribute = \"Name\", matches = \"(\" }", 1, 43, "regular expression");
    refused("require = { measure = \"door.clear_depth\", at_least = \"1 m\" }", 1, 13, "`with.depth`");
    refused(
        "require = { every = \"flight\", require = { measure = \"flight.riser\", at_most = \"1 m\" } }",
        1,
        13,
        "no flight belongs to a door",
    );
    refused("require = { all = [] }", 1, 13, "has none");
}

#[test]
fn parameters_have_to_be_there_to_be_used_and_to_be_of_the_type() {
    let width = "{ default = \"1 m\", means = \"w\" }";
    refused(
        &format!("parameters.w = {width}\nrequire = {{ attribute = \"Name\", exists = true }}"),
        1,
        12,
        "nothing in this rule uses",
    );
    refused(
        "require = { measure = \"door.clear_width\", at_least = { parameter = \"w\" } }",
        1,
        56,
        "no parameter `w`",
    );
    refused(
        &format!(
            "parameters.w = {width}\nrequire = {{ count = \"room\", at_least = {{ parameter = \"w\" }} }}"
        ),
        2,
        42,
        "`w` is a length",
    );
    refused(
        "require = { measure = \"door.clear_width\", at_least = { table = \"t\" } }",
        1,
        56,
        "no table `t`",
    );
}

#[test]
fn a_whole_text_is_looked_at_and_every_mistake_told_in_order() {
    let text = format!(
        "{HEAD}colour = 1\n[table.load]\nmeans = \"m\"\nrows = {{ offise = \"9 m²\" }}\n[[rule]]\nid = \"a b\"\neach = \"dor\"\nseverity = \"bad\"\n"
    );
    let problems = read(&text).unwrap_err();
    let lines: Vec<usize> = problems.iter().map(|p| p.line).collect();
    assert!(lines.is_sorted() && problems.len() > 10, "{problems:#?}");
    for words in [
        "colour",
        "offise",
        "no rule uses the table",
        "`id` is made of",
        "`dor`",
        "`bad`",
        "`require` is missing",
        "`verified` is missing",
    ] {
        assert!(problems.iter().any(|p| p.message.contains(words)), "{words}: {problems:#?}");
    }
}

#[test]
fn what_is_no_toml_is_a_problem_and_no_panic() {
    for text in [
        "",
        "[",
        "a = ",
        "[pack]\nid = 3",
        "rule = 1",
        "[[rule]]",
        "\u{feff}[pack",
        "[table]\nx = 1",
        "x = [[[[[[[[[[[[[[[[[[[[[",
        "[usages]\na = []",
    ] {
        assert!(!read(text).unwrap_err().is_empty(), "{text}");
    }
    let deep = format!(
        "require = {}{{ attribute = \"Name\", exists = true }}{}",
        "{ not = ".repeat(40),
        " }".repeat(40)
    );
    let problems = read(&rule(&deep)).unwrap_err();
    assert!(problems.iter().any(|p| p.message.contains("deep")), "{problems:#?}");
    assert!(read(&"#".repeat(5 << 20)).is_err());
}

#[test]
fn rules_that_are_there_twice_are_refused() {
    let one = rule("require = { attribute = \"Name\", exists = true }");
    let twice = format!("{one}{}", one.strip_prefix(HEAD).unwrap());
    let problems = read(&twice).unwrap_err();
    assert!(problems.len() == 1 && problems[0].message.contains("twice"), "{problems:#?}");
}

#[test]
fn braces_of_suggestions_stand_for_what_is_known() {
    let text = rule("require = { attribute = \"Name\", exists = true }").replace("{element}", "{elment}");
    let problems = read(&text).unwrap_err();
    assert!(problems.len() == 1 && problems[0].message.contains("`element`"), "{problems:#?}");
}
