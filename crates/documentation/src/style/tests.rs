//! The shipped style is whole, and what is wrong with one's own is told with its line.

use super::*;

#[test]
fn the_shipped_style_names_every_width_letter_and_word() {
    let style = Style::standard().unwrap();
    // what default.toml leaves out would be nought
    for part in
        [format!("{:?}", style.weights), format!("{:?}", style.letters), format!("{:?}", style.dimensions)]
    {
        assert!(!part.contains("(0.0)"), "{part}");
    }
    for (language, words) in &style.words {
        assert!(!format!("{words:?}").contains("\"\""), "{language}: {words:?}");
    }
    assert_eq!(style.words.keys().collect::<Vec<_>>(), ["de", "en", "es", "fr", "it", "nl", "tr"]);
}

#[test]
fn materials_have_hatches_in_several_languages() {
    let style = Style::standard().unwrap();
    for (material, hatch) in [
        ("Masonry - Brick", "masonry"),
        ("Masonry - Concrete Block", "masonry"),
        ("Stahlbeton 65690", "reinforced_concrete"),
        ("BÉTON", "concrete"),
        ("Isolant thermique", "insulation"),
        ("Cartongesso", "gypsum"),
        ("Madera de pino", "timber"),
        ("Misc. Air Layers - Air Space", "air"),
        ("Zementestrich", "screed"),
        ("Baksteen", "masonry"),
        ("Çelik", "steel"),
        ("Radial Gradient Fill", "other"),
    ] {
        assert_eq!(style.hatch_name(material), hatch, "{material}");
    }
}

#[test]
fn a_style_of_ones_own_changes_what_it_names() {
    let style = Style::from_toml("language = \"de\"\n[weights]\ncut_heavy = 0.7\n").unwrap();
    let standard = Style::standard().unwrap();
    assert_eq!(style.weights.cut_heavy.0, 0.7);
    assert_eq!(style.weights.seen, standard.weights.seen);
    assert_eq!(style.words().plan, "Grundriss");
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_what_is_near() {
    let told = |text: &str| Style::from_toml(text).unwrap_err();
    let unknown = told("language = \"de\"\n[weights]\ncut_heavi = 0.7\n");
    assert_eq!((unknown.line, unknown.near.first().map(String::as_str)), (Some(3), Some("cut_heavy")));
    let negative = told("[weights]\n\ncut_heavy = -1.0\n");
    assert_eq!(negative.line, Some(3), "{negative}");
    assert!(negative.reason.contains("-1"), "{negative}");
    assert!(told("[weights]\nseen = nan\n").reason.contains("NaN"));
    let language = told("language = \"den\"\n");
    assert_eq!((language.line, language.near.is_empty()), (Some(1), false), "{language}");
    let hatch = told("[[materials]]\nhatch = \"masonri\"\nwords = [\"x\"]\n");
    assert_eq!((hatch.line, hatch.near.first().map(String::as_str)), (Some(2), Some("masonry")));
    assert!(told("scales = []\n").reason.contains("scales"));
    assert!(told("[hatches.masonry]\nlines = [{ angle = inf, spacing = 1.0 }]\n").reason.contains("hatch"));
    assert_eq!(told("= 3").line, Some(1));
}

#[test]
fn measures_have_the_form_of_their_unit_and_language() {
    let told = |text: &str, metres: f64| Style::from_toml(text).unwrap().measure(metres).words();
    assert_eq!(told("", 2.135), "2.135");
    assert_eq!(told("", 2.1), "2.10");
    assert_eq!(told("language = \"fr\"", 12.0), "12,00");
    assert_eq!(told("dimensions.unit = \"mm\"", 2.1349), "2135");
    assert_eq!(told("dimensions.unit = \"cm\"", 2.135), "213.5");
    assert_eq!(told("dimensions.unit = \"cm\"", 2.13), "213");
    let german = "language = \"de\"\ndimensions.superscript = true";
    assert_eq!(told(german, 2.135), "2,13⁵");
    assert_eq!(told(german, 0.885), "88⁵");
    assert_eq!(told(german, 1.0), "1,00");
    let style = Style::from_toml("language = \"de\"").unwrap();
    assert_eq!((style.level(0.001).as_str(), style.level(-2.85).as_str()), ("±0,00", "-2,85"));
    assert_eq!(style.area(12.345), "12,35 m²");
}

#[test]
fn a_style_that_is_cut_short_or_spoiled_is_read_or_refused() {
    let text = include_str!("default.toml");
    let ends = text.char_indices().map(|(at, _)| at).step_by(97);
    let (mut read, mut refused) = (0, 0);
    for end in ends {
        for spoiled in [text[..end].to_owned(), format!("{}={}", &text[..end], &text[end..])] {
            match Style::from_toml(&spoiled) {
                Ok(_) => read += 1,
                Err(why) => {
                    assert!(!why.reason.is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 5 && refused > 5, "{read} {refused}");
}
