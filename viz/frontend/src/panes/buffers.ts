/**
 * The gradients that wait: the sums in front of nodes that have not run yet, and `.grad` of leaves.
 *
 * "1 of 2 arrived" explains why a node does not run yet, and why the engine orders nodes at all.
 */

import { h, setAttributes } from "../dom";
import { formatInline, formatShape } from "../numbers";
import { rows } from "../rows";
import { bufferKey, leafOf, nameOf, type Buffer, type Index, type State } from "../state";
import type { Strings } from "../strings";
import { section, type Pane } from "./pane";

export function buffersPane(index: Index, t: Strings): Pane {
  const waiting = h("tbody");
  const leaves = h("tbody");
  const titles = [t.node, t.arrivals, t.value];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))),
    waiting,
  );
  const nodes = leavesOf(index);
  // A table of its own, so that changes above it move none of its rows.
  const gradients = h("table", { "aria-label": ".grad", "aria-rowcount": nodes.length }, leaves);
  const scroller = h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": t.buffers },
    table,
    gradients,
  );
  // A step changes one leaf of hundreds: only rows with a new content are replaced.
  const contents: string[] = [];
  let last: State | null = null;
  const contentOf = (node: string): string =>
    `${last?.gradients.get(node) ?? null} ${last?.touched.has(node)}`;
  const items = rows(scroller, leaves, nodes.length, (place) => {
    const node = nodes[place] ?? "";
    contents[place] = contentOf(node);
    const made = leafRow(index, t, node, last);
    setAttributes(made, { "aria-rowindex": place + 1 });
    return made;
  });
  return {
    element: section("buffers", t.buffers, scroller),
    show({ state }) {
      const sums = [...state.buffers.values()].map((buffer) => bufferRow(index, t, state, buffer));
      const none = h("tr", {}, h("td", { colspan: 3, class: "type" }, t.noneWaits));
      waiting.replaceChildren(...(sums.length ? sums : [none]));
      last = state;
      for (const place of items.made.keys())
        if (contents[place] !== contentOf(nodes[place] ?? "")) items.renew(place);
    },
    reveal: items.look,
  };
}

/** A sum in front of a node, and how many of its gradients have arrived. */
function bufferRow(index: Index, t: Strings, state: State, buffer: Buffer): HTMLElement {
  const key = bufferKey(buffer.node, buffer.index);
  const expected = index.expected.get(`${state.pass}/${key}`) ?? buffer.arrivals;
  const output = buffer.index > 0 ? ` (${t.output(buffer.index)})` : "";
  return h(
    "tr",
    { class: state.touched.has(key) ? "touched" : null },
    h("th", { scope: "row" }, nameOf(index, buffer.node) + output),
    h("td", {}, t.ofCount(buffer.arrivals, expected)),
    valueCell(index, t, buffer.value),
  );
}

/** `.grad` of a leaf. */
function leafRow(index: Index, t: Strings, node: string, state: State | null): HTMLElement {
  return h(
    "tr",
    { class: state?.touched.has(node) ? "touched" : null },
    h("th", { scope: "row" }, `${leafOf(index, node)?.name ?? node}.grad`),
    valueCell(index, t, state?.gradients.get(node) ?? null),
  );
}

function valueCell({ payload }: Index, t: Strings, value: number | null): HTMLElement {
  const data = payload.values[value ?? -1];
  const shape = data?.shape.length ? formatShape(data.shape, t.scalar) : "";
  const text = data ? formatInline(data) : t.none;
  return h("td", {}, h("span", { class: "type" }, shape), " ", text);
}

/** The nodes that write to a `.grad`. */
const leavesOf = ({ initial, payload }: Index): string[] => [
  ...new Set([
    ...initial.keys(),
    ...payload.events.filter(({ kind }) => kind === "leaf_gradient").map(({ node }) => node),
  ]),
];
