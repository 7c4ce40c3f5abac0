// What a person sees, as an address and as a state that an agent can read.

import * as api from "../api";
import { idOf, modelOf, type Camera, type Mark, type Point, type SectionBox, type SectionPlane } from "../view/types";
import type { App } from "./app";

/** What is seen now, in one document. */
export interface ViewerState {
  model?: string;
  version?: string;
  federation?: string[];
  selection: string[];
  camera?: Camera;
  marks: { kind: "point" | "line"; points_mm: Point[]; on: (string | undefined)[]; rooms: (string | undefined)[] }[];
  sections: { planes: SectionPlane[]; box?: SectionBox };
  storey?: string;
}

const mm = (p: Point): Point => [Math.round(p[0] * 1000), Math.round(p[1] * 1000), Math.round(p[2] * 1000)];
const short = (n: number) => String(Math.round(n * 1000) / 1000);

/** A camera in an address: eye, target, projection and height. */
export function writeCamera(camera: Camera): string {
  const numbers = [...camera.eye, ...camera.target].map(short);
  return [...numbers, camera.projection === "orthographic" ? `o${short(camera.height ?? 10)}` : "p"].join(",");
}

export function readCamera(text: string | null): Camera | undefined {
  const parts = text?.split(",") ?? [];
  const last = parts[6] ?? "p";
  const numbers = parts.slice(0, 6).map(Number);
  if (parts.length !== 7 || !numbers.every(Number.isFinite)) return undefined;
  const [a, b, c, d, e, f] = numbers as [number, number, number, number, number, number];
  const camera: Camera = { eye: [a, b, c], target: [d, e, f], projection: last.startsWith("o") ? "orthographic" : "perspective" };
  const height = Number(last.slice(1));
  if (camera.projection === "orthographic" && Number.isFinite(height) && height > 0) camera.height = height;
  return camera;
}

/** What an address asks for. */
export interface Asked {
  model?: string;
  version?: string;
  elements: string[];
  camera?: Camera;
  overlay?: string;
  storey?: string;
}

/** Elements in an address at most: it is to stay an address. */
const MOST = 60;

export function readAddress(search: string): Asked {
  const query = new URLSearchParams(search);
  const elements = [query.get("element"), ...(query.get("elements")?.split(",") ?? [])].filter((id): id is string => id !== null && id !== "");
  const camera = readCamera(query.get("camera"));
  const text = (name: "model" | "version" | "overlay" | "storey") => {
    const value = query.get(name);
    return value ? { [name]: value } : {};
  };
  return { ...text("model"), ...text("version"), ...text("overlay"), ...text("storey"), elements, ...(camera ? { camera } : {}) };
}

export function writeAddress(asked: Asked): string {
  const query = new URLSearchParams();
  if (asked.model) query.set("model", asked.model);
  if (asked.version && asked.version !== "head") query.set("version", asked.version);
  const elements = asked.elements.slice(0, MOST);
  if (elements.length === 1) query.set("element", elements[0]!);
  else if (elements.length > 1) query.set("elements", elements.join(","));
  if (asked.camera) query.set("camera", writeCamera(asked.camera));
  if (asked.overlay) query.set("overlay", asked.overlay);
  if (asked.storey) query.set("storey", asked.storey);
  return `/viewer${query.size > 0 ? `?${query.toString().replaceAll("%2C", ",")}` : ""}`;
}

/** Milliseconds between two words to the server. */
const BEAT = 60_000;
/** Elements and marks that the server takes at most. */
const MOST_SELECTED = 10_000;
const MOST_MARKS = 100;

/** A side of a box as a plane that looks outwards. */
function side(point: Point, axis: 0 | 1 | 2, sign: number): SectionPlane {
  const normal: Point = [0, 0, 0];
  normal[axis] = sign;
  return { point, normal };
}

/** What the page is at besides the app: what no other part keeps. */
export class Sight {
  camera: Camera | undefined;
  marks: Mark[] = [];
  rooms = new Map<string, (string | undefined)[]>();
  planes: SectionPlane[] = [];
  box: SectionBox | undefined;
  storey: string | undefined;
  overlay: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told = "";
  private toldAt = 0;
  /** Whether the server takes what is seen; false once it said that it does not. */
  private isTaken = true;
  private readonly viewer = crypto.randomUUID();

