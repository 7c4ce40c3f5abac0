// The simulations of an energy model: those that this page began, and those of an agent or of somebody else.

import type { Context } from "../../page/context";
import { alone, files } from "../server";

export interface Use {
  use: string;
  source: string;
  value: number;
  units: string;
  kwh?: number;
}

export interface EndUses {
  uses: Use[];
  totals: Use[];
  site_and_source?: { name: string; kwh: number; kwh_per_m2?: number }[];
  floor_area_m2?: number;
  notes?: string[];
}

export interface Status {
  job_id: string;
  status: string;
  reason?: string;
  step?: string;
  fraction?: number;
  warnings?: number;
  severe?: number;
  elapsed_seconds?: number;
  program?: string;
  messages?: { level: string; text: string; details?: string[]; occurrences?: number }[];
  end_uses?: EndUses;
  notes?: string[];
  weather_file?: string;
  simulated_version?: string;
}

export interface Run {
  job: string;
  model: string;
  kind: "design" | "annual" | "stated";
  /** Milliseconds. */
  at: number;
  status: Status;
}

const PLACE = "pensaer-runs";
const MOST = 40;

/** Runs that this browser began. */
export function own(model?: string): Run[] {
  try {
    const all = JSON.parse(localStorage.getItem(PLACE) ?? "[]") as Run[];
    return model ? all.filter((r) => r.model === model) : all;
  } catch {
    // written by another version of the page
    return [];
  }
}

export function remember(run: Run): void {
  // messages are many words, and asked for again when they are wanted
  const { messages: _messages, ...status } = run.status;
  const all = [{ ...run, status }, ...own().filter((r) => r.job !== run.job)].slice(0, MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(all));
  } catch {
    // a browser that keeps nothing shows the run until the page is left
  }
}

export const isOver = (status: string): boolean => status !== "queued" && status !== "running";

/** All runs of a model that there are results of, the latest first. */
export async function list(context: Context, model: string, signal?: AbortSignal): Promise<Run[]> {
  const mine = own(model);
  const known = new Set(mine.map((r) => r.job));
  const [stored, versions] = await Promise.all([
    files(context, signal),
    context.call<{ versions: { version: string }[] }>("list_versions", { model_id: model, model_version: undefined, limit: 200 }, signal),
  ]);
  const its = new Set(versions.versions.map((v) => v.version));
  const jobs = stored.filter((f) => f.name === "eplusout.sql").map((f) => ({ job: f.bucket_key.split("/")[0] ?? "", at: Date.parse(`${f.uploaded_at}Z`) }));
  const others = await Promise.all(
    jobs.filter((j) => j.job && !known.has(j.job)).slice(0, 20).map(async ({ job, at }): Promise<Run | undefined> => {
      const status = await context.call<Status>("get_simulation_status", alone({ job_id: job }), signal).catch(() => undefined);
      if (!status?.simulated_version || !its.has(status.simulated_version)) return undefined;
      return { job, model, kind: status.end_uses?.uses.length ? "annual" : "design", at: Number.isFinite(at) ? at : 0, status };
    }),
  );
  return [...mine, ...others.filter((r): r is Run => r !== undefined)].sort((a, b) => b.at - a.at);
}

/** Begins a run in a session of its own, so that several can be compared, and follows it to its end. */
export async function start(
  context: Context,
  model: string,
  kind: Run["kind"],
  weather: string | undefined,
  told: (run: Run) => void,
  signal: AbortSignal,
): Promise<Run> {
  const { session } = await context.call<{ session: string }>("load_model", { model_id: model });
  let status = await context.call<Status>(
    "run_simulation",
    // the model is named beside the session, so that nothing of the building that is shown is added
    { session, model_id: model, ...(kind === "design" ? { design_day: true } : kind === "annual" ? { annual: true } : {}), ...(weather ? { weather_file: weather } : {}) },
  );
  const run = (): Run => ({ job: status.job_id, model, kind, at: Date.now(), status });
  remember(run());
  told(run());
  while (!isOver(status.status) && !signal.aborted) {
    await new Promise((done) => setTimeout(done, 1500));
    status = await context.call<Status>("get_simulation_status", alone({ job_id: status.job_id }));
    told(run());
  }
  remember(run());
  return run();
}

/** What a run is called in lists. */
export function nameOf(run: Run): string {
  const kind = { design: "Design days", annual: "Year", stated: "As the model says" }[run.kind];
  const weather = run.status.weather_file?.split("/").pop()?.replace(/\.epw$/i, "");
  const at = new Date(run.at);
  const when = `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} ${at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
  return [kind, weather, when].filter(Boolean).join(", ");
}
