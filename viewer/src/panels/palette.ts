// Colours of groups and of values. Categories: hues that stay apart for people who see few of them, mid-light, so that they are readable on
// light and on dark ground. Values: one hue from light to dark, and one scale with a middle.

/** Categories; further ones repeat. */
export const CATEGORIES = [
  "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b6992d", "#b07aa1", "#d37295",
  "#9d7660", "#499894", "#86bcb6", "#f1ce63", "#8cd17d", "#a0cbe8", "#ffbe7d", "#ff9d9a",
] as const;

/** The colour of what has no value. */
export const NONE = "#9aa0a8";

export const category = (i: number): string => CATEGORIES[i % CATEGORIES.length] ?? NONE;

type Rgb = readonly [number, number, number];

// cividis (Nuñez, Anderton, Renslow 2018), read at six places: even in lightness, and the same for the colour-blind
const CIVIDIS: Rgb[] = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
// blue, grey, red: of temperatures and of differences
const COLDHOT: Rgb[] = [[33, 102, 172], [103, 169, 207], [209, 229, 240], [253, 219, 199], [239, 138, 98], [178, 24, 43]];
// the classes of areas that the server's pictures and drawings have, too
const AREAS: Rgb[] = [[255, 255, 204], [199, 233, 180], [127, 205, 187], [65, 182, 196], [44, 127, 184], [37, 52, 148]];

export const SCALES = { cividis: CIVIDIS, coldhot: COLDHOT, areas: AREAS } as const;
export type Scale = keyof typeof SCALES;

const hex = (rgb: readonly number[]): string => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;

/** The colour at a place of a scale, 0 to 1. */
export function ramp(at: number, scale: Scale = "cividis"): string {
  const stops = SCALES[scale];
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2);
  const [a, b] = [stops[i] ?? [0, 0, 0], stops[i + 1] ?? [0, 0, 0]];
  return hex(a.map((v, k) => v + ((b[k] ?? v) - v) * (place - i)));
}

/** Whether dark words are read better on a colour than light ones. */
export function isLight(colour: string): boolean {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255) as [number, number, number];
  const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.24;
}

/** Round steps that cover a range: 1, 2 or 5 times a power of ten. */
export function steps(min: number, max: number, about = 5): number[] {
  if (!(max > min)) return [min];
  const raw = (max - min) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((m) => m * power >= raw * 0.999) ?? 10) * power;
  const from = Math.floor(min / step + 1e-9);
  const to = Math.ceil(max / step - 1e-9);
  // products rather than sums, so that 0.3 is not 0.30000000000000004
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
}
