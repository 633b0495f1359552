/**
 * The graph as Graphviz laid it out. A step changes classes only, never the layout, so nothing
 * jumps.
 *
 * A large graph is folded: a box stands for the nodes inside it, and opens at a click. Its inside
 * is a picture of its own, with what is next to it; the steps lead out of it again.
 *
 * One keyboard stop for the whole picture: up and down go from node to node, Enter jumps to the
 * step of the one in focus, or opens the box.
 */

import { h, reveal, s, setAttributes } from "../dom";
import { icon } from "../icons";
import { isBad, type Scale } from "../magnitude";
import { SIGNS, signOf } from "../marks";
import type { ClusterData, EdgeData, Mark, NodeData, Payload, ValueData } from "../payload";
import { safeSvg } from "../sanitize";
import { leafOf, type Index, type Phase, type State } from "../state";
import type { Strings } from "../strings";
import { section, type Pane, type View } from "./pane";
import { search } from "./search";
import { zoom } from "./zoom";

export interface GraphPane extends Pane {
  fit(): void;
  search(): void;
}

/** How wide edges are, and what changes it. */
export interface Widths {
  scale: Scale;
  toggle(): void;
}

export function graphPane(
  index: Index,
  t: Strings,
  goToNode: (node: string) => void,
  widths: Widths,
  marks: Readonly<Record<string, Mark>>,
): GraphPane {
  const { payload } = index;
  const canvas = h("div", { class: "canvas scroll", tabindex: -1 });
  const element = section("graph", t.graph, canvas);
  const nothing = (): void => undefined;
  const places = folds(payload);
  const pictures = new Map<string, Picture | null>();
  /** The whole graph (""), or the inside of a box; each is made when it is first looked at. */
  const pictureOf = (box: string): Picture | null => {
    const made = pictures.get(box);
    if (made !== undefined) return made;
    const svg = box ? insideOf(payload, places.boxes.get(box)) : safeSvg(payload.svg);
    const fresh = svg && picture(svg, index, t, places, { goToNode, open }, marks);
    pictures.set(box, fresh);
    return fresh;
  };
  const first = pictureOf("");
  if (!first) {
    canvas.append(h("p", { class: "type" }, t.noPicture));
    return { element, show: nothing, fit: nothing, search: nothing };
  }
  element.append(legend(index, t, widths, marks));

  const { fit, buttons, show: zoomTo } = zoom(canvas, first.svg, t);
  let shown = first;
  let box = "";
  let found: ReadonlySet<string> = new Set();
  let last: View | null = null;
  /** Does the view go into the box of the node whose turn it is? Not after it has been closed. */
  let following = true;
  const up = h("button", { type: "button", class: "up" }, icon("up"), h("span"));
  up.addEventListener("click", () => {
    const left = box;
    following = false;
    look(places.outside(box));
    shown.focus(left);
  });

  function open(at: string): void {
    following = true;
    look(at);
  }

  function look(at: string): void {
    const next = pictureOf(at);
    if (!next) return;
    shown = next;
    box = at;
    const name = places.boxes.get(at)?.name ?? "";
    up.hidden = at === "";
    up.lastElementChild?.replaceChildren(name);
    setAttributes(up, { title: t.close(name), "aria-label": t.close(name) });
    zoomTo(shown.svg); // before it is shown: what is not in the page has no size
    if (last) shown.show(last, found);
  }

  const finder = search(
    payload.nodes,
    t,
    (ids) => {
      found = ids;
      if (last) shown.show(last, found);
    },
    goToNode,
    () => canvas.focus(),
  );
  const tools = h("span", { class: "tools" }, ...buttons);
  element.querySelector("h2")?.append(up, finder.element, tools);
  look("");

  return {
    element,
    fit() {
      fit();
      if (last) shown.show(last, found);
    },
    search: finder.focus,
    show(view) {
      // Into the box of the node that runs, or at least out of one that it is not in.
      let at = box;
      const stays = last?.state.turn.node === view.state.turn.node;
      last = view;
      const around = places.around(index.node.get(view.state.turn.node));
      const inner = around.find((id) => places.boxes.get(id)?.inside);
      if (following && !stays && inner && view.state.event.kind !== "seed") at = inner;
      while (at && !around.includes(at)) at = places.outside(at);
      if (at !== box) look(at);
      else shown.show(view, found);
    },
    reveal(behavior) {
      const current = last && shown.shapeOf(last.state.turn.node);
      if (current) reveal(canvas, current, behavior);
    },
  };
}

