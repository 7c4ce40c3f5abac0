//! The model as it is simulated: as it stands, with those outputs that answers are read from. Of those it asks for already, a run's copy
//! asks for more: tables in the database with all their digits, and the reports that answers need beside its own.

use super::version::numbers;
use contract::Fault;
use energy::idf::{Document, Format};
use energy::results::plan::{UNROUNDED, WANTED_OUTPUTS, reports_lacking};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The object that has a run write a database, and its option that has tables in it.
const DATABASE: &str = "Output:SQLite";
const WITH_TABLES: &str = "SimpleAndTabular";
/// The object that asks for reports.
const REPORTS: &str = "Output:Table:SummaryReports";

/// The text of the model for a program of this version.
pub(super) fn model_text(document: &Document, program: &str) -> Result<Vec<u8>, Fault> {
    let unrounded = numbers(program).is_some_and(|version| version >= UNROUNDED);
    match document.format() {
        Format::Idf => as_idf(document, unrounded),
        Format::EpJson => as_epjson(document, unrounded),
    }
}

/// Objects whose fields the program knows and the schema of the model's version perhaps not: they are written anew, behind the others.
fn as_idf(document: &Document, unrounded: bool) -> Result<Vec<u8>, Fault> {
    let mut document = document.clone();
    let mut added = String::new();
    let database =
        document.of_type(DATABASE).next().map(|object| (object.handle(), object.value(1).to_owned()));
    let units = database.as_ref().map(|(_, units)| units.clone()).unwrap_or_default();
    let digits = if unrounded { ",\n    No" } else { "" };
    let _ = write!(added, "\n{DATABASE},\n    {WITH_TABLES},\n    {units}{digits};\n");
    let reports = document.of_type(REPORTS).next().map(|object| {
        let asked = object.values().filter(|name| !name.is_empty()).map(str::to_owned);
        (object.handle(), asked.collect::<Vec<String>>())
    });
    if let Some((_, asked)) = &reports {
        let lacking = reports_lacking(asked.iter().map(String::as_str));
        let all: Vec<&str> = asked.iter().map(String::as_str).chain(lacking).collect();
        let _ = write!(added, "\n{REPORTS},\n    {};\n", all.join(",\n    "));
    }
    let lacks = |class: &str| document.of_type(class).next().is_none();
    for (_, text) in WANTED_OUTPUTS.iter().filter(|(class, _)| *class != DATABASE && lacks(class)) {
        added.push('\n');
        added.push_str(text);
    }
    let replaced = database.map(|(handle, _)| handle).into_iter().chain(reports.map(|(handle, _)| handle));
    for handle in replaced {
        document.remove(handle, true)?;
    }
    let mut bytes = document.to_bytes(Format::Idf)?;
    bytes.extend_from_slice(added.as_bytes());
    Ok(bytes)
}

fn as_epjson(document: &Document, unrounded: bool) -> Result<Vec<u8>, Fault> {
    let wrong =
        |error: serde_json::Error| Fault::backend(format!("The model cannot be written as epJSON: {error}."));
    let mut model: Value = serde_json::from_slice(&document.to_bytes(Format::EpJson)?).map_err(wrong)?;
    if let Some(members) = model.as_object_mut() {
        with_first(members, DATABASE, |fields| {
            fields.insert("option_type".to_owned(), WITH_TABLES.into());
            if unrounded {
                fields.insert("format_numeric_values_for_tabular_data".to_owned(), "No".into());
            }
        });
        let is_new = !members.contains_key(REPORTS);
        with_first(members, REPORTS, |fields| {
            let list = fields.entry("reports").or_insert_with(|| json!([]));
            let Some(list) = list.as_array_mut() else { return };
            if is_new {
                list.push(json!({ "report_name": "AllSummary" }));
            }
            let name = |report: &Value| report.get("report_name")?.as_str().map(str::to_owned);
            let asked: Vec<String> = list.iter().filter_map(name).collect();
            let lacking = reports_lacking(asked.iter().map(String::as_str));
            list.extend(lacking.into_iter().map(|name| json!({ "report_name": name })));
        });
        let dictionary = "Output:VariableDictionary";
        if !members.contains_key(dictionary) {
            let regular = |fields: &mut Map<String, Value>| {
                fields.insert("key_field".to_owned(), "regular".into());
            };
            with_first(members, dictionary, regular);
        }
        let style = "OutputControl:Table:Style";
        if !members.contains_key(style) {
            let as_page = |fields: &mut Map<String, Value>| {
                fields.insert("column_separator".to_owned(), "HTML".into());
            };
            with_first(members, style, as_page);
        }
    }
    serde_json::to_vec(&model).map_err(wrong)
}

