/**
 * Two steppers side by side that move together: the same program on two engines, say, of which one
 * is wrong.
 *
 * There is one position, a step and how far it has come, and both show it. A pass that is over
 * sooner stays at its end.
 */

import { controls } from "./controls";
import { h, setAttributes } from "./dom";
import { MOVE_KEYS, type Mode, type Move } from "./moves";
import type { Pair, Payload } from "./payload";
import { player } from "./play";
import { CLICKER } from "./present";
import { stepper, type Guide } from "./stepper";
import { strings } from "./strings";
import type { ThemeKeeper } from "./theme";

/** The end of a step's turn is Infinity. */
type Place = readonly [step: number, offset: number];

/** Where both can stop: at the end of each turn, or at each event of the one that has more. */
export function placesOf(passes: readonly Payload[], mode: Mode): Place[] {
  const count = Math.max(...passes.map(({ steps }) => steps.length));
  const longest = (step: number): number =>
    Math.max(...passes.map(({ steps: { [step]: s } }) => (s ? s.last - s.first + 1 : 0)));
  return Array.from({ length: count }, (_, step): Place[] =>
    mode === "node"
      ? [[step, Infinity]]
      : Array.from({ length: longest(step) }, (_, offset) => [step, offset]),
  ).flat();
}

/** Returns its element, and what ends its playing. */
export function pair(
  { passes, titles, differ, language }: Pair,
  theme: ThemeKeeper,
  alone = false,
): { element: HTMLElement; stop(): void } {
  const t = strings[language] ?? strings.en;
  let mode: Mode = "node";
  let places = placesOf(passes, mode);
  let at = 0;

  const goTo = (place: number): void => {
    at = Math.min(Math.max(place, 0), places.length - 1);
    show();
  };
  const goToStep = (step: number, offset: number): void => {
    const found = places.findIndex(([s, k]) => s === step && (mode === "node" || k >= offset));
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

  const guide: Guide = { goToStep: byHand(goToStep), differs: differ ?? null };
  const parts = passes.map((payload) => stepper(payload, theme, { guide }));
  const bar = controls(
    { ...t, keys: t.pairKeys },
    {
      move: byHand(move),
      goToStop: byHand(goTo),
      follow(chosen) {
        const [step] = places[at] ?? [0];
        mode = chosen;
        places = placesOf(passes, mode);
        goToStep(step, 0);
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
    byHand(() => goToStep(differ ?? 0, 0)),
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
  const known = differ !== undefined;
  const element = h(
    "div",
    { class: "pair", role: "region", "aria-label": t.pair, lang: language },
    h("p", { class: "differ" }, known ? t.differFrom(differ + 1) : t.differNowhere),
    h("div", { class: "halves" }, ...halves),
    bar.element,
  );
  if (known) element.querySelector(".differ")?.append(" ", difference);
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
    const [step, offset] = places[at] ?? [0, 0];
    for (const [i, part] of parts.entries()) {
      part.goTo(step, offset, mode);
      const over = step >= (passes[i]?.steps.length ?? 0);
      halves[i]?.classList.toggle("over", over);
      halves[i]?.querySelector("h2")?.replaceChildren(titles[i] ?? "", over ? ` (${t.over})` : "");
    }
    const count = Math.max(...passes.map(({ steps }) => steps.length));
    const title = parts.map((part) => part.title()).join(" | ");
    bar.show(at, places.length, `${t.stepOf(step + 1, count)}: ${title}`);
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
