// Values and names as people read them.

type Json = Record<string, unknown>;

/** `global_id` → `Global id`, `IsExternal` → `Is external`. */
export function heading(name: string): string {
  const words = name
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A number without noise: at most six significant decimals. */
export function number(v: number): string {
  if (Number.isInteger(v)) return String(v);
  return String(Number(v.toFixed(Math.abs(v) >= 1000 ? 1 : Math.abs(v) >= 1 ? 3 : 6)));
}

/** A value in one line. */
export function value(v: unknown): string {
  if (v === null || v === undefined) return "–";
  if (typeof v === "number") return number(v);
  if (typeof v === "boolean") return v ? "Yes" : "No";
  if (typeof v === "string") return v;
  if (Array.isArray(v)) return v.map(value).join(", ");
  const o = v as Json;
  if ("value" in o) return value(o["value"]) + (typeof o["unit"] === "string" ? ` ${o["unit"]}` : "");
  for (const key of ["name", "Name", "global_id", "id"]) if (typeof o[key] === "string") return o[key] as string;
  return Object.entries(o)
    .map(([k, x]) => `${heading(k)} ${value(x)}`)
    .join(", ");
}
