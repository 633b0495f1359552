/**
 * The graph as Graphviz laid it out. A step changes classes only, never the layout, so nothing
 * jumps.
 *
 * One keyboard stop for the whole picture: up and down go from node to node, Enter jumps to the
 * step of the one in focus.
 */

import { h, reveal, s } from "../dom";
import type { NodeData } from "../payload";
import { safeSvg } from "../sanitize";
import type { Index, Phase, State } from "../state";
import type { Strings } from "../strings";
import { prefersReducedMotion } from "../theme";
import { section, type Pane } from "./pane";
import { search } from "./search";
import { zoom } from "./zoom";

export interface GraphPane extends Pane {
  fit(): void;
  search(): void;
}

export function graphPane(index: Index, t: Strings, goToNode: (node: string) => void): GraphPane {
  const svg = safeSvg(index.payload.svg);
  const canvas = h("div", { class: "canvas scroll", tabindex: -1 });
  const element = section("graph", t.graph, canvas);
  const nothing = (): void => undefined;
  if (!svg) {
    canvas.append(h("p", { class: "type" }, t.noPicture));
    return { element, show: nothing, fit: nothing, search: nothing };
  }
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", t.graph);
  canvas.append(svg);
  element.append(legend(index, t));

  const shapes = new Map<string, SVGElement>();
  for (const shape of svg.querySelectorAll<SVGElement>("[data-id]")) {
    shapes.set(shape.getAttribute("data-id") ?? "", shape);
  }
  const nodes = index.payload.nodes.filter((node) => shapes.has(node.id));
  for (const [place, node] of nodes.entries()) {
    const shape = shapes.get(node.id);
    if (shape)
      makeButton(
        shape,
        () => goToNode(node.id),
        (by) => shapes.get(nodes[place + by]?.id ?? ""),
      );
  }

  const { fit, buttons } = zoom(canvas, svg, t);
  let found: ReadonlySet<string> = new Set();
  const finder = search(
    nodes,
    t,
    (ids) => {
      found = ids;
      for (const node of nodes) shapes.get(node.id)?.classList.toggle("found", ids.has(node.id));
    },
    goToNode,
  );
  element.querySelector("h2")?.append(finder.element, h("span", { class: "tools" }, ...buttons));

  // Only what changes is written: at 2,000 nodes a step touches a handful of elements.
  const written = new Map<string, string>();
  let current: SVGElement | undefined;
  const mark = (id: string, classes: string, label?: string): void => {
    if (written.get(id) === classes) return;
    written.set(id, classes);
    const shape = shapes.get(id);
    shape?.setAttribute("class", found.has(id) ? `${classes} found` : classes);
    if (label !== undefined) shape?.setAttribute("aria-label", label);
  };

  return {
    element,
    fit,
    search: finder.focus,
    show({ state, stops }) {
      for (const node of nodes) {
        const phase = phaseOf(state, node);
        const stop = stops.has(node.id) ? ` ${t.stopsHere}.` : "";
        mark(
          node.id,
          `n ${node.kind} ${phase}${stop && " stop"}`,
          `${textOf(node)}: ${t.phase[phase]}.${stop} ${t.goTo}`,
        );
        markStop(shapes.get(node.id), stop !== "");
      }
      for (const { id, kind, source, target } of index.payload.edges) {
        const carried = state.carried.has(id) ? " carried" : "";
        const touched = state.touched.has(id) ? " touched" : "";
        const gone = kind === "saved" && (state.freed.has(source) || state.freed.has(target));
        const late = [source, target].some((end) => state.phases.get(end) === "unbuilt");
        mark(id, `e ${kind}${carried}${touched}${gone ? " freed" : ""}${late ? " unbuilt" : ""}`);
      }
      current?.setAttribute("tabindex", "-1");
      current = shapes.get(state.turn.node);
      current?.setAttribute("tabindex", "0");
      if (current) reveal(canvas, current, prefersReducedMotion() ? "instant" : "smooth");
    },
  };
}

/** What is written on the node, for those who hear it: a spoken name must contain what is seen. */
const textOf = ({ label, name }: NodeData): string => label.replaceAll("\n", " ").trim() || name;

/** A shape that can be clicked, or chosen by keyboard; `neighbour` is where up and down lead. */
function makeButton(
  shape: SVGElement,
  choose: () => void,
  neighbour: (by: number) => SVGElement | undefined,
): void {
  shape.setAttribute("role", "button");
  shape.setAttribute("tabindex", "-1");
  shape.addEventListener("click", choose);
  shape.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") choose();
    else if (by !== undefined) neighbour(by)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** A dot at the corner of a node at which playing stops. */
function markStop(shape: SVGElement | undefined, on: boolean): void {
  const dot = shape?.querySelector(".dot");
  if (!shape || on === Boolean(dot)) return;
  if (dot) dot.remove();
  else {
    const { x, y } = (shape as SVGGElement).getBBox();
    shape.append(s("circle", { class: "dot", cx: x + 1, cy: y + 1, r: 6 }));
  }
}

function legend(index: Index, t: Strings): HTMLElement {
  const failed = index.payload.events.some((event) => event.kind === "error");
  const phases = ["unbuilt", "waiting", "ready", "current", "done", "freed", "error"] as const;
  return h(
    "ul",
    { class: "legend" },
    ...phases
      .filter((phase) => (phase !== "error" || failed) && (phase !== "unbuilt" || index.forward))
      .map((phase) =>
        h("li", { class: `key ${phase}` }, h("span", { "aria-hidden": "true" }), t.phase[phase]),
      ),
  );
}

/** A saved tensor has no turn of its own: it is there until its owner lets go of it. */
function phaseOf(state: State, node: NodeData): Phase | "freed" {
  const own = state.phases.get(node.id) ?? "waiting";
  if (node.kind !== "saved" || own === "unbuilt") return own;
  if (state.freed.has(node.id) || state.freed.has(node.owner ?? "")) return "freed";
  return state.phases.get(node.owner ?? "") === "current" ? "current" : "waiting";
}
