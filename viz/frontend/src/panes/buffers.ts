/**
 * What waits where: the sums in front of the nodes that have not run yet, and `.grad` of the
 * leaves.
 *
 * "1 of 2 arrived" is the answer to why a node does not run yet, and so to what the order of the
 * walk is for.
 */

import { h, setAttributes } from "../dom";
import { formatInline, formatShape } from "../numbers";
import { rows } from "../rows";
import { bufferKey, leafOf, nameOf, type Buffer, type Index, type State } from "../state";
import type { Strings } from "../strings";
import { section, type Pane } from "./pane";

export function buffersPane(index: Index, t: Strings): Pane {
  const { values } = index.payload;
  const waiting = h("tbody");
  const leaves = h("tbody");
  const table = h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...[t.node, t.arrivals, t.value].map((title) => h("th", { scope: "col" }, title)),
      ),
    ),
    waiting,
  );
  // By itself: what waits above it moves no row of it.
  const gradients = h("table", { "aria-label": ".grad" }, leaves);

  const valueText = (value: number | null): string => {
    const data = value === null ? undefined : values[value];
    return data ? formatInline(data) : t.none;
  };
  const shapeOf = (value: number | null): string => {
    const data = value === null ? undefined : values[value];
    return data && data.shape.length ? formatShape(data.shape, t.scalar) : "";
  };
  const row = (
    name: string,
    arrived: string | null,
    value: number | null,
    touched: boolean,
  ): HTMLElement =>
    h(
      "tr",
      { class: touched ? "touched" : null },
      h("th", { scope: "row" }, name),
      arrived !== null && h("td", {}, arrived),
      h("td", {}, h("span", { class: "type" }, shapeOf(value)), " ", valueText(value)),
    );
  // A step changes one leaf of hundreds: a row is made anew if it says else.
  const nodes = leavesOf(index);
  const said: string[] = [];
  let last: State | null = null;
  const saying = (node: string): string =>
    `${last?.gradients.get(node) ?? null} ${last?.touched.has(node)}`;
  const leafRow = (place: number): HTMLElement => {
    const node = nodes[place] ?? "";
    said[place] = saying(node);
    const name = `${leafOf(index, node)?.name ?? node}.grad`;
    const touched = last?.touched.has(node) ?? false;
    const made = row(name, null, last?.gradients.get(node) ?? null, touched);
    setAttributes(made, { "aria-rowindex": place + 1 });
    return made;
  };

  const bufferRow = (state: State, buffer: Buffer): HTMLElement => {
    const key = bufferKey(buffer.node, buffer.index);
    const expected = index.expected.get(`${state.pass}/${key}`) ?? buffer.arrivals;
    const name =
      nameOf(index, buffer.node) + (buffer.index > 0 ? ` (${t.output(buffer.index)})` : "");
    return row(name, t.ofCount(buffer.arrivals, expected), buffer.value, state.touched.has(key));
  };

  const scroller = h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": t.buffers },
    table,
    gradients,
  );
  setAttributes(gradients, { "aria-rowcount": nodes.length });
  const items = rows(scroller, leaves, nodes.length, leafRow);
  return {
    element: section("buffers", t.buffers, scroller),
    show({ state }) {
      const sums = [...state.buffers.values()].map((buffer) => bufferRow(state, buffer));
      waiting.replaceChildren(
        ...(sums.length
          ? sums
          : [h("tr", {}, h("td", { colspan: 3, class: "type" }, t.noneWaits))]),
      );
      last = state;
      for (const place of items.made.keys())
        if (said[place] !== saying(nodes[place] ?? "")) items.renew(place);
    },
    reveal: items.look,
  };
}

/** The nodes that write to a `.grad`. */
const leavesOf = ({ initial, payload }: Index): string[] => [
  ...new Set([
    ...initial.keys(),
    ...payload.events.filter(({ kind }) => kind === "leaf_gradient").map(({ node }) => node),
  ]),
];
