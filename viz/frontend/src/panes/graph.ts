/**
 * The graph as Graphviz laid it out. A step changes classes only, never the layout, so nothing
 * jumps.
 *
 * One keyboard stop for the whole picture: up and down go from node to node, Enter jumps to the
 * step of the one in focus. Zooming sets the picture's size and the pane scrolls natively, which
 * pans smoothly however large the graph is.
 */

import { h, reveal } from "../dom";
import { icon, type IconName } from "../icons";
import type { NodeData } from "../payload";
import { safeSvg } from "../sanitize";
import type { Index, Phase, State } from "../state";
import type { Strings } from "../strings";
import { prefersReducedMotion } from "../theme";
import { section, type Pane } from "./pane";

const ZOOM_STEP = 1.25;
const POINT = 4 / 3; // Graphviz measures in points, CSS in pixels
const READABLE = 0.58; // fitted no smaller than this; larger graphs scroll
const LARGEST_FIT = 1.15;

export interface GraphPane extends Pane {
  fit(): void;
}

export function graphPane(index: Index, t: Strings, goToNode: (node: string) => void): GraphPane {
  const svg = safeSvg(index.payload.svg);
  const canvas = h("div", { class: "canvas scroll", tabindex: -1 });
  const legend = h("ul", { class: "legend" });
  const element = section("graph", t.graph, canvas, legend);
  if (!svg) {
    canvas.append(h("p", { class: "type" }, t.noPicture));
    return { element, show: () => undefined, fit: () => undefined };
  }
  canvas.append(svg);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", t.graph);
  const failed = index.payload.events.some((event) => event.kind === "error");
  for (const phase of ["waiting", "ready", "current", "done", "freed", "error"] as const) {
    if (phase === "error" && !failed) continue;
    legend.append(
      h("li", { class: `key ${phase}` }, h("span", { "aria-hidden": "true" }), t.phase[phase]),
    );
  }

  const shapes = new Map<string, Element>();
  for (const shape of svg.querySelectorAll("[data-id]"))
    shapes.set(shape.getAttribute("data-id") ?? "", shape);
  const nodes = index.payload.nodes.filter((node) => shapes.has(node.id));
  const shown = new Map<string, string>();

  for (const [position, node] of nodes.entries()) {
    const shape = shapes.get(node.id);
    if (!shape) continue;
    shape.setAttribute("role", "button");
    shape.setAttribute("tabindex", "-1");
    shape.addEventListener("click", () => goToNode(node.id));
    shape.addEventListener("keydown", (event) => {
      const { key } = event as KeyboardEvent;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      const neighbour = step === undefined ? undefined : nodes[position + step];
      if (key === "Enter" || key === " ") goToNode(node.id);
      else if (neighbour) (shapes.get(neighbour.id) as SVGElement | undefined)?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  const box = (svg.getAttribute("viewBox") ?? "0 0 100 100").split(/[\s,]+/).map(Number);
  const natural = { width: (box[2] ?? 100) * POINT, height: (box[3] ?? 100) * POINT };
  let scale = 1;
  const setScale = (to: number): void => {
    const middle = {
      x: (canvas.scrollLeft + canvas.clientWidth / 2) / scale,
      y: (canvas.scrollTop + canvas.clientHeight / 2) / scale,
    };
    scale = Math.min(Math.max(to, 0.05), 6);
    svg.setAttribute("width", String(natural.width * scale));
    svg.setAttribute("height", String(natural.height * scale));
    canvas.scrollLeft = middle.x * scale - canvas.clientWidth / 2;
    canvas.scrollTop = middle.y * scale - canvas.clientHeight / 2;
  };
  const fit = (): void => {
    const whole = Math.min(
      canvas.clientWidth / natural.width,
      canvas.clientHeight / natural.height,
    );
    if (whole > 0) setScale(Math.min(Math.max(whole * 0.98, READABLE), LARGEST_FIT));
    const current = svg.querySelector(".current");
    if (current) reveal(canvas, current, "instant");
  };
  const button = (name: IconName, title: string, action: () => void): HTMLElement => {
    const made = h("button", { type: "button", title, "aria-label": title }, icon(name));
    made.addEventListener("click", action);
    return made;
  };
  element.querySelector("h2")?.append(
    h(
      "span",
      { class: "tools" },
      button("out", t.zoomOut, () => setScale(scale / ZOOM_STEP)),
      button("in", t.zoomIn, () => setScale(scale * ZOOM_STEP)),
      button("fit", t.fit, fit),
    ),
  );
  panByDragging(canvas);

  // Only what changes is written: at 2,000 nodes a step touches a handful of elements.
  const mark = (id: string, classes: string, label?: string): void => {
    if (shown.get(id) === classes) return;
    shown.set(id, classes);
    const shape = shapes.get(id);
    shape?.setAttribute("class", classes);
    if (label !== undefined) shape?.setAttribute("aria-label", label);
  };

  return {
    element,
    fit,
    show(state) {
      for (const node of nodes) {
        const phase = phaseOf(state, node);
        mark(node.id, `n ${node.kind} ${phase}`, `${node.name}: ${t.phase[phase]}. ${t.goTo}`);
      }
      for (const { id, kind, source, target } of index.payload.edges) {
        const flags = {
          carried: state.carried.has(id),
          touched: state.touched.has(id),
          freed: kind === "saved" && (state.freed.has(source) || state.freed.has(target)),
        };
        mark(
          id,
          ["e", kind, ...Object.entries(flags).flatMap(([name, on]) => (on ? [name] : []))].join(
            " ",
          ),
        );
      }
      const current = shapes.get(state.turn.node);
      for (const before of svg.querySelectorAll('[tabindex="0"]'))
        before.setAttribute("tabindex", "-1");
      current?.setAttribute("tabindex", "0");
      if (current) reveal(canvas, current, prefersReducedMotion() ? "instant" : "smooth");
    },
  };
}

/** A saved tensor has no turn of its own: it is there until its owner lets go of it. */
function phaseOf(state: State, node: NodeData): Phase | "freed" {
  if (node.kind === "saved") {
    if (state.freed.has(node.id) || (node.owner !== undefined && state.freed.has(node.owner)))
      return "freed";
    return state.phases.get(node.owner ?? "") === "current" ? "current" : "waiting";
  }
  return state.phases.get(node.id) ?? "waiting";
}

/**
 * Drag the picture with the mouse; fingers and wheels scroll by themselves. A drag is not a click
 * on a node.
 */
function panByDragging(canvas: HTMLElement): void {
  const threshold = 4;
  let from: { x: number; y: number } | null = null;
  let dragged = false;
  canvas.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType === "mouse" && event.button === 0)
      from = { x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const [left, top] = [from.x - event.clientX, from.y - event.clientY];
    dragged ||= Math.hypot(left, top) > threshold;
    if (!dragged) return;
    canvas.scrollBy({ left, top, behavior: "instant" });
    from = { x: event.clientX, y: event.clientY };
  });
  for (const end of ["pointerup", "pointerleave"])
    canvas.addEventListener(end, () => (from = null));
  const swallow = (event: Event): void => {
    if (dragged) event.stopPropagation();
  };
  canvas.addEventListener("click", swallow, { capture: true });
}
