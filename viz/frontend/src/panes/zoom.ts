/**
 * Zooming and panning: the picture gets a size, and the pane around it scrolls natively, which is
 * smooth for large graphs, too.
 */

import { h, reveal, setAttributes } from "../dom";
import { icon, type IconName } from "../icons";
import type { Strings } from "../strings";

const ZOOM_STEP = 1.25;
const POINT = 4 / 3; // Graphviz measures in points, CSS in pixels
const READABLE = 0.66; // a picture that does not fit at this scale scrolls
const NARROW = 0.5; // unless so small a scale shows its whole width, or all of it
const LARGEST_FIT = 1.15;
const LIMITS = { smallest: 0.05, largest: 6 };
const DRAG_THRESHOLD = 4; // pixels; less is a click

export interface Zoom {
  buttons: HTMLElement[];
  /** Show another picture in place of this one. */
  show(svg: SVGSVGElement): void;
  /** The whole picture if it stays readable, else the part with the current node. */
  fit(): void;
}

export function zoom(canvas: HTMLElement, first: SVGSVGElement, t: Strings): Zoom {
  let svg = first;
  let natural = sizeOf(svg);
  let scale = 1;

  /** Change the scale; the center of the visible part stays in place. */
  const setScale = (to: number): void => {
    const x = (canvas.scrollLeft + canvas.clientWidth / 2) / scale;
    const y = (canvas.scrollTop + canvas.clientHeight / 2) / scale;
    scale = Math.min(Math.max(to, LIMITS.smallest), LIMITS.largest);
    setAttributes(svg, { width: natural.width * scale, height: natural.height * scale });
    canvas.scrollLeft = x * scale - canvas.clientWidth / 2;
    canvas.scrollTop = y * scale - canvas.clientHeight / 2;
  };
  const fit = (): void => {
    // Insert a picture only when its scale is known: its layout is the most expensive part.
    const fresh = svg.parentNode !== canvas;
    const [across, down] = [
      canvas.clientWidth / natural.width,
      canvas.clientHeight / natural.height,
    ];
    const whole = Math.min(across, down) * 0.98;
    if (whole <= 0) return; // not shown yet
    const width = whole > NARROW ? whole : across * 0.98;
    const wanted = Number(getComputedStyle(canvas).getPropertyValue("--readable")) || READABLE;
    const readable = width > NARROW ? Math.min(width, wanted) : wanted;
    setScale(Math.min(Math.max(whole, readable), LARGEST_FIT));
    if (fresh) canvas.replaceChildren(svg);
    const current = svg.querySelector(".current");
    if (current) reveal(canvas, current, "instant");
  };
  const button = (name: IconName, title: string, action: () => void): HTMLElement => {
    const made = h("button", { type: "button", title, "aria-label": title }, icon(name));
    made.addEventListener("click", action);
    return made;
  };
  dragToPan(canvas);
  return {
    fit,
    show(picture) {
      svg = picture;
      natural = sizeOf(svg);
      canvas.replaceChildren();
      fit();
    },
    buttons: [
      button("out", t.zoomOut, () => setScale(scale / ZOOM_STEP)),
      button("in", t.zoomIn, () => setScale(scale * ZOOM_STEP)),
      button("fit", t.fit, fit),
    ],
  };
}

/** How large the picture is before it is scaled. */
function sizeOf(svg: SVGSVGElement): { width: number; height: number } {
  const box = (svg.getAttribute("viewBox") ?? "0 0 100 100").split(/[\s,]+/).map(Number);
  return { width: (box[2] ?? 100) * POINT, height: (box[3] ?? 100) * POINT };
}

/**
 * Drag the picture with the mouse; fingers and wheels scroll by themselves. A drag is not a click
 * on a node.
 */
function dragToPan(canvas: HTMLElement): void {
  let from: { x: number; y: number } | null = null;
  let dragged = false;
  canvas.addEventListener("pointerdown", ({ pointerType, button, clientX, clientY }) => {
    dragged = false;
    if (pointerType === "mouse" && button === 0) from = { x: clientX, y: clientY };
  });
  canvas.addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
    if (!from || !(buttons & 1)) return;
    const [left, top] = [from.x - clientX, from.y - clientY];
    dragged ||= Math.hypot(left, top) > DRAG_THRESHOLD;
    if (!dragged) return;
    canvas.scrollBy({ left, top, behavior: "instant" });
    from = { x: clientX, y: clientY };
  });
  for (const end of ["pointerup", "pointerleave"]) {
    canvas.addEventListener(end, () => (from = null));
  }
  const swallow = (event: Event): void => {
    if (dragged) event.stopPropagation();
  };
  canvas.addEventListener("click", swallow, { capture: true });
}
