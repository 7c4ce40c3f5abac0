// web-ifc opens a file in Node and counts its walls; prints CPU time and peak memory as JSON.

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { createRequire } from "node:module";

const WebIFC = createRequire(`${process.cwd()}/`)("web-ifc");

function timed(work) {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  const value = work();
  const spent = process.cpuUsage(cpu);
  return [value, { cpu: (spent.user + spent.system) / 1e6, wall: (performance.now() - wall) / 1e3 }];
}

const api = new WebIFC.IfcAPI();
await api.Init();
api.SetLogLevel(WebIFC.LogLevel?.LOG_LEVEL_OFF ?? 6);
const [model, open] = timed(() => api.OpenModel(new Uint8Array(readFileSync(process.argv[2]))));
const [walls, count] = timed(
  () => api.GetLineIDsWithType(model, WebIFC.IFCWALL, true).size(),
);
const peak = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ open, count, walls, peak_mb: peak }));
process.exit(0);
