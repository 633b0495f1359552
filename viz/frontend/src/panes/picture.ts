/** The picture of the graph: a shape for each box, frame, chip and line, and how a step looks. */

import { s, setAttributes } from "../dom";
import { isBad, type Scale } from "../magnitude";
import type { EdgeData, Mark, NodeData, ValueData } from "../payload";
import { seen, type Opening } from "../stage/opening";
import type { Placed, Scene } from "../stage/scene";
import { gradientText, isFrame, linesIn, type Chip, type Frame } from "../stage/tree";
import type { Index, Phase, State } from "../state";
import type { Strings } from "../strings";
import type { View } from "./pane";
import {
  addDash,
  chipId,
  drawLine,
  drawShape,
  makeButton,
  markSign,
  markStop,
  type Shape,
} from "./shapes";

export interface Choices {
  goToNode(node: string): void;
  toggle(frame: string): void;
}

/** Something that a step changes: a box, a closed frame, or a chip. */
interface Shown {
  shape: SVGElement;
  nodes: readonly NodeData[];
  frame?: Frame;
  chip?: Chip;
  count?: SVGTextElement | null;
  width: number;
  /** The visible text of a box. */
  lines: readonly string[];
}

export class Picture {
  readonly svg = s("svg", { class: "stage", role: "group" });
  readonly layer = s("g");
  readonly #frames = s("g");
  readonly #lines = s("g");
  readonly #boxes = s("g");

  /** What is drawn, by the id of its box, frame, chip or edge, in the order of the keyboard. */
  readonly #shown = new Map<string, Shown>();
  readonly #edges = new Map<string, { shape: SVGElement; edges: readonly EdgeData[] }>();
  readonly #shapes = new Map<string, { shape: Shape; open: boolean; width: number }>();
  #scene: Scene | null = null;
  #opening: Opening | null = null;
  // Attributes as last written: at 2,000 nodes a step changes only a few elements.
  readonly #written = new Map<string, string>();
  readonly #weighed = new Map<string, string>();
  #current: SVGElement | undefined;
  #at = -1;
  /** Dashes that move along edges. */
  readonly #dashes: SVGElement[] = [];

  constructor(
    readonly index: Index,
    readonly t: Strings,
    readonly choices: Choices,
    readonly marks: Readonly<Record<string, Mark>>,
  ) {
    setAttributes(this.svg, { "aria-label": t.graph });
    // A hint says in full what the pointer rests on.
    const hint = s("title");
    this.layer.addEventListener("pointerover", ({ target }) => {
      const place = (target as Element).closest("[aria-label]");
      hint.textContent = place?.getAttribute("aria-label") ?? "";
      place?.append(hint);
    });
    this.layer.append(this.#frames, this.#lines, this.#boxes);
    this.svg.append(this.layer);
  }

  // --- Drawing

  /** Draw a scene; what was there before moves to its new place. */
  draw(scene: Scene, opening: Opening): void {
    const before = this.#scene;
    this.#scene = scene;
    this.#opening = opening;
    for (const [id, { shape, open, width }] of this.#shapes) {
      const now = scene.placed.get(id);
      if (now && !open && !now.open && now.width === width && before?.detail === scene.detail)
        continue;
      shape.group.remove();
      shape.ground.remove();
      this.#shapes.delete(id);
    }
    this.#shown.clear();
    this.#edges.clear();
    this.#written.clear();
    this.#weighed.clear();
    for (const placed of inOrder(scene)) this.#drawPart(placed, before);
    this.#lines.replaceChildren(...scene.lines.map((line) => this.#drawEdge(line)));
  }

  #drawPart(placed: Placed, before: Scene | null): void {
    const { part, open, x, y, width } = placed;
    const known = this.#shapes.get(part.id);
    const shape = known?.shape ?? drawShape(placed, this.#scene?.detail ?? "all");
    if (!known) {
      this.#shapes.set(part.id, { shape, open, width });
      this.#makeButtons(shape, placed);
      const from = before && this.#origin(placed, before);
      if (from) {
        this.#move(shape, from);
        this.#boxes.append(shape.group);
        shape.group.getBoundingClientRect(); // so that the move begins there
      }
    }
    if (open) this.#frames.append(shape.ground);
    this.#boxes.append(shape.group);
    this.#move(shape, { x, y });
    this.#note(placed, shape);
  }

  #move({ group, ground }: Shape, { x, y }: { x: number; y: number }): void {
    for (const each of [group, ground]) each.style.transform = `translate(${x}px,${y}px)`;
  }

