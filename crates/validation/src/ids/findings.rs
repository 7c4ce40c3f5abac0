//! A report as findings, so that the requirements of a document stand beside those of other checks, in one report and in BCF.
//!
//! A rule is named by its specification (identifier, else name) and the number of its requirement from one: `ids.walls-have-names.2`;
//! without a number it is about what occurs at all. Nothing here says how a finding is mended for certain: which value is right is known to
//! who makes the model.

use super::check::{Report, SpecificationResult, Status};
use super::document::{Cardinality, Document, Facet, Requirement, Specification};
use crate::finding::{Finding, Measured, Required, Severity};
use foldhash::{HashMap, HashMapExt};
use ifc::{Id, Model};

/// Letters of a rule's part that comes from a name.
const LONGEST: usize = 60;
/// Letters of a text of the document or the model within a sentence.
const LONGEST_TEXT: usize = 300;

/// Turns the results of a document into findings, in its order: an error for each requirement and instance that does not meet it, for each
/// instance that may not be there, and for each specification that applies to nothing though something must be there; an info for each
/// that was not looked at, because it is for other schemas. `report` must be that of `document` on `model`.
pub fn findings(document: &Document, report: &Report, model: &Model) -> Vec<Finding> {
    let names = rule_names(document);
    let all = document.specifications.iter().zip(&report.specifications).zip(names);
    all.flat_map(|((specification, result), rule)| Source { specification, rule, model }.findings(result))
        .collect()
}

/// The rules of a document as its findings name them, one for each specification, no two alike.
pub fn rule_names(document: &Document) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::with_capacity(document.specifications.len());
    for (at, specification) in document.specifications.iter().enumerate() {
        let given = specification.identifier.as_deref().map(identifier).filter(|own| !own.is_empty());
        let own = given.unwrap_or_else(|| slug(&specification.name));
        let own = if own.is_empty() { format!("specification-{}", at + 1) } else { own };
        let count = seen.entry(own.clone()).or_default();
        *count += 1;
        names.push(if *count == 1 { format!("ids.{own}") } else { format!("ids.{own}-{count}") });
    }
    names
}

/// A name in small letters, digits and hyphens.
fn slug(name: &str) -> String {
    hyphened(&name.to_lowercase(), char::is_alphanumeric)
}

/// An identifier as it is, but for what would not read as one word.
fn identifier(text: &str) -> String {
    hyphened(text, |letter| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-'))
}

fn hyphened(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let words = text.split(|letter| !is_kept(letter)).filter(|word| !word.is_empty());
    let whole: String = words.collect::<Vec<_>>().join("-").chars().take(LONGEST).collect();
    whole.trim_matches('-').to_owned()
}

/// A specification with the model that it was held against.
struct Source<'a> {
    specification: &'a Specification,
    rule: String,
    model: &'a Model,
}

