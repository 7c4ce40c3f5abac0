use super::super::{Surroundings, check};
use crate::idf::Document;

fn said(text: &str) -> Vec<String> {
    let (document, _) = Document::open(text.as_bytes()).unwrap();
    let found = check(&document, Surroundings::default());
    let found = found.into_iter().filter(|issue| issue.kind == super::IssueKind::EnergyManagement);
    found.map(|issue| format!("{:?}: {}", issue.severity, issue.message)).collect()
}

const LIGHTS: &str = "Zone,Office;Lights,Office Lights,Office,On,LightingLevel,100;Schedule:Constant,On,,1;";

#[track_caller]
fn expect(text: &str, wanted: &[&str]) {
    let found = said(&format!("{LIGHTS}{text}"));
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.contains(wanted), "{found} does not say {wanted}");
    }
}

#[test]
fn an_actuator_names_a_component_and_its_control() {
    let actuator = |name: &str, kind: &str, control: &str| {
        format!("EnergyManagementSystem:Actuator,A,{name},{kind},{control};")
    };
    expect(&actuator("office lights", "Lights", "Electricity Rate"), &[]);
    expect(
        &actuator("Ofice Lights", "Lights", "Electricity Rate"),
        &[
            "Error: The actuator `A` steers the Lights `Ofice Lights`, which is not there. Did you mean `Office Lights`?",
        ],
    );
    expect(&actuator("Office Lights", "Lihgts", "Electricity Rate"), &["Did you mean `Lights`?"]);
    expect(&actuator("Office Lights", "Lights", "Electricty Rate"), &["Did you mean `Electricity Rate`?"]);
    expect(&actuator("On", "Schedule:Constant", "Schedule Value"), &[]);
    expect(&actuator("Environment", "Weather Data", "Outdoor Dry Bulb"), &[]);
    expect(&actuator("x", "Invented by a program", "Anything"), &["Warning: "]);
}

#[test]
fn a_sensor_reads_a_variable_of_something() {
    let sensor = |key: &str, variable: &str| format!("EnergyManagementSystem:Sensor,S,{key},{variable};");
    expect(&sensor("Office", "Zone Mean Air Temperature"), &[]);
    expect(&sensor("*", "Zone Mean Air Temperature"), &[]);
    expect(&sensor("", "Electricity:Facility"), &[]);
    expect(
        &sensor("Offcie", "Zone Mean Air Temperature"),
        &["Error: The sensor `S` reads `Zone Mean Air Temperature` of `Offcie`"],
    );
    expect(&sensor("Office", "Zone Maen Air Temperature"), &["Did you mean `Zone Mean Air Temperature`?"]);
    expect(&sensor("Office", "Environmental Impact Electricity CO2 Emissions Mass"), &[]);
}

#[test]
fn a_program_can_be_read() {
    let program = |lines: &str| {
        format!(
            "EnergyManagementSystem:Sensor,T,Office,Zone Mean Air Temperature;EnergyManagementSystem:Program,P,{lines};"
        )
    };
    expect(
        &program(
            "SET x = T * 2.5E-3 + @Max 1 Hour,IF (x > 1) && (T < 3),SET y = x,ELSEIF x == 2,SET y = 0,ELSE,SET y = Pi,ENDIF",
        ),
        &[],
    );
    expect(&program("IF T > 1,SET x = 1"), &["a block that begins with IF does not end"]);
    expect(&program("SETT x = 1"), &["line 1 begins with no word of the language"]);
    expect(&program("SET x = Tt"), &["line 1 reads `Tt`, which nothing sets"]);
    expect(&program("SET x = (T + 1"), &["line 1 has parentheses that do not match"]);
    expect(&program("RUN P"), &[]);
    expect(&program("RUN Q"), &["line 1 runs `Q`, which is no program"]);
    expect(&program("ENDIF"), &["a block that is not open"]);
}
