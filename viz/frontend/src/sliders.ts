/**
 * The widget of `viz.explore`: a slider for each input, and pictures that Python redraws at every
 * move.
 *
 * The sliders appear after Python has answered. Without a kernel they would have no effect, so a
 * page made from a notebook shows the stored picture below them instead.
 *
 * This is a separate module because every saved notebook contains the stepper's, which does not
 * need it.
 */

import { h } from "./dom";
import css from "./sliders.css";
import { keepTheme } from "./theme";

/** The traits shared with plots/sliders.py. The widget writes `values` and `along`. */
interface Traits {
  ranges: [name: string, low: number, high: number, step: number][];
  values: Record<string, number>;
  along: string;
  along_word: string;
  caption: string;
  graph: string;
  plot: string;
}

type Topic = `change:${keyof Traits}` | "msg:custom";

interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  save_changes(): void;
  send(content: string): void;
  on(name: Topic, callback: () => void): void;
  off(name: Topic, callback: () => void): void;
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
  const theme = keepTheme(all); // the pictures read the theme of their closest ancestor
  el.append(host);

  const listeners: [Topic, () => void][] = [
    ["change:caption", () => (caption.textContent = model.get("caption"))],
    ["change:graph", () => graph.replaceChildren(...picture(model.get("graph")))],
    ["change:plot", () => plot.replaceChildren(...picture(model.get("plot")))],
    ["change:values", () => rows.forEach(({ update }) => update())],
  ];
  for (const [, show] of listeners) show();
  const showSliders = (): void => {
    host.hidden = false;
    host.className = "mg-explore-live";
  };
  listeners.push(["msg:custom", showSliders]);
  for (const [name, listener] of listeners) model.on(name, listener);
  model.send("ready?");
  return () => {
    for (const [name, listener] of listeners) model.off(name, listener);
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

/** An SVG from Python as elements; empty if Python could not draw it. */
function picture(markup: string): Element[] {
  if (!markup) return [];
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  return [document.adoptNode(parsed)];
}

export default { render };
