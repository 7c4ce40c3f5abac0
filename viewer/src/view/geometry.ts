// The values of measurements.

import type { Measurement, Point } from "./types";

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export const distance = (a: Point, b: Point): number => Math.hypot(...minus(a, b));

/** The angle at `b`, in degrees. */
export function angle(a: Point, b: Point, c: Point): number {
  const [u, v] = [minus(a, b), minus(c, b)];
  return (Math.atan2(Math.hypot(...cross(u, v)), u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) * 180) / Math.PI;
}

/** The area within corners that lie more or less in a plane. */
export function area(points: Point[]): number {
  const sum: Point = [0, 0, 0];
  points.forEach((p, i) => {
    const c = cross(minus(p, points[0]!), minus(points[(i + 1) % points.length]!, points[0]!));
    sum[0] += c[0];
    sum[1] += c[1];
    sum[2] += c[2];
  });
  return Math.hypot(...sum) / 2;
}

export function valueOf(kind: Measurement["kind"], p: Point[]): number {
  if (kind === "angle") return p.length > 2 ? angle(p[0]!, p[1]!, p[2]!) : 0;
  if (kind === "area") return area(p);
  return p.length > 1 ? distance(p[0]!, p[1]!) : 0;
}

/** A value as it is read: lengths in metres to the millimetre. */
export function said(kind: Measurement["kind"], value: number): string {
  if (kind === "angle") return `${value.toFixed(1)}°`;
  if (kind === "area") return `${value.toFixed(2)} m²`;
  return value < 1 ? `${Math.round(value * 1000)} mm` : `${value.toFixed(3)} m`;
}