  /** Where a new shape comes from: the frame that it was in, or the frame that it was. */
  #origin({ part }: Placed, before: Scene): { x: number; y: number } | undefined {
    for (let frame = isFrame(part) ? part : part.frame; frame; frame = frame.parent) {
      const found = before.placed.get(frame.id);
      if (found) return found;
    }
    return undefined;
  }

  #makeButtons(shape: Shape, { part, open }: Placed): void {
    const near = (id: string) => (by: number) => this.#neighbour(id, by);
    const { goToNode, toggle } = this.choices;
    const chosen = isFrame(part)
      ? () => toggle(part.id)
      : () => goToNode(part.nodes[0]?.id ?? part.id);
    makeButton(shape.body, chosen, near(part.id));
    if (isFrame(part)) {
      setAttributes(shape.body, { "aria-expanded": String(open) });
      if (open) setAttributes(shape.body, { class: "f", "aria-label": this.t.close(part.name) });
      return;
    }
    for (const chip of part.chips) {
      const id = chipId(chip);
      const made = shape.chips.get(id);
      if (made) makeButton(made, () => goToNode(chip.node.id), near(id));
    }
  }

  #neighbour(id: string, by: number): SVGElement | undefined {
    const ids = [...this.#shown.keys()];
    return this.#shown.get(ids[ids.indexOf(id) + by] ?? "")?.shape;
  }

  /** Note what a step changes in a shape. */
  #note({ part, open, width }: Placed, { body, chips, count }: Shape): void {
    if (!isFrame(part)) {
      const lines = linesIn(part, this.#scene?.detail ?? "all");
      this.#shown.set(part.id, { shape: body, nodes: part.nodes, count, width, lines });
      for (const chip of part.chips) {
        const shape = chips.get(chipId(chip));
        if (shape) this.#shown.set(chipId(chip), { shape, nodes: [chip.node], chip, width, lines });
      }
    } else if (open)
      this.#shown.set(part.id, { shape: body, nodes: [], frame: part, width, lines: [] });
    else {
      const nodes = part.all.flatMap((box) => box.nodes);
      this.#shown.set(part.id, { shape: body, nodes, frame: part, count, width, lines: [] });
    }
  }

  #drawEdge({ edges, points }: Scene["lines"][number]): SVGGElement {
    const id = edges[0]?.id ?? "";
    const shape = s("g", { "data-id": id });
    drawLine(shape, points);
    this.#edges.set(id, { shape, edges });
    return shape;
  }

  // --- Looking

  /** The place of a node, or of the closed frame that hides it. */
  placeOf(node: string): Placed | undefined {
    if (!this.#opening) return undefined;
    const part = seen(this.#opening.tree, this.#opening.opened, node);
    return part ? this.#scene?.placed.get(part.id) : undefined;
  }

  focus(id: string): void {
    this.#shown.get(id)?.shape.focus();
  }

  // --- Steps

  show(view: View, found: ReadonlySet<string>): void {
    const { state } = view;
    if (state.at !== this.#at) for (const dash of this.#dashes.splice(0)) dash.remove();
    for (const [id, shown] of this.#shown) {
      if (shown.chip?.far) this.#showFar(id, shown, state);
      else if (!shown.frame || shown.nodes.length) this.#showNodes(id, shown, view, found);
    }
    for (const [id, { edges }] of this.#edges) this.#showEdges(id, edges, view);
    this.#at = state.at;
    this.#current?.setAttribute("tabindex", "-1");
    const place = this.placeOf(state.current.node);
    this.#current = place && this.#shown.get(place.part.id)?.shape;
    this.#current?.setAttribute("tabindex", "0");
  }

  #showNodes(
    id: string,
    { nodes, frame, count, shape, chip, width, lines }: Shown,
    { state, stops, scale }: View,
    found: ReadonlySet<string>,
  ): void {
    const t = this.t;
    const phase = phaseOfAll(state, nodes);
    const stopsHere = stops.size > 0 && nodes.some((each) => stops.has(each.id));
    const isFound = found.size > 0 && nodes.some((each) => found.has(each.id));
    const value = frame
      ? undefined
      : this.#gradient(
          state,
          nodes.map((each) => each.id),
        );
    this.#weigh(id, shape, value, scale);
    const done = frame && countDone(state, nodes);
    const gradient = count && !frame ? this.#gradientOf(state, nodes) : "";
    const number = !done ? gradient : done.ran ? t.ofCount(done.ran, done.all) : t.nodes(done.all);
    const said = gradient ? [...lines, gradient] : lines;
    const words = frame ? `${frame.name} ${number}` : textOf(nodes, chip ? [chip.text] : said, t);
    const mark = this.#markOf(nodes);
    const stop = stopsHere ? ` ${t.stopsHere}.` : "";
    const difference = mark ? ` ${t.mark[mark]}.` : "";
    const classes = [
      "n",
      chip && "chip",
      frame ? "cluster" : nodes.map((each) => each.kind).join(" "),
      phase,
      stopsHere && "stop",
      isFound && "found",
      value && isBad(value) && "nonfinite",
      mark,
    ];
    if (count && count.textContent !== number) count.textContent = number;
    this.#write(
      id,
      shape,
      classes.filter(Boolean).join(" "),
      `${words}: ${t.phase[phase]}.${difference}${stop} ${frame ? t.open : t.goTo}`,
    );
    if (!chip) markStop(shape, stopsHere);
    if (mark && !chip) markSign(shape, mark, width);
  }

  /** The gradient that a scalar's box shows: of a leaf, its `.grad`. */
  #gradientOf(state: State, [node]: readonly NodeData[]): string {
    if (!node) return "";
    const [seen, leaf] = [state.seen.get(node.id), state.gradients.get(node.id)];
    const place = node.kind === "accumulate" ? leaf : seen;
    return gradientText(this.index.payload.values[place ?? -1], this.t);
  }

  /** The mark of a comparison; a frame has one if a node inside has one. */
  #markOf(nodes: readonly NodeData[]): Mark | undefined {
    const inside = new Set(nodes.map((node) => this.marks[node.id]));
    const [only] = inside;
    return inside.size === 1 ? only : [...inside].some(Boolean) ? "differs" : undefined;
  }

  /** A chip that stands for the line to a leaf. */
  #showFar(id: string, { shape, chip }: Shown, state: State): void {
    if (!chip?.far) return;
    const now = chip.far.some(({ target }) => state.phases.get(target) === "current");
    const carried = chip.far.some((edge) => state.carried.has(edge.id));
    const classes = [
      "n chip to",
      now ? "current" : carried ? "done" : "waiting",
      chip.far.some((edge) => state.touched.has(edge.id)) && "touched",
    ];
    const text = `${chip.text}: ${this.t.phase[phaseOf(state, chip.node)]}. ${this.t.goTo}`;
    this.#write(id, shape, classes.filter(Boolean).join(" "), text);
  }

  #showEdges(id: string, edges: readonly EdgeData[], { state, scale }: View): void {
    const shape = this.#edges.get(id)?.shape;
    if (!shape) return;
    const carried = edges.some((edge) => state.carried.has(edge.id));
    const touched = edges.some((edge) => state.touched.has(edge.id));
    const unbuilt = edges.every(({ source, target }) =>
      [source, target].some((end) => state.phases.get(end) === "unbuilt"),
    );
    const ids = edges.map((edge) => edge.id);
    const value = carried ? this.#gradient(state, ids) : undefined;
    this.#weigh(id, shape, value, scale);
    const classes = [
      "e",
      edges[0]?.kind ?? "next",
      carried && "carried",
      touched && "touched",
      unbuilt && "unbuilt",
      value && isBad(value) && "nonfinite",
    ];
    this.#write(id, shape, classes.filter(Boolean).join(" "));
    if (touched && state.at !== this.#at) this.#dashes.push(...addDash(shape));
  }

  /** The last gradient seen on one of the edges, or at a node. */
  #gradient(state: State, ids: readonly string[]): ValueData | undefined {
    const values = ids.map((id) => state.seen.get(id)).filter((value) => value !== undefined);
    return this.index.payload.values[values.at(-1) ?? -1];
  }

  #weigh(id: string, shape: SVGElement, value: ValueData | undefined, scale: Scale | null): void {
    const size = value && scale ? scale.sizeOf(value).toFixed(2) : "";
    if ((this.#weighed.get(id) ?? "") === size) return;
    this.#weighed.set(id, size);
    shape.style.setProperty("--size", size);
  }

  #write(id: string, shape: SVGElement, classes: string, label?: string): void {
    const text = `${classes} ${label ?? ""}`;
    if (this.#written.get(id) === text) return;
    this.#written.set(id, text);
    setAttributes(shape, { class: classes });
    if (label !== undefined) setAttributes(shape, { "aria-label": label });
  }
}

