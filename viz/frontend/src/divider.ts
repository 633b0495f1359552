/**
 * Dividers between panes: they are dragged, or moved by the arrow keys; a double click or Enter closes
 * a pane and opens it again. Their places are remembered by the browser.
 */

import { h, setAttributes } from "./dom";

export type Side = "code" | "card";

const LIMITS = { least: 0.1, most: 0.5 };
const STEP = 0.02;
const DEFAULTS: Record<Side, number> = { code: 0.195, card: 0.21 };

interface Kept {
  /** The part of the width. */
  size?: number;
  closed?: boolean;
}

/** What the browser remembers; nothing where storage is forbidden. */
function read(side: Side): Kept {
  try {
    return (JSON.parse(localStorage.getItem(`minigrad-${side}`) ?? "{}") ?? {}) as Kept;
  } catch {
    return {};
  }
}

function write(side: Side, kept: Kept): void {
  try {
    localStorage.setItem(`minigrad-${side}`, JSON.stringify(kept));
  } catch {
    // A page without storage forgets.
  }
}

export class Divider {
  readonly element: HTMLElement;
  #kept: Kept;

  constructor(
    private readonly panes: HTMLElement,
    private readonly side: Side,
    title: string,
    private readonly changed: (closed: boolean) => void,
  ) {
    this.#kept = read(side);
    this.element = h("div", { class: `divider at-${side}`, role: "separator", tabindex: 0, title });
    setAttributes(this.element, { "aria-label": title, "aria-orientation": "vertical" });
    setAttributes(this.element, { "aria-valuemin": 0, "aria-valuemax": 100 * LIMITS.most });
    this.#listen();
    this.#show();
  }

  toggle(): void {
    this.#keep({ ...this.#kept, closed: !this.#kept.closed });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    write(this.side, kept);
    this.#show();
    this.changed(Boolean(kept.closed));
  }

  #resize(size: number): void {
    const { least, most } = LIMITS;
    this.#keep(size < least / 2 ? { closed: true } : { size: clamp(size, least, most) });
  }

  #show(): void {
    const { size, closed } = this.#kept;
    const percent = `${((size ?? 0) * 100).toFixed(1)}%`;
    if (size) this.panes.style.setProperty(`--${this.side}`, percent);
    this.panes.classList.toggle(`no-${this.side}`, Boolean(closed));
    const now = closed ? 0 : Math.round((size ?? DEFAULTS[this.side]) * 100);
    setAttributes(this.element, { "aria-valuenow": now });
  }

  #listen(): void {
    const { element, panes, side } = this;
    const sign = side === "code" ? 1 : -1;
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      event.preventDefault();
      event.stopPropagation();
    });
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      const { left, right, width } = panes.getBoundingClientRect();
      this.#resize((side === "code" ? event.clientX - left : right - event.clientX) / width);
    });
    element.addEventListener("dblclick", () => this.toggle());
    element.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -sign, ArrowRight: sign }[event.key];
      if (event.key === "Enter") this.toggle();
      else if (by) this.#resize((this.#kept.size ?? DEFAULTS[side]) + by * STEP);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}

const clamp = (x: number, least: number, most: number): number =>
  Math.min(Math.max(x, least), most);
