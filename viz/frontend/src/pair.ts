/**
 * Two steppers side by side that move together: the same program on two engines, say, of which one
 * is wrong.
 *
 * There is one position, a row and how far it has come, and both show it. Which steps stand in a
 * row, and what differs in it, was found out before (stepper/alignment.py). A pass that has no step
 * there stays where it was.
 */

import { controls } from "./controls";
import { h, quoted, setAttributes } from "./dom";
import { signOf } from "./marks";
import { MOVE_KEYS, type Mode, type Move } from "./moves";
import type { Pair, Payload, RowData } from "./payload";
import { player } from "./play";
import { CLICKER } from "./present";
import { stepper, type Guide } from "./stepper";
import { strings } from "./strings";
import type { ThemeKeeper } from "./theme";

/** The end of a row's turns is Infinity. */
type Place = readonly [row: number, offset: number];

/** Where both can stop: at the end of each row, or at each event of the turn that has more. */
export function placesOf(
  passes: readonly Payload[],
  rows: readonly RowData[],
  mode: Mode,
): Place[] {
  const longest = ({ steps }: RowData): number =>
    Math.max(
      ...steps.map((step, side) => {
        const turn = step === null ? undefined : passes[side]?.steps[step];
        return turn ? turn.last - turn.first + 1 : 0;
      }),
    );
  return rows.flatMap((row, n): Place[] =>
    mode === "node"
      ? [[n, Infinity]]
      : Array.from({ length: longest(row) }, (_, offset) => [n, offset]),
  );
}

/** Returns its element, and what ends its playing. */
export function pair(
  { passes, titles, rows, marks, said, differ, language }: Pair,
  theme: ThemeKeeper,
  alone = false,
): { element: HTMLElement; stop(): void } {
  const t = strings[language] ?? strings.en;
  let mode: Mode = "node";
  let places = placesOf(passes, rows, mode);
  let at = 0;

  const goTo = (place: number): void => {
    at = Math.min(Math.max(place, 0), places.length - 1);
    show();
  };
  const goToRow = (row: number, offset: number): void => {
    const found = places.findIndex(([r, k]) => r === row && (mode === "node" || k >= offset));
    if (found >= 0) goTo(found);
  };
  /** Next, where a question is open in either, shows the answers first. */
  const move = (name: Move): void => {
    const asked = name === "next" && parts.map((part) => part.settle()).includes(true);
    const to = { first: 0, previous: at - 1, next: at + 1, last: places.length - 1 };
    goTo(asked ? at : to[name]);
  };
  const play = player(
    () => {
      goTo(at + 1);
      return at < places.length - 1 && !parts.some((part) => part.asks());
    },
    (playing) => bar.showPlaying(playing),
  );
  const togglePlay = (): void => {
    if (play.playing) return play.stop();
    if (at === places.length - 1) goTo(0);
    play.start();
  };
  /** What the reader does by hand ends the playing. */
  const byHand =
    <A extends unknown[]>(action: (...args: A) => void) =>
    (...args: A): void => {
      play.stop();
      action(...args);
    };

  const parts = passes.map((payload, side) => {
    const rowOf = new Map(rows.map(({ steps }, row) => [steps[side] ?? -1, row]));
    const guide: Guide = {
      goToStep: byHand((step, offset) => goToRow(rowOf.get(step) ?? 0, offset)),
      marks: {
        nodes: marks[side] ?? {},
        stepOf: (step) => rows[rowOf.get(step) ?? -1]?.mark,
      },
    };
    return stepper(payload, theme, { guide });
  });
  const bar = controls(
    { ...t, keys: t.pairKeys },
    {
      move: byHand(move),
      goToStop: byHand(goTo),
      follow(chosen) {
        const [row] = places[at] ?? [0];
        mode = chosen;
        places = placesOf(passes, rows, mode);
        goToRow(row, 0);
      },
      togglePlay,
      setSpeed: play.setSpeed,
      predict(on) {
        for (const part of parts) part.predict(on);
      },
      setTheme: theme.choose,
    },
  );
  const difference = h("button", { type: "button" }, t.goToDifference);
  difference.addEventListener(
    "click",
    byHand(() => goToRow(differ ?? 0, 0)),
  );
  const halves = parts.map((part, i) =>
    h(
      "section",
      { class: "half", "aria-label": titles[i] ?? "" },
      h("h2", {}, titles[i] ?? ""),
      h("div", { class: "half-body" }, part.element),
    ),
  );
  for (const [i, { element }] of parts.entries()) {
    // The half is the landmark; of what is in both, each has a name of its own.
    setAttributes(element, { role: null, "aria-label": null });
    for (const part of element.querySelectorAll("section"))
      part.setAttribute("aria-label", `${titles[i] ?? ""}: ${part.getAttribute("aria-label")}`);
  }
  const [begins = "", ...more] = said;
  const row = h("p", {
    class: "beside scroll",
    role: "status",
    "aria-live": "polite",
    tabindex: 0,
  });
  const element = h(
    "div",
    { class: "pair", role: "region", "aria-label": t.pair, lang: language },
    h(
      "section",
      { class: "differ", "aria-label": t.said },
      h("p", {}, begins, differ !== undefined && " ", differ !== undefined && difference),
      more.length > 0 &&
        h(
          "ul",
          { class: "scroll", tabindex: 0, "aria-label": t.said },
          ...more.map((sentence) => h("li", {}, ...quoted(sentence))),
        ),
    ),
    row,
    h("div", { class: "halves" }, ...halves),
    bar.element,
  );
  const onKey = (event: KeyboardEvent): void => {
    const [target] = event.composedPath() as Element[];
    if (event.defaultPrevented || target?.matches?.("select, input:not([type=range])")) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const name = MOVE_KEYS[event.key] ?? CLICKER[event.key];
    if (name) byHand(move)(name);
    else if (event.key === "p") togglePlay();
    else return;
    event.preventDefault(); // the slider and the panes would move as well
    event.stopPropagation();
  };
  const listener: HTMLElement | Document = alone ? document : element;
  listener.addEventListener("keydown", onKey as EventListener);

  function show(): void {
    const [place, offset] = places[at] ?? [0, 0];
    const { mark, said: differs } = rows[place] ?? {};
    for (const [i, part] of parts.entries()) {
      const here = rows[place]?.steps[i] ?? null;
      if (here === null) part.goTo(before(i, place), Infinity, mode);
      else part.goTo(here, offset, mode);
      const goesOn = rows.slice(place).some(({ steps }) => (steps[i] ?? null) !== null);
      const absent = here !== null ? "" : ` (${goesOn ? t.noStep : t.over})`;
      halves[i]?.classList.toggle("over", here === null);
      halves[i]?.querySelector("h2")?.replaceChildren(titles[i] ?? "", absent);
    }
    row.replaceChildren();
    if (mark) row.append(signOf(mark, t), " ", differs ?? t.mark[mark]);
    row.scrollTop = 0;
    const title = parts.map((part) => part.title()).join(" | ");
    bar.show(at, places.length, `${t.stepOf(place + 1, rows.length)}: ${title}`);
  }
  /** The last step of a pass before a row in which it has none. */
  function before(side: number, place: number): number {
    const earlier = rows.slice(0, place).map(({ steps }) => steps[side] ?? null);
    return earlier.filter((step) => step !== null).at(-1) ?? 0;
  }
  show();
  return {
    element,
    stop(): void {
      play.stop();
      listener.removeEventListener("keydown", onKey as EventListener);
      for (const part of parts) part.stop();
    },
  };
}
