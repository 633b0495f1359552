/**
 * The memory lane: the bytes that the graph keeps for the pass, step by step, as a curve
 * that leads to the step that is clicked, and as a table.
 */

import { h, s, setAttributes } from "./dom";
import type { Pane } from "./panes/pane";
import type { Index } from "./state";
import type { Strings } from "./strings";

const HEIGHT = 40;

export function memoryLane(
  index: Index,
  t: Strings,
  goToStep: (step: number) => void,
): Pane | null {
  const { memory, memory_note: note, steps, nodes } = index.payload;
  const unseen = note && h("p", { class: "told" }, note);
  if (!memory)
    return unseen
      ? {
          element: h("section", { class: "memory", "aria-label": t.kept }, unseen),
          show: () => undefined,
        }
      : null;
  const { held, start, pieces } = memory;
  const most = Math.max(start, ...held, 1);
  const peak = held.indexOf(most);
  const title = new Map(nodes.map((node) => [node.id, index.titles.get(node.id) ?? node.name]));

  const height = (bytes: number): number => HEIGHT * (1 - (0.94 * bytes) / most);
  const outline = held.map((bytes, i) => `L${i} ${height(bytes)}H${i + 1}`).join("");
  const area = `M0 ${HEIGHT}${outline}V${HEIGHT}Z`;
  const now = s("rect", { class: "now", y: 0, width: 1, height: HEIGHT });
  const past = s("rect", { y: 0, x: 0, height: HEIGHT });
  const clip = `kept-${Math.random().toString(36).slice(2)}`;
  const curve = s(
    "svg",
    { viewBox: `0 0 ${held.length} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    s("clipPath", { id: clip }, past),
    s("path", { class: "kept", d: area }),
    s("path", { class: "kept so-far", d: area, "clip-path": `url(#${clip})` }),
    now,
  );
  // A picture of what stands beside it in words. The keyboard leads by the buttons in the table.
  const lane = h("div", { class: "lane", role: "img" }, curve);
  lane.addEventListener("click", ({ clientX }) => {
    const box = lane.getBoundingClientRect();
    const step = Math.floor(((clientX - box.left) / box.width) * steps.length);
    goToStep(Math.min(Math.max(step, 0), steps.length - 1));
  });

  const told = h("span");
  const rows = pieces.map((piece) => {
    const { freed } = piece;
    const until =
      freed === undefined
        ? t.keptToTheEnd
        : h("button", { type: "button" }, t.keptUntilStep(freed + 1));
    if (until instanceof HTMLElement) until.addEventListener("click", () => goToStep(freed ?? 0));
    const row = h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", {}, piece.name)),
      h("td", { class: "number" }, t.bytes(piece.bytes)),
      h("td", {}, title.get(piece.node)),
      h("td", {}, until),
    );
    return { piece, row };
  });
  const table = h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...[t.keptTensor, t.keptSize, t.keptBy, t.keptUntil].map((name) =>
          h("th", { scope: "col" }, name),
        ),
      ),
    ),
    h("tbody", {}, ...rows.map(({ row }) => row)),
  );
  const element = h(
    "section",
    { class: "memory", "aria-label": t.kept },
    lane,
    h(
      "details",
      {},
      h(
        "summary",
        { title: t.keptList },
        h("span", { class: "told" }, h("b", {}, note ? t.keptAsSeen : t.kept), " ", told),
      ),
      unseen,
      h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": t.keptList }, table),
    ),
  );
  let shown = -1;
  let whole: boolean | null = null;
  return {
    element,
    show({ state, question }) {
      const step = state.turn.step;
      // Within a turn, and where its end is still to be said, what it frees is not gone yet.
      const over = !question && state.at >= (steps[step]?.last ?? 0);
      if (step === shown && over === whole) return;
      [shown, whole] = [step, over];
      const bytes = (over ? held[step] : step > 0 ? held[step - 1] : start) ?? 0;
      setAttributes(now, { x: step });
      setAttributes(past, { width: step + 1 });
      const peakAt = peak < 0 ? t.keptPeakBefore(most) : t.keptPeak(most, peak + 1);
      told.textContent = `${t.bytes(bytes)} (${peakAt})`;
      setAttributes(lane, {
        "aria-label": `${t.kept} ${t.stepOf(step + 1, steps.length)}: ${t.bytes(bytes)}`,
      });
      const reached = over ? step : step - 1;
      for (const { piece, row } of rows) {
        const gone = piece.freed !== undefined && piece.freed <= reached;
        const when = gone ? "gone" : piece.born > reached ? "to-come" : "";
        if (row.className !== when) row.className = when;
      }
    },
  };
}
