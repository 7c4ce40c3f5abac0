//! Programs of the energy management system: statements that are known, blocks that end, and variables that something sets.

use super::super::model::Model;
use super::super::near::Near;
use super::super::{Issue, IssueKind, Severity, issue};
use crate::idf::Object;
use foldhash::HashSet;

/// Variables that every program has.
const BUILT_IN: [&str; 30] = [
    "year",
    "calendaryear",
    "month",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "hour",
    "timestepsperhour",
    "timestepnum",
    "minute",
    "holiday",
    "daylightsavings",
    "currenttime",
    "sunisup",
    "israining",
    "systemtimestep",
    "zonetimestep",
    "currentenvironment",
    "actualdateandtime",
    "actualtime",
    "warmupflag",
    "null",
    "true",
    "false",
    "off",
    "on",
    "pi",
    "currentenvironmentperiod",
    "yes",
    "no",
];

/// Types of objects whose names are variables of every program.
const NAMED: [&str; 7] = [
    "EnergyManagementSystem:Sensor",
    "EnergyManagementSystem:Actuator",
    "EnergyManagementSystem:InternalVariable",
    "EnergyManagementSystem:TrendVariable",
    "EnergyManagementSystem:CurveOrTableIndexVariable",
    "EnergyManagementSystem:ConstructionIndexVariable",
    "ExternalInterface:Variable",
];

/// Adds programs and subroutines that cannot be read.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let programs: Vec<Object<'_>> = ["EnergyManagementSystem:Program", "EnergyManagementSystem:Subroutine"]
        .iter()
        .flat_map(|name| document.of_type(name))
        .collect();
    if programs.is_empty() {
        return;
    }
    let mut known: HashSet<String> = BUILT_IN.iter().map(|name| (*name).to_owned()).collect();
    let named =
        NAMED.iter().flat_map(|name| document.of_type(name)).map(|object| object.name().to_lowercase());
    known.extend(named);
    for list in document.of_type("EnergyManagementSystem:GlobalVariable") {
        known.extend(list.values().filter(|name| !name.is_empty()).map(str::to_lowercase));
    }
    for foreign in document.objects().filter(|object| object.type_name().starts_with("ExternalInterface:")) {
        known.insert(foreign.name().to_lowercase());
    }
    for program in programs {
        read(program, &known, near, issues);
    }
}

fn say(program: Object<'_>, issues: &mut Vec<Issue>, why: &str) {
    let message = format!("{} `{}`: {why}.", program.type_name(), program.name());
    let what =
        "Mend the line; a program consists of SET, IF, ELSEIF, ELSE, ENDIF, WHILE, ENDWHILE, RUN and RETURN.";
    issues.push(issue(Severity::Error, IssueKind::EnergyManagement, vec![program.into()], message, what));
}

fn read(program: Object<'_>, known: &HashSet<String>, near: &mut Near, issues: &mut Vec<Issue>) {
    let lines: Vec<(usize, &str)> = program
        .values()
        .enumerate()
        .skip(1)
        .map(|(at, line)| (at, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let mut own: HashSet<String> = HashSet::default();
    for (_, line) in &lines {
        if let Some((target, _)) = after(line, "set").and_then(|rest| rest.split_once('=')) {
            own.insert(target.trim().to_lowercase());
        }
    }
    let mut open: Vec<&str> = Vec::new();
    let calls = |name: &str| {
        let document = program.document();
        ["EnergyManagementSystem:Program", "EnergyManagementSystem:Subroutine"]
            .iter()
            .any(|type_name| document.get(type_name, name).is_some())
    };
    let mut unknown: HashSet<String> = HashSet::default();
    for (at, line) in &lines {
        let word = line.split(|c: char| c.is_whitespace() || c == '(' || c == '=').next().unwrap_or_default();
        let rest = line.get(word.len()..).unwrap_or_default();
        let expression = match word.to_ascii_lowercase().as_str() {
            "set" => match rest.split_once('=') {
                Some((_, expression)) => expression,
                None => return say(program, issues, &format!("line {at} sets nothing: `{line}`")),
            },
            "if" => {
                open.push("IF");
                rest
            }
            "while" => {
                open.push("WHILE");
                rest
            }
            "elseif" if open.last() == Some(&"IF") => rest,
            "else" if open.last() == Some(&"IF") => "",
            "endif" if open.last() == Some(&"IF") => {
                open.pop();
                ""
            }
            "endwhile" if open.last() == Some(&"WHILE") => {
                open.pop();
                ""
            }
            "elseif" | "else" | "endif" | "endwhile" => {
                return say(
                    program,
                    issues,
                    &format!("line {at} ends or parts a block that is not open: `{line}`"),
                );
            }
            "run" | "call" if !calls(rest.trim()) => {
                return say(
                    program,
                    issues,
                    &format!("line {at} runs `{}`, which is no program", rest.trim()),
                );
            }
            "run" | "call" => "",
            "return" => rest,
            _ => {
                return say(
                    program,
                    issues,
                    &format!("line {at} begins with no word of the language: `{line}`"),
                );
            }
        };
        if !is_balanced(expression) {
            return say(program, issues, &format!("line {at} has parentheses that do not match: `{line}`"));
        }
        for name in variables(expression) {
            let key = name.to_lowercase();
            if !known.contains(&key) && !own.contains(&key) && unknown.insert(key) {
                let names = known.iter().chain(&own).map(String::as_str);
                let meant = near.meant(name, names);
                let why =
                    format!("line {at} reads `{name}`, which nothing sets{}", meant.trim_end_matches('?'));
                say(program, issues, &why);
            }
        }
    }
    if let Some(block) = open.last() {
        say(program, issues, &format!("a block that begins with {block} does not end with END{block}"));
    }
}

/// The text behind a first word.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let start = line.get(..word.len())?;
    let rest = line.get(word.len()..)?;
    (start.eq_ignore_ascii_case(word) && rest.starts_with(char::is_whitespace)).then_some(rest)
}

/// True if every parenthesis of an expression has its other one.
fn is_balanced(expression: &str) -> bool {
    let mut open = 0_i32;
    for c in expression.chars() {
        open += i32::from(c == '(') - i32::from(c == ')');
        if open < 0 {
            return false;
        }
    }
    open == 0
}

/// The variables that an expression reads: names that are neither numbers nor functions.
fn variables(expression: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '@' || c == '.';
    let words = expression.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty());
    words
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !word.contains('@'))
}
