//! `pensaer exec`: the Execution Service with the adapters of this program, confined to the folders it was given.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use crate::cli::{Exec, ExecCommand};
use crate::settings::Settings;
use crate::{backend, compose, conformance, listen};
use anyhow::{Context, Result};
use contract::Adapter;
use exec::sandbox::{Bounds, Confinement, confine, in_group, is_in_group};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Serves until the process that started it ends, or for ever.
pub(crate) fn run(
    options: &Exec,
    address: Option<SocketAddr>,
    settings: impl Fn() -> Result<Settings>,
) -> Result<ExitCode> {
    if let Some(ExecCommand::Conformance(options)) = &options.command {
        return conformance::run(options);
    }
    if options.attempts {
        return Ok(if tried() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    compose::log_to_stderr();
    if options.socket.is_none() && !options.check {
        let address =
            address.context("say where to listen: --listen ADDRESS, or --socket PATH as a single worker")?;
        return listen::run(options, address, settings);
    }
    if options.backend == backend::IFCOPENSHELL && !options.beside && !options.check {
        let (python, package) = beside(options, settings)?;
        return backend::side_by_side(options, &python, &package);
    }
    if options.backend == backend::ENERGYPLUS && !options.beside && !options.check {
        let installed = match &options.energyplus {
            Some(folder) => backend::energyplus::Installed {
                folder: folder.clone(),
                openstudio: options.openstudio.clone(),
            },
            None => backend::energyplus::found(&settings()?).with_context(|| {
                format!("There is no EnergyPlus here. To have it: {}", backend::energyplus::hint())
            })?,
        };
        return backend::energyplus::launch(options, &installed);
    }
    let mut wish = Confinement { read: options.read.clone(), ..Confinement::default() };
    wish.write.extend(options.write.iter().chain(&options.indexes).cloned());
    wish.memory = (options.cache_mb.saturating_add(options.memory_mb)).saturating_mul(1 << 20);
    let Some(socket) = options.socket.as_ref().filter(|_| !options.check) else {
        return if is_in_group() { check(&wish) } else { check_in_group(&wish) };
    };
    let mut config = exec::ServeConfig::at(socket);
    config.host.cache_bytes = options.cache_mb << 20;
    let at = || format!("cannot serve at {}", socket.display());
    let control = options.beside.then(exec::Control::from_stdout).transpose();
    let control = control.context("this is to be started by `pensaer exec --backend`")?;
    // the last socket that this process may open; pairs of sockets that are only its own are none
    let listener = exec::listen(socket).with_context(at)?;
    config.host.sandbox = confine(&wish).context("cannot confine this process")?;
    let native = compose::native(options.indexes.clone());
    let adapters: Vec<Arc<dyn Adapter>> = match control {
        Some(control) if options.backend == backend::ENERGYPLUS => {
            let folder =
                options.energyplus.clone().context("this is to be started by `pensaer exec --backend`")?;
            let simulator = exec_energyplus::Simulator::new(Arc::new(exec::Launches::at(control)), folder)
                .context("cannot read the folder of EnergyPlus")?;
            let simulator = match &options.openstudio {
                Some(program) => {
                    simulator.with_openstudio(exec_energyplus::OpenStudio::from_program(program))
                }
                None => simulator,
            };
            vec![Arc::new(exec_energyplus::EnergyAdapter::default().with_simulator(simulator))]
        }
        Some(control) => {
            let python = exec_ifcopenshell::Backend::at(control)?;
            vec![Arc::new(exec_ifcopenshell::IfcOpenShellAdapter::new(Arc::new(python), native))]
        }
        None => vec![Arc::new(native), Arc::new(exec_energyplus::EnergyAdapter::default())],
    };
    compose::runtime()?.block_on(exec::serve_at(listener, adapters, config)).with_context(at)?;
    Ok(ExitCode::SUCCESS)
}

/// The Python and our own part of it: as they were given, or as the settings say.
fn beside(options: &Exec, settings: impl Fn() -> Result<Settings>) -> Result<(PathBuf, PathBuf)> {
    if let (Some(python), Some(package)) = (&options.interpreter, &options.package) {
        return Ok((python.clone(), package.clone()));
    }
    let found = backend::python_and_package(&settings()?)?;
    found
        .with_context(|| format!("IfcOpenShell is not installed. To install it: {}", backend::HOW_TO_INSTALL))
}

/// Starts the same check as a pool starts its workers: in control groups that somebody else made for it, and removes.
fn check_in_group(wish: &Confinement) -> Result<ExitCode> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let command: Vec<_> = std::iter::once(this.into()).chain(std::env::args_os().skip(1)).collect();
    let ended = in_group(&command, Bounds { memory: wish.memory, tasks: compose::TASKS })?;
    Ok(if ended.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries to get out of this process, and says each attempt. Whether all failed.
fn tried() -> bool {
    let attempts = exec::sandbox::attempts();
    for attempt in &attempts {
        let what = if attempt.refused { "refused: " } else { "POSSIBLE:" };
        println!("{what} {}", attempt.what);
    }
    attempts.iter().all(|attempt| attempt.refused)
}

/// Confines this process and tries to get out.
fn check(wish: &Confinement) -> Result<ExitCode> {
    // this process starts nothing any more once it is confined
    let launched = backend::energyplus::check_launched()?;
    let sandbox = confine(wish).context("cannot confine this process")?;
    println!("enforced: {}", sandbox.walls().join(", "));
    for missing in &sandbox.missing {
        println!("missing:  {missing}");
    }
    let worker = tried();
    print!("{}", launched.said);
    let held = sandbox.holds() && worker && launched.held;
    println!(
        "{}",
        if held { "Code of agents is held." } else { "Code of agents is not held: run_code is refused." }
    );
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
