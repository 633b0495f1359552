/** Calculations of single elements, and the keyboard and pointer that ask for them. */

import { explainByRule } from "../arithmetic";
import type { ValueData } from "../payload";
import { explainByName } from "../provided";
import { safeMath } from "../sanitize";
import type { CurrentStep, Index } from "../state";
import type { Strings } from "../strings";
import { inputLetter, letterValues } from "./letters";

/** The calculation of an element as text; null if it is not certain. */
export type Explain = (value: ValueData, flat: number) => string | null;

/** The calculation of the gradient of input `slot`: by the rule, or by the node's own formula. */
export function explainGradient(
  { node: nodes, payload: { values } }: Index,
  t: Strings,
  current: CurrentStep,
  slot: number,
): Explain {
  const dataOf = (value: number | null | undefined): ValueData | undefined => values[value ?? -1];
  const node = nodes.get(current.node);
  const letter = inputLetter(node, slot);
  const math = letter && node?.rule ? safeMath(node.rule) : null;
  const scalars = new Map(node?.scalars?.map(({ name, text }) => [name, text]));
  const dims = scalars.get("dim")?.match(/-?\d+/g);
  return (out, flat) => {
    const along = dims?.map(Number).map((d) => (d < 0 ? d + out.shape.length : d)) ?? null;
    const letters = letterValues(node, current, dataOf);
    const text = math && letter && explainByRule(math, letter, letters, out, flat, along);
    if (text) return text;
    if (!node?.rule) return null; // a custom engine may use names of other nodes
    const ran = {
      name: node.name,
      incoming: current.incoming?.map(dataOf) ?? [],
      outgoing: current.outgoing?.map(dataOf) ?? [],
      saved: new Map(current.saved.map(({ name, value }) => [name, values[value] as ValueData])),
      scalars,
    };
    return explainByName(ran, slot, out, flat, t.nothingCame);
  };
}

export interface Inspector {
  /** Set the text for each element of the numbers in `view`. */
  describe(view: Element, text: (flat: number) => string): void;
}

/** A click or Enter on a number in `body` shows its text in `work`; arrows move between numbers. */
export function inspector(body: HTMLElement, work: HTMLElement): Inspector {
  const known = new WeakMap<Element, (flat: number) => string>();
  const show = (cell: HTMLElement): void => {
    const text = known.get(cell.closest(".value") as Element);
    const again = cell.hasAttribute("aria-current");
    for (const other of body.querySelectorAll("[aria-current]"))
      other.removeAttribute("aria-current");
    work.textContent = "";
    if (again) return;
    cell.setAttribute("aria-current", "true");
    work.textContent = text?.(Number(cell.dataset["flat"])) ?? "";
  };
  body.addEventListener("click", ({ target }) => {
    const cell = cellAt(target);
    if (cell) show(cell);
  });
  body.addEventListener("keydown", (event) => {
    const cell = cellAt(event.target);
    if (!cell) return;
    const hasMoved = cell.matches(".mark") && event.key.startsWith("Arrow");
    if (hasMoved && cell.hasAttribute("aria-current"))
      event.preventDefault(); // at the edge of the picture
    else if (hasMoved || event.key === "Enter" || event.key === " ") show(cell);
    else if (event.key === "Escape" && work.textContent) {
      work.textContent = "";
      body.focus();
    } else if (!moveFocus(cell, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  return { describe: (view, text) => void known.set(view, text) };
}

/** The number at an event's target; in a picture of numbers, the marked one. */
const cellAt = (target: EventTarget | null): HTMLElement | null =>
  (target as Element).closest<HTMLElement>("[data-flat]") ??
  (target as Element).closest(".heat")?.querySelector<HTMLElement>(".mark") ??
  null;

/** Focus the neighbour of `cell` in the direction of an arrow key; false for other keys. */
function moveFocus(cell: HTMLElement, key: string): boolean {
  if (!/^Arrow/.test(key)) return false;
  const row = cell.parentElement;
  const column = (cell as HTMLTableCellElement).cellIndex;
  const target = {
    ArrowLeft: cell.previousElementSibling,
    ArrowRight: cell.nextElementSibling,
    ArrowUp: row?.previousElementSibling?.children[column],
    ArrowDown: row?.nextElementSibling?.children[column],
  }[key] as HTMLElement | null | undefined;
  target?.focus();
  return true;
}
