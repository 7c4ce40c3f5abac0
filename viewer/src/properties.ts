// What is known of an element, as sections of rows. The server's answer is read loosely: whatever it holds is shown.

/** One line of a section. */
export interface Row {
  name: string;
  value: string;
  unit?: string;
}

/** A titled list of lines. */
export interface Section {
  title: string;
  rows: Row[];
}

type Json = Record<string, unknown>;

const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);

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

function row(name: string, v: unknown): Row {
  if (isObject(v) && "value" in v) {
    const unit = v["unit"];
    return { name, value: value(v["value"]), ...(typeof unit === "string" && unit ? { unit } : {}) };
  }
  return { name, value: value(v) };
}

function rowsOf(v: unknown): Row[] {
  if (Array.isArray(v)) {
    return v.map((item, i) => {
      if (!isObject(item)) return { name: String(i + 1), value: value(item) };
      const name = [item["name"], item["Name"], item["class"]].find((x) => typeof x === "string" && x !== "");
      const rest = "value" in item ? item : Object.fromEntries(Object.entries(item).filter(([k]) => k !== "name"));
      return row((name as string | undefined) ?? String(i + 1), rest);
    });
  }
  if (isObject(v)) return Object.entries(v).map(([k, x]) => row(k, x));
  return [{ name: "", value: value(v) }];
}

const SETS = new Set(["property_sets", "psets", "properties", "quantities", "quantity_sets", "sets"]);
const HEAD = new Set(["global_id", "id", "name", "class", "type_class", "GlobalId", "Name"]);

/** Sections of an element document: identity and relations first, then each set. */
export function sections(document: unknown): Section[] {
  if (!isObject(document)) return [];
  const element = isObject(document["element"]) ? document["element"] : document;
  const general: Row[] = [];
  const out: Section[] = [];
  for (const [key, v] of Object.entries(element)) {
    if (HEAD.has(key) || v === null || v === undefined) continue;
    if (SETS.has(key)) {
      if (Array.isArray(v)) {
        for (const set of v) {
          if (!isObject(set)) continue;
          const name = typeof set["name"] === "string" ? set["name"] : heading(key);
          const { name: _name, id: _id, properties, quantities, ...rest } = set;
          out.push({ title: name, rows: rowsOf(properties ?? quantities ?? rest) });
        }
      } else if (isObject(v)) {
        const nested = Object.values(v).every((x) => isObject(x) && !("value" in x));
        if (nested) for (const [name, set] of Object.entries(v)) out.push({ title: name, rows: rowsOf(set) });
        else out.push({ title: heading(key), rows: rowsOf(v) });
      }
    } else if (key === "attributes" && isObject(v)) {
      const shown = Object.entries(v).filter(([k, x]) => !HEAD.has(k) && x !== null);
      out.unshift({ title: "Attributes", rows: shown.map(([k, x]) => row(k, x)) });
    } else if (isObject(v) && !("value" in v) && !("name" in v) && !("global_id" in v)) {
      out.push({ title: heading(key), rows: rowsOf(v) });
    } else if (Array.isArray(v) && v.some(isObject)) {
      out.push({ title: heading(key), rows: rowsOf(v) });
    } else general.push(row(heading(key), v));
  }
  if (general.length > 0) out.unshift({ title: "General", rows: general });
  return out.filter((s) => s.rows.length > 0);
}
