//! The report as one page of HTML that needs nothing else: lines by family, groups with their elements, pictures of the worst.

use super::grouped::Group;
use super::{Found, Grouped, Issue, Level, Since};
use crate::IfcCall;
use crate::elements::id_of;
use crate::modelling::iso_time;
use crate::topics;
use crate::waivers::Waived;
use contract::Fault;
use ifc::{Id, Model};
use std::fmt::Write;
use validation::page::{STYLE, escaped};

/// Findings of one group that are listed.
const LISTED: usize = 200;
/// Groups with a picture at most, the worst first.
const PICTURES: usize = 24;

/// Writes the page.
pub(crate) fn html(
    call: &IfcCall,
    found: &Found,
    grouped: &Grouped<'_>,
    waived: &[Waived],
    since: Option<&Since>,
) -> Result<String, Fault> {
    let mut page = Page { out: String::new(), model: call.edit.model() };
    page.head(call, grouped, waived.len(), since);
    page.lines(found);
    let mut pictures = 0;
    for (number, group) in grouped.groups.iter().enumerate() {
        if !call.watch.at(number as u64, grouped.groups.len() as u64) {
            return Err(Fault::given_up("validate_model"));
        }
        let elements = group.issues.iter().flat_map(|(_, issue)| issue.elements.iter().copied());
        let picture = if pictures < PICTURES { topics::image(call, elements)? } else { None };
        pictures += usize::from(picture.is_some());
        page.group(group, picture.as_deref());
    }
    page.waived(waived);
    page.notes(found);
    page.out.push_str("</body></html>\n");
    Ok(page.out)
}

struct Page<'m> {
    out: String,
    model: &'m Model,
}