interface Folds {
  boxes: Map<string, ClusterData>;
  /** The boxes that a node is in, from inside out. */
  around(node: NodeData | undefined): string[];
  /** What to look at when a box is closed: the inside of another, or the whole. */
  outside(box: string): string;
}

function folds({ clusters = [] }: Payload): Folds {
  const boxes = new Map(clusters.map((cluster) => [cluster.id, cluster]));
  const chain = (box: string | null | undefined): string[] => {
    const all: string[] = [];
    for (let id = box; id; id = boxes.get(id)?.parent) all.push(id);
    return all;
  };
  return {
    boxes,
    around: (node) => chain(node?.cluster),
    outside: (box) =>
      chain(box)
        .slice(1)
        .find((id) => boxes.get(id)?.inside) ?? "",
  };
}

/** The picture of what is in a box, with the ids and the words of this box among those like it. */
function insideOf({ pictures = [] }: Payload, box?: ClusterData): SVGSVGElement | null {
  const inside = box?.inside;
  const svg = inside ? safeSvg(pictures[inside.picture] ?? "") : null;
  if (!inside || !svg) return null;
  const words = new Map(inside.words?.map(({ node, words }) => [node, words]));
  for (const shape of svg.querySelectorAll("[data-id]")) {
    const id = shape.getAttribute("data-id") ?? "";
    const place = Number(id.slice(1));
    const own = id.startsWith("n") ? inside.nodes[place] : inside.edges[place];
    setAttributes(shape, { "data-id": own });
    if (!id.startsWith("n")) continue;
    const texts = shape.querySelectorAll("title, text");
    words.get(place)?.forEach((text, i) => texts[i] && (texts[i].textContent = text));
  }
  return svg;
}

interface Picture {
  svg: SVGSVGElement;
  /** The shape of a node, or of the box that hides it. */
  shapeOf(node: string): SVGElement | undefined;
  focus(id: string): void;
  show(view: View, found: ReadonlySet<string>): void;
}

interface Choices {
  goToNode(node: string): void;
  open(box: string): void;
}