/** Frames before what is in them, then boxes from above. */
const inOrder = ({ placed }: Scene): Placed[] => {
  const all = [...placed.values()];
  const open = all.filter((each) => each.open);
  return [...open, ...all.filter((each) => !each.open)];
};

/** A box's text as a screen reader says it: the visible text, then what it leaves out. */
function textOf(nodes: readonly NodeData[], lines: readonly string[], t: Strings): string {
  const node = nodes.at(-1);
  const [shown, whole] = [lines.join(" "), node?.label.replaceAll("\n", " ").trim() ?? ""];
  // A scalar's value stands in place of its shape.
  const known = whole.endsWith(t.scalar) ? whole.slice(0, -t.scalar.length - 2).trim() : whole;
  if (known !== whole && shown.startsWith(known)) return shown;
  return whole.startsWith(shown) ? whole : `${shown} (${whole})`;
}

const runs = ({ kind }: NodeData): boolean => kind === "function" || kind === "accumulate";

/** How many of the nodes have run. */
function countDone(state: State, nodes: readonly NodeData[]): { ran: number; all: number } {
  const own = nodes.filter(runs);
  const ran = own.filter(({ id }) => RAN.has(state.phases.get(id) ?? "waiting"));
  return { ran: ran.length, all: own.length };
}

const RAN: ReadonlySet<Phase> = new Set(["done", "current", "error"]);

/** The phase of a node, or of a frame: the most urgent phase inside it, else the common one. */
function phaseOfAll(state: State, nodes: readonly NodeData[]): Phase | "freed" {
  const [first] = nodes;
  if (first && nodes.length === 1) return phaseOf(state, first);
  // Saved tensors and leaves do not count.
  const phases = new Set<Phase>();
  for (const node of nodes) if (runs(node)) phases.add(state.phases.get(node.id) ?? "waiting");
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
