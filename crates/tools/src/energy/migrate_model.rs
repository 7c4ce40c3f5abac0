//! Brings the energy model up to a newer version of EnergyPlus, by the makers' own transition programs.

use crate::{Reply, Tool};
use contract::ops::PlatformOperation;
use contract::{Effect, EventType, Fault, FaultCode, ModelKind, ModelUse, Models, Sessions, Toolset};
use energy::ops::Migrate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// To where.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Without it the installed version.
    target_version: Option<String>,
    /// Leave out: the server has its own.
    #[schemars(extend("x-seldom" = true))]
    energyplus_dir: Option<String>,
    /// Link the files in between.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    keep_work_dir: bool,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    from: Value,
    to: Value,
    /// The programs that ran.
    steps: Vec<Value>,
    /// Matters that they say to look after.
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_left_out: Option<u64>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("migrate_model", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .title("Migrate the model")
        .description(
            "Brings an IDF model up to a newer EnergyPlus by the transition programs of the server, as a new version.",
        )
        .toolset(Toolset::Exchange)
        .model(ModelUse::Current)
        .event(EventType::Other("ModelMigrated".to_owned()))
        .example("To the installed version", json!({}))
}

async fn run(platform: &(impl Models + Sessions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    if model.kind != ModelKind::EnergyPlus {
        let problem =
            format!("{} is no EnergyPlus model. export_ifc writes IFC in other versions.", model.name);
        return Err(Fault::invalid("model_id", problem));
    }
    let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let migrate = Migrate {
        target_version: said(input.target_version),
        program_folder: said(input.energyplus_dir),
        keep: input.keep_work_dir,
    };
    let changed = platform
        .change_model(&model.model_id, migrate.operation(), Some("energyplus"))
        .await
        .map_err(no_programs)?;
    let migrated = Migrate::read(&changed.artifact)?;
    let listed = |lines: Vec<String>| lines.into_iter().map(Value::from).collect();
    let output = Output {
        from: migrated.from.into(),
        to: migrated.to.into(),
        steps: listed(migrated.steps),
        messages: listed(migrated.messages),
        messages_left_out: Some(migrated.messages_left_out).filter(|count| *count > 0),
    };
    let mut reply = match changed.committed {
        Some(committed) => Reply::new(output).status("migrated").committed(committed),
        None => Reply::new(output).status("unchanged"),
    };
    reply.links = changed.links;
    Ok(reply)
}

/// Says what to install: where there is no EnergyPlus at all, installing just any is not enough.
fn no_programs(fault: Fault) -> Fault {
    if fault.code != FaultCode::NotSupported
        || fault.data.contains_key("looked_in")
        || fault.data.contains_key("field")
    {
        return fault;
    }
    let message = format!(
        "{} For migrations it has to be the makers' own installation, which has Transition-V…-to-V… in PreProcess/IDFVersionUpdater.",
        fault.message
    );
    Fault { message, ..fault }
}
