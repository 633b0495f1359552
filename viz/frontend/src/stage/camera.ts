/**
 * The camera: one transform of the whole drawing. It moves when the reader moves it, or when the
 * current node would be out of sight.
 */

import { h, setAttributes } from "../dom";
import { icon, type IconName } from "../icons";
import type { Strings } from "../strings";
import type { Size } from "./measure";
import type { Point } from "./layers";

const ZOOM_STEP = 1.25;
const LIMITS = { smallest: 0.05, largest: 6 };
const DRAG_THRESHOLD = 4; // pixels; less is a click
const BORDER = 6; // pixels that stay free around the node that is shown
const AROUND = 48; // pixels around a node that the camera has moved to

export interface Rect extends Point, Size {}

export class Camera {
  readonly buttons: HTMLElement[];
  /** Whether the reader has moved it since the last fit. */
  moved = false;
  #x = 0;
  #y = 0;
  #scale = 1;
  #scene: Size = { width: 1, height: 1 };

  readonly #canvas: HTMLElement;
  readonly #layer: SVGElement;
  readonly #changed: () => void;

  constructor(
    canvas: HTMLElement,
    layer: SVGElement,
    t: Strings,
    fit: () => void,
    changed: () => void,
  ) {
    this.#canvas = canvas;
    this.#layer = layer;
    this.#changed = changed;
    const zoomBy = (by: number) => () => this.#zoom(by, this.#middle());
    this.buttons = [
      button("out", t.zoomOut, zoomBy(1 / ZOOM_STEP)),
      button("in", t.zoomIn, zoomBy(ZOOM_STEP)),
      button("fit", t.fit, fit),
    ];
    this.#listen();
  }

  get scale(): number {
    return this.#scale;
  }

  get pane(): Size {
    return { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
  }

  /** The part of the drawing that is seen. */
  get view(): Rect {
    const { width, height } = this.pane;
    const scale = this.#scale;
    return {
      x: -this.#x / scale,
      y: -this.#y / scale,
      width: width / scale,
      height: height / scale,
    };
  }

  get seesAll(): boolean {
    const { x, y, width, height } = this.view;
    const scene = this.#scene;
    return x <= 1 && y <= 1 && x + width >= scene.width - 1 && y + height >= scene.height - 1;
  }

  /** Show the whole drawing at this scale, in the middle. */
  fit(scene: Size, scale: number): void {
    this.#scene = scene;
    this.moved = false;
    const { width, height } = this.pane;
    this.#set((width - scene.width * scale) / 2, (height - scene.height * scale) / 2, scale);
  }

  /** Another drawing, in which `to` is what `from` was in the last one: it stays in its place. */
  keep(scene: Size, from: Point, to: Point): void {
    this.#scene = scene;
    const scale = this.#scale;
    this.#set(this.#x + (from.x - to.x) * scale, this.#y + (from.y - to.y) * scale, scale);
  }

  /** Show the point in the middle. */
  center({ x, y }: Point): void {
    const { width, height } = this.pane;
    this.moved = true;
    this.#set(width / 2 - x * this.#scale, height / 2 - y * this.#scale, this.#scale);
  }

  /** Move only if the rectangle is not wholly seen. */
  reveal(rect: Rect): void {
    const { width, height } = this.pane;
    if (width === 0) return;
    const scale = this.#scale;
    const move = (start: number, size: number, room: number): number => {
      if (start >= BORDER && start + size <= room - BORDER) return 0;
      if (size > room - 2 * BORDER) return BORDER - start;
      const margin = Math.min(AROUND, (room - size) / 2);
      return start < margin ? margin - start : Math.min(room - margin - size - start, 0);
    };
    const dx = move(this.#x + rect.x * scale, rect.width * scale, width);
    const dy = move(this.#y + rect.y * scale, rect.height * scale, height);
    if (dx || dy) this.#set(this.#x + dx, this.#y + dy, scale);
  }

  #middle(): Point {
    const { width, height } = this.pane;
    return { x: width / 2, y: height / 2 };
  }

  /** Change the scale; the point `at` of the pane stays in place. */
  #zoom(by: number, at: Point): void {
    const to = Math.min(Math.max(this.#scale * by, LIMITS.smallest), LIMITS.largest);
    const ratio = to / this.#scale;
    this.moved = true;
    this.#set(at.x - (at.x - this.#x) * ratio, at.y - (at.y - this.#y) * ratio, to);
  }

  #pan(dx: number, dy: number): void {
    this.moved = true;
    this.#set(this.#x + dx, this.#y + dy, this.#scale);
  }

  #set(x: number, y: number, scale: number): void {
    [this.#x, this.#y, this.#scale] = [x, y, scale];
    this.#layer.setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${scale})`);
    // A drawing that is wholly seen leaves the wheel and the fingers to the page.
    this.#canvas.classList.toggle("pans", !this.seesAll);
    this.#changed();
  }

  // --- The mouse, the wheel and fingers

  #listen(): void {
    const canvas = this.#canvas;
    let from: Point | null = null;
    let dragged = false;
    canvas.addEventListener("pointerdown", ({ button, clientX, clientY }) => {
      dragged = false;
      if (button === 0) from = { x: clientX, y: clientY };
    });
    canvas.addEventListener("pointermove", ({ buttons, pointerType, clientX, clientY }) => {
      if (!from || !(buttons & 1) || (pointerType !== "mouse" && this.seesAll)) return;
      const [dx, dy] = [clientX - from.x, clientY - from.y];
      dragged ||= Math.hypot(dx, dy) > DRAG_THRESHOLD;
      if (!dragged) return;
      this.#pan(dx, dy);
      from = { x: clientX, y: clientY };
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel"])
      canvas.addEventListener(end, () => (from = null));
    // A drag is not a click on a node.
    const swallow = (event: Event): void => {
      if (dragged) event.stopPropagation();
    };
    canvas.addEventListener("click", swallow, { capture: true });
    canvas.addEventListener(
      "wheel",
      (event) => {
        const { ctrlKey, metaKey, deltaX, deltaY, clientX, clientY } = event;
        if (ctrlKey || metaKey) {
          const { left, top } = canvas.getBoundingClientRect();
          this.#zoom(2 ** (-deltaY / 240), { x: clientX - left, y: clientY - top });
        } else if (!this.seesAll) this.#pan(-deltaX, -deltaY);
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
  }
}

const round = (x: number): number => Math.round(x * 10) / 10;

function button(name: IconName, title: string, action: () => void): HTMLElement {
  const made = h("button", { type: "button" }, icon(name));
  setAttributes(made, { title, "aria-label": title });
  made.addEventListener("click", action);
  return made;
}
