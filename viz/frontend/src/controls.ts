/** The row of controls: moves, playing, the slider and the settings. */

import { h, setAttributes } from "./dom";
import { icon, type IconName } from "./icons";
import type { Mode, Move } from "./moves";
import { SPEEDS } from "./play";
import type { Strings } from "./strings";
import { CHOICES, type Choice } from "./theme";

export interface Controls {
  element: HTMLElement;
  /** Show stop `stop` of `count` (from 0); `text` is for screen readers. */
  show(stop: number, count: number, text: string): void;
  showPlaying(playing: boolean): void;
  /** Put an element in place of the slider, which moves into it; return the slider. */
  hold(around: HTMLElement): HTMLElement;
}

export interface Actions {
  move(move: Move): void;
  goToStop(stop: number): void;
  follow(mode: Mode): void;
  togglePlay(): void;
  setSpeed(movesPerSecond: number): void;
  /** Optional: without it there is no button. */
  predict?(on: boolean): void;
  setTheme(choice: Choice): void;
  present?(): void;
}

const MOVES: readonly Move[] = ["first", "previous", "next", "last"];

export function controls(t: Strings, actions: Actions): Controls {
  const moves = MOVES.map((name) => {
    const made = button(name, t[name], () => {
      // aria-disabled, because a button that disables itself would lose the keyboard's focus.
      if (made.getAttribute("aria-disabled") !== "true") actions.move(name);
    });
    return made;
  });
  const play = button("play", t.play, actions.togglePlay);
  const speed = choice(
    t.speed,
    SPEEDS.map((x) => [String(x), `${x}×`]),
    (value) => actions.setSpeed(Number(value)),
  );
  speed.value = "1";
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": t.position });
  slider.addEventListener("input", () => actions.goToStop(Number(slider.value)));
  const position = h("span", { class: "position" });
  const element = h(
    "div",
    { class: "controls", role: "group", "aria-label": t.position },
    h("div", { class: "moves" }, ...moves),
    h("div", { class: "moves" }, play, speed),
    slider,
    position,
    ...settings(t, actions, (unfolded) => element.classList.toggle("unfolded", unfolded)),
  );
  return {
    element,
    show(stop, count, text) {
      for (const [i, made] of moves.entries()) {
        made.setAttribute("aria-disabled", String(i < 2 ? stop === 0 : stop === count - 1));
      }
      slider.max = String(count - 1);
      slider.value = String(stop);
      slider.setAttribute("aria-valuetext", text);
      position.textContent = `${stop + 1} / ${count}`;
      position.title = text;
    },
    hold(around) {
      slider.replaceWith(around);
      return slider;
    },
    showPlaying(playing) {
      const title = playing ? t.pause : t.play;
      setAttributes(play, { title, "aria-label": title });
      play.replaceChildren(icon(playing ? "pause" : "play"));
    },
  };
}

/** Mode, prediction, theme and help, which a narrow stepper folds away; and presentation. */
function settings(
  t: Strings,
  actions: Actions,
  unfold: (unfolded: boolean) => void,
): (HTMLElement | undefined)[] {
  const modes: [Mode, string][] = [
    ["node", t.wholeNodes],
    ["detail", t.detail],
  ];
  const mode = choice(t.follow, modes, (value) => actions.follow(value as Mode));
  const present = actions.present && button("screen", t.present, actions.present);
  const keys = h("p", { class: "keys", hidden: true }, t.keys);
  const help = expander("keys", t.help, (expanded) => (keys.hidden = !expanded));
  const more = expander("more", t.more, unfold);
  more.classList.add("more");
  return [
    h(
      "div",
      { class: "moves rest" },
      mode,
      predictButton(t, actions),
      themeButton(t, actions),
      help,
    ),
    h("div", { class: "moves" }, present, more),
    keys,
  ];
}

function predictButton(t: Strings, { predict }: Actions): HTMLElement | undefined {
  if (!predict) return undefined;
  const made = h("button", { type: "button", "aria-pressed": "false" }, t.predict);
  made.addEventListener("click", () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(on));
    predict(on);
  });
  return made;
}

function themeButton(t: Strings, { setTheme }: Actions): HTMLElement {
  let chosen: Choice = "auto";
  const made = button("theme", t.theme.auto, () => {
    chosen = CHOICES[(CHOICES.indexOf(chosen) + 1) % CHOICES.length] ?? "auto";
    setAttributes(made, { title: t.theme[chosen], "aria-label": t.theme[chosen] });
    setTheme(chosen);
  });
  return made;
}

function button(name: IconName, title: string, action: () => void): HTMLButtonElement {
  const made = h("button", { type: "button", title, "aria-label": title }, icon(name));
  made.addEventListener("click", action);
  return made;
}

/** A button that shows or hides something. */
function expander(
  name: IconName,
  title: string,
  changed: (expanded: boolean) => void,
): HTMLButtonElement {
  const made = button(name, title, () => {
    const expanded = made.getAttribute("aria-expanded") !== "true";
    made.setAttribute("aria-expanded", String(expanded));
    changed(expanded);
  });
  made.setAttribute("aria-expanded", "false");
  return made;
}

/** A <select> of values and their labels. */
function choice(
  title: string,
  options: readonly (readonly [string, string])[],
  chosen: (value: string) => void,
): HTMLSelectElement {
  const made = h(
    "select",
    { title, "aria-label": title },
    ...options.map(([value, text]) => h("option", { value }, text)),
  );
  made.addEventListener("change", () => chosen(made.value));
  return made;
}
