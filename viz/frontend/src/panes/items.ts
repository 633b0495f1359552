/** Values in the node's pane: numbers with their name, type and letter. */

import { explainSum } from "../arithmetic";
import { h, type Child } from "../dom";
import { typeView, valueView } from "../grid";
import { formatNumber } from "../numbers";
import type { ValueData } from "../payload";
import { unravel } from "../places";
import type { Sum } from "../state";
import type { Strings } from "../strings";
import type { Explain, Inspector } from "./calculation";
import { letterView } from "./letters";

/** An index into the payload's values; null or undefined for None. */
export type Place = number | null | undefined;

export class Items {
  /** The strength of a number's colour; by default relative to its own tensor. */
  tint: ((x: number) => number) | undefined;

  readonly #values: readonly ValueData[];
  readonly #t: Strings;
  readonly #inspector: Inspector;

  constructor(values: readonly ValueData[], t: Strings, inspector: Inspector) {
    this.#values = values;
    this.#t = t;
    this.#inspector = inspector;
  }

  data(value: Place): ValueData | undefined {
    return this.#values[value ?? -1];
  }

  /** The numbers of a value; `explain` gives the calculation of each. */
  view(value: Place, explain?: Explain): HTMLElement {
    const data = this.data(value);
    if (!data) return h("span", { class: "type" }, this.#t.none);
    const made = valueView(data, this.#t, this.tint);
    this.#inspector.describe(made, (flat) => {
      const place = data.shape.length ? `[${unravel(flat, data.shape).join(", ")}]  ` : "";
      const cell = data.data?.[flat] ?? "";
      const text = explain?.(data, flat);
      return place + (text ?? (typeof cell === "number" ? String(cell) : formatNumber(cell)));
    });
    return made;
  }

  /** A value below its name and type; a single number next to them. */
  item(
    label: Child,
    value: Place,
    { letter, explain }: { letter?: string | undefined; explain?: Explain | undefined } = {},
    ...notes: Child[]
  ): HTMLElement {
    const data = this.data(value);
    const single = !data || data.data?.length === 1;
    const head = h(
      "div",
      { class: "label" },
      letter && letterView(letter),
      letter && " ",
      label,
      label && " ",
      data && typeView(data, this.#t),
    );
    return h(
      "div",
      { class: single ? "item single" : "item", "data-letter": letter },
      head,
      this.view(value, explain),
      ...notes,
    );
  }

  /**
   * before + added = after, or the result of a custom engine. The added tensor is already shown
   * next to it, so it is repeated only if it is a single number.
   */
  sum({ before, added, after, addsUp }: Sum): HTMLElement {
    return h(
      "div",
      { class: addsUp ? "sum" : "sum differs" },
      this.view(before),
      h("span", {}, addsUp ? "+" : ","),
      this.data(added)?.shape.length ? h("em", {}, this.#t.this) : this.view(added),
      h("span", {}, addsUp ? "=" : "→"),
      this.view(after, (value, flat) => {
        const parts = [this.data(before), this.data(added)].filter((each) => each !== undefined);
        return addsUp ? explainSum(value, parts, flat) : null;
      }),
    );
  }
}

/** A titled part of the node's pane. */
export const makePart = (title: string, ...children: Child[]): HTMLElement =>
  h("div", { class: "part" }, h("h3", {}, title), h("div", { class: "content" }, ...children));
