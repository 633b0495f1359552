/**
 * The graph: the stage on which a pass is played. The browser lays it out (stage/layers.ts), because
 * only here is it known how much room there is.
 *
 * Frames around operations are closed until everything fits, and open in place. A step changes only
 * classes, so nothing moves; a step into a closed frame lights the frame and counts.
 *
 * The picture is one keyboard stop: up and down move between boxes, Enter goes to the step of the
 * focused box, or opens the frame.
 */

import { h, setAttributes } from "../dom";
import { icon } from "../icons";
import type { Mark } from "../payload";
import { Camera } from "../stage/camera";
import { drawn, fitted, scaleIn, type Fitted } from "../stage/fit";
import { Minimap } from "../stage/minimap";
import { openingOf } from "../stage/opening";
import { treesOf } from "../stage/pieces";
import type { Frame } from "../stage/tree";
import type { Index } from "../state";
import type { Strings } from "../strings";
import { legend, type Widths } from "./legend";
import { section, type Pane, type View } from "./pane";
import { Picture } from "./picture";
import { search } from "./search";

export interface GraphPane extends Pane {
  /** The pane has another size. */
  fit(): void;
  search(): void;
}

const READABLE = 1; // the least scale at which all text has 12 pixels

export function graphPane(
  index: Index,
  t: Strings,
  goToNode: (node: string) => void,
  widths: Widths,
  marks: Readonly<Record<string, Mark>>,
): GraphPane {
  const stage = new Stage(index, t, goToNode, marks);
  const element = section("graph", t.graph, stage.canvas);
  element.append(legend(index, t, widths, marks));
  const { nodes } = index.payload;
  const finder = search(nodes, t, stage.find, goToNode, () => stage.canvas.focus());
  const tools = h("span", { class: "tools" }, stage.follow, ...stage.camera.buttons);
  element.querySelector("h2")?.append(finder.element, tools);
  return {
    element,
    fit: stage.resize,
    search: finder.focus,
    show: stage.show,
    reveal: () => stage.reveal(),
    print: () => stage.print(),
  };
}

class Stage {
  readonly canvas = h("div", { class: "canvas", tabindex: -1 });
  readonly camera: Camera;
  /** Whether a step into a closed frame opens it. */
  readonly follow: HTMLElement;
  readonly #trees;
  readonly #picture: Picture;
  readonly #map: Minimap;
  #fitted: Fitted | null = null;
  #size = "";
  /** Whether the reader has opened or closed a frame. */
  #byHand = false;
  #follows = false;
  #prints = false;
  #found: ReadonlySet<string> = new Set();
  #last: View | null = null;

