/** One picture of the graph, whole or the inside of a box: which shape shows which nodes and edges. */

import { setAttributes } from "../dom";
import { isBad, type Scale } from "../magnitude";
import type { EdgeData, Mark, NodeData, ValueData } from "../payload";
import type { Index, Phase, State } from "../state";
import type { Strings } from "../strings";
import type { Folds } from "./folds";
import type { View } from "./pane";
import { addDash, makeButton, markSign, markStop, nameFarLeaves } from "./shapes";

export interface Choices {
  goToNode(node: string): void;
  open(box: string): void;
}

export class Picture {
  readonly #shapes = new Map<string, SVGElement>();
  /** The id of the shape that shows a node: its own, or that of a box around it. */
  readonly #placeOf = new Map<string, string>();
  /** The nodes that each shape shows: one, or all nodes inside a box. */
  readonly #nodesOf: Map<string, NodeData[]>;
  readonly #edgesOf: Map<string, EdgeData[]>;
  readonly #markOf: Map<string, Mark>;
  // Attributes as last written: at 2,000 nodes a step changes only a few elements.
  readonly #written = new Map<string, string>();
  readonly #weighed = new Map<string, string>();
  #current: SVGElement | undefined;
  #at = -1;
  /** Dashes that move along edges. */
  readonly #dashes: SVGElement[] = [];

  readonly #index: Index;
  readonly #t: Strings;
  readonly #folds: Folds;