/// Changes the fields of the first object of a class, which is made where there is none.
fn with_first(model: &mut Map<String, Value>, class: &str, change: impl FnOnce(&mut Map<String, Value>)) {
    let objects = model.entry(class).or_insert_with(|| json!({}));
    if !objects.as_object().is_some_and(|objects| objects.values().any(Value::is_object)) {
        *objects = json!({ format!("{class} 1"): {} });
    }
    if let Some(objects) = objects.as_object_mut()
        && let Some(fields) = objects.values_mut().find_map(Value::as_object_mut)
    {
        change(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str) -> Document {
        Document::open(text.as_bytes()).unwrap().0
    }

    #[test]
    fn a_run_asks_for_unrounded_tables_and_every_report_whatever_the_model_asks_for() {
        let model = "Version,9.6;\nZone,Attic;\nOutput:SQLite,Simple,JtoKWH;\nOutput:Table:SummaryReports,SystemSummary;\n";
        let text = String::from_utf8(model_text(&open(model), "25.2.0").unwrap()).unwrap();
        assert!(text.starts_with("Version,9.6;\nZone,Attic;\n"), "{text}");
        let again = open(&text.replace("9.6", "25.2"));
        let database: Vec<_> = again.of_type(DATABASE).collect();
        assert_eq!(database.len(), 1, "{text}");
        assert_eq!(database[0].values().collect::<Vec<_>>(), ["SimpleAndTabular", "JtoKWH", "No"]);
        let reports: Vec<&str> = again.of_type(REPORTS).next().unwrap().values().collect();
        assert_eq!(reports[0], "SystemSummary");
        for needed in ["SensibleHeatGainSummary", "ZoneComponentLoadSummary", "HVACSizingSummary"] {
            assert_eq!(reports.iter().filter(|name| **name == needed).count(), 1, "{reports:?}");
        }
        let older = String::from_utf8(model_text(&open(model), "24.1.0").unwrap()).unwrap();
        assert!(older.contains("SimpleAndTabular,\n    JtoKWH;"), "{older}");
    }

    #[test]
    fn all_summaries_lack_the_components_of_loads_alone() {
        let of = |asked: &str| reports_lacking([asked]);
        assert_eq!(of("AllSummaryAndMonthly"), ["ZoneComponentLoadSummary"]);
        assert!(of("AllSummaryAndSizingPeriod").is_empty());
        assert!(of("AllSummaryMonthlyAndSizingPeriod").is_empty());
    }

    #[test]
    fn a_model_in_epjson_asks_for_the_same() {
        let model = r#"{"Version": {"Version 1": {"version_identifier": "25.2"}}, "Zone": {"Attic": {}},
            "Output:Table:SummaryReports": {"R": {"reports": [{"report_name": "AllMonthly"}]}}}"#;
        let text = model_text(&open(model), "25.2.0").unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        let database = &value["Output:SQLite"]["Output:SQLite 1"];
        assert_eq!(database["format_numeric_values_for_tabular_data"], "No", "{value}");
        let reports = value["Output:Table:SummaryReports"]["R"]["reports"].as_array().unwrap();
        assert!(reports.contains(&json!({ "report_name": "SensibleHeatGainSummary" })), "{value}");
        assert_eq!(
            value["OutputControl:Table:Style"]["OutputControl:Table:Style 1"]["column_separator"],
            "HTML"
        );
    }
}
