//! Packs of one's own, in files: listed, held against a model by their names, refused with their mistakes; requirements of IDS files as
//! packs.

use crate::desk::Desk;
use crate::pack_library::RULE_PACKS;
use contract::{
    BoxFuture, BucketFile, Fault, FileInput, Files, KeptFile, LibraryFile, ModelId, Page, Source, TimedLink,
    VersionId,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::task::{Context, Poll, Waker};

const OFFICE: &str = r#"
[pack]
id = "office"
title = "Our office"
edition = "1"
source = "Ourselves"
licence = "Ours"
notes = "None."

[[rule]]
id = "walls"
clause = "1"
title = "Thick walls"
text = "Walls are so thick at least."
why = "We like it."
each = "element"
select = "IfcWall"
require = { property = "Qto_WallBaseQuantities.Width", at_least = { parameter = "width" } }
severity = "error"
verified = true
suggestion = "Make it thicker."
parameters.width = { default = "500 mm", means = "least thickness" }
"#;

const PERMIT: &str = "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Permit</title></info><specifications>\
<specification name=\"Walls are described\" identifier=\"P-1\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\">\
<entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name>\
<simpleValue>Description</simpleValue></name></attribute></requirements></specification><specification name=\"Slabs have names\" \
ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCSLAB</simpleValue></name>\
</entity></applicability><requirements><attribute><name><simpleValue>Name</simpleValue></name></attribute></requirements>\
</specification></specifications></ids>";

/// Two walls of 200 mm.
fn walls() -> Desk {
    let mut desk = Desk::new("IFC4");
    for x in [0, 6000] {
        desk.call(
            "create_wall",
            json!({ "start": [x, 0], "end": [x + 4000, 0], "height": 2500, "thickness": 200,
                    "level_id": "Ground Floor" }),
        );
    }
    desk
}

/// Calls a tool with a file under a role.
fn with_file(tool: &str, role: &str, name: &str, bytes: &[u8], arguments: Value) -> Result<Value, Fault> {
    with_files(tool, role, &[(name, bytes)], arguments)
}

/// Calls a tool with files under a role.
fn with_files(tool: &str, role: &str, files: &[(&str, &[u8])], arguments: Value) -> Result<Value, Fault> {
    let tool = crate::catalogue().into_iter().find(|own| own.spec.name == tool).unwrap();
    let crate::Body::Ifc(body) = tool.body else { panic!("it works on a model") };
    let actor = contract::Actor { principal: "modeller".into(), client: None };
    let mut call = crate::IfcCall::new(&walls().model, "own", 0, actor);
    call.files.extend(files.iter().map(|(name, bytes)| FileInput {
        role: role.to_owned(),
        source: Source::inline(bytes),
        sha256: String::new(),
        media_type: format!("text/plain; name={name}"),
    }));
    body(&mut call, arguments)
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|own| own.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_pack_of_the_library_is_a_standard_by_its_name_with_rules_and_parameters() {
    let ask = |more: Value| {
        let mut arguments = json!({ "standard": "Office" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        with_file("code_compliance", "named_pack", "office.rules", OFFICE.as_bytes(), arguments)
    };
    let found = ask(json!({})).unwrap();
    assert_eq!((&found["standard"], &found["compliant"]), (&json!("office"), &json!(false)), "{found}");
    assert_eq!((&found["counts"]["error"], &found["rules"][0]["failed"]), (&json!(2), &json!(2)), "{found}");
    let thin = json!({ "rules": ["office.walls"], "parameters": { "walls": { "width": "100 mm" } } });
    assert_eq!(ask(thin).unwrap()["compliant"], true);
    assert_eq!(ask(json!({ "rules": ["doors"] })).unwrap_err().data["field"], "rules[0]");
    // a finding of it is one of fix_findings, too, which nothing mends for certain
    let id = found["issues"][0]["id"].clone();
    let mend = json!({ "finding_ids": [id], "standard": "office" });
    let fault = with_file("fix_findings", "named_pack", "office.rules", OFFICE.as_bytes(), mend).unwrap_err();
    assert_eq!(fault.code, contract::FaultCode::Conflict, "{fault}");
}

#[test]
fn a_file_with_mistakes_is_refused_with_line_and_column_however_it_is_named() {
    let slip = OFFICE.replace("select =", "selekt =");
    for (role, arguments) in
        [("pack", json!({ "pack": "a/office.rules" })), ("named_pack", json!({ "standard": "office" }))]
    {
        let fault =
            with_file("code_compliance", role, "office.rules", slip.as_bytes(), arguments).unwrap_err();
        let problem = texts(&fault.data["problems"]).join(" ");
        assert!(
            problem.contains("line") && problem.contains("column") && problem.contains("select"),
            "{fault}"
        );
    }
    let taken = OFFICE.replace("\"office\"", "\"ada-2010\"");
    let given = json!({ "pack": "own.rules" });
    let fault = with_file("code_compliance", "pack", "own.rules", taken.as_bytes(), given).unwrap_err();
    assert!(fault.message.contains("comes with the program"), "{fault}");
    let other = json!({ "standard": "other" });
    let fault =
        with_file("code_compliance", "named_pack", "other.rules", OFFICE.as_bytes(), other).unwrap_err();
    assert!(fault.message.contains("office.rules"), "{fault}");
    let both = walls().refuse("code_compliance", json!({ "standard": "ada-2010", "pack": "office.rules" }));
    assert_eq!(both.data["field"], "pack");
}

#[test]
fn requirements_of_an_ids_file_are_a_pack_whose_specifications_are_rules() {
    for (role, key) in [("pack", "pack"), ("named_pack", "standard")] {
        let ask = |more: Value| {
            let named = if key == "pack" { "files/permit.ids" } else { "permit" };
            let mut arguments = json!({ key: named });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            with_file("code_compliance", role, "permit.ids", PERMIT.as_bytes(), arguments)
        };
        let found = ask(json!({})).unwrap();
        assert_eq!((&found["standard"], &found["title"]), (&json!("permit"), &json!("Permit")), "{found}");
        assert_eq!((&found["checked"], &found["counts"]["error"]), (&json!(2), &json!(2)), "{found}");
        let issue = &found["issues"][0];
        assert_eq!((&issue["rule"], &issue["clause"]), (&json!("ids.P-1.1"), &json!("P-1")), "{issue}");
        assert!(!issue["elements"].as_array().unwrap().is_empty());
        assert_eq!(ask(json!({ "rules": ["Slabs have names"] })).unwrap()["compliant"], true);
        assert_eq!(ask(json!({ "rules": ["P-1"] })).unwrap()["checked"], 1);
        assert_eq!(ask(json!({ "rules": ["P-9"] })).unwrap_err().data["field"], "rules[0]");
        let set = json!({ "parameters": { "P-1": { "width": "1 m" } } });
        assert_eq!(ask(set).unwrap_err().data["field"], "parameters");
    }
    let broken = PERMIT.replace("simpleValue>IFCSLAB", "simpleValue>IFCSLABB");
    let given = json!({ "pack": "permit.ids" });
    let fault = with_file("code_compliance", "pack", "permit.ids", broken.as_bytes(), given).unwrap_err();
    assert!(texts(&fault.data["problems"])[0].contains("line"), "{fault}");
}

#[test]
fn one_report_holds_packs_of_the_library_beside_those_that_come_with_the_program() {
    let files = [("Office.rules", OFFICE.as_bytes()), ("permit.ids", PERMIT.as_bytes())];
    let ask = |packs: Value| with_files("validate_model", "named_pack", &files, json!({ "packs": packs }));
    let found = ask(json!(["permit", "model-quality", "office"])).unwrap();
    let lines: Vec<&Value> =
        found["families"].as_array().unwrap().iter().filter(|line| line["family"] == "packs").collect();
    let names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["permit", "model-quality", "office"], "{found}");
    let says = |at: usize| lines[at]["say"].as_str().unwrap();
    // of two specifications one has something to judge: there is no slab
    assert!(says(0).contains("1 of 2 rules") && says(0).contains("2 errors: ids.P-1.1"), "{}", says(0));
    assert!(says(2).contains("2 errors: office.walls"), "{}", says(2));
    assert_eq!(found["valid"], false);
    let fault = ask(json!(["office", "offices"])).unwrap_err();
    assert_eq!(fault.data["field"], "packs[1]", "{fault}");
    let slip = OFFICE.replace("select =", "selekt =");
    let files = [("office.rules", slip.as_bytes())];
    let fault =
        with_files("validate_model", "named_pack", &files, json!({ "packs": ["office"] })).unwrap_err();
    assert!(fault.message.contains("line") && fault.data["field"] == "packs[0]", "{fault}");
}

#[test]
fn the_permit_requirements_of_turkey_are_a_pack_like_any_other() {
    for name in ["tr-ruhsat-ek6.ids", "tr-ruhsat-ek7.ids"] {
        let Some(path) = testing::data(&format!("rulepacks/{name}")) else { return };
        let bytes = std::fs::read(path).unwrap();
        let standard = name.trim_end_matches(".ids");
        let found = with_file("code_compliance", "named_pack", name, &bytes, json!({ "standard": standard }))
            .unwrap();
        assert_eq!(found["standard"], standard);
        // no attribute or property of a project of ours is as a permit asks
        assert_eq!(found["compliant"], false, "{found}");
        assert!(texts(&found["notes"]).iter().any(|note| note.contains("other schemas")), "{found}");
        let rows = found["rules"].as_array().unwrap();
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row["clause"].as_str().unwrap().starts_with("EK-"))
        );
        assert!(found.to_string().len() < 40_000, "{}", found.to_string().len());
    }
}

/// A platform with nothing but the files of a library.
struct Shelf(PathBuf);

impl Shelf {
    fn new(texts: &[(&str, &str)]) -> (tempfile::TempDir, Self) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in texts {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let shelf = Self(folder.path().to_owned());
        (folder, shelf)
    }
}

fn none<T: 'static>() -> BoxFuture<'static, Result<T, Fault>> {
    Box::pin(async { Err(Fault::backend("This platform has a library alone.")) })
}

impl Files for Shelf {
    fn file<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(BucketFile, String, String), Fault>> {
        none()
    }

    fn find_file<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>> {
        none()
    }

    fn files<'a>(&'a self, _: u32, _: Option<&'a str>) -> BoxFuture<'a, Result<Page<KeptFile>, Fault>> {
        none()
    }

    fn library_files<'a>(
        &'a self,
        library: &'a str,
        endings: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<LibraryFile>, Fault>> {
        assert_eq!(library, RULE_PACKS);
        let mut names: Vec<PathBuf> =
            std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        let is_of = |path: &Path| endings.iter().any(|ending| path.extension().unwrap() == *ending);
        let one = |path: PathBuf| LibraryFile {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            key: path.ends_with("sent.rules").then(|| "operation/sent.rules".to_owned()),
            size: path.metadata().unwrap().len(),
            path,
        };
        let found: Vec<LibraryFile> = names.into_iter().filter(|path| is_of(path)).map(one).collect();
        Box::pin(async { Ok(found) })
    }

    fn files_of_version<'a>(
        &'a self,
        _: &'a ModelId,
        _: &'a VersionId,
        _: u32,
    ) -> BoxFuture<'a, Result<Vec<KeptFile>, Fault>> {
        none()
    }

    fn keep_file<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a [u8],
    ) -> BoxFuture<'a, Result<KeptFile, Fault>> {
        none()
    }

    fn keep_local<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a str,
        _: u64,
    ) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>> {
        none()
    }

    fn link_to<'a>(
        &'a self,
        _: &'a BucketFile,
        _: &'a str,
        _: &'a str,
        _: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>> {
        none()
    }

    fn link_for<'a>(&'a self, _: &'a str, _: Option<u64>, _: u64) -> BoxFuture<'a, Result<TimedLink, Fault>> {
        none()
    }

    fn write_file<'a>(&'a self, _: &'a str, _: &'a str, _: &'a str) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        none()
    }

    fn export_file<'a>(
        &'a self,
        _: &'a BucketFile,
        _: &'a str,
        _: &'a str,
        _: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        none()
    }
}

