#!/usr/bin/env node
// Starts the program that the package of this platform holds, with the same arguments and streams, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

/** Returns the path of the program, or says what to do and ends. */
function findProgram() {
  const name = `@pensaer/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/pensaer`);
  } catch {
    const offered = Object.keys(require("../package.json").optionalDependencies ?? {});
    const advice = offered.includes(name)
      ? `Its package ${name} is not installed: it is an optional dependency, which "--omit=optional" leaves out and a\n` +
        "package-lock.json made on another platform may not name; on Linux it is for glibc, not for musl.\n" +
        "Install it beside this one: npm install pensaer " + name
      : `There are programs for ${offered.map((one) => one.replace("@pensaer/", "")).join(", ") || "no platform"}.`;
    console.error(`pensaer: there is no program for ${process.platform}-${process.arch} here.\n${advice}`);
    process.exit(1);
  }
}

const program = spawn(findProgram(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of SIGNALS) {
  process.on(signal, () => program.kill(signal));
}
program.on("error", (error) => {
  console.error(`pensaer: the program cannot be started: ${error.message}`);
  process.exit(1);
});
program.on("exit", (code, signal) => {
  // the exit code by which a shell tells of a signal
  process.exit(signal ? 128 + constants.signals[signal] : code);
});
