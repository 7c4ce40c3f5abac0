//! How much the corpora count for a question: what it names says which it is about.

use knowledge::corpora::names::{ENERGYPLUS, GUIDES, IDS, IFC, TOOLS};

/// Weights that hold for every question, found by measuring: the pages on IDS are long and speak of everything, tools are told in few
/// words.
const USUAL: [(&str, f32); 3] = [(IDS, 0.85), (TOOLS, 1.15), (GUIDES, 1.1)];
/// How much more a corpus counts that the question names, and how much less the one that it does not.
const NAMED: f32 = 1.15;
const OTHER: f32 = 0.85;
/// Beginnings of words that speak of EnergyPlus.
const OF_ENERGY: [&str; 8] =
    ["energyplus", "idf", "epjson", "ems", "hvac", "energiemodell", "energiemodel", "simul"];
/// Beginnings of words that speak of the schema.
const OF_IFC: [&str; 14] = [
    "ifc",
    "pset",
    "qto",
    "property",
    "properties",
    "merkmal",
    "eigenschaft",
    "class",
    "klasse",
    "entity",
    "entities",
    "attribut",
    "enumeration",
    "subtype",
];

/// The weights of corpora for a question.
pub(super) fn for_question(question: &str) -> Vec<(String, f32)> {
    let lower = question.to_lowercase();
    let speaks_of = |beginnings: &[&str]| {
        let mut words = lower.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
        words.any(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
    };
    let mut weights: Vec<(String, f32)> =
        USUAL.iter().map(|(corpus, weight)| ((*corpus).to_owned(), *weight)).collect();
    let mut weigh = |corpus: &str, weight: f32| weights.push((corpus.to_owned(), weight));
    if speaks_of(&OF_ENERGY) || lower.contains("energy model") {
        weigh(ENERGYPLUS, NAMED);
    } else if speaks_of(&OF_IFC) {
        weigh(IFC, NAMED);
        weigh(ENERGYPLUS, OTHER);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::for_question;

    #[test]
    fn what_a_question_names_counts_more() {
        let weight = |question: &str, corpus: &str| {
            for_question(question)
                .into_iter()
                .find(|(own, _)| own == corpus)
                .map_or(1.0, |(_, weight)| weight)
        };
        assert!(weight("Which property set has the fire rating?", "ifc") > 1.0);
        assert!(weight("Which property set has the fire rating?", "energyplus") < 1.0);
        assert!(weight("Wie benenne ich im Energiemodell eine Zone um?", "energyplus") > 1.0);
        assert_eq!(weight("Where are walls?", "ifc"), 1.0);
    }
}
