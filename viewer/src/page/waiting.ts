// What waits for somebody's decision, for the number at the rail and for the panel.

import * as api from "../api";
import type { App } from "./app";

export interface Approval {
  approval_id: string;
  status: string;
  tool: string;
  action: string;
  requested_by: string;
  reasoning?: string;
  gate: string;
  reason: string;
  may_decide: string[];
  model_id: string;
  model: string;
  base?: string;
  changes?: api.Changes;
  requested_ms: number;
  expires_ms: number;
  decided_by?: string;
  decided_ms?: number;
  comment?: string;
}

/** What waits: asked for when the page opens and when an approval is asked for or decided. */
export class Approvals {
  waiting: Approval[] = [];
  onChange: () => void = () => undefined;

  constructor(
    readonly app: App,
    private readonly count: (n: number) => void,
  ) {}

  async read(): Promise<void> {
    const page = await api.json<{ approvals?: Approval[] }>(api.paths.approvals(false)).catch(() => undefined);
    this.waiting = (page?.approvals ?? []).filter((a) => a.status === "pending");
    this.count(this.waiting.length);
    this.onChange();
  }

  /** Whether the person may decide on it: not on what they asked for, and by a role that may. */
  may(a: Approval): boolean {
    const person = this.app.person;
    return person !== undefined && a.requested_by !== person.name && a.may_decide.some((role) => person.roles.includes(role));
  }
}
