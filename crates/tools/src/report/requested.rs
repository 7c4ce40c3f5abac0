//! The demands that a model is to be held against.

use super::Family;
use crate::IfcCall;
use crate::rule_packs::{self, Asked};
use crate::validation::check_ids;
use contract::Fault;
use ifc::{Id, Model};
use ifc_check::implementer;
use validation::ids::{Document, Problem};

/// The families that are held where none is named.
pub(crate) const USUAL: [Family; 3] = [Family::Schema, Family::Rules, Family::Implementer];
/// Findings of one kind that are listed where single findings matter.
pub(crate) const LISTED_SINGLY: usize = 100_000;

/// The demands of one report.
#[derive(Default)]
pub(crate) struct Requested {
    /// The families, each once, in their order.
    pub families: Vec<Family>,
    /// Of the agreements of implementers only these.
    pub rules: Option<Vec<&'static implementer::Rule>>,
    /// Also references and inverse attributes.
    pub references: bool,
    /// Only findings about instances of these classes; about everything where there are none.
    pub classes: Vec<String>,
    /// A document of requirements, with its harmless mistakes.
    pub document: Option<(Document, Vec<Problem>)>,
    /// Packs of rules.
    pub packs: Vec<Asked>,
    /// Findings of one kind that are listed, at most; the others are counted.
    pub listed: usize,
}

/// The words in which a caller asks.
pub(crate) struct Wish<'i> {
    /// The families, where they are named.
    pub parts: Option<&'i [Family]>,
    /// Path, bucket key or text of a document of requirements.
    pub ids: Option<&'i str>,
    /// Packs by name.
    pub packs: Option<&'i [String]>,
    /// The families where none is named, beside those of what is given.
    pub usual: &'static [Family],
    /// The parameter that these are within, with a dot; empty where they are parameters themselves.
    pub within: &'static str,
}

impl Requested {
    /// The demands that a wish comes to.
    pub fn new(call: &IfcCall, wish: &Wish<'_>) -> Result<Self, Fault> {
        let field = |name: &str| format!("{}{name}", wish.within);
        let mut packs: Vec<Asked> = Vec::new();
        if wish.packs.is_some_and(<[String]>::is_empty) {
            return Err(Fault::invalid(&field("packs"), "Name at least one pack, or leave `packs` out."));
        }
        for (at, name) in wish.packs.unwrap_or_default().iter().enumerate() {
            let pack = rule_packs::named(call, &field(&format!("packs[{at}]")), name)?;
            if packs.iter().all(|own| own.id() != pack.id()) {
                packs.push(pack);
            }
        }
        let families = families(wish)?;
        let document = wish.ids.map(|ids| check_ids::given(call, &field("ids"), ids)).transpose()?;
        Ok(Self { families, references: true, document, packs, listed: usize::MAX, ..Self::default() })
    }

    /// The demands where nobody names any, each finding listed by itself.
    pub fn usual() -> Self {
        let families = USUAL.to_vec();
        Self { families, references: true, listed: LISTED_SINGLY, ..Self::default() }
    }

    /// True if this family is to be held.
    pub fn asks(&self, family: Family) -> bool {
        self.families.contains(&family)
    }

    /// True if a finding about these elements is of the classes asked for.
    pub fn concerns(&self, model: &Model, elements: &[Id]) -> bool {
        let is_of =
            |id: &Id| model.get(*id).is_some_and(|own| self.classes.iter().any(|class| own.is_a(class)));
        self.classes.is_empty() || elements.iter().any(is_of)
    }
}

/// The families that a wish comes to, each once, in their order.
fn families(wish: &Wish<'_>) -> Result<Vec<Family>, Fault> {
    let field = |name: &str| format!("{}{name}", wish.within);
    let given = |family| match family {
        Family::Ids => wish.ids.is_some(),
        Family::Packs => wish.packs.is_some(),
        _ => true,
    };
    let mut families = match wish.parts {
        Some([]) => {
            return Err(Fault::invalid(&field("parts"), "Name at least one part, or leave `parts` out."));
        }
        Some(parts) => parts.to_vec(),
        None => {
            let others = [Family::Ids, Family::Packs].into_iter().filter(|family| given(*family));
            wish.usual.iter().copied().chain(others).collect()
        }
    };
    families.sort_unstable();
    families.dedup();
    for family in [Family::Ids, Family::Packs] {
        let (name, is_asked) = (family.as_str(), families.contains(&family));
        let problem = match (is_asked, given(family)) {
            (true, false) => format!("The part {name} needs `{name}`: what to hold against."),
            (false, true) => format!(
                "`{name}` is given and would not be checked: add {name} to `parts`, or leave `parts` and `rules` out."
            ),
            _ => continue,
        };
        return Err(Fault::invalid(&field(name), problem));
    }
    Ok(families)
}
