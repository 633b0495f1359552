/**
 * The graph in the layout of Graphviz. A step changes only classes, never the layout, so nothing
 * moves.
 *
 * A large graph is folded: a box stands for the nodes inside it and opens at a click. Its inside is a
 * picture of its own, with its neighbours; a step outside the box closes it.
 *
 * The picture is one keyboard stop: up and down move between nodes, Enter goes to the step of the
 * focused node, or opens the box.
 */

import { h, reveal, setAttributes } from "../dom";
import { icon } from "../icons";
import type { Mark } from "../payload";
import { safeSvg } from "../sanitize";
import type { Index } from "../state";
import type { Strings } from "../strings";
import { folds, insideOf } from "./folds";
import { legend, type Widths } from "./legend";
import { section, type Pane, type View } from "./pane";
import { Picture } from "./picture";
import { search } from "./search";
import { zoom } from "./zoom";

export interface GraphPane extends Pane {
  fit(): void;
  search(): void;
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
  const boxes = folds(payload);
  const open = (box: string): void => viewer?.open(box);
  const draw = (box: string): Picture | null => {
    const svg = box ? insideOf(payload, boxes.boxes.get(box)) : safeSvg(payload.svg);
    return svg && new Picture(svg, index, t, boxes, { goToNode, open }, marks);
  };
  const first = draw("");
  const viewer = first && new Viewer(canvas, first, index, t, draw);
  if (!viewer) {
    canvas.append(h("p", { class: "type" }, t.noPicture));
    return { element, show: nothing, fit: nothing, search: nothing };
  }
  element.append(legend(index, t, widths, marks));
  const finder = search(payload.nodes, t, viewer.find, goToNode, () => canvas.focus());
  const tools = h("span", { class: "tools" }, ...viewer.buttons);
  element.querySelector("h2")?.append(viewer.up, finder.element, tools);
  return {
    element,
    fit: viewer.fit,
    search: finder.focus,
    show: viewer.show,
    reveal(behavior) {
      const current = viewer.current();
      if (current) reveal(canvas, current, behavior);
    },
  };
}

/** The shown picture: of the whole graph, or of the inside of a box. */
class Viewer {
  readonly up: HTMLButtonElement;
  readonly buttons: HTMLElement[];
  readonly #boxes;
  readonly #camera;
  /** By the id of the box, "" for the whole graph; drawn when first shown. */
  readonly #pictures = new Map<string, Picture | null>();
  #picture: Picture;
  #box = "";
  #found: ReadonlySet<string> = new Set();
  #last: View | null = null;
  /** Whether a step into a box opens it. Off after the reader has closed a box. */
  #follows = true;

  readonly #index: Index;
  readonly #t: Strings;
  readonly #draw: (box: string) => Picture | null;

  constructor(
    canvas: HTMLElement,
    whole: Picture,
    index: Index,
    t: Strings,
    draw: (box: string) => Picture | null,
  ) {
    this.#index = index;
    this.#t = t;
    this.#draw = draw;
    this.#boxes = folds(index.payload);
    this.#picture = whole;
    this.#pictures.set("", whole);
    this.#camera = zoom(canvas, whole.svg, t);
    this.buttons = this.#camera.buttons;
    this.up = h("button", { type: "button", class: "up" }, icon("up"), h("span"));
    this.up.addEventListener("click", () => {
      const closed = this.#box;
      this.#follows = false;
      this.#look(this.#boxes.outside(closed));
      this.#picture.focus(closed);
    });
    this.#look("");
  }

  open(box: string): void {
    this.#follows = true;
    this.#look(box);
  }

  readonly find = (ids: ReadonlySet<string>): void => {
    this.#found = ids;
    this.#refresh();
  };

  readonly fit = (): void => {
    this.#camera.fit();
    this.#refresh();
  };

  /** Show a view in the box of the current node, or at least in a box around it. */
  readonly show = (view: View): void => {
    const { current, event } = view.state;
    let at = this.#box;
    const stays = this.#last?.state.current.node === current.node;
    this.#last = view;
    const around = this.#boxes.around(this.#index.node.get(current.node));
    const inner = around.find((id) => this.#boxes.boxes.get(id)?.inside);
    if (this.#follows && !stays && inner && event.kind !== "seed") at = inner;
    while (at && !around.includes(at)) at = this.#boxes.outside(at);
    if (at !== this.#box) this.#look(at);
    else this.#refresh();
  };

  current(): SVGElement | undefined {
    return this.#last ? this.#picture.shapeOf(this.#last.state.current.node) : undefined;
  }

  #look(box: string): void {
    let picture = this.#pictures.get(box);
    if (picture === undefined) this.#pictures.set(box, (picture = this.#draw(box)));
    if (!picture) return;
    this.#picture = picture;
    this.#box = box;
    const name = this.#boxes.boxes.get(box)?.name ?? "";
    this.up.hidden = box === "";
    this.up.lastElementChild?.replaceChildren(name);
    setAttributes(this.up, { title: this.#t.close(name), "aria-label": this.#t.close(name) });
    this.#camera.show(picture.svg); // before `refresh`: outside the page a picture has no size
    this.#refresh();
  }

  #refresh(): void {
    if (this.#last) this.#picture.show(this.#last, this.#found);
  }
}