function picture(
  svg: SVGSVGElement,
  index: Index,
  t: Strings,
  { boxes, around }: Folds,
  { goToNode, open }: Choices,
  marks: Readonly<Record<string, Mark>>,
): Picture {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", t.graph);
  const shapes = new Map<string, SVGElement>();
  for (const shape of svg.querySelectorAll<SVGElement>("[data-id]")) {
    shapes.set(shape.getAttribute("data-id") ?? "", shape);
  }
  // What is drawn, and which nodes each shape stands for: itself, or all that a box hides.
  const placeOf = new Map<string, string>();
  const hidden = new Map<string, NodeData[]>();
  for (const node of index.payload.nodes) {
    const place = [node.id, ...around(node)].find((id) => shapes.has(id));
    if (place === undefined) continue;
    placeOf.set(node.id, place);
    const those = hidden.get(place);
    if (those) those.push(node);
    else hidden.set(place, [node]);
  }
  const drawn = [...hidden.keys()];
  for (const [place, id] of drawn.entries()) {
    const shape = shapes.get(id);
    // A box that cannot be opened leads to the step of what it begins with.
    const choose = boxes.get(id)?.inside
      ? () => open(id)
      : () => goToNode(hidden.get(id)?.[0]?.id ?? id);
    if (shape) makeButton(shape, choose, (by) => shapes.get(drawn[place + by] ?? ""));
  }
  // What is not alike in two passes; a box has what is inside.
  const markOf = new Map<string, Mark>();
  for (const [id, those] of hidden) {
    const inside = new Set(those.map((node) => marks[node.id]));
    const [only] = inside;
    const mixed = [...inside].some((mark) => mark) ? "differs" : undefined;
    const sign = inside.size === 1 ? only : mixed;
    if (sign) markOf.set(id, sign);
  }
  // Edges into a box are drawn once.
  const ends = (edge: EdgeData): string =>
    `${placeOf.get(edge.source) ?? ""} ${placeOf.get(edge.target) ?? ""}`;
  const joined = new Map(
    index.payload.edges.filter(({ id }) => shapes.has(id)).map((edge) => [ends(edge), edge.id]),
  );
  const edges = new Map<string, EdgeData[]>();
  for (const edge of index.payload.edges) {
    if (!placeOf.has(edge.source) || !placeOf.has(edge.target)) continue;
    const id = shapes.has(edge.id) ? edge.id : joined.get(ends(edge));
    if (id === undefined) continue;
    const those = edges.get(id);
    if (those) those.push(edge);
    else edges.set(id, [edge]);
  }

  nameFarLeaves(index, shapes);
  // Only what changes is written: at 2,000 nodes a step touches a handful of elements.
  const written = new Map<string, string>();
  const weighed = new Map<string, string>();
  let current: SVGElement | undefined;
  let at = -1;
  /** What is on its way along the edges. */
  const travelling: SVGElement[] = [];
  const mark = (id: string, classes: string, label?: string): void => {
    if (written.get(id) === classes) return;
    written.set(id, classes);
    const shape = shapes.get(id);
    shape?.setAttribute("class", classes);
    if (label !== undefined) shape?.setAttribute("aria-label", label);
  };

  return {
    svg,
    shapeOf: (node) => shapes.get(placeOf.get(node) ?? ""),
    focus: (id) => shapes.get(id)?.focus(),
    show({ state, stops, scale }, found) {
      const { values } = index.payload;
      const gradient = (ids: readonly string[]): ValueData | undefined => {
        const seen = ids.map((one) => state.seen.get(one)).filter((place) => place !== undefined);
        return values[seen.at(-1) ?? -1];
      };
      const weigh = (id: string, value: ValueData | undefined): void => {
        const size = value && scale ? scale.sizeOf(value).toFixed(2) : "";
        if (weighed.get(id) === size) return;
        weighed.set(id, size);
        shapes.get(id)?.style.setProperty("--size", size);
      };
      if (state.at !== at) for (const dash of travelling.splice(0)) dash.remove();
      for (const [id, nodes] of hidden) {
        const box = boxes.get(id);
        const phase = phaseOfAll(state, nodes);
        const stopsHere = stops.size > 0 && nodes.some((node) => stops.has(node.id));
        const stop = stopsHere ? ` ${t.stopsHere}.` : "";
        const isFound = found.size > 0 && nodes.some((node) => found.has(node.id));
        const [node] = nodes;
        const value = box ? undefined : gradient([id]);
        const bad = value && isBad(value) ? " nonfinite" : "";
        weigh(id, value);
        const text = box ? `${box.name} ${t.nodes(box.size)}` : node ? textOf(node) : "";
        const sign = markOf.get(id);
        const other = sign ? ` ${t.mark[sign]}.` : "";
        const hit = isFound ? " found" : "";
        mark(
          id,
          `n ${box ? "cluster" : node?.kind} ${phase}${stop && " stop"}${hit}${bad}${sign ? ` ${sign}` : ""}`,
          `${text}: ${t.phase[phase]}.${other}${stop} ${box?.inside ? t.open : t.goTo}`,
        );
        markStop(shapes.get(id), stopsHere);
        if (sign) markSign(shapes.get(id), sign);
      }
      for (const [id, those] of edges) {
        const carried = those.some((edge) => state.carried.has(edge.id)) ? " carried" : "";
        const touched = those.some((edge) => state.touched.has(edge.id)) ? " touched" : "";
        const gone = those.every(
          ({ kind, source, target }) =>
            kind === "saved" && (state.freed.has(source) || state.freed.has(target)),
        );
        const late = those.every(({ source, target }) =>
          [source, target].some((end) => state.phases.get(end) === "unbuilt"),
        );
        const kind = those[0]?.kind ?? "next";
        const value = carried ? gradient(those.map((edge) => edge.id)) : undefined;
        const bad = value && isBad(value) ? " nonfinite" : "";
        weigh(id, value);
        mark(
          id,
          `e ${kind}${carried}${touched}${gone ? " freed" : ""}${late ? " unbuilt" : ""}${bad}`,
        );
        if (touched && state.at !== at) travelling.push(...flow(shapes.get(id)));
      }
      at = state.at;
      current?.setAttribute("tabindex", "-1");
      current = shapes.get(placeOf.get(state.turn.node) ?? "");
      current?.setAttribute("tabindex", "0");
    },
  };
}

