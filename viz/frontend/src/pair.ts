/**
 * Two steppers side by side that move together: for example the same program on two engines, one of
 * which is wrong.
 *
 * They share one position: a row and an offset in it. stepper/alignment.py computed the steps of each
 * row and their differences. A pass without a step in a row stays where it was.
 */

import { controls, type Controls } from "./controls";
import { h, parseCode, setAttributes } from "./dom";
import { listenForKeys } from "./keys";
import { signOf } from "./marks";
import { MOVE_KEYS, type Mode, type Move } from "./moves";
import type { Pair, Payload, RowData } from "./payload";
import { player, type Player } from "./play";
import { CLICKER } from "./present";
import { stepper, type Part } from "./stepper";
import { strings, type Strings } from "./strings";
import type { ThemeKeeper } from "./theme";

/** A row and an offset in its steps; their end is Infinity. */
type Place = readonly [row: number, offset: number];

/** The common stops: the end of each row, or each event of the longer step. */
export function placesOf(
  passes: readonly Payload[],
  rows: readonly RowData[],
  mode: Mode,
): Place[] {
  const longest = ({ steps }: RowData): number =>
    Math.max(
      ...steps.map((step, side) => {
        const own = step === null ? undefined : passes[side]?.steps[step];
        return own ? own.last - own.first + 1 : 0;
      }),
    );
  return rows.flatMap((row, n): Place[] =>
    mode === "node"
      ? [[n, Infinity]]
      : Array.from({ length: longest(row) }, (_, offset) => [n, offset]),
  );
}

/** A pair: its element, and a function that stops playing and listening. */
export const pair = (
  data: Pair,
  theme: ThemeKeeper,
  alone = false,
): { element: HTMLElement; stop(): void } => new SideBySide(data, theme, alone);

class SideBySide {
  readonly element: HTMLElement;
  readonly #t: Strings;
  #mode: Mode = "node";
  #places: Place[];
  #at = 0;
  readonly #play: Player;
  readonly #parts: Part[];
  readonly #bar: Controls;
  readonly #halves: HTMLElement[];
  readonly #difference: HTMLElement;
  readonly #unlisten: () => void;

  readonly #data: Pair;

