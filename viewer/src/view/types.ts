// What the 3D view can do, for the page around it. Places are IFC world coordinates in metres, z up. No panel knows three.js;
// the view knows no panel and asks no server but for tiles, through the functions of a source.

export type Point = [number, number, number];

/** An element of one of the models in view: model id and GlobalId, joined by a slash. */
export type ElementKey = string;
export const keyOf = (model: string, id: string): ElementKey => `${model}/${id}`;
export const modelOf = (key: ElementKey): string => key.slice(0, key.indexOf("/"));
export const idOf = (key: ElementKey): string => key.slice(key.indexOf("/") + 1);

/** One model at one version, to be shown. */
export interface Source {
  model: string;
  version: string;
  name: string;
  /** The document of tileset.json. */
  tileset: unknown;
  /** The bytes of a tile by its key. */
  tile(key: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Moved by that much (an alignment), metres. */
  offset?: Point;
  /** One colour for the whole model (`#rrggbb`), to tell models apart. */
  colour?: string;
  visible?: boolean;
}

/** Where one looks from. `height` is the visible height in metres at the target of an orthographic camera. */
export interface Camera {
  eye: Point;
  target: Point;
  projection: "perspective" | "orthographic";
  height?: number;
}

/** A standard view. */
export type Side = "iso" | "top" | "bottom" | "front" | "back" | "left" | "right";

/** What the pointer hit. */
export interface Hit {
  key: ElementKey;
  point: Point;
  normal: Point;
}

/** A plane that cuts away what lies on the side its normal points to. */
export interface SectionPlane {
  point: Point;
  normal: Point;
}

export interface SectionBox {
  min: Point;
  max: Point;
}

/** What the pointer does. `select` is the usual one. */
export type Mode =
  | "select"
  | "measure-distance"
  | "measure-angle"
  | "measure-area"
  | "measure-height"
  | "section"
  | "mark-point"
  | "mark-line"
  | "walk";

/** A measurement that stands in the view until it is removed. */
export interface Measurement {
  id: string;
  kind: "distance" | "angle" | "area" | "height";
  points: Point[];
  /** Metres, degrees or square metres. */
  value: number;
  /** What it snapped to at each point. */
  snaps: ("vertex" | "edge" | "face")[];
}

/** Places a person pointed at, for an agent. */
export interface Mark {
  id: string;
  kind: "point" | "line";
  points: Point[];
  /** What was hit at each point. */
  on: (ElementKey | undefined)[];
}

/** A pin with a number or a sign at a place: a finding, a topic, a room. */
export interface Pin {
  id: string;
  at: Point;
  label: string;
  tone: "error" | "warning" | "info" | "neutral";
}

/** How a group of elements looks. What is in none looks as the file says. */
export interface Colouring {
  groups: { colour: string; keys: ElementKey[] }[];
  /** What is in no group: as it is, faint, or away. */
  others: "usual" | "ghost" | "hidden";
}

/** Two versions of one model over each other. `balance` 0 shows the older one alone, 1 the newer one, 0.5 both. */
export interface Comparison {
  model: string;
  before: Source;
  added: string[];
  removed: string[];
  changed: string[];
  balance: number;
}

/** A drawing of the server laid over the model. */
export interface Drawing {
  /** An SVG document, without scripts. */
  svg: string;
  /** IFC coordinates of the document's origin and of one of its units along x and y. */
  origin: Point;
  x: Point;
  y: Point;
}

export interface Settings {
  shadows: boolean;
  occlusion: boolean;
  edges: boolean;
  ground: boolean;
  spaces: boolean;
  theme: "light" | "dark";
}

/** What the view is at, for a line of status and for measurements. */
export interface Stats {
  elements: number;
  tiles: number;
  loaded: number;
  waiting: number;
  bytes: number;
  drawCalls: number;
  triangles: number;
  /** Milliseconds of the main thread for the last picture. */
  frame: number;
}

export interface Events {
  /** A click: nothing was hit where it is undefined. `add` where a key asked to keep the selection. */
  pick(hit: Hit | undefined, add: boolean): void;
  doublePick(hit: Hit): void;
  /** What lies in a dragged box: all of it where it was drawn from left to right, what it touches from right to left. */
  box(keys: ElementKey[], add: boolean): void;
  hover(hit: Hit | undefined): void;
  /** After the camera came to rest. */
  camera(camera: Camera): void;
  measured(all: Measurement[]): void;
  marked(all: Mark[]): void;
  pin(id: string): void;
  sections(planes: SectionPlane[], box: SectionBox | undefined): void;
  mode(mode: Mode): void;
  stats(stats: Stats): void;
  /** A tile could not be read or fetched; the others are shown. */
  failed(model: string, tile: string, message: string): void;
}

export interface View {
  on<K extends keyof Events>(event: K, listener: Events[K]): () => void;

  /** Shows a model, or the next version of one that is shown: only tiles that differ are fetched. Settles when what is in view is there. */
  show(source: Source): Promise<void>;
  remove(model: string): void;
  /** What changes of a model without new tiles. */
  adjust(model: string, change: { visible?: boolean; offset?: Point; colour?: string | undefined }): void;

  // each of these replaces what was set before
  select(keys: ElementKey[]): void;
  hide(keys: ElementKey[]): void;
  /** Shows these alone; undefined ends it. */
  isolate(keys: ElementKey[] | undefined): void;
  ghost(keys: ElementKey[]): void;
  colour(colouring: Colouring | undefined): void;
  compare(comparison: Comparison | undefined): void;
  /** Elements that just changed, shown by a glow that fades. */
  flash(keys: ElementKey[]): void;
  /** What is shown at all: its box, metres, or undefined for none of it. */
  extent(keys?: ElementKey[]): { min: Point; max: Point } | undefined;

  camera(): Camera;
  look(camera: Camera, options?: { jump?: boolean }): void;
  /** Everything, or some elements, in view. */
  fit(options?: { keys?: ElementKey[]; side?: Side; jump?: boolean }): void;
  /** A storey seen from above with what lies over the cut taken away (both are heights in the world, as an overlay's cut); undefined ends it. */
  plan(storey: { elevation: number; cut: number } | undefined): void;

  mode(mode: Mode): void;
  sections(planes: SectionPlane[], box?: SectionBox): void;
  measurements(all: Measurement[]): void;
  marks(all: Mark[]): void;
  pins(pins: Pin[]): void;
  drawing(drawing: Drawing | undefined): void;
  /** What a link lays over the model: coloured rooms, a way (overlay.ts). */
  overlay(overlay: unknown): void;
  /** Goes along a way as somebody would who walks it; undefined stops. */
  play(path: Point[] | undefined): void;

  settings(change: Partial<Settings>): Settings;
  stats(): Stats;
  /** A picture as PNG data address. */
  picture(width: number, height: number): string;
  dispose(): void;
}