  constructor(
    readonly svg: SVGSVGElement,
    index: Index,
    t: Strings,
    folds: Folds,
    choices: Choices,
    marks: Readonly<Record<string, Mark>>,
  ) {
    this.#index = index;
    this.#t = t;
    this.#folds = folds;
    setAttributes(svg, { role: "group", "aria-label": t.graph });
    for (const shape of svg.querySelectorAll<SVGElement>("[data-id]")) {
      this.#shapes.set(shape.getAttribute("data-id") ?? "", shape);
    }
    this.#nodesOf = this.#findNodes();
    this.#edgesOf = this.#findEdges();
    this.#markOf = this.#findMarks(marks);
    this.#makeButtons(choices);
    nameFarLeaves(index, this.#shapes);
  }

  /** The shape of a node, or of the box that hides it. */
  shapeOf(node: string): SVGElement | undefined {
    return this.#shapes.get(this.#placeOf.get(node) ?? "");
  }

  focus(id: string): void {
    this.#shapes.get(id)?.focus();
  }

  show(view: View, found: ReadonlySet<string>): void {
    const { state } = view;
    if (state.at !== this.#at) for (const dash of this.#dashes.splice(0)) dash.remove();
    for (const [id, nodes] of this.#nodesOf) this.#showNodes(id, nodes, view, found);
    for (const [id, edges] of this.#edgesOf) this.#showEdges(id, edges, view);
    this.#at = state.at;
    this.#current?.setAttribute("tabindex", "-1");
    this.#current = this.shapeOf(state.current.node);
    this.#current?.setAttribute("tabindex", "0");
  }

  #findNodes(): Map<string, NodeData[]> {
    const found = new Map<string, NodeData[]>();
    for (const node of this.#index.payload.nodes) {
      const place = [node.id, ...this.#folds.around(node)].find((id) => this.#shapes.has(id));
      if (place === undefined) continue;
      this.#placeOf.set(node.id, place);
      push(found, place, node);
    }
    return found;
  }

  /** The edges that each line shows: several edges into a box share one line. */
  #findEdges(): Map<string, EdgeData[]> {
    const { edges } = this.#index.payload;
    const endsOf = (edge: EdgeData): string =>
      `${this.#placeOf.get(edge.source) ?? ""} ${this.#placeOf.get(edge.target) ?? ""}`;
    const lines = new Map(
      edges.filter(({ id }) => this.#shapes.has(id)).map((edge) => [endsOf(edge), edge.id]),
    );
    const found = new Map<string, EdgeData[]>();
    for (const edge of edges) {
      if (!this.#placeOf.has(edge.source) || !this.#placeOf.has(edge.target)) continue;
      const id = this.#shapes.has(edge.id) ? edge.id : lines.get(endsOf(edge));
      if (id !== undefined) push(found, id, edge);
    }
    return found;
  }

  /** The marks of a comparison; a box has a mark if a node inside has one. */
  #findMarks(marks: Readonly<Record<string, Mark>>): Map<string, Mark> {
    const found = new Map<string, Mark>();
    for (const [id, nodes] of this.#nodesOf) {
      const inside = new Set(nodes.map((node) => marks[node.id]));
      const [only] = inside;
      const mixed = [...inside].some((mark) => mark) ? "differs" : undefined;
      const mark = inside.size === 1 ? only : mixed;
      if (mark) found.set(id, mark);
    }
    return found;
  }

  #makeButtons({ goToNode, open }: Choices): void {
    const drawn = [...this.#nodesOf.keys()];
    for (const [place, id] of drawn.entries()) {
      const shape = this.#shapes.get(id);
      // A box that cannot be opened leads to the step of its first node.
      const choose = this.#folds.boxes.get(id)?.inside
        ? () => open(id)
        : () => goToNode(this.#nodesOf.get(id)?.[0]?.id ?? id);
      if (shape) makeButton(shape, choose, (by) => this.#shapes.get(drawn[place + by] ?? ""));
    }
  }

  #showNodes(
    id: string,
    nodes: readonly NodeData[],
    { state, stops, scale }: View,
    found: ReadonlySet<string>,
  ): void {
    const t = this.#t;
    const box = this.#folds.boxes.get(id);
    const [node] = nodes;
    const phase = phaseOfAll(state, nodes);
    const stopsHere = stops.size > 0 && nodes.some((each) => stops.has(each.id));
    const isFound = found.size > 0 && nodes.some((each) => found.has(each.id));
    const value = box ? undefined : this.#gradient(state, [id]);
    this.#weigh(id, value, scale);
    const text = box ? `${box.name} ${t.nodes(box.size)}` : node ? textOf(node) : "";
    const mark = this.#markOf.get(id);
    const stop = stopsHere ? ` ${t.stopsHere}.` : "";
    const difference = mark ? ` ${t.mark[mark]}.` : "";
    const classes = [
      "n",
      box ? "cluster" : node?.kind,
      phase,
      stopsHere && "stop",
      isFound && "found",
      value && isBad(value) && "nonfinite",
      mark,
    ];
    this.#write(
      id,
      classes.filter(Boolean).join(" "),
      `${text}: ${t.phase[phase]}.${difference}${stop} ${box?.inside ? t.open : t.goTo}`,
    );
    markStop(this.#shapes.get(id), stopsHere);
    if (mark) markSign(this.#shapes.get(id), mark);
  }

  #showEdges(id: string, edges: readonly EdgeData[], { state, scale }: View): void {
    const carried = edges.some((edge) => state.carried.has(edge.id));
    const touched = edges.some((edge) => state.touched.has(edge.id));
    const freed = edges.every(
      ({ kind, source, target }) =>
        kind === "saved" && (state.freed.has(source) || state.freed.has(target)),
    );
    const unbuilt = edges.every(({ source, target }) =>
      [source, target].some((end) => state.phases.get(end) === "unbuilt"),
    );
    const ids = edges.map((edge) => edge.id);
    const value = carried ? this.#gradient(state, ids) : undefined;
    this.#weigh(id, value, scale);
    const classes = [
      "e",
      edges[0]?.kind ?? "next",
      carried && "carried",
      touched && "touched",
      freed && "freed",
      unbuilt && "unbuilt",
      value && isBad(value) && "nonfinite",
    ];
    this.#write(id, classes.filter(Boolean).join(" "));
    if (touched && state.at !== this.#at) this.#dashes.push(...addDash(this.#shapes.get(id)));
  }

  /** The last gradient seen on one of the edges, or at a node. */
  #gradient(state: State, ids: readonly string[]): ValueData | undefined {
    const seen = ids.map((id) => state.seen.get(id)).filter((value) => value !== undefined);
    return this.#index.payload.values[seen.at(-1) ?? -1];
  }

  #weigh(id: string, value: ValueData | undefined, scale: Scale | null): void {
    const size = value && scale ? scale.sizeOf(value).toFixed(2) : "";
    if (this.#weighed.get(id) === size) return;
    this.#weighed.set(id, size);
    this.#shapes.get(id)?.style.setProperty("--size", size);
  }

  #write(id: string, classes: string, label?: string): void {
    if (this.#written.get(id) === classes) return;
    this.#written.set(id, classes);
    const shape = this.#shapes.get(id);
    shape?.setAttribute("class", classes);
    if (label !== undefined) shape?.setAttribute("aria-label", label);
  }
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** A node's label as a screen reader says it: it must contain the visible text. */
const textOf = ({ label, name }: NodeData): string => label.replaceAll("\n", " ").trim() || name;

/** The phase of a node, or of a box: the most urgent phase inside it, else the common one. */
function phaseOfAll(state: State, nodes: readonly NodeData[]): Phase | "freed" {
  const [first] = nodes;
  if (first && nodes.length === 1) return phaseOf(state, first);
  // Saved tensors and leaves do not count.
  const phases = new Set<Phase>();
  for (const { id, kind } of nodes) {
    if (kind === "function" || kind === "accumulate") phases.add(state.phases.get(id) ?? "waiting");
  }
  for (const urgent of ["error", "current", "ready"] as const)
    if (phases.has(urgent)) return urgent;
  const [only] = phases;
  return phases.size === 1 && only ? only : "waiting";
}

/** The phase of one node. A saved tensor has no step: its owner decides when it is freed. */
function phaseOf(state: State, node: NodeData): Phase | "freed" {
  const own = state.phases.get(node.id) ?? "waiting";
  if (node.kind !== "saved" || own === "unbuilt") return own;
  if (state.freed.has(node.id) || state.freed.has(node.owner ?? "")) return "freed";
  return state.phases.get(node.owner ?? "") === "current" ? "current" : "waiting";
}
