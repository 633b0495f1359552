/** The row of controls: moves, playing, the slider, and how to look at it all. */

import { h, setAttributes } from "./dom";
import { icon, type IconName } from "./icons";
import type { Mode, Move } from "./moves";
import { SPEEDS } from "./play";
import type { Strings } from "./strings";
import { CHOICES, type Choice } from "./theme";

export interface Controls {
  element: HTMLElement;
  /** Stop `stop` of `count` (from 0), and how a screen reader is to say it. */
  show(stop: number, count: number, text: string): void;
  showPlaying(playing: boolean): void;
}

export interface Actions {
  move(move: Move): void;
  goToStop(stop: number): void;
  follow(mode: Mode): void;
  togglePlay(): void;
  setSpeed(movesPerSecond: number): void;
  /** Without it, there is no button for it. */
  predict?(on: boolean): void;
  setTheme(choice: Choice): void;
  present?(): void;
}

const MOVES: readonly Move[] = ["first", "previous", "next", "last"];

export function controls(t: Strings, actions: Actions): Controls {
  const button = (name: IconName, title: string, action: () => void): HTMLButtonElement => {
    const made = h("button", { type: "button", title, "aria-label": title }, icon(name));
    made.addEventListener("click", action);
    return made;
  };
  const moves = MOVES.map((name) => {
    const made = button(name, t[name], () => {
      // Not `disabled`: a button that turns itself off would lose the keyboard's focus.
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
  const modes: [Mode, string][] = [
    ["node", t.wholeNodes],
    ["detail", t.detail],
  ];
  const mode = choice(t.follow, modes, (value) => actions.follow(value as Mode));
  const predict = h("button", { type: "button", "aria-pressed": "false" }, t.predict);
  predict.addEventListener("click", () => {
    const on = predict.getAttribute("aria-pressed") !== "true";
    predict.setAttribute("aria-pressed", String(on));
    actions.predict?.(on);
  });

  let chosen: Choice = "auto";
  const theme = button("theme", t.theme.auto, () => {
    chosen = CHOICES[(CHOICES.indexOf(chosen) + 1) % CHOICES.length] ?? "auto";
    setAttributes(theme, { title: t.theme[chosen], "aria-label": t.theme[chosen] });
    actions.setTheme(chosen);
  });

  const present = actions.present && button("screen", t.present, actions.present);
  // Which keys there are is said over the panes, for as long as one wants to know.
  const keys = h("p", { class: "keys", hidden: true }, t.keys);
  const help = h(
    "button",
    { type: "button", title: t.help, "aria-label": t.help, "aria-expanded": "false" },
    icon("keys"),
  );
  help.addEventListener("click", () => {
    keys.hidden = !keys.hidden;
    help.setAttribute("aria-expanded", String(!keys.hidden));
  });
  const rest = h("div", { class: "moves rest" }, mode, actions.predict && predict, theme, help);
  // Where there is little room, what is rarely wanted is folded away.
  const more = h(
    "button",
    {
      type: "button",
      class: "more",
      title: t.more,
      "aria-label": t.more,
      "aria-expanded": "false",
    },
    icon("more"),
  );
  const element = h(
    "div",
    { class: "controls", role: "group", "aria-label": t.position },
    h("div", { class: "moves" }, ...moves),
    h("div", { class: "moves" }, play, speed),
    slider,
    position,
    rest,
    h("div", { class: "moves" }, present, more),
    keys,
  );
  more.addEventListener("click", () => {
    more.setAttribute("aria-expanded", String(element.classList.toggle("unfolded")));
  });

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
    showPlaying(playing) {
      const title = playing ? t.pause : t.play;
      setAttributes(play, { title, "aria-label": title });
      play.replaceChildren(icon(playing ? "pause" : "play"));
    },
  };
}

/** A <select> of values and what is written for them. */
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
