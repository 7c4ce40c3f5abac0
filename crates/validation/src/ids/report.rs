//! A report as one page of HTML that needs nothing else: for the screen, light or dark, and for paper.

use super::check::{Report, RequirementResult, SpecificationResult, Status};
use super::document::{Cardinality, Document, Facet, Requirement, Specification};
use crate::page::{STYLE, escaped};
use ifc::{Id, Model};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Elements of one requirement that are listed.
const LISTED: usize = 500;

/// Images that show what fails, as addresses for a page, by the places of specification and requirement from nought.
pub type Images = BTreeMap<(usize, usize), String>;

/// The report of a document held against a model.
pub fn html(document: &Document, report: &Report, model: &Model, about: &str, images: &Images) -> String {
    let mut page = Page { out: String::new(), model, images };
    page.head(document, report, about);
    let all = document.specifications.iter().zip(&report.specifications);
    for (at, (specification, result)) in all.enumerate() {
        page.specification(at, specification, result);
    }
    page.out.push_str("</body></html>\n");
    page.out
}

/// A requirement in words.
pub(super) fn requirement_words(requirement: &Requirement) -> String {
    let words = facet_words(&requirement.facet);
    match requirement.cardinality.unwrap_or_default() {
        Cardinality::Required => words,
        Cardinality::Optional => format!("{words}, if there"),
        Cardinality::Prohibited => format!("not: {words}"),
    }
}

impl Requirement {
    /// The requirement in words.
    pub fn describe(&self) -> String {
        requirement_words(self)
    }
}

impl Facet {
    /// The facet in words.
    pub fn describe(&self) -> String {
        facet_words(self)
    }
}

fn facet_words(facet: &Facet) -> String {
    let said = |own: &Option<super::constraint::Constraint>| {
        own.as_ref().filter(|own| !own.is_empty()).map(super::constraint::Constraint::describe)
    };
    let valued = |words: String, value: &Option<super::constraint::Constraint>| match said(value) {
        Some(value) => format!("{words} is {value}"),
        None => format!("{words} is given"),
    };
    let plain = |own: &Option<super::constraint::Constraint>| {
        let text = said(own).unwrap_or_default();
        text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map_or(text.clone(), str::to_owned)
    };
    match facet {
        Facet::Entity(own) => match said(&own.predefined_type) {
            Some(of_type) => format!("class {}, predefined type {of_type}", plain(&own.name)),
            None => format!("class {}", plain(&own.name)),
        },
        Facet::PartOf(own) => {
            let by = own.relation.as_deref().map(|relation| format!(" by {relation}")).unwrap_or_default();
            format!("part of {}{by}", plain(&own.entity.name))
        }
        Facet::Classification(own) => valued(format!("classification {}", plain(&own.system)), &own.value),
        Facet::Attribute(own) => valued(format!("attribute {}", plain(&own.name)), &own.value),
        Facet::Property(own) => {
            let words = format!("property {}.{}", plain(&own.property_set), plain(&own.base_name));
            let words = match &own.data_type {
                Some(of_type) => format!("{words} ({of_type})"),
                None => words,
            };
            valued(words, &own.value)
        }
        Facet::Material(own) => valued("material".to_owned(), &own.value),
    }
}

/// The word of a verdict.
fn word(status: Status) -> &'static str {
    match status {
        Status::Passed => "passed",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
    }
}

struct Page<'m> {
    out: String,
    model: &'m Model,
    images: &'m Images,
}

impl Page<'_> {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // writing into a text cannot fail
        let _ = self.out.write_fmt(text);
    }

    fn head(&mut self, document: &Document, report: &Report, about: &str) {
        let title = escaped(&document.info.title);
        self.add(format_args!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>"
        ));
        if let Some(description) = &document.info.description {
            self.add(format_args!("<p>{}</p>", escaped(description)));
        }
        self.add(format_args!("<p class=\"soft\">{}</p><div class=\"sum\">", escaped(about)));
        for (status, words) in [
            (Status::Passed, "specifications passed"),
            (Status::Failed, "failed"),
            (Status::Skipped, "not for this schema"),
        ] {
            let count = report.specifications.iter().filter(|own| own.status == status).count();
            self.add(format_args!("<div><b class=\"tag {}\">{count}</b>{words}</div>", word(status)));
        }
        self.add(format_args!("</div>"));
    }

    fn specification(&mut self, at: usize, specification: &Specification, result: &SpecificationResult) {
        let status = word(result.status);
        let name = escaped(&specification.name);
        self.add(format_args!(
            "<section class=\"{status}\"><header><h2>{name}</h2><span class=\"tag {status}\">{status}</span></header>"
        ));
        if let Some(description) = &specification.description {
            self.add(format_args!("<p>{}</p>", escaped(description)));
        }
        let applies: Vec<String> =
            specification.applicability.iter().map(|facet| escaped(&facet_words(facet))).collect();
        let count = result.applicable.len();
        self.add(format_args!(
            "<p class=\"soft\">Applies to {}: {count} in the model.</p>",
            applies.join("; ")
        ));
        if let Some(reason) = &result.reason {
            self.add(format_args!("<p>{}.</p>", escaped(reason)));
        }
        if specification.cardinality == Some(Cardinality::Prohibited) && count > 0 {
            self.table(result.applicable.iter().map(|id| (*id, "it is there")), count);
        }
        self.add(format_args!("<ul class=\"req\">"));
        for (number, (requirement, own)) in
            specification.requirements.iter().zip(&result.requirements).enumerate()
        {
            self.requirement(requirement, own, self.images.get(&(at, number)));
        }
        self.add(format_args!("</ul></section>"));
    }

    fn requirement(&mut self, requirement: &Requirement, own: &RequirementResult, image: Option<&String>) {
        let status = word(if own.failed.is_empty() { Status::Passed } else { Status::Failed });
        let (passed, failed) = (own.passed, own.failed.len());
        self.add(format_args!(
            "<li><header><span>{}</span><span class=\"tag {status}\">{passed} passed, {failed} failed</span></header>",
            escaped(&requirement_words(requirement))
        ));
        if let Some(instructions) = &requirement.instructions {
            self.add(format_args!("<p class=\"soft\">{}</p>", escaped(instructions)));
        }
        if let Some(image) = image {
            let words = escaped(&requirement_words(requirement));
            self.add(format_args!("<img alt=\"{words}\" src=\"{image}\">"));
        }
        if failed > 0 {
            self.table(own.failed.iter().map(|failure| (failure.id, failure.reason.as_str())), failed);
        }
        self.add(format_args!("</li>"));
    }

    fn table<'r>(&mut self, rows: impl Iterator<Item = (Id, &'r str)>, count: usize) {
        self.add(format_args!(
            "<table><thead><tr><th>Class</th><th>Name</th><th>GlobalId</th><th>Why</th></tr></thead><tbody>"
        ));
        for (id, why) in rows.take(LISTED) {
            let instance = self.model.get(id);
            let class = instance.map_or("", |instance| instance.class_name());
            let name = instance.and_then(|instance| instance.name()).unwrap_or_default();
            let guid = instance.and_then(|instance| instance.guid()).unwrap_or_else(|| id.to_string());
            self.add(format_args!(
                "<tr><td>{class}</td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>",
                escaped(&name),
                escaped(&guid),
                escaped(why)
            ));
        }
        self.add(format_args!("</tbody></table>"));
        if count > LISTED {
            self.add(format_args!("<p class=\"soft\">… and {} more.</p>", count - LISTED));
        }
    }
}
