// What of the models is hidden, shown alone, or faint. The view is told whole sets; who asks speaks of elements, storeys or groups of them.

import type { ElementKey, View } from "../view/types";
import { Emitter } from "./emitter";

export class Visibility {
  private readonly gone = new Set<ElementKey>();
  private readonly faint = new Set<ElementKey>();
  private alone: Set<ElementKey> | undefined;
  private readonly events = new Emitter<{ change(): void }>();

  constructor(private readonly view: View) {}

  onChange(listener: () => void): () => void {
    return this.events.on("change", listener);
  }

  hide(keys: ElementKey[]): void {
    keys.forEach((key) => this.gone.add(key));
    this.tell();
  }

  show(keys: ElementKey[]): void {
    keys.forEach((key) => this.gone.delete(key));
    this.tell();
  }

  /** Shows these alone; the same ones again show everything. */
  isolate(keys: ElementKey[] | undefined): void {
    const same = keys !== undefined && this.alone !== undefined && keys.length === this.alone.size && keys.every((key) => this.alone?.has(key));
    this.alone = keys === undefined || same ? undefined : new Set(keys);
    this.tell();
  }

  /** Makes these faint, or, where all of them are, as usual. */
  ghost(keys: ElementKey[]): void {
    if (keys.every((key) => this.faint.has(key))) keys.forEach((key) => this.faint.delete(key));
    else keys.forEach((key) => this.faint.add(key));
    this.tell();
  }

  showAll(): void {
    this.gone.clear();
    this.faint.clear();
    this.alone = undefined;
    this.tell();
  }

  /** Makes these visible, if none of them is. */
  bring(keys: ElementKey[]): void {
    if (keys.length === 0 || keys.some((key) => !this.gone.has(key) && (this.alone === undefined || this.alone.has(key)))) return;
    keys.forEach((key) => this.gone.delete(key));
    if (this.alone && !keys.some((key) => this.alone?.has(key))) this.alone = undefined;
    this.tell();
  }

  isHidden(key: ElementKey): boolean {
    return this.gone.has(key);
  }

  isFaint(key: ElementKey): boolean {
    return this.faint.has(key);
  }

  get isolated(): boolean {
    return this.alone !== undefined;
  }

  /** Whether anything is not as usual. */
  get changed(): boolean {
    return this.gone.size > 0 || this.faint.size > 0 || this.alone !== undefined;
  }

  state(): { hidden: ElementKey[]; ghosted: ElementKey[]; isolated?: ElementKey[] } {
    return { hidden: [...this.gone], ghosted: [...this.faint], ...(this.alone ? { isolated: [...this.alone] } : {}) };
  }

  restore(state: { hidden: ElementKey[]; ghosted: ElementKey[]; isolated?: ElementKey[] }): void {
    this.gone.clear();
    this.faint.clear();
    state.hidden.forEach((key) => this.gone.add(key));
    state.ghosted.forEach((key) => this.faint.add(key));
    this.alone = state.isolated ? new Set(state.isolated) : undefined;
    this.tell();
  }

  private tell(): void {
    this.view.hide([...this.gone]);
    this.view.ghost([...this.faint]);
    this.view.isolate(this.alone ? [...this.alone] : undefined);
    this.events.emit("change");
  }
}
