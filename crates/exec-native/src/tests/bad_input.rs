//! What people upload by mistake or by malice: each ends as one Fault that names the place and says what to do, and the
//! host goes on.

use super::*;
use contract::FaultCode;

struct Expected<'a> {
    code: FaultCode,
    line: Option<u64>,
    says: &'a [&'a str],
}

/// Inspecting the file is refused as expected; the host then opens a good one.
async fn check(name: &str, bytes: impl AsRef<[u8]>, expected: Expected<'_>) {
    let host = host();
    let (_folder, path) = file(bytes);
    let fault = run(&host, Effect::Query, "inspect", &model(&path), Value::Null).await.unwrap_err();
    assert_eq!(fault.code, expected.code, "{name}: {fault}");
    if let Some(line) = expected.line {
        assert_eq!(fault.data.get("line"), Some(&json!(line)), "{name}: {fault} {:?}", fault.data);
    }
    for word in expected.says {
        assert!(fault.message.contains(word), "{name} should say {word:?}: {fault}");
    }
    let (_folder, good) = file(SMALL);
    run(&host, Effect::Query, "count_walls", &model(&good), Value::Null).await.unwrap();
}

#[tokio::test]
async fn files_that_are_no_ifc_are_refused_with_the_place_and_the_way_on() {
    let unreadable = |line, says| Expected { code: FaultCode::UnreadableFile, line, says };
    check("empty", "", unreadable(Some(1), &["empty"])).await;
    check("prose", "Dear colleague, here is the model.", unreadable(Some(1), &["not an IFC file"])).await;
    check("zip", b"PK\x03\x04whatever", unreadable(None, &["zip archive", "damaged"])).await;
    check("bytes", [0u8, 255, 254, 7, 13, 10].repeat(1000), unreadable(Some(1), &["not an IFC file"])).await;
    let schema = SMALL.replace("'IFC4'", "'IFC9_BETA'");
    check("unknown schema", schema, unreadable(Some(5), &["IFC9_BETA", "IFC4"])).await;
}

#[tokio::test]
async fn a_truncated_file_is_refused_wherever_it_ends() {
    for cut in [SMALL.len() / 2, SMALL.len() - 30, SMALL.find("ENDSEC;\nEND").unwrap(), 60] {
        let line = SMALL[..cut].lines().count() as u64;
        let host = host();
        let (_folder, path) = file(&SMALL[..cut]);
        let fault = run(&host, Effect::Query, "inspect", &model(&path), Value::Null).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::UnreadableFile, "cut at {cut}: {fault}");
        let named = fault.data["line"].as_u64().unwrap();
        assert!(named == line || named == line + 1, "cut at {cut}, line {line}: {fault}");
    }
}

#[tokio::test]
async fn content_in_doubt_is_refused_with_its_lines_unless_accepted() {
    let twice = SMALL.replace("#10=IFCWALL", "#9=IFCWALL");
    let doubtful = |line, says| Expected { code: FaultCode::UnreadableFile, line: Some(line), says };
    check("duplicate id", &twice, doubtful(17, &["#9"])).await;
    let early = SMALL.replace("#10=IFCWALL", "#3=IFCWALL").replace("#4=IFCREL", "#40=IFCREL");
    let lost = early.replace("(#2));", "(#77));");
    check("cause before consequence", lost, doubtful(17, &["#3"])).await;
    let dangling = SMALL.replace("(#9,#10),#3", "(#9,#10),#99");
    check("dangling reference", &dangling, doubtful(18, &["#11", "#99"])).await;
    let broken =
        SMALL.replace("#12=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F30'),$);", "#12=IFCPROPERTY???;");
    check("syntax", &broken, doubtful(19, &[])).await;

    let (_folder, path) = file(&dangling);
    let accepted = json!({"accept_problems": true});
    let answer = run(&host(), Effect::Query, "inspect", &model(&path), accepted).await.unwrap().result;
    assert_eq!(answer["problem_count"], 1);
    assert_eq!(answer["problems"][0]["line"], 18);
}

#[tokio::test]
async fn one_endless_line_is_refused_without_being_held_in_memory() {
    use std::io::{Seek, SeekFrom, Write};
    let (_folder, path) = file(SMALL.replace("ENDSEC;\nEND-ISO-10303-21;\n", "#15=IFCWALL('"));
    let mut out = std::fs::File::options().append(false).write(true).open(&path).unwrap();
    // a hole: 300 MB of zero bytes that take no room on disk
    out.seek(SeekFrom::End(300 << 20)).unwrap();
    out.write_all(b"',$,$,$,$,$,$,$,$);\nENDSEC;\nEND-ISO-10303-21;\n").unwrap();
    drop(out);
    let host = host();
    let fault = run(&host, Effect::Query, "inspect", &model(&path), Value::Null).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::LimitReached, "{fault}");
    assert_eq!(fault.data["line"], 22, "{fault}");
}

#[tokio::test]
async fn wrong_arguments_name_the_parameter_and_unknown_ids_the_id() {
    let (_folder, path) = file(SMALL);
    let (host, input) = (host(), model(&path));
    let fault = run(&host, Effect::Create, "add_wall", &input, json!({"name": 7})).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!("name")), "{fault}");
    let fault = run(&host, Effect::Create, "add_wall", &input, json!({"nmae": "East"})).await.unwrap_err();
    assert_eq!(fault.data["near_matches"], json!(["name"]), "{fault}");
    let unknown = json!({"element_id": "0000000000000000000000", "attribute": "Name", "value": "x"});
    let fault = run(&host, Effect::Modify, "set_attribute", &input, unknown).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::ElementNotFound);
    let fault = run(&host, Effect::Query, "inspect", &input, json!({"kee": 1})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::InvalidParams, "{fault}");
    let no_model = host.run(request(Effect::Query, "count_walls", Vec::new(), json!({}))).await.unwrap_err();
    assert_eq!((no_model.code, &no_model.data["role"]), (FaultCode::InvalidParams, &json!("model")));
}

#[tokio::test]
async fn hostile_content_ends_one_call_and_not_the_process() {
    let insert = |line: &str| SMALL.replace("ENDSEC;\nEND-ISO", &format!("{line}\nENDSEC;\nEND-ISO"));
    let deep = format!("#15=IFCWALL({}{});", "(".repeat(500_000), ")".repeat(500_000));
    let circle = "#15=IFCLOCALPLACEMENT(#16,#7);\n#16=IFCLOCALPLACEMENT(#15,#7);".to_owned();
    let wide = format!("#15=IFCPOLYLINE(({}));", vec!["#6"; 200_000].join(","));
    for (name, line) in [("deep", deep), ("circle", circle), ("wide", wide)] {
        let host = host();
        let (_folder, path) = file(insert(&line));
        for operation in ["inspect", "count_walls", "materialise"] {
            let _ = run(&host, Effect::Query, operation, &model(&path), json!({})).await;
        }
        let (_folder, good) = file(SMALL);
        let answer = run(&host, Effect::Query, "count_walls", &model(&good), Value::Null).await;
        assert_eq!(answer.unwrap().result["walls"], 2, "{name}");
    }
}
