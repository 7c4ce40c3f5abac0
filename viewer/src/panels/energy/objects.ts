// What the objects of an energy model say of its surfaces: what they border on, what they are made of. Read from the model's own file, IDF or
// epJSON, since the tools' answers are bounded and a building has thousands of surfaces.

export interface Said {
  boundary?: string;
  construction?: string;
  /** The surface that a window or door is in. */
  host?: string;
}

interface Shape {
  /** Places of fields in an IDF, counted from the name; those after the zone move by one where the version has spaces (9.6). */
  construction: number;
  boundary?: number;
  host?: number;
  /** What it borders on by its type. */
  fixed?: string;
}

const DETAILED: Shape = { construction: 1, boundary: 3 };
const TYPES: Record<string, Shape> = {
  "buildingsurface:detailed": { construction: 2, boundary: 4 },
  "wall:detailed": DETAILED,
  "roofceiling:detailed": DETAILED,
  "floor:detailed": DETAILED,
  "fenestrationsurface:detailed": { construction: 2, host: 3 },
  "wall:exterior": { construction: 1, fixed: "Outdoors" },
  "wall:adiabatic": { construction: 1, fixed: "Adiabatic" },
  "wall:underground": { construction: 1, fixed: "Ground" },
  "wall:interzone": { construction: 1, fixed: "Surface" },
  roof: { construction: 1, fixed: "Outdoors" },
  "ceiling:adiabatic": { construction: 1, fixed: "Adiabatic" },
  "ceiling:interzone": { construction: 1, fixed: "Surface" },
  "floor:groundcontact": { construction: 1, fixed: "Ground" },
  "floor:adiabatic": { construction: 1, fixed: "Adiabatic" },
  "floor:interzone": { construction: 1, fixed: "Surface" },
  window: { construction: 1, host: 2 },
  door: { construction: 1, host: 2 },
  glazeddoor: { construction: 1, host: 2 },
  "window:interzone": { construction: 1, host: 2, fixed: "Surface" },
  "door:interzone": { construction: 1, host: 2, fixed: "Surface" },
  "glazeddoor:interzone": { construction: 1, host: 2, fixed: "Surface" },
};

const said = (boundary: string | undefined, construction: string | undefined, host: string | undefined): Said => ({
  ...(boundary ? { boundary } : {}),
  ...(construction ? { construction } : {}),
  ...(host ? { host } : {}),
});

function fromIdf(text: string): Map<string, Said> {
  const found = new Map<string, Said>();
  let spaces = true;
  for (const object of text.replace(/!.*$/gm, "").split(";")) {
    const fields = object.split(",").map((f) => f.trim());
    const type = fields.shift()?.toLowerCase() ?? "";
    if (type === "version") {
      const [major = 0, minor = 0] = (fields[0] ?? "").split(".").map(Number);
      spaces = major > 9 || (major === 9 && minor >= 6);
    }
    const shape = TYPES[type];
    const name = fields[0];
    if (!shape || !name) continue;
    const boundary = shape.fixed ?? (shape.boundary === undefined ? undefined : fields[shape.boundary + (spaces ? 1 : 0)]);
    found.set(name.toUpperCase(), said(boundary, fields[shape.construction], shape.host === undefined ? undefined : fields[shape.host]));
  }
  return found;
}

function fromJson(text: string): Map<string, Said> {
  const found = new Map<string, Said>();
  const document = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>>>;
  const word = (value: unknown) => (typeof value === "string" ? value : undefined);
  for (const [type, objects] of Object.entries(document)) {
    const shape = TYPES[type.toLowerCase()];
    if (!shape) continue;
    for (const [name, fields] of Object.entries(objects)) {
      found.set(name.toUpperCase(), said(shape.fixed ?? word(fields["outside_boundary_condition"]), word(fields["construction_name"]), word(fields["building_surface_name"])));
    }
  }
  return found;
}

/** Surfaces by their names in capitals. */
export const objectsOf = (text: string): Map<string, Said> => (text.trimStart().startsWith("{") ? fromJson(text) : fromIdf(text));
