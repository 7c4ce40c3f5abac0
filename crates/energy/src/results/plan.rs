//! Which programs make a run, in which order, with which arguments and files. A list to carry out, nothing more: processes
//! are started elsewhere, each in the run's own scratch folder, which is also its working directory.
//!
//! The model goes in as `in.idf` or `in.epJSON`, the weather as `in.epw`; every output begins with `eplusout`. Templates
//! (`HVACTemplate:*`) and ground objects are not simulated as they stand: `ExpandObjects` writes them out first, and it
//! reads IDF only, so a model in epJSON is converted before.

use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The period to simulate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// The periods of the model's own SimulationControl and RunPeriod objects.
    #[default]
    AsModelled,
    /// Only the design days.
    DesignDay,
    /// A whole year of the weather file.
    Annual,
}

/// The text that a model is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelFormat {
    /// IDF.
    Idf,
    /// epJSON.
    EpJson,
}

/// The options of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOptions {
    /// The period to simulate.
    pub span: Span,
    /// The text that the model is in.
    pub format: ModelFormat,
    /// True if there is a weather file.
    pub weather: bool,
    /// True if the model has objects to write out first; see [`is_expanded`].
    pub expand: bool,
    /// True if the series are also wanted as `eplusout.csv` and `eplusmtr.csv`.
    pub readvars: bool,
}

/// A program of EnergyPlus' own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// Turns epJSON into IDF.
    ConvertInputFormat,
    /// Writes templates out as the objects they stand for.
    ExpandObjects,
    /// Simulates.
    EnergyPlus,
    /// Turns the text of series into CSV.
    ReadVars,
}

impl Program {
    /// Its file, from the folder of EnergyPlus.
    pub fn path(self) -> &'static str {
        match self {
            Self::ConvertInputFormat => "ConvertInputFormat",
            Self::ExpandObjects => "ExpandObjects",
            Self::EnergyPlus => "energyplus",
            Self::ReadVars => "PostProcess/ReadVarsESO",
        }
    }
}

/// One program to run, in the scratch folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The program.
    pub program: Program,
    /// With which arguments.
    pub arguments: Vec<String>,
    /// Files of EnergyPlus' folder that have to be in the scratch folder by their own names (copied or linked).
    pub needs: Vec<&'static str>,
    /// Small files to write into the scratch folder first: name and text.
    pub writes: Vec<(&'static str, String)>,
    /// The file that must exist afterwards; where it does not, the step failed, whatever its exit code says.
    pub makes: &'static str,
    /// True if a failure ends the run; a program that only adds files may fail.
    pub required: bool,
}

/// The programs of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The name under which the model is put into the scratch folder.
    pub model_file: &'static str,
    /// The name under which the weather is put there, if there is any.
    pub weather_file: Option<&'static str>,
    /// The programs to run, one after another.
    pub steps: Vec<Step>,
}

/// True if a class of objects has to be written out by `ExpandObjects` before a simulation.
pub fn is_expanded(object_type: &str) -> bool {
    const EXPANDED: [&str; 2] = ["hvactemplate:", "groundheattransfer:"];
    let name = object_type.trim().to_ascii_lowercase();
    EXPANDED.iter().any(|prefix| name.starts_with(prefix))
}

/// The outputs that the answers of this crate are read from: class, and the object as IDF. A run adds those of which the
/// model has no object of that class, to the copy that is simulated; what it has is completed ([`reports_lacking`], [`UNROUNDED`]).
pub const WANTED_OUTPUTS: [(&str, &str); 4] = [
    ("Output:SQLite", "Output:SQLite,\n    SimpleAndTabular;\n"),
    (
        "Output:Table:SummaryReports",
        "Output:Table:SummaryReports,\n    AllSummary,\n    ZoneComponentLoadSummary;\n",
    ),
    // what could be recorded
    ("Output:VariableDictionary", "Output:VariableDictionary,\n    Regular;\n"),
    // without it the report is text with commas
    ("OutputControl:Table:Style", "OutputControl:Table:Style,\n    HTML;\n"),
];

/// The first version of EnergyPlus whose `Output:SQLite` has a third field, for numbers that are not rounded for readers.
pub const UNROUNDED: (u32, u32) = (25, 2);