  constructor(
    private readonly index: Index,
    t: Strings,
    goToNode: (node: string) => void,
    marks: Readonly<Record<string, Mark>>,
  ) {
    this.#trees = treesOf(index.payload, t);
    const { frames } = this.#trees("all");
    const toggle = (frame: string): void => this.#toggle(frame);
    this.#picture = new Picture(index, t, { goToNode, toggle }, marks);
    this.#map = new Minimap(() => this.camera);
    const changed = (): void => this.#map.look(this.#currentPart());
    this.camera = new Camera(this.canvas, this.#picture.layer, t, () => this.#fitAll(), changed);
    this.canvas.append(this.#picture.svg, this.#map.element);
    this.follow = h("button", { type: "button", "aria-pressed": "false" }, icon("follow"));
    this.follow.title = t.followFrames;
    this.follow.setAttribute("aria-label", t.followFrames);
    this.follow.addEventListener("click", () => {
      this.#follows = !this.#follows;
      this.follow.setAttribute("aria-pressed", String(this.#follows));
      if (this.#follows && this.#last) this.#openAround(this.#last.state.current.node);
      this.#refresh();
      this.reveal();
    });
    this.follow.hidden = frames.size === 0;
  }

  readonly find = (ids: ReadonlySet<string>): void => {
    this.#found = ids;
    this.#refresh();
  };

  /** The pane has another size: frames open and close, unless the reader has done so. */
  readonly resize = (): void => {
    const { width, height } = this.camera.pane;
    if (this.#prints || width === 0 || height === 0) return;
    if (this.#size === `${width} ${height} ${this.#least()}`) return;
    this.#size = `${width} ${height} ${this.#least()}`;
    if (this.#byHand || this.camera.moved) this.#redraw(this.#opened());
    else this.#use(this.#first());
    this.#refresh();
  };

  readonly show = (view: View): void => {
    const stays = this.#last?.state.current.node === view.state.current.node;
    this.#last = view;
    if (this.#follows && !stays) this.#openAround(view.state.current.node);
    this.#refresh();
  };

  /** Bring the current node into sight, if it is not. */
  reveal(): void {
    const place = this.#last && this.#picture.placeOf(this.#last.state.current.node);
    if (place && this.#fitted) this.camera.reveal(place);
  }

  /** Show everything on paper, whose size is not known yet; then as before. */
  print(): void {
    const { scene } = this.#fitted ?? {};
    if (!scene) return;
    const { svg, layer } = this.#picture;
    const before = layer.getAttribute("transform");
    this.#prints = true;
    setAttributes(svg, { viewBox: `0 0 ${scene.width} ${scene.height}` });
    setAttributes(layer, { transform: null });
    const restore = (): void => {
      this.#prints = false;
      setAttributes(svg, { viewBox: null });
      setAttributes(layer, { transform: before });
      this.resize(); // a change of the size during print was passed over
    };
    window.addEventListener("afterprint", restore, { once: true });
  }

  #least(): number {
    return Number(getComputedStyle(this.canvas).getPropertyValue("--readable")) || READABLE;
  }

  #first(): Fitted {
    const { fold } = this.index.payload;
    const { pane } = this.camera;
    if (fold === undefined) return fitted(this.#trees, pane, this.#least());
    const tree = this.#trees("all");
    const opened = new Set(fold ? [] : tree.frames.keys());
    return drawn(openingOf(tree, opened, "all"), pane, this.#least());
  }

  #opened(): ReadonlySet<string> {
    return this.#fitted?.opening.opened ?? new Set();
  }

  /** Draw, and show everything. */
  #use(next: Fitted): void {
    this.#fitted = next;
    this.#picture.draw(next.scene, next.opening);
    this.#map.draw(next.scene);
    this.camera.fit(next.scene, this.#scaleOf(next));
  }

  /** The scale that shows everything; a folded graph that is too large keeps readable text. */
  #scaleOf({ scene, scale }: Fitted): number {
    return Math.max(
      scale,
      Math.min(scaleIn(scene, this.camera.pane, this.#least()), this.#least()),
    );
  }

  #fitAll(): void {
    this.#redraw(this.#opened(), true);
    this.#refresh();
  }

  /** Draw with these frames open, and show everything if it fits or if `whole`. */
  #redraw(opened: ReadonlySet<string>, whole = false, anchor?: Frame): void {
    const before = this.#fitted;
    const detail = before?.opening.detail ?? "all";
    const shown = openingOf(this.#trees(detail), opened, detail);
    const next = drawn(shown, this.camera.pane, this.#least());
    const from = before?.scene.placed.get(anchor?.id ?? "");
    const to = next.scene.placed.get(anchor?.id ?? "");
    if (whole || !before || (next.scale >= this.#least() && !this.camera.moved)) {
      this.#use(next);
      return;
    }
    this.#fitted = next;
    this.#picture.draw(next.scene, next.opening);
    this.#map.draw(next.scene);
    const still = { x: 0, y: 0 };
    this.camera.keep(next.scene, from ?? still, to ?? still);
  }

  #toggle(id: string): void {
    const frame = this.#fitted?.opening.tree.frames.get(id);
    if (!frame) return;
    this.#byHand = true;
    const opened = new Set(this.#opened());
    if (!opened.delete(id)) opened.add(id);
    this.#redraw(opened, false, frame);
    this.#refresh();
    this.#picture.focus(id);
  }

  /** Open the closed frames around a node. */
  #openAround(node: string): void {
    const opened = new Set(this.#opened());
    const before = opened.size;
    let outermost: Frame | undefined;
    const box = this.#fitted?.opening.tree.boxOf.get(node);
    for (let frame = box?.frame; frame; frame = frame.parent) {
      if (!opened.has(frame.id)) outermost = frame;
      opened.add(frame.id);
    }
    if (opened.size > before) this.#redraw(opened, false, outermost);
  }

  #currentPart(): string | undefined {
    return this.#last ? this.#picture.placeOf(this.#last.state.current.node)?.part.id : undefined;
  }

  #refresh(): void {
    if (!this.#last || !this.#fitted) return;
    this.#picture.show(this.#last, this.#found);
    this.#map.look(this.#currentPart());
  }
}
