/**
 * The memory lane: the bytes that the graph keeps for the backward pass, as a curve above the slider
 * and as a table. A click on the curve goes to its stop.
 */

import { h, s, setAttributes } from "./dom";
import { stopOf } from "./moves";
import type { Pane } from "./panes/pane";
import type { MemoryData, MemoryPiece } from "./payload";
import type { Index } from "./state";
import type { Strings } from "./strings";

const HEIGHT = 40;

export interface Lane extends Pane {
  /** Draw the curve over these events; above the slider, if there is one. */
  draw(stops: readonly number[], slider?: Element): void;
}

/** Null if the payload has no data about memory. */
export function memoryLane(
  index: Index,
  t: Strings,
  goToStep: (step: number) => void,
  goToEvent: (event: number) => void,
): Lane | null {
  const { memory, memory_note: note } = index.payload;
  const remark = note && h("p", { class: "summary-text" }, note);
  if (memory) return new MemoryLane(index, memory, t, { goToStep, goToEvent }, remark);
  if (!remark) return null;
  const nothing = (): void => undefined;
  const element = h("section", { class: "memory", role: "group", "aria-label": t.kept }, remark);
  return { element, show: nothing, draw: nothing };
}

interface Moves {
  goToStep(step: number): void;
  goToEvent(event: number): void;
}

class MemoryLane implements Lane {
  readonly element: HTMLElement;
  readonly #most: number;
  readonly #now = s("rect", { class: "now", y: 0, width: 1, height: HEIGHT });
  readonly #past = s("rect", { y: 0, x: 0, height: HEIGHT });
  readonly #lane = h("div", { class: "lane", role: "img" });
  readonly #track = h("div", { class: "track" }, this.#lane);
  readonly #total = h("span");
  readonly #summary = h("summary");
  readonly #rows: { piece: MemoryPiece; row: HTMLElement }[];
  #stops: readonly number[] = [];
  #shown = -1;
  #isOver: boolean | null = null;

  readonly #index: Index;
  readonly #memory: MemoryData;
  readonly #t: Strings;
  readonly #moves: Moves;

  constructor(
    index: Index,
    memory: MemoryData,
    t: Strings,
    moves: Moves,
    remark: HTMLElement | undefined | "",
  ) {
    this.#index = index;
    this.#memory = memory;
    this.#t = t;
    this.#moves = moves;
    this.#most = Math.max(memory.start, ...memory.held, 1);
    this.#lane.addEventListener("click", ({ clientX }) => {
      const { left, width } = this.#lane.getBoundingClientRect();
      const at = Math.round(((clientX - left) / width) * (this.#stops.length - 1));
      const stop = this.#stops[at];
      if (stop !== undefined) moves.goToEvent(stop);
    });
    this.#rows = memory.pieces.map((piece) => ({ piece, row: this.#makeRow(piece) }));
    const title = h("b", {}, remark ? t.keptAsSeen : t.kept);
    this.#summary.append(
      h(
        "span",
        { class: "held" },
        h("span", { class: "summary-text" }, title, " ", this.#total),
        h("span", { class: "widest", "aria-hidden": "true" }, this.#widest(title)),
      ),
    );
    this.element = h(
      "section",
      { class: "memory", role: "group", "aria-label": t.kept },
      this.#track,
      h(
        "details",
        {},
        this.#summary,
        remark,
        h(
          "div",
          { class: "scroll", tabindex: 0, role: "group", "aria-label": t.keptList },
          this.#makeTable(),
        ),
      ),
    );
  }

  readonly draw: Lane["draw"] = (stops, slider) => {
    this.#stops = stops;
    if (slider) this.#track.append(slider);
    const height = (stop: number): number =>
      HEIGHT * (1 - (0.94 * this.#bytesAt(stop)) / this.#most);
    const outline = stops.map((stop, i) => `L${i} ${height(stop)}H${i + 1}`).join("");
    const area = `M0 ${HEIGHT}${outline}V${HEIGHT}Z`;
    const clip = `kept-${Math.random().toString(36).slice(2)}`;
    // From the middle of the first stop to that of the last, as the slider's thumb moves.
    const curve = s(
      "svg",
      {
        viewBox: `0.5 0 ${Math.max(stops.length - 1, 0.01)} ${HEIGHT}`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      },
      s("clipPath", { id: clip }, this.#past),
      s("path", { class: "kept", d: area }),
      s("path", { class: "kept so-far", d: area, "clip-path": `url(#${clip})` }),
      this.#now,
    );
    this.#lane.replaceChildren(curve);
    this.#shown = -1;
  };

  readonly show: Pane["show"] = ({ state, question }) => {
    const { steps } = this.#index.payload;
    const step = state.current.step;
    // Before the end of a step, or of its question, the tensors that it frees still count.
    const isOver = !question && state.at >= (steps[step]?.last ?? 0);
    const place = stopOf(this.#stops, state.at);
    setAttributes(this.#now, { x: place });
    setAttributes(this.#past, { width: place + 1 });
    if (step === this.#shown && isOver === this.#isOver) return;
    [this.#shown, this.#isOver] = [step, isOver];
    this.#showStep(step, this.#bytesIn(step, isOver));
    const reached = isOver ? step : step - 1;
    for (const { piece, row } of this.#rows) {
      const gone = piece.freed !== undefined && piece.freed <= reached;
      const when = gone ? "gone" : piece.born > reached ? "to-come" : "";
      if (row.className !== when) row.className = when;
    }
  };

  /** What is kept at the end of a step, or before. */
  #bytesIn(step: number, isOver: boolean): number {
    const { held, start } = this.#memory;
    return (isOver ? held[step] : step > 0 ? held[step - 1] : start) ?? 0;
  }

  #bytesAt(event: number): number {
    const { events, steps } = this.#index.payload;
    const step = events[event]?.step ?? 0;
    return this.#bytesIn(step, event >= (steps[step]?.last ?? 0));
  }

  #peak(): HTMLElement {
    const [t, most] = [this.#t, this.#most];
    const peak = this.#memory.held.indexOf(most);
    const text = peak < 0 ? t.keptPeakBefore(most) : t.keptPeak(most, peak + 1);
    return h("span", { class: "peak" }, ` (${text})`);
  }

  /** The longest text of all steps, which reserves its room. */
  #widest(title: HTMLElement): HTMLElement {
    const longest = [this.#memory.start, ...this.#memory.held]
      .map((bytes) => this.#t.bytes(bytes))
      .reduce((a, b) => (a.length < b.length ? b : a));
    return h("span", {}, title.cloneNode(true), ` ${longest}`, this.#peak());
  }

  #showStep(step: number, bytes: number): void {
    const t = this.#t;
    const { steps } = this.#index.payload;
    this.#total.replaceChildren(t.bytes(bytes), this.#peak());
    this.#summary.title = this.#total.textContent ?? "";
    setAttributes(this.#lane, {
      "aria-label": `${t.kept} ${t.stepOf(step + 1, steps.length)}: ${t.bytes(bytes)}`,
    });
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
    made.addEventListener("click", () => this.#moves.goToStep(freed));
    return made;
  }
}