impl Page<'_> {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // writing into a text cannot fail
        let _ = self.out.write_fmt(text);
    }

    fn head(&mut self, call: &IfcCall, grouped: &Grouped<'_>, waived: usize, since: Option<&Since>) {
        let project = self.model.of_class("IfcProject").into_iter().next();
        let name = project.and_then(|id| self.model.get(id)?.name()).filter(|name| !name.trim().is_empty());
        let title = escaped(&name.unwrap_or_else(|| "Model".to_owned()));
        let version = call.version("model").ok().and_then(|own| own.name().cloned());
        let version = version.and_then(|own| Some(format!(" · {} version {}", own.id, own.version?)));
        let about = format!(
            "{} · {} instances{} · {}",
            self.model.schema().version().as_str(),
            self.model.len(),
            version.unwrap_or_default(),
            iso_time(call.time_ms)
        );
        self.add(format_args!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}: findings</title><style>{STYLE}</style></head><body><h1>{title}: findings</h1>\
             <p class=\"soft\">{}</p><div class=\"sum\">",
            escaped(&about)
        ));
        for (level, class) in
            [(Level::Error, "failed"), (Level::Warning, "warned"), (Level::Notice, "skipped")]
        {
            let count = grouped.counts.get(&level).copied().unwrap_or(0);
            let s = if count == 1 { "" } else { "s" };
            self.add(format_args!("<div><b class=\"tag {class}\">{count}</b>{}{s}</div>", level.as_str()));
        }
        if waived > 0 {
            self.add(format_args!("<div><b>{waived}</b>waived</div>"));
        }
        if let Some(Since { new, active, resolved }) = since {
            self.add(format_args!(
                "<div><b>{new}</b>new since</div><div><b>{active}</b>still there</div><div><b>{resolved}</b>resolved</div>"
            ));
        }
        self.add(format_args!("</div>"));
    }

    fn lines(&mut self, found: &Found) {
        self.add(format_args!("<section><table><tbody>"));
        for line in &found.lines {
            let (class, word) = if line.met { ("passed", "met") } else { ("failed", "not met") };
            let name = line.name.as_ref().map(|name| format!(" · {}", escaped(name))).unwrap_or_default();
            self.add(format_args!(
                "<tr><th>{}{name}</th><td class=\"tag {class}\">{word}</td><td>{}</td></tr>",
                line.family.as_str(),
                escaped(&line.say)
            ));
        }
        self.add(format_args!("</tbody></table></section>"));
    }

    fn notes(&mut self, found: &Found) {
        for note in &found.notes {
            self.add(format_args!("<p class=\"soft\">{}</p>", escaped(note)));
        }
    }

    fn group(&mut self, group: &Group<'_>, picture: Option<&str>) {
        let class = match group.level {
            Level::Error => "failed",
            Level::Warning => "warned",
            Level::Notice => "skipped",
        };
        let title = group.title.map(|title| format!(" <span class=\"soft\">{}</span>", escaped(title)));
        self.add(format_args!(
            "<section class=\"{class}\"><header><h2>{}{}</h2><span class=\"tag {class}\">{} {}{}</span></header>",
            escaped(if group.rule.is_empty() { group.kind } else { group.rule }),
            title.unwrap_or_default(),
            group.count,
            group.level.as_str(),
            if group.count == 1 { "" } else { "s" }
        ));
        if let Some(image) = picture {
            let [width, height] = topics::IMAGE;
            self.add(format_args!(
                "<img alt=\"{}\" width=\"{width}\" height=\"{height}\" src=\"{image}\">",
                escaped(group.rule)
            ));
        }
        self.add(format_args!(
            "<table><thead><tr><th>Element</th><th>GlobalId</th><th>What</th><th>Finding</th></tr></thead><tbody>"
        ));
        for (id, issue) in group.issues.iter().take(LISTED) {
            self.row(id, issue);
        }
        self.add(format_args!("</tbody></table>"));
        let more = group.count - group.issues.len().min(LISTED);
        if more > 0 {
            self.add(format_args!("<p class=\"soft\">… and {more} more.</p>"));
        }
        self.add(format_args!("</section>"));
    }

    fn row(&mut self, id: &str, issue: &Issue) {
        let named = |id: &Id| match self.model.get(*id) {
            Some(own) => format!("{} {}", own.class_name(), own.name().unwrap_or_default()).trim().to_owned(),
            None => id.to_string(),
        };
        let (elements, guids): (Vec<String>, Vec<String>) = issue
            .elements
            .iter()
            .take(4)
            .map(|own| {
                let guid = if self.model.contains(*own) { id_of(self.model, *own) } else { own.to_string() };
                (escaped(&named(own)), format!("<code>{}</code>", escaped(&guid)))
            })
            .unzip();
        let more = issue.elements.len().saturating_sub(4);
        let more = if more > 0 { format!("<br>… and {more} more") } else { String::new() };
        let place = match (&issue.at, elements.is_empty()) {
            (Some(at), true) => format!("line {at}"),
            _ => elements.join("<br>") + &more,
        };
        let suggestion = issue.suggestion.as_ref();
        let suggestion = suggestion.map(|own| format!("<br><span class=\"soft\">{}</span>", escaped(own)));
        let clause = issue.clause.as_ref().map(|clause| format!("{}: ", escaped(clause)));
        self.add(format_args!(
            "<tr><td>{place}</td><td>{}</td><td>{}{}{}</td><td><code>{id}</code></td></tr>",
            guids.join("<br>"),
            clause.unwrap_or_default(),
            escaped(&issue.message),
            suggestion.unwrap_or_default()
        ));
    }

    fn waived(&mut self, waived: &[Waived]) {
        if waived.is_empty() {
            return;
        }
        self.add(format_args!(
            "<section class=\"skipped\"><header><h2>Waived</h2><span class=\"tag skipped\">{}</span></header>\
             <table><thead><tr><th>Finding</th><th>By</th><th>When</th><th>Why</th></tr></thead><tbody>",
            waived.len()
        ));
        for own in waived.iter().take(LISTED) {
            self.add(format_args!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&own.id),
                escaped(&own.waiver.by),
                escaped(&own.waiver.time),
                escaped(&own.waiver.reason)
            ));
        }
        self.add(format_args!("</tbody></table></section>"));
    }
}
