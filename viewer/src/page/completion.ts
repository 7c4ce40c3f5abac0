// Completing selectors (docs/queries.md): which part is being typed, and what could stand there.

export interface Part {
  kind: "class" | "property" | "value";
  /** What is typed of it. */
  text: string;
  /** Where it begins and ends in the whole. */
  from: number;
  to: number;
  /** Of a value: the property it is of. */
  property?: string;
  /** Classes that the group of the part begins with. */
  classes: string[];
}

/** Whether a text is meant as a selector and not as words of a name. */
export function isSelector(text: string): boolean {
  const trimmed = text.trim();
  return /^!?Ifc[A-Z]\w*\s*($|[,+])/.test(trimmed) || /[\w"]\s*(!?\*?=|[<>]=?)\s*\S/.test(trimmed) || /^[0-3][\w$]{21}(\s*\+\s*[0-3][\w$]{21})*$/.test(trimmed);
}

/** The part of a selector at a place in it. */
export function partAt(text: string, at: number): Part {
  const before = text.slice(0, at);
  let quoted: string | undefined;
  let [group, from] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    const c = before[i]!;
    if (quoted) {
      if (c === quoted) quoted = undefined;
    } else if (c === '"' || c === "/") quoted = c;
    else if (c === "+") [group, from] = [i + 1, i + 1];
    else if (c === ",") from = i + 1;
  }
  const classes = before.slice(group).match(/\bIfc\w+/g) ?? [];
  const start = from + (/^\s*!?/.exec(before.slice(from))?.[0].length ?? 0);
  const own = before.slice(start);
  const comparison = /^(.*?)\s*(!?\*?=|[<>]=?)\s*"?/.exec(own);
  if (comparison) {
    const begin = start + comparison[0].length - (comparison[0].endsWith('"') ? 1 : 0);
    return { kind: "value", property: comparison[1] ?? "", text: text.slice(start + comparison[0].length, at), from: begin, to: at, classes };
  }
  const kind = /^I(f(c|$)|$)/.test(own) || (from === group && own === "") ? "class" : "property";
  return { kind, text: own, from: start, to: at, classes };
}

/** A text as a selector takes it: quoted where it is more than a word. */
export const quote = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `"${text.replaceAll('"', "")}"`);

export interface Proposal {
  text: string;
  says: string;
  note?: string;
}

/** Those that begin with what is typed, then those that hold it. */
export function ranked(all: Proposal[], typed: string, most = 12): Proposal[] {
  const wanted = typed.toLowerCase().replaceAll('"', "");
  const rank = (p: Proposal) => {
    const says = p.says.toLowerCase();
    if (says === wanted) return -1;
    if (says.startsWith(wanted)) return 0;
    const words = says.split(/[._ ]/);
    if (words.some((w) => w.startsWith(wanted))) return 1;
    return says.includes(wanted) ? 2 : 3;
  };
  return all
    .map((p) => ({ p, at: rank(p) }))
    .filter(({ at }) => at >= 0 && at < 3)
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ p }) => p);
}
