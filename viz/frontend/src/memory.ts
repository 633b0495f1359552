/**
 * The memory lane: the bytes that the graph keeps for the backward pass, as a curve over the steps
 * and as a table. A click on the curve shows its step.
 */

import { h, s, setAttributes } from "./dom";
import type { Pane } from "./panes/pane";
import type { MemoryData, MemoryPiece } from "./payload";
import type { Index } from "./state";
import type { Strings } from "./strings";

const HEIGHT = 40;

/** Null if the payload has no data about memory. */
export function memoryLane(
  index: Index,
  t: Strings,
  goToStep: (step: number) => void,
): Pane | null {
  const { memory, memory_note: note } = index.payload;
  const remark = note && h("p", { class: "summary-text" }, note);
  if (memory) return new MemoryLane(index, memory, t, goToStep, remark);
  if (!remark) return null;
  return {
    element: h("section", { class: "memory", "aria-label": t.kept }, remark),
    show: () => undefined,
  };
}

class MemoryLane implements Pane {
  readonly element: HTMLElement;
  readonly #most: number;
  readonly #now = s("rect", { class: "now", y: 0, width: 1, height: HEIGHT });
  readonly #past = s("rect", { y: 0, x: 0, height: HEIGHT });
  readonly #lane: HTMLElement;
  readonly #total = h("span");
  readonly #rows: { piece: MemoryPiece; row: HTMLElement }[];
  #shown = -1;
  #isOver: boolean | null = null;

  readonly #index: Index;
  readonly #memory: MemoryData;
  readonly #t: Strings;
  readonly #goToStep: (step: number) => void;

  constructor(
    index: Index,
    memory: MemoryData,
    t: Strings,
    goToStep: (step: number) => void,
    remark: HTMLElement | undefined | "",
  ) {
    this.#index = index;
    this.#memory = memory;
    this.#t = t;
    this.#goToStep = goToStep;
    this.#most = Math.max(memory.start, ...memory.held, 1);
    this.#lane = this.#makeCurve();
    this.#rows = memory.pieces.map((piece) => ({ piece, row: this.#makeRow(piece) }));
    const title = h("b", {}, remark ? t.keptAsSeen : t.kept);
    this.element = h(
      "section",
      { class: "memory", "aria-label": t.kept },
      this.#lane,
      h(
        "details",
        {},
        h(
          "summary",
          { title: t.keptList },
          h("span", { class: "summary-text" }, title, " ", this.#total),
        ),
        remark,
        h(
          "div",
          { class: "scroll", tabindex: 0, role: "group", "aria-label": t.keptList },
          this.#makeTable(),
        ),
      ),
    );
  }

  readonly show: Pane["show"] = ({ state, question }) => {
    const { steps } = this.#index.payload;
    const step = state.current.step;
    // Before the end of a step, or of its question, the tensors that it frees still count.
    const isOver = !question && state.at >= (steps[step]?.last ?? 0);
    if (step === this.#shown && isOver === this.#isOver) return;
    [this.#shown, this.#isOver] = [step, isOver];
    this.#showStep(step, isOver);
    const reached = isOver ? step : step - 1;
    for (const { piece, row } of this.#rows) {
      const gone = piece.freed !== undefined && piece.freed <= reached;
      const when = gone ? "gone" : piece.born > reached ? "to-come" : "";
      if (row.className !== when) row.className = when;
    }
  };

  #showStep(step: number, isOver: boolean): void {
    const [t, memory, most] = [this.#t, this.#memory, this.#most];
    const { steps } = this.#index.payload;
    const before = step > 0 ? memory.held[step - 1] : memory.start;
    const bytes = (isOver ? memory.held[step] : before) ?? 0;
    setAttributes(this.#now, { x: step });
    setAttributes(this.#past, { width: step + 1 });
    const peak = memory.held.indexOf(most);
    const peakText = peak < 0 ? t.keptPeakBefore(most) : t.keptPeak(most, peak + 1);
    this.#total.textContent = `${t.bytes(bytes)} (${peakText})`;
    setAttributes(this.#lane, {
      "aria-label": `${t.kept} ${t.stepOf(step + 1, steps.length)}: ${t.bytes(bytes)}`,
    });
  }

  /** The curve for the pointer; for the keyboard, the table has buttons. */
  #makeCurve(): HTMLElement {
    const { held } = this.#memory;
    const count = this.#index.payload.steps.length;
    const height = (bytes: number): number => HEIGHT * (1 - (0.94 * bytes) / this.#most);
    const outline = held.map((bytes, i) => `L${i} ${height(bytes)}H${i + 1}`).join("");
    const area = `M0 ${HEIGHT}${outline}V${HEIGHT}Z`;
    const clip = `kept-${Math.random().toString(36).slice(2)}`;
    const curve = s(
      "svg",
      {
        viewBox: `0 0 ${held.length} ${HEIGHT}`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      s("clipPath", { id: clip }, this.#past),
      s("path", { class: "kept", d: area }),
      s("path", { class: "kept so-far", d: area, "clip-path": `url(#${clip})` }),
      this.#now,
    );
    const lane = h("div", { class: "lane", role: "img" }, curve);
    lane.addEventListener("click", ({ clientX }) => {
      const box = lane.getBoundingClientRect();
      const step = Math.floor(((clientX - box.left) / box.width) * count);
      this.#goToStep(Math.min(Math.max(step, 0), count - 1));
    });
    return lane;
  }

  #makeTable(): HTMLElement {
    const t = this.#t;
    const titles = [t.keptTensor, t.keptSize, t.keptBy, t.keptUntil];
    return h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...titles.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...this.#rows.map(({ row }) => row)),
    );
  }

  #makeRow({ name, node, bytes, freed }: MemoryPiece): HTMLElement {
    const [t, index] = [this.#t, this.#index];
    const end = freed === undefined ? t.keptToTheEnd : this.#makeButton(freed);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", {}, name)),
      h("td", { class: "number" }, t.bytes(bytes)),
      h("td", {}, index.titles.get(node) ?? index.node.get(node)?.name),
      h("td", {}, end),
    );
  }

  #makeButton(freed: number): HTMLElement {
    const made = h("button", { type: "button" }, this.#t.keptUntilStep(freed + 1));
    made.addEventListener("click", () => this.#goToStep(freed));
    return made;
  }
}