impl Source<'_> {
    fn findings(&self, result: &SpecificationResult) -> Vec<Finding> {
        match (result.status, self.specification.cardinality) {
            (Status::Passed, _) => Vec::new(),
            (Status::Skipped, _) => vec![self.not_judged(result)],
            (Status::Failed, Some(Cardinality::Prohibited)) => {
                result.applicable.iter().map(|id| self.prohibited(*id)).collect()
            }
            (Status::Failed, _) if result.applicable.is_empty() => vec![self.missing()],
            (Status::Failed, _) => self.failures(result),
        }
    }

    fn failures(&self, result: &SpecificationResult) -> Vec<Finding> {
        let name = quoted(&self.specification.name);
        let mut found = Vec::with_capacity(result.requirements.iter().map(|own| own.failed.len()).sum());
        for (at, (requirement, own)) in
            self.specification.requirements.iter().zip(&result.requirements).enumerate()
        {
            let rule = format!("{}.{}", self.rule, at + 1);
            let words = short(&requirement.describe());
            let suggestion = self.suggestion(requirement);
            found.extend(own.failed.iter().map(|failure| {
                let element = self.element(failure.id);
                let reason = short(&failure.reason);
                let message = format!("{element} does not meet {name}: {reason}. Asked is: {words}.");
                let mut finding = self.finding(&rule, Severity::Error, vec![failure.id], message);
                finding.measured = Some(Measured::Words(reason));
                finding.required = Some(Required::Words(words.clone()));
                finding.suggestion.clone_from(&suggestion);
                finding
            }));
        }
        found
    }

    fn finding(&self, rule: &str, severity: Severity, elements: Vec<Id>, message: String) -> Finding {
        let mut finding = Finding::new(rule, severity, elements, message);
        finding.clause.clone_from(&self.specification.identifier);
        finding
    }

    fn prohibited(&self, id: Id) -> Finding {
        let (element, name) = (self.element(id), quoted(&self.specification.name));
        let message =
            format!("{element} may not be there by {name}, which prohibits: {}.", self.applies_to());
        let mut finding = self.finding(&self.rule, Severity::Error, vec![id], message);
        finding.measured = Some(Measured::Words("it is there".to_owned()));
        finding.required = Some(Required::Words(format!("none of: {}", self.applies_to())));
        finding.suggestion.clone_from(&self.specification.instructions);
        finding
    }

    fn missing(&self) -> Finding {
        let (name, applies) = (quoted(&self.specification.name), self.applies_to());
        let message = format!("The model has nothing that {name} applies to, and must have some: {applies}.");
        let mut finding = self.finding(&self.rule, Severity::Error, Vec::new(), message);
        finding.measured = Some(Measured::Words("none".to_owned()));
        finding.required = Some(Required::Words(format!("at least one of: {applies}")));
        finding.suggestion.clone_from(&self.specification.instructions);
        finding
    }

    fn not_judged(&self, result: &SpecificationResult) -> Finding {
        let name = quoted(&self.specification.name);
        let reason = result.reason.as_deref().unwrap_or("it is for another schema");
        let message = format!("{name} was not judged: {reason}.");
        self.finding(&self.rule, Severity::Info, Vec::new(), message)
    }

    fn applies_to(&self) -> String {
        let all: Vec<String> = self.specification.applicability.iter().map(Facet::describe).collect();
        short(&all.join(", "))
    }

    /// The instructions of the document, those of the requirement first; without any the requirement as a task.
    fn suggestion(&self, requirement: &Requirement) -> Option<String> {
        let given = requirement.instructions.as_ref().or(self.specification.instructions.as_ref());
        given.filter(|text| !text.trim().is_empty()).cloned().or_else(|| task(requirement))
    }

    /// An instance by class and name.
    fn element(&self, id: Id) -> String {
        let Some(instance) = self.model.get(id) else { return id.to_string() };
        match instance.name().filter(|name| !name.is_empty()) {
            Some(name) => format!("{} {}", instance.class_name(), quoted(&name)),
            None => format!("{} {id}", instance.class_name()),
        }
    }
}

