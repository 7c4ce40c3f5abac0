// A list of any length of which only what is seen is made: rows of one height, placed by their number.

import { h } from "../dom";

export class VirtualList<T> {
  private items: T[] = [];
  private readonly space = h("div", { class: "virtual-space", role: "presentation" });
  private drawn = new Map<number, HTMLElement>();
  private frame = 0;
  private readonly observer: ResizeObserver;

  constructor(
    readonly element: HTMLElement,
    private readonly rowHeight: number,
    private readonly make: (item: T, index: number) => HTMLElement,
  ) {
    element.classList.add("virtual");
    element.append(this.space);
    element.addEventListener("scroll", () => this.soon(), { passive: true });
    this.observer = new ResizeObserver(() => this.soon());
    this.observer.observe(element);
  }

  get length(): number {
    return this.items.length;
  }

  at(index: number): T | undefined {
    return this.items[index];
  }

  /** Other rows, or the same ones that look otherwise. */
  set(items: T[]): void {
    this.items = items;
    this.space.style.height = `${items.length * this.rowHeight}px`;
    this.refresh();
  }

  /** Makes what is seen anew. */
  refresh(): void {
    this.drawn.clear();
    this.space.replaceChildren();
    this.draw();
  }

  reveal(index: number): void {
    const [top, bottom] = [index * this.rowHeight, (index + 1) * this.rowHeight];
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = Math.max(0, top - this.rowHeight);
    else if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight + this.rowHeight;
    this.draw();
  }

  /** Rows that fit at once: what Page Up and Page Down go by. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
  }

  private soon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 6);
    const last = Math.min(this.items.length, Math.ceil((scrollTop + Math.max(clientHeight, 200)) / this.rowHeight) + 6);
    for (const [index, row] of this.drawn) {
      if (index >= first && index < last) continue;
      row.remove();
      this.drawn.delete(index);
    }
    for (let index = first; index < last; index++) {
      const item = this.items[index];
      if (item === undefined || this.drawn.has(index)) continue;
      const row = this.make(item, index);
      row.style.transform = `translateY(${index * this.rowHeight}px)`;
      this.drawn.set(index, row);
      this.space.append(row);
    }
  }
}
