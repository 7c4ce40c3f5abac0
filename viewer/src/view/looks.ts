// How each element looks now: what is selected, hidden, alone, faint, coloured, compared. Kept by keys, so that a tile that comes
// later looks as it should.

import { KIND_BITS } from "./glb";
import type { Models, Resident } from "./models";
import { FLAG, type States } from "./states";
import { keyOf, type Colouring, type Comparison, type ElementKey } from "./types";

const number = (colour: string): number => {
  const long = /^#[0-9a-f]{3}$/i.test(colour) ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
  return /^#[0-9a-f]{6}$/i.test(long) ? parseInt(long.slice(1), 16) : 0x9aa4b0;
};

/** Added, removed and changed, told apart by lightness, too. */
export const DIFFERENCE = { added: 0x2e9e5b, removed: 0xc8402f, changed: 0xe0a020, was: 0xe8c98a } as const;

/** The name of the older version of a model among those in view. */
export const olderOf = (model: string) => `${model}\u0000before`;

export class Looks {
  selected = new Set<ElementKey>();
  hidden = new Set<ElementKey>();
  isolated: Set<ElementKey> | undefined;
  ghosts = new Set<ElementKey>();
  flashing = new Set<ElementKey>();
  hover: ElementKey | undefined;
  spaces = false;
  /** Named by what a link lays over the model: they look as if they were selected. */
  highlighted = new Set<ElementKey>();
  /** All is faint but what is named. */
  faint = false;
  private colours = new Map<ElementKey, number>();
  private others: Colouring["others"] = "usual";
  private compared: { model: string; sets: Record<"added" | "removed" | "changed", Set<string>> } | undefined;

  constructor(
    private readonly models: Models,
    private readonly states: States,
  ) {}

  colouring(colouring: Colouring | undefined) {
    this.colours = new Map();
    for (const { colour, keys } of colouring?.groups ?? []) {
      const value = number(colour);
      for (const key of keys) this.colours.set(key, value);
    }
    this.others = colouring?.others ?? "usual";
  }

  comparing(c: Comparison | undefined) {
    this.compared = c && { model: c.model, sets: { added: new Set(c.added), removed: new Set(c.removed), changed: new Set(c.changed) } };
  }

  /** Writes the state of all elements of a tile. */
  write(tile: Resident) {
    const { prepared, base, model } = tile;
    for (let i = 0; i < prepared.ids.length; i++) this.one(tile, i, keyOf(model.id, prepared.ids[i]!), base + i);
  }

  all() {
    for (const tile of this.models.tiles()) this.write(tile);
    this.states.send();
  }

  /** Writes the states of a few elements again. */
  some(keys: Iterable<ElementKey>) {
    for (const key of keys) for (const { tile, index } of this.models.find(key)) this.one(tile, index, key, tile.base + index);
    this.states.send();
  }

  private one(tile: Resident, index: number, key: ElementKey, feature: number) {
    const { model, prepared } = tile;
    let flags = 0;
    let colour = this.colours.get(key);
    const coloured = colour !== undefined;
    const selected = this.selected.has(key) || this.highlighted.has(key);
    const room = prepared.kinds[index] === KIND_BITS.space;
    const alone = this.isolated?.has(key) ?? false;
    if (this.hidden.has(key) || (this.isolated && !alone) || !model.visible) flags |= FLAG.hidden;
    if (room && !(this.spaces || coloured || selected || alone)) flags |= FLAG.hidden;
    if (this.ghosts.has(key) || (this.faint && !room)) flags |= FLAG.ghost;
    if (!coloured && !room) {
      if (this.others === "hidden") flags |= FLAG.hidden;
      if (this.others === "ghost") flags |= FLAG.ghost;
      if (model.colour) colour = number(model.colour);
    }
    const c = this.compared;
    if (c && model.older) {
      // of the older version only what is no more, or was otherwise
      const id = prepared.ids[index]!;
      flags = FLAG.older;
      if (c.sets.removed.has(id)) colour = DIFFERENCE.removed;
      else if (c.sets.changed.has(id)) colour = DIFFERENCE.was;
      else flags |= FLAG.hidden;
    } else if (c && c.model === model.id) {
      const id = prepared.ids[index]!;
      if (c.sets.added.has(id)) [flags, colour] = [flags | FLAG.newer, DIFFERENCE.added];
      else if (c.sets.changed.has(id)) [flags, colour] = [flags | FLAG.newer, DIFFERENCE.changed];
      else colour = 0xc9ced6;
      if ((flags & FLAG.newer) === 0 && !room) flags |= FLAG.ghost;
    }
    if (colour !== undefined) flags |= FLAG.coloured;
    if (selected) flags = (flags | FLAG.selected) & ~FLAG.ghost;
    if (this.flashing.has(key)) flags |= FLAG.flash;
    if (this.hover === key) flags |= FLAG.hover;
    this.states.set(feature, flags, colour ?? 0);
  }
}