/// A requirement as something to do; none where a new instance would be needed, since one does not change its class.
fn task(requirement: &Requirement) -> Option<String> {
    let words = short(&requirement.facet.describe());
    let cardinality = requirement.cardinality.unwrap_or_default();
    if cardinality == Cardinality::Prohibited {
        return Some(format!("Change or take out what is prohibited: {words}."));
    }
    let task = match &requirement.facet {
        Facet::Entity(facet) => {
            let wanted = short(&facet.predefined_type.as_ref()?.describe());
            format!("Give it a predefined type that is {wanted}")
        }
        Facet::PartOf(_) => format!("Make it {words}"),
        Facet::Classification(_) => format!("Classify it so that {words}"),
        Facet::Material(_) => format!("Give it a material so that {words}"),
        Facet::Attribute(_) | Facet::Property(_) => format!("Fill it in so that {words}"),
    };
    let or_none = if cardinality == Cardinality::Optional { ", or take it out" } else { "" };
    Some(format!("{task}{or_none}."))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// A text of a stranger, shortened.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, document, model};
    use super::super::{check, read, written};
    use super::*;

    const WALLS: &str = "#1=IFCWALL('1hqIFTRjfV6AWq_bMtnZwI',$,'North',$,$,$,$,$,.SOLIDWALL.);\
        #2=IFCWALL('2hqIFTRjfV6AWq_bMtnZwI',$,$,$,$,$,$,$,$);#3=IFCSLAB('3hqIFTRjfV6AWq_bMtnZwI',$,'Floor',$,$,$,$,$,$);";
    const NAMED: &str = "<attribute><name><simpleValue>Name</simpleValue></name><value><simpleValue>North</simpleValue></value></attribute>";
    const OF_STEEL: &str = "<material><value><simpleValue>Steel</simpleValue></value></material>";

    fn found(document: &Document) -> Vec<Finding> {
        let model = model("IFC4", WALLS);
        findings(document, &check(document, &model, true, &mut || true).unwrap(), &model)
    }

    fn walls(requirements: &str) -> Document {
        document("IFC4", &class("IFCWALL"), requirements)
    }

    #[test]
    fn each_requirement_and_instance_that_fails_is_an_error_with_what_was_found_and_what_is_asked() {
        let mut document = walls(&format!("{NAMED}{OF_STEEL}"));
        document.specifications[0].name = "Walls: names & steel".to_owned();
        document.specifications[0].requirements[1].instructions = Some("Ask the engineer.".to_owned());
        let found = found(&document);
        let rules: Vec<(&str, &[Id])> =
            found.iter().map(|own| (own.rule.as_str(), own.elements.as_slice())).collect();
        let (name, steel) = ("ids.walls-names-steel.1", "ids.walls-names-steel.2");
        assert_eq!(rules, [(name, &[Id(2)][..]), (steel, &[Id(1)]), (steel, &[Id(2)])]);
        assert!(found.iter().all(|own| own.severity == Severity::Error && own.fix.is_empty()));
        let words = |own: &Finding| {
            let (measured, required) = (own.measured.as_ref().unwrap(), own.required.as_ref().unwrap());
            format!("{} | {measured} | {required} | {}", own.message, own.suggestion.as_ref().unwrap())
        };
        assert_eq!(
            words(&found[0]),
            "IfcWall #2 does not meet \"Walls: names & steel\": it has no value of \"Name\". Asked is: attribute Name is \"North\". | \
             it has no value of \"Name\" | attribute Name is \"North\" | Fill it in so that attribute Name is \"North\"."
        );
        assert_eq!(
            words(&found[1]),
            "IfcWall \"North\" does not meet \"Walls: names & steel\": it has no material. Asked is: material is \"Steel\". | \
             it has no material | material is \"Steel\" | Ask the engineer."
        );
    }

    #[test]
    fn rules_bear_the_identifier_of_their_specification_and_no_two_are_alike() {
        let mut document = walls(NAMED);
        let mut add = |name: &str, identifier: Option<&str>| {
            let mut further = document.specifications[0].clone();
            (further.name, further.identifier) = (name.to_owned(), identifier.map(str::to_owned));
            document.specifications.push(further);
        };
        add("Walls", Some("A 1.2/b"));
        add("S!", Some(" "));
        add("…", None);
        add("Dış duvar", None);
        let found = found(&document);
        let rules: Vec<&str> = found.iter().map(|own| own.rule.as_str()).collect();
        assert_eq!(
            rules,
            ["ids.s.1", "ids.A-1.2-b.1", "ids.s-2.1", "ids.specification-4.1", "ids.dış-duvar.1"]
        );
        assert_eq!(found[1].clause.as_deref(), Some("A 1.2/b"));
        assert_eq!(found[0].clause, None);
    }

    #[test]
    fn what_must_not_occur_what_must_and_what_was_not_judged_are_findings_too() {
        let mut prohibited = document("IFC4", &class("IFCWALL"), "");
        prohibited.specifications[0].cardinality = Some(Cardinality::Prohibited);
        let all = found(&prohibited);
        let elements: Vec<&[Id]> = all.iter().map(|own| own.elements.as_slice()).collect();
        assert_eq!(elements, [[Id(1)], [Id(2)]]);
        assert_eq!(all[0].rule, "ids.s");
        assert_eq!(
            all[0].message,
            "IfcWall \"North\" may not be there by \"S\", which prohibits: class IFCWALL."
        );

        let mut missing = document("IFC4", &class("IFCDOOR"), NAMED);
        missing.specifications[0].cardinality = Some(Cardinality::Optional);
        assert_eq!(found(&missing), []);
        missing.specifications[0].cardinality = Some(Cardinality::Required);
        let all = found(&missing);
        assert_eq!((all.len(), all[0].severity, all[0].elements.len()), (1, Severity::Error, 0));
        assert_eq!(
            all[0].message,
            "The model has nothing that \"S\" applies to, and must have some: class IFCDOOR."
        );

        let all = found(&document("IFC2X3", &class("IFCWALL"), NAMED));
        assert_eq!((all.len(), all[0].severity), (1, Severity::Info));
        assert_eq!(all[0].message, "\"S\" was not judged: it is for IFC2X3, and the model is IFC4.");
    }

    #[test]
    fn as_many_findings_as_failures_on_a_real_model_with_what_strangers_wrote_shortened() {
        let Some(path) = testing::model("Duplex_A_20110907.ifc") else { return };
        let (model, _) = Model::open(&path, &ifc::Limits::default()).unwrap();
        let mut document = read(written(&walls(&format!("{NAMED}{OF_STEEL}"))).as_bytes()).unwrap().document;
        document.specifications[0].name = "W".repeat(5000);
        document.specifications[0].applicability =
            self::document("IFC2X3", &class("IFCWALLSTANDARDCASE"), "").specifications[0]
                .applicability
                .clone();
        let report = check(&document, &model, false, &mut || true).unwrap();
        let failures: usize = report.specifications[0].requirements.iter().map(|own| own.failed.len()).sum();
        let found = findings(&document, &report, &model);
        assert!(failures > 50, "{failures}");
        assert_eq!(found.len(), failures);
        assert!(found.iter().all(|own| own.message.chars().count() < 1500 && own.rule.len() < 80));
    }
}