/// Reports that answers are read from: energy, unmet hours, sizes, heat gains, and what loads are made of.
const REPORTS: [&str; 8] = [
    "AnnualBuildingUtilityPerformanceSummary",
    "InputVerificationandResultsSummary",
    "SystemSummary",
    "ComponentSizingSummary",
    "HVACSizingSummary",
    "EnvelopeSummary",
    "SensibleHeatGainSummary",
    "ZoneComponentLoadSummary",
];

/// The report on the components of loads, which only reports on sizing periods bring along.
const COMPONENTS: &str = "ZoneComponentLoadSummary";

/// The reports that are to be asked for beside these, so that answers have what they are read from.
pub fn reports_lacking<'a>(asked: impl IntoIterator<Item = &'a str>) -> Vec<&'static str> {
    let asked: Vec<String> = asked.into_iter().map(|name| name.trim().to_ascii_lowercase()).collect();
    let all = asked.iter().any(|name| name.starts_with("allsummary"));
    let sizing = asked.iter().any(|name| name.starts_with("all") && name.ends_with("sizingperiod"));
    let short = |report: &str| match report {
        "AnnualBuildingUtilityPerformanceSummary" => "abups",
        "InputVerificationandResultsSummary" => "ivrs",
        "ComponentSizingSummary" => "css",
        "SensibleHeatGainSummary" => "shgs",
        _ => "",
    };
    let lacks = |report: &&str| {
        let own = report.to_ascii_lowercase();
        let brought = if *report == COMPONENTS { sizing } else { all };
        !brought && !asked.iter().any(|name| *name == own || name == short(report))
    };
    REPORTS.into_iter().filter(|report| lacks(report)).collect()
}

impl Plan {
    /// The plan for a run; a Fault where the options do not go together.
    pub fn new(options: RunOptions) -> Result<Self, Fault> {
        if options.span != Span::DesignDay && !options.weather {
            return Err(Fault::invalid(
                "weather_file",
                "This run needs a weather file. Give weather_file, fetch one with download_weather_file, or ask for \
                 design_day=true, which needs none.",
            ));
        }
        let model_file = match options.format {
            ModelFormat::Idf => "in.idf",
            ModelFormat::EpJson => "in.epJSON",
        };
        let mut steps = Vec::new();
        if options.expand {
            if options.format == ModelFormat::EpJson {
                steps.push(Step {
                    program: Program::ConvertInputFormat,
                    arguments: vec!["-o".into(), ".".into(), "-f".into(), "IDF".into(), model_file.into()],
                    needs: Vec::new(),
                    writes: Vec::new(),
                    makes: "in.idf",
                    required: true,
                });
            }
            steps.push(Step {
                program: Program::ExpandObjects,
                arguments: Vec::new(),
                needs: vec!["Energy+.idd"],
                writes: Vec::new(),
                makes: "expanded.idf",
                required: true,
            });
        }
        let mut arguments: Vec<String> = vec!["-d".into(), ".".into()];
        if options.weather {
            arguments.extend(["-w".into(), "in.epw".into()]);
        }
        match options.span {
            Span::AsModelled => {}
            Span::DesignDay => arguments.push("-D".into()),
            Span::Annual => arguments.push("-a".into()),
        }
        arguments.push(if options.expand { "expanded.idf" } else { model_file }.into());
        steps.push(Step {
            program: Program::EnergyPlus,
            arguments,
            needs: Vec::new(),
            writes: Vec::new(),
            makes: "eplusout.end",
            required: true,
        });
        if options.readvars {
            steps.push(read_vars("eplusout.inp", "eplusout.eso", "eplusout.csv"));
            steps.push(read_vars("eplusmtr.inp", "eplusout.mtr", "eplusmtr.csv"));
        }
        Ok(Self { model_file, weather_file: options.weather.then_some("in.epw"), steps })
    }
}

fn read_vars(list: &'static str, source: &str, target: &'static str) -> Step {
    Step {
        program: Program::ReadVars,
        arguments: vec![list.to_owned(), "unlimited".to_owned()],
        needs: Vec::new(),
        writes: vec![(list, format!("{source}\n{target}\n"))],
        makes: target,
        required: false,
    }
}