/// The answer of a future that waits for nothing.
fn now<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("it waits for something"),
    }
}

#[test]
fn packs_of_ones_own_are_listed_with_place_and_mistakes_and_tell_their_rules() {
    let slip = OFFICE.replace("select =", "selekt =");
    let (_folder, shelf) = Shelf::new(&[
        ("office.rules", OFFICE),
        ("permit.ids", PERMIT),
        ("sent.rules", &OFFICE.replace("\"office\"", "\"sent\"")),
        ("slip.rules", &slip),
        ("notes.txt", "nothing"),
    ]);
    let list = |arguments: Value| {
        let input = serde_json::from_value(arguments).unwrap();
        let reply = now(crate::validation::list_rule_packs::run(&shelf, input))?;
        Ok::<Value, Fault>(serde_json::to_value(reply.answer).unwrap())
    };
    let all = list(json!({})).unwrap();
    let packs = all["packs"].as_array().unwrap();
    let shipped = validation::packs::shipped().len();
    let files: Vec<&Value> = packs.iter().skip(shipped).map(|own| &own["file"]).collect();
    assert_eq!(files, ["office.rules", "permit.ids", "sent.rules", "slip.rules"], "{all}");
    let own = |n: usize| &packs[shipped + n];
    assert_eq!((&own(0)["id"], &own(0)["place"]), (&json!("office"), &json!("folder")));
    assert_eq!(
        (&own(1)["id"], &own(1)["kind"], &own(1)["rules"]),
        (&json!("permit"), &json!("ids"), &json!(2))
    );
    assert_eq!(own(2)["place"], "operation/sent.rules");
    assert!(texts(&own(3)["mistakes"])[0].contains("line"), "{all}");
    let office = list(json!({ "pack": "Office" })).unwrap();
    assert_eq!(office["rules"][0]["parameters"], json!({ "width": "500 mm" }), "{office}");
    let permit = list(json!({ "pack": "permit" })).unwrap();
    assert_eq!(
        (&permit["rules"][0]["rule"], &permit["rules"][0]["clause"]),
        (&json!("ids.P-1"), &json!("P-1"))
    );
    let fault = list(json!({ "pack": "slip" })).unwrap_err();
    assert_eq!(fault.data["field"], "pack");
    assert_eq!(list(json!({ "pack": "nowhere" })).unwrap_err().data["field"], "pack");
}

