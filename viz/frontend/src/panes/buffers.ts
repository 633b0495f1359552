/**
 * What waits where: the sums in front of the nodes that have not run yet, and `.grad` of the
 * leaves.
 *
 * "1 of 2 arrived" is the answer to why a node does not run yet, and so to what the order of the
 * walk is for.
 */

import { h } from "../dom";
import { formatInline, formatShape } from "../numbers";
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
    leaves,
  );

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
      h("th", { scope: "row", colspan: arrived === null ? 2 : null }, name),
      arrived !== null && h("td", {}, arrived),
      h("td", {}, h("span", { class: "type" }, shapeOf(value)), " ", valueText(value)),
    );
  // There may be hundreds of leaves, and a step changes one: a row is made anew if it says else.
  const rows = new Map<string, { said: string; row: HTMLElement }>();
  const leafRow = (node: string, value: number | null, touched: boolean): void => {
    const said = `${value} ${touched}`;
    const old = rows.get(node);
    if (old?.said === said) return;
    const fresh = row(`${leafOf(index, node)?.name ?? node}.grad`, null, value, touched);
    rows.set(node, { said, row: fresh });
    if (old) old.row.replaceWith(fresh);
    else leaves.append(fresh);
  };

  const bufferRow = (state: State, buffer: Buffer): HTMLElement => {
    const key = bufferKey(buffer.node, buffer.index);
    const expected = index.expected.get(`${state.pass}/${key}`) ?? buffer.arrivals;
    const name =
      nameOf(index, buffer.node) + (buffer.index > 0 ? ` (${t.output(buffer.index)})` : "");
    return row(name, t.ofCount(buffer.arrivals, expected), buffer.value, state.touched.has(key));
  };

  return {
    element: section(
      "buffers",
      t.buffers,
      h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t.buffers }, table),
    ),
    show({ state }) {
      const sums = [...state.buffers.values()].map((buffer) => bufferRow(state, buffer));
      waiting.replaceChildren(
        ...(sums.length
          ? sums
          : [h("tr", {}, h("td", { colspan: 3, class: "type" }, t.noneWaits))]),
      );
      for (const [node, value] of state.gradients) leafRow(node, value, state.touched.has(node));
    },
  };
}
