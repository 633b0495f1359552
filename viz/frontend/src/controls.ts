/** The row of buttons, the slider and the choice of what to follow. */

import { h } from "./dom";
import { icon } from "./icons";
import type { Mode, Move } from "./moves";
import type { Strings } from "./strings";

export interface Controls {
  element: HTMLElement;
  /** Stop `stop` of `count` (from 0), and how a screen reader is to say it. */
  show(stop: number, count: number, text: string): void;
}

export interface Actions {
  move(move: Move): void;
  goToStop(stop: number): void;
  follow(mode: Mode): void;
}

const MOVES: readonly Move[] = ["first", "previous", "next", "last"];

export function controls(t: Strings, { move, goToStop, follow }: Actions): Controls {
  const buttons = MOVES.map((name) => {
    const button = h(
      "button",
      { type: "button", class: name, title: t[name], "aria-label": t[name] },
      icon(name),
    );
    button.addEventListener("click", () => {
      // Not `disabled`: a button that turns itself off would lose the keyboard's focus.
      if (button.getAttribute("aria-disabled") !== "true") move(name);
    });
    return button;
  });
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": t.position });
  slider.addEventListener("input", () => goToStop(Number(slider.value)));
  const position = h("span", { class: "position" });
  const mode = h(
    "select",
    { "aria-label": t.follow, title: t.follow },
    h("option", { value: "node" }, t.wholeNodes),
    h("option", { value: "detail" }, t.detail),
  );
  mode.addEventListener("change", () => follow(mode.value as Mode));

  return {
    element: h(
      "div",
      { class: "controls", role: "group", "aria-label": t.position },
      h("div", { class: "moves" }, ...buttons),
      slider,
      position,
      mode,
    ),
    show(stop, count, text) {
      for (const [i, button] of buttons.entries()) {
        const end = i < 2 ? stop === 0 : stop === count - 1;
        button.setAttribute("aria-disabled", String(end));
      }
      slider.max = String(count - 1);
      slider.value = String(stop);
      slider.setAttribute("aria-valuetext", text);
      position.textContent = `${stop + 1} / ${count}`;
      position.title = text;
    },
  };
}