  constructor(data: Pair, theme: ThemeKeeper, alone: boolean) {
    this.#data = data;
    const { language, passes, rows } = data;
    this.#t = strings[language] ?? strings.en;
    this.#places = placesOf(passes, rows, this.#mode);
    this.#play = player(
      () => {
        this.#goTo(this.#at + 1);
        return this.#at < this.#places.length - 1 && !this.#parts.some((part) => part.asks());
      },
      (playing) => this.#bar.showPlaying(playing),
    );
    this.#parts = passes.map((payload, side) => this.#makePart(payload, side, theme));
    this.#bar = this.#makeControls(theme);
    this.#halves = this.#parts.map((part, side) => this.#makeHalf(part, side));
    this.#difference = h("p", {
      class: "difference scroll",
      role: "status",
      "aria-live": "polite",
      tabindex: 0,
    });
    this.element = h(
      "div",
      { class: "pair", role: "region", "aria-label": this.#t.pair, lang: language },
      this.#makeSummary(),
      this.#difference,
      h("div", { class: "halves" }, ...this.#halves),
      this.#bar.element,
    );
    this.#unlisten = listenForKeys(alone ? document : this.element, (key) => this.#press(key));
    this.#show();
  }

  stop(): void {
    this.#play.stop();
    this.#unlisten();
    for (const part of this.#parts) part.stop();
  }

  // --- Moves

  #goTo(place: number): void {
    this.#at = Math.min(Math.max(place, 0), this.#places.length - 1);
    this.#show();
  }

  #goToRow(row: number, offset: number): void {
    const found = this.#places.findIndex(
      ([r, k]) => r === row && (this.#mode === "node" || k >= offset),
    );
    if (found >= 0) this.#goTo(found);
  }

  /** Next shows the answers first if a question is open in either half. */
  readonly #move = (name: Move): void => {
    const [at, places, parts] = [this.#at, this.#places, this.#parts];
    const answers = name === "next" && parts.map((part) => part.settle()).includes(true);
    const to = { first: 0, previous: at - 1, next: at + 1, last: places.length - 1 };
    this.#goTo(answers ? at : to[name]);
  };

  #togglePlay(): void {
    if (this.#play.playing) return this.#play.stop();
    if (this.#at === this.#places.length - 1) this.#goTo(0);
    this.#play.start();
  }

  #follow(mode: Mode): void {
    const [row] = this.#places[this.#at] ?? [0];
    this.#mode = mode;
    this.#places = placesOf(this.#data.passes, this.#data.rows, mode);
    this.#goToRow(row, 0);
  }

  /** Handle a key; false if it has no meaning here. */
  #press(key: string): boolean {
    const name = MOVE_KEYS[key] ?? CLICKER[key];
    if (name) this.#play.byHand(this.#move)(name);
    else if (key === "p") this.#togglePlay();
    else return false;
    return true;
  }

  // --- Parts

  #makePart(payload: Payload, side: number, theme: ThemeKeeper): Part {
    const { rows, marks } = this.#data;
    const rowOf = new Map(rows.map(({ steps }, row) => [steps[side] ?? -1, row]));
    const goToStep = (step: number, offset: number): void =>
      this.#goToRow(rowOf.get(step) ?? 0, offset);
    return stepper(payload, theme, {
      guide: {
        goToStep: this.#play.byHand(goToStep),
        marks: {
          nodes: marks[side] ?? {},
          stepOf: (step) => rows[rowOf.get(step) ?? -1]?.mark,
        },
      },
    });
  }

  #makeControls(theme: ThemeKeeper): Controls {
    const { byHand, setSpeed } = this.#play;
    return controls(
      { ...this.#t, keys: this.#t.pairKeys },
      {
        move: byHand(this.#move),
        goToStop: byHand((stop: number) => this.#goTo(stop)),
        follow: (mode) => this.#follow(mode),
        togglePlay: () => this.#togglePlay(),
        setSpeed,
        predict: (on) => this.#parts.forEach((part) => part.predict(on)),
        setTheme: theme.choose,
      },
    );
  }

  #makeHalf({ element }: Part, side: number): HTMLElement {
    const title = this.#data.titles[side] ?? "";
    // The pair is the landmark, and each part of a half has a name of its own.
    setAttributes(element, { role: null, "aria-label": null });
    for (const section of element.querySelectorAll("section"))
      section.setAttribute("aria-label", `${title}: ${section.getAttribute("aria-label")}`);
    return h(
      "section",
      { class: "half", role: "group", "aria-label": title },
      h("h2", {}, title),
      h("div", { class: "half-body" }, element),
    );
  }

  /** The first difference with a button that leads there, and a list of the others. */
  #makeSummary(): HTMLElement {
    const t = this.#t;
    const { said, differ } = this.#data;
    const [first = "", ...more] = said;
    const button = h("button", { type: "button" }, t.goToDifference);
    button.addEventListener(
      "click",
      this.#play.byHand(() => this.#goToRow(differ ?? 0, 0)),
    );
    const sentences = more.map((sentence) => h("li", {}, ...parseCode(sentence)));
    return h(
      "section",
      { class: "differ", role: "group", "aria-label": t.said },
      h("p", {}, first, differ !== undefined && " ", differ !== undefined && button),
      more.length > 0 &&
        h("ul", { class: "scroll", tabindex: 0, "aria-label": t.said }, ...sentences),
    );
  }

  // --- Showing

  #show(): void {
    const [t, parts, difference] = [this.#t, this.#parts, this.#difference];
    const { rows } = this.#data;
    const [place, offset] = this.#places[this.#at] ?? [0, 0];
    const { mark, said } = rows[place] ?? {};
    for (const [side, part] of parts.entries()) this.#showPart(part, side, place, offset);
    difference.replaceChildren();
    if (mark) difference.append(signOf(mark, t), " ", said ?? t.mark[mark]);
    difference.scrollTop = 0;
    const title = parts.map((part) => part.title()).join(" | ");
    this.#bar.show(this.#at, this.#places.length, `${t.stepOf(place + 1, rows.length)}: ${title}`);
  }

  #showPart(part: Part, side: number, place: number, offset: number): void {
    const [t, mode, halves] = [this.#t, this.#mode, this.#halves];
    const { rows, titles } = this.#data;
    const here = rows[place]?.steps[side] ?? null;
    if (here === null) part.goTo(this.#stepBefore(side, place), Infinity, mode);
    else part.goTo(here, offset, mode);
    const goesOn = rows.slice(place).some(({ steps }) => (steps[side] ?? null) !== null);
    const absent = here !== null ? "" : ` (${goesOn ? t.noStep : t.over})`;
    halves[side]?.classList.toggle("over", here === null);
    halves[side]?.querySelector("h2")?.replaceChildren(titles[side] ?? "", absent);
  }

  /** The last step of a pass before a row in which it has none. */
  #stepBefore(side: number, place: number): number {
    const earlier = this.#data.rows.slice(0, place).map(({ steps }) => steps[side] ?? null);
    return earlier.filter((step) => step !== null).at(-1) ?? 0;
  }
}
