// A binary heap of timers ordered by time, then by age. Cancelled timers leave lazily.
import type { Timer } from './clock.ts';

export interface HeapTimer extends Timer {
  readonly fn: () => void;
  /** What had brought it about, see `Causes`. */
  readonly cause: number | null;
  readonly background: boolean;
}

/** Thousands of these wait at a time, most of them in vain: no closures. */
class Slot implements HeapTimer {
  at: number;
  readonly name: string;
  fn: () => void;
  readonly cause: number | null;
  readonly background: boolean;
  readonly order: number;
  gone = false;
  readonly #left: (slot: Slot) => void;

  constructor(timer: Omit<HeapTimer, 'cancel'>, order: number, left: (slot: Slot) => void) {
    this.at = timer.at;
    this.name = timer.name;
    this.fn = timer.fn;
    this.cause = timer.cause;
    this.background = timer.background;
    this.order = order;
    this.#left = left;
  }

  cancel(): void {
    if (this.gone) return;
    this.gone = true;
    // The slot stays for a while: what it would have acted on need not.
    this.fn = nothing;
    this.#left(this);
  }
}

const nothing = (): void => {};

export class TimerHeap {
  #slots: Slot[] = [];
  #order = 0;
  #cancelled = 0;
  #foreground = 0;

  add(timer: Omit<HeapTimer, 'cancel'>): Timer {
    this.#order += 1;
    const slot = new Slot(timer, this.#order, this.#left);
    if (!slot.background) this.#foreground += 1;
    this.#slots.push(slot);
    this.#up(this.#slots.length - 1);
    return slot;
  }

  /** How many wait that are not in the background. */
  get foreground(): number {
    return this.#foreground;
  }

  peek(): HeapTimer | undefined {
    while (this.#slots[0]?.gone === true) {
      this.#cancelled -= 1;
      this.#removeTop();
    }
    return this.#slots[0];
  }

  pop(): HeapTimer | undefined {
    const top = this.peek() as Slot | undefined;
    if (top === undefined) return undefined;
    top.gone = true;
    if (!top.background) this.#foreground -= 1;
    this.#removeTop();
    return top;
  }

  /** All of them fall due that much later. */
  shift(byMs: number): void {
    for (const slot of this.#slots) slot.at += byMs;
  }

  list(): HeapTimer[] {
    return this.#slots.filter((slot) => !slot.gone).sort(inOrder);
  }

  /** A timer was cancelled. */
  readonly #left = (slot: Slot): void => {
    if (!slot.background) this.#foreground -= 1;
    this.#cancelled += 1;
    this.#compact();
  };

  /** SIP cancels most of its timers long before they are due: without this the heap would hold 32 seconds of calls. */
  #compact(): void {
    if (this.#cancelled < 256 || this.#cancelled * 2 < this.#slots.length) return;
    this.#slots = this.#slots.filter((slot) => !slot.gone).sort(inOrder);
    this.#cancelled = 0;
  }

  #removeTop(): void {
    const last = this.#slots.pop();
    if (last === undefined || this.#slots.length === 0) return;
    this.#slots[0] = last;
    this.#down(0);
  }

  #up(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #down(from: number): void {
    let index = from;
    for (;;) {
      const left = index * 2 + 1;
      const right = left + 1;
      if (left >= this.#slots.length) return;
      const child = right < this.#slots.length && this.#earlier(right, left) ? right : left;
      if (!this.#swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  #earlier(a: number, b: number): boolean {
    const left = this.#slots[a];
    const right = this.#slots[b];
    return left !== undefined && right !== undefined && inOrder(left, right) < 0;
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const lower = this.#slots[child];
    const upper = this.#slots[parent];
    if (lower === undefined || upper === undefined || inOrder(lower, upper) >= 0) return false;
    this.#slots[child] = upper;
    this.#slots[parent] = lower;
    return true;
  }
}

function inOrder(a: Slot, b: Slot): number {
  return a.at - b.at || a.order - b.order;
}
