/**
 * What `viz.explore` shows: a slider for each input, and the pictures that Python draws anew at
 * every move.
 *
 * They show when Python has answered: in a page made of a notebook, or before the kernel runs, they
 * could move nothing, and the picture that is stored below them is there in their place.
 *
 * A module of its own: the stepper's travels in every saved notebook, and has no use for this.
 */

import { h } from "./dom";
import css from "./sliders.css";
import { keepTheme } from "./theme";

/** What plots/sliders.py sends, and what it is told: where the sliders are, and along which. */
interface Traits {
  ranges: [name: string, low: number, high: number, step: number][];
  values: Record<string, number>;
  along: string;
  along_word: string;
  caption: string;
  graph: string;
  plot: string;
}

type Heard = `change:${keyof Traits}` | "msg:custom";

interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  save_changes(): void;
  send(content: string): void;
  on(name: Heard, callback: () => void): void;
  off(name: Heard, callback: () => void): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const caption = h("p", { role: "status" });
  const plot = h("div");
  const graph = h("div", { class: "graph" });
  const ranges = model.get("ranges");
  const rows = ranges.map(([name, low, high, step]) => row(model, name, low, high, step));
  const controls = h("div", { class: "controls" }, ...rows.map(({ element }) => element));
  if (ranges.length > 1) controls.append(chooser(model));
  const all = h("div", { class: "explore" }, h("div", {}, controls, caption, plot), graph);

  // JupyterLab's own shortcuts listen on the document: arrow keys would move to the next cell.
  const host = h("div", { hidden: true, "data-lm-suppress-shortcuts": "true" });
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(h("style", {}, css), all);
  const theme = keepTheme(all); // the pictures ask what is around them, as far as they see
  el.append(host);

  const heard: [Heard, () => void][] = [
    ["change:caption", () => (caption.textContent = model.get("caption"))],
    ["change:graph", () => graph.replaceChildren(...picture(model.get("graph")))],
    ["change:plot", () => plot.replaceChildren(...picture(model.get("plot")))],
    ["change:values", () => rows.forEach(({ update }) => update())],
  ];
  for (const [, show] of heard) show();
  const answered = (): void => {
    host.hidden = false;
    host.className = "mg-explore-live";
  };
  heard.push(["msg:custom", answered]);
  for (const [name, hear] of heard) model.on(name, hear);
  model.send("Is anybody there?");
  return () => {
    for (const [name, hear] of heard) model.off(name, hear);
    theme.stop();
    host.remove();
  };
}

function row(model: Model, name: string, low: number, high: number, step: number) {
  const slider = h("input", { type: "range", min: low, max: high, step, "aria-label": name });
  const number = h("span", { class: "number", "aria-hidden": "true" }); // the slider says it
  const write = (): void => {
    number.textContent = String(Number(slider.valueAsNumber.toPrecision(3)));
  };
  const update = (): void => {
    slider.value = String(model.get("values")[name]);
    write();
  };
  slider.addEventListener("input", () => {
    write();
    model.set("values", { ...model.get("values"), [name]: slider.valueAsNumber });
    model.save_changes();
  });
  return {
    element: h("label", {}, h("span", { class: "name", title: name }, name), slider, number),
    update,
  };
}

function chooser(model: Model): HTMLElement {
  const names = model.get("ranges").map(([name]) => name);
  const select = h("select", {}, ...names.map((name) => h("option", { value: name }, name)));
  select.value = model.get("along");
  select.addEventListener("change", () => {
    model.set("along", select.value);
    model.save_changes();
  });
  return h("label", {}, h("span", { class: "name" }, model.get("along_word")), select);
}

/** An SVG of Python's; nothing where it could draw none. */
function picture(markup: string): Element[] {
  if (!markup) return [];
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  return [document.adoptNode(parsed)];
}

export default { render };