  constructor(private readonly app: App) {
    const { view } = app;
    view.on("camera", (camera) => {
      this.camera = camera;
      this.changed();
    });
    view.on("sections", (planes, box) => {
      this.planes = planes;
      this.box = box;
      this.changed();
    });
    app.on("selection", () => this.changed());
    app.on("shown", () => this.changed());
    // a page that is not heard of for a while is taken for closed
    setInterval(() => this.isTaken && !document.hidden && void this.tell(), BEAT);
    addEventListener("pagehide", () => this.isTaken && this.told !== "" && api.leave(api.paths.sight(this.viewer)));
  }

  viewerState(): ViewerState {
    const shown = this.app.shown();
    const marks = this.marks.map((m) => ({ kind: m.kind, points_mm: m.points.map(mm), on: m.on.map((key) => key && idOf(key)), rooms: this.rooms.get(m.id) ?? [] }));
    return {
      ...(shown ? { model: shown.model, version: shown.version } : {}),
      ...(this.app.federation().length > 1 ? { federation: this.app.federation().map((one) => one.model) } : {}),
      selection: this.app.selection().map(idOf),
      ...(this.camera ? { camera: this.camera } : {}),
      marks,
      sections: { planes: this.planes, ...(this.box ? { box: this.box } : {}) },
      ...(this.storey ? { storey: this.storey } : {}),
    };
  }

  /** The address of what is seen; with the camera where it is to be shared. */
  address(whole: boolean): string {
    const one = this.app.current();
    const elements = this.app.selection().filter((key) => modelOf(key) === one?.shown.model).map(idOf);
    return writeAddress({
      ...(one ? { model: one.shown.model, version: whole && one.shown.latest && one.line === "head" ? one.shown.version : one.line } : {}),
      elements,
      ...(whole && this.camera ? { camera: this.camera } : {}),
      ...(this.overlay ? { overlay: this.overlay } : {}),
      ...(this.storey ? { storey: this.storey } : {}),
    });
  }

  /** Something of it changed: the address follows at once, the server half a second later. */
  changed(): void {
    // an address that is about to be read is not to be written over
    if (this.app.shown()) history.replaceState(history.state, "", this.address(false));
    clearTimeout(this.timer);
    if (this.isTaken) this.timer = setTimeout(() => void this.tell(), 500);
  }

  /** What an agent reads, as the server keeps it: in millimetres, and of the first model alone. */
  private sight(): Record<string, unknown> {
    const shown = this.app.shown();
    const own = (key: string | undefined) => (key !== undefined && modelOf(key) === shown?.model ? idOf(key) : null);
    const box = this.box;
    const sides: SectionPlane[] = box ? ([0, 1, 2] as const).flatMap((axis) => [side(box.min, axis, -1), side(box.max, axis, 1)]) : [];
    return {
      selection: this.app.selection().map(own).filter((id) => id !== null).slice(-MOST_SELECTED),
      ...(this.storey ? { storey: this.storey } : {}),
      ...(this.camera ? { camera: { eye: mm(this.camera.eye), target: mm(this.camera.target) } } : {}),
      sections: [...this.planes, ...sides].map((plane) => ({ point: mm(plane.point), normal: plane.normal })),
      marks: this.marks.slice(-MOST_MARKS).map((mark) => ({ points: mark.points.map(mm), on: mark.on.map(own) })),
    };
  }

  private async tell(): Promise<void> {
    const shown = this.app.shown();
    if (!shown) return;
    const told = { model_id: shown.model, model_version: shown.version, sight: this.sight() };
    const text = JSON.stringify(told);
    if (text === this.told && Date.now() - this.toldAt < BEAT / 2) return;
    this.told = text;
    this.toldAt = Date.now();
    try {
      await api.send("PUT", api.paths.sight(this.viewer), told);
    } catch (error) {
      // a server without that place is none the worse for it
      if (error instanceof api.Refusal && [403, 404, 405].includes(error.status)) this.isTaken = false;
    }
  }
}
