//! The file around the instances: what opening it met (ISO 10303-21 clauses 5 to 7), ids that are given twice, and the
//! types of the header's fields (clause 8).

use super::report::Collector;
use super::{Finding, FindingCode, strings};
use ifc::step::Cursor;
use ifc::{Id, Model, Problem, ProblemCode, Value};

/// Collects the problems that opening the file met.
pub(super) fn syntax(model: &Model, collector: &mut Collector) {
    for problem in model.problems() {
        let code = match problem.code {
            ProblemCode::Header => FindingCode::Header,
            ProblemCode::Schema => FindingCode::Schema,
            // these are looked at instance by instance, and doubles below
            ProblemCode::UnknownClass
            | ProblemCode::ComplexInstance
            | ProblemCode::DuplicateId
            | ProblemCode::DanglingReference
            | ProblemCode::AttributeCount
            | ProblemCode::Value => continue,
            ProblemCode::ByteOrderMark
            | ProblemCode::Syntax
            | ProblemCode::InstanceId
            | ProblemCode::RawBytes
            | ProblemCode::Truncated => FindingCode::Syntax,
        };
        collector.add(of_problem(problem, code));
    }
    doubles(model, collector);
    header(model, collector);
}

fn of_problem(problem: &Problem, code: FindingCode) -> Finding {
    Finding {
        id: problem.id,
        line: problem.line,
        column: problem.column,
        ..Finding::of_model(code, problem.message.clone())
    }
}

/// Ids that are given twice: the first instance counts.
fn doubles(model: &Model, collector: &mut Collector) {
    let base = model.base();
    for double in base.shadowed() {
        if !collector.admits(FindingCode::Syntax, "duplicate id") {
            continue;
        }
        let (line, column) = base.place(double.start);
        let first = base.row(double.id).and_then(|row| base.span(row)).map_or(0, |(start, _)| start);
        let message = format!(
            "#{} is defined a second time; the first definition, in line {}, counts; give this one an id of its own",
            double.id,
            base.line(first)
        );
        let finding = Finding::of_model(FindingCode::Syntax, message).by_rule("duplicate id");
        collector.list(Finding { id: Some(Id(double.id)), line, column, ..finding });
    }
}

/// The type of a field of the header.
#[derive(Clone, Copy)]
enum Field {
    Text,
    Texts,
}

const FIELDS: [(&str, &[(&str, Field)]); 3] = [
    ("FILE_DESCRIPTION", &[("description", Field::Texts), ("implementation_level", Field::Text)]),
    (
        "FILE_NAME",
        &[
            ("name", Field::Text),
            ("time_stamp", Field::Text),
            ("author", Field::Texts),
            ("organization", Field::Texts),
            ("preprocessor_version", Field::Text),
            ("originating_system", Field::Text),
            ("authorization", Field::Text),
        ],
    ),
    ("FILE_SCHEMA", &[("schema_identifiers", Field::Texts)]),
];

/// The types of the header's fields. That all entries are there with as many fields as they have, opening has seen.
fn header(model: &Model, collector: &mut Collector) {
    let bytes = model.base().bytes();
    let begin = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut cursor = Cursor::new(bytes, begin);
    // ISO-10303-21; and HEADER;
    for _ in 0..2 {
        cursor.space();
        cursor.keyword();
        cursor.take(b';');
    }
    loop {
        cursor.space();
        let keyword = cursor.keyword();
        if keyword.is_empty() || keyword.eq_ignore_ascii_case(b"ENDSEC") || !cursor.take(b'(') {
            return;
        }
        let entry = FIELDS.iter().find(|(name, _)| keyword.eq_ignore_ascii_case(name.as_bytes()));
        let mut fields = entry.map_or(&[][..], |(_, fields)| fields).iter();
        loop {
            cursor.space();
            let at = cursor.at();
            if cursor.peek() == Some(b')') {
                break;
            }
            let mut ahead = cursor;
            let value = ahead.value(&|_| None).ok();
            if cursor.skip_value().is_err() {
                return;
            }
            if let Some((entry, _)) = entry
                && !strings::is_well_formed(bytes.get(at..cursor.at()).unwrap_or_default())
            {
                let (line, column) = model.base().place(at);
                let message = format!(
                    "{entry} has a \\ that begins no control directive (ISO 10303-21, 6.4.3); double it"
                );
                collector.add(Finding { line, column, ..Finding::of_model(FindingCode::Syntax, message) });
            }
            if let Some(((entry, _), (name, field))) = entry.zip(fields.next())
                && let Some(wrong) = wrong(value.as_ref(), *field)
            {
                let (line, column) = model.base().place(at);
                let message = format!("{entry}.{name} {wrong} (ISO 10303-21, 8.2)");
                let finding =
                    Finding::of_model(FindingCode::Header, message).about(&format!("{entry}.{name}"));
                collector.add(Finding { line, column, ..finding });
            }
            if !cursor.take(b',') {
                break;
            }
        }
        if !cursor.take(b')') || !cursor.take(b';') {
            return;
        }
    }
}

/// Texts of the header have at most so many characters.
const LONGEST: usize = 256;

fn wrong(value: Option<&Value>, field: Field) -> Option<String> {
    let too_long = |text: &str| {
        let count = text.chars().count();
        (count > LONGEST)
            .then(|| format!("has {count} characters, where at most {LONGEST} are due; shorten it"))
    };
    match (field, value?) {
        (Field::Text, Value::Text(text)) => too_long(text),
        (Field::Text, other) => Some(format!(
            "is {}, where a text is due; write '' if there is nothing to say",
            other.kind_name()
        )),
        (Field::Texts, Value::List(members)) if members.is_empty() => {
            Some("is an empty list, where LIST [1:?] OF STRING(256) is due; write ('')".to_owned())
        }
        (Field::Texts, Value::List(members)) => members.iter().find_map(|member| match member {
            Value::Text(text) => too_long(text),
            other => Some(format!("has {} as a member, where a text is due", other.kind_name())),
        }),
        (Field::Texts, other) => {
            Some(format!("is {}, where LIST [1:?] OF STRING(256) is due; write ('')", other.kind_name()))
        }
    }
}