#[test]
fn a_rule_of_ones_own_is_explained_and_so_are_those_that_come_with_the_program() {
    let (_folder, shelf) = Shelf::new(&[("office.rules", OFFICE)]);
    let explain = |rule: &str| {
        let input = serde_json::from_value(json!({ "rule": rule })).unwrap();
        now(crate::validation::explain_rule::run(&shelf, input))
            .map(|reply| serde_json::to_value(reply.answer).unwrap())
    };
    let own = explain("office.walls").unwrap();
    assert_eq!((&own["part"], &own["title"]), (&json!("office"), &json!("Thick walls")), "{own}");
    assert_eq!(explain("ada-2010.404.2.3").unwrap()["part"], "ada-2010");
    assert_eq!(explain("office.doors").unwrap_err().code, contract::FaultCode::NotFound);
}

#[test]
fn the_pack_in_the_documentation_is_one() {
    let page = include_str!("../../../docs/checks.md");
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let pack = crate::pack_library::of_library("office.rules", block.as_bytes());
    let crate::rule_packs::Asked::Rules(pack) = pack.unwrap_or_else(|mistakes| panic!("{mistakes:?}")) else {
        panic!("it is a pack of rules")
    };
    assert_eq!((pack.id.as_str(), pack.rules.len()), ("office", 1));
}