/** The phase of a node, or of all that a box hides: what is urgent in it, else what is common. */
function phaseOfAll(state: State, nodes: readonly NodeData[]): Phase | "freed" {
  const [first] = nodes;
  if (first && nodes.length === 1) return phaseOf(state, first);
  // Saved tensors that are gone, and leaves that are there from the start, do not count.
  const phases = new Set<Phase>();
  for (const { id, kind } of nodes) {
    if (kind === "function" || kind === "accumulate") phases.add(state.phases.get(id) ?? "waiting");
  }
  for (const urgent of ["error", "current", "ready"] as const)
    if (phases.has(urgent)) return urgent;
  const [only] = phases;
  return phases.size === 1 && only ? only : "waiting";
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

/** A dash that runs along an edge once, as the gradient does (the style sheet moves it). */
function flow(edge: SVGElement | undefined): SVGElement[] {
  const line = edge?.querySelector("path");
  if (!line) return [];
  const dash = s("path", { class: "flow", d: line.getAttribute("d"), pathLength: 1 });
  edge?.append(dash);
  return [dash];
}

const FAR = 300; // points: about what a pane shows

/** An edge that leads to a leaf far away says where it leads, beside its beginning. */
function nameFarLeaves(index: Index, shapes: ReadonlyMap<string, SVGElement>): void {
  for (const { id, kind, target } of index.payload.edges) {
    const leaf = kind === "next" ? leafOf(index, target) : undefined;
    const line = leaf && shapes.get(id)?.querySelector("path");
    if (!leaf || !line) continue;
    const numbers = (line.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [x = 0, y = 0, nextX = 0, nextY = 0] = numbers;
    const [endX = 0, endY = 0] = numbers.slice(-2);
    if (Math.hypot(endX - x, endY - y) < FAR) continue;
    const aside = Math.abs(nextX - x) > Math.abs(nextY - y);
    const left = aside && nextX < x;
    // The AccumulateGrad of a leaf without a name says its shape.
    const told = index.node.get(target)?.label.split("\n")[1] ?? leaf.name;
    const words = told === leaf.name ? told : `${leaf.name} ${told}`;
    line.parentNode?.append(
      s(
        "text",
        {
          class: "far",
          x: x + (left ? -6 : 6),
          y: aside ? y - 4 : y + 16,
          "text-anchor": left ? "end" : "start",
        },
        words,
      ),
    );
  }
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

/** A sign at the other corner of a node that is not alike in two passes. */
function markSign(shape: SVGElement | undefined, mark: Mark): void {
  if (!shape || shape.querySelector(".sign")) return;
  const { x, y, width } = (shape as SVGGElement).getBBox();
  if (width === 0) return; // not in the page yet
  const at = { x: x + width - 2, y: y + 2 };
  shape.append(
    s("circle", { class: "sign", cx: at.x, cy: at.y, r: 9 }),
    s("text", { class: "sign", x: at.x, y: at.y + 5, "text-anchor": "middle" }, SIGNS[mark]),
  );
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "10⁻³" */
const power = (exponent: number): string =>
  `10${String(exponent)
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => RAISED[Number(digit)] ?? "")}`;

function legend(
  index: Index,
  t: Strings,
  { scale, toggle }: Widths,
  marks: Readonly<Record<string, Mark>>,
): HTMLElement {
  const one = h("button", { type: "button", "aria-pressed": "true" }, t.oneScale);
  one.title = t.oneScaleTitle;
  one.addEventListener("click", () => {
    one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true"));
    toggle();
  });
  const wedge = s("svg", { viewBox: "0 0 40 8", "aria-hidden": "true" });
  wedge.append(s("path", { d: "M0 3.5L40 0V8L0 4.5z" }));
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
    ...(["differs", "one", "unsure"] as const)
      .filter((mark) => Object.values(marks).includes(mark))
      .map((mark) => h("li", { class: "key" }, signOf(mark, t), t.mark[mark])),
    h("li", { class: "key scale" }, power(scale.low), wedge, power(scale.high), one),
  );
}

/** A saved tensor has no turn of its own: it is there until its owner lets go of it. */
function phaseOf(state: State, node: NodeData): Phase | "freed" {
  const own = state.phases.get(node.id) ?? "waiting";
  if (node.kind !== "saved" || own === "unbuilt") return own;
  if (state.freed.has(node.id) || state.freed.has(node.owner ?? "")) return "freed";
  return state.phases.get(node.owner ?? "") === "current" ? "current" : "waiting";
}
