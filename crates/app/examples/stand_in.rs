//! Stands in for programs of EnergyPlus' and OpenStudio's makers where tests need them and they are not installed: what it is called
//! says which it plays. It keeps to what their documentation says of files, arguments and endings, and does no more.

#![expect(clippy::print_stdout, reason = "what the programs say is printed")]

use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    let program = arguments.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default().to_owned();
    let arguments: Vec<String> = arguments.collect();
    let ended = match name.strip_prefix("Transition-V").and_then(|rest| rest.split_once("-to-V")) {
        Some((from, to)) => transition(from, to, &arguments),
        None if name == "openstudio" => openstudio(&arguments),
        None => Err(format!("{name} is not played")),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// A transition program reads both dictionaries in the folder it runs in and the model that it is given; it writes the new model, and
/// what it has to say of it, beside that.
fn transition(from: &str, to: &str, arguments: &[String]) -> Result<(), String> {
    let [model] = arguments else { return Err("one model is expected".to_owned()) };
    let stem = model.strip_suffix(".idf").ok_or("an .idf is expected")?;
    for version in [from, to] {
        let dictionary = format!("V{version}-Energy+.idd");
        fs::metadata(&dictionary).map_err(|_| format!("No IDD available at {dictionary}"))?;
    }
    let text = fs::read_to_string(model).map_err(|error| error.to_string())?;
    let short =
        |version: &str| version.rsplit_once('-').map_or(version.to_owned(), |v| v.0.replace('-', "."));
    let (old, new) = (format!("Version,{};", short(from)), format!("Version,{};", short(to)));
    let complain = |line: &str| {
        let text = format!("Program Version,Conversion {from} => {to}\n   {line}\n");
        fs::write(format!("{stem}.VCpErr"), text).map_err(|error| error.to_string())
    };
    if !text.contains(&old) {
        complain(&format!("** Severe  ** the file is not of version {}", short(from)))?;
        return Ok(());
    }
    complain("** Warning ** a stand-in renames RunPeriod fields only")?;
    let made = text
        .replace(&old, &new)
        .replace("!- Old Name", "!- New Name")
        .replace("Renamed Once", "Renamed Twice");
    fs::write(format!("{stem}.idfnew"), made).map_err(|error| error.to_string())
}

/// OpenStudio's program runs a script; that of a conversion reads a model, which must not be newer than the program unless that is
/// allowed, and writes it as IDF.
fn openstudio(arguments: &[String]) -> Result<(), String> {
    let [command, script, from, to, newer] = arguments else {
        return Err("five words are expected".to_owned());
    };
    let script = fs::read_to_string(script).map_err(|error| error.to_string())?;
    if command != "execute_ruby_script" || !script.contains("ForwardTranslator") {
        return Err("this script is not played".to_owned());
    }
    let model = fs::read_to_string(from).map_err(|error| error.to_string())?;
    let version = model.split_once("OS:Version").ok_or("** The model cannot be read.")?.1;
    if version.contains("99.0") && newer != "true" {
        return Err(
            "** Version extracted from file '99.0.0' is not supported.\n** The model cannot be read."
                .to_owned(),
        );
    }
    println!("** Thermal Zone 'Core' has no thermostat.");
    fs::write(to, "Version,25.2;\n\nZone,\n  Core;  !- Name\n").map_err(|error| error.to_string())
}
