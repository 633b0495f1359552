/**
 * The node whose turn it is: its rule, what comes in, what it saved in the forward pass, what goes
 * out.
 */

import { addedUp, letterOf, worked } from "../arithmetic";
import { h, quoted, setAttributes, type Child } from "../dom";
import { typeView, valueView } from "../grid";
import { formatNumber, formatShape } from "../numbers";
import type { NodeData, SavedData, ScalarData, ValueData } from "../payload";
import { unravel } from "../places";
import { safeMath } from "../sanitize";
import { workedByName } from "../provided";
import { isRight, questionAt, type Question } from "../predict";
import { bufferKey, nameOf, type Index, type Sum, type Turn } from "../state";
import type { Strings } from "../strings";
import { section, type Pane, type View } from "./pane";
import { questionForm } from "./question";

export interface NodeActions {
  answer(answers: string[]): void;
  toggleStop(node: string): void;
}

export function nodePane(index: Index, t: Strings, { answer, toggleStop }: NodeActions): Pane {
  const { values, steps } = index.payload;
  const name = h("strong");
  const position = h("span", { class: "type" });
  const body = h("div", {
    class: "body scroll",
    tabindex: 0,
    role: "group",
    "aria-label": t.thisNode,
  });

  const dataOf = (value: number | null | undefined): ValueData | undefined =>
    value === null || value === undefined ? undefined : values[value];
  /** What is known of each element of what is shown, for who asks. */
  const known = new WeakMap<Element, (flat: number) => string>();
  const work = h("p", { class: "work", role: "status", "aria-live": "polite" });
  let tint: ((x: number) => number) | undefined;
  const view = (value: number | null | undefined, how?: How): HTMLElement => {
    const data = dataOf(value);
    if (!data) return h("span", { class: "type" }, t.none);
    const made = valueView(data, t, tint);
    known.set(made, (flat) => {
      const place = data.shape.length ? `[${unravel(flat, data.shape).join(", ")}]  ` : "";
      const cell = data.data?.[flat] ?? "";
      return (
        place +
        (how?.(data, flat) ?? (typeof cell === "number" ? String(cell) : formatNumber(cell)))
      );
    });
    return made;
  };
  const askedFor = (target: EventTarget | null): HTMLElement | null =>
    (target as Element).closest<HTMLElement>("[data-flat]") ??
    (target as Element).closest(".heat")?.querySelector<HTMLElement>(".mark") ??
    null;
  const tell = (cell: HTMLElement): void => {
    const source = known.get(cell.closest(".value") as Element);
    const again = cell.hasAttribute("aria-current");
    for (const other of body.querySelectorAll("[aria-current]"))
      other.removeAttribute("aria-current");
    work.textContent = "";
    if (again) return;
    cell.setAttribute("aria-current", "true");
    work.textContent = source?.(Number(cell.dataset["flat"])) ?? "";
  };
  body.addEventListener("click", ({ target }) => {
    const cell = askedFor(target);
    if (cell) tell(cell);
  });
  // Arrows go from number to number, as long as one is among them.
  body.addEventListener("keydown", (event) => {
    const cell = askedFor(event.target);
    if (!cell) return;
    const hasMoved = cell.matches(".mark") && event.key.startsWith("Arrow");
    if (hasMoved && cell.hasAttribute("aria-current"))
      event.preventDefault(); // to nowhere
    else if (hasMoved || event.key === "Enter" || event.key === " ") tell(cell);
    else if (event.key === "Escape" && work.textContent) {
      work.textContent = "";
      body.focus();
    } else if (!besides(cell, event.key)?.focus()) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // A letter of the rule and what it stands for light up together.
  for (const name of ["pointerover", "pointerout"] as const)
    body.addEventListener(name, ({ target }) => {
      const letter = (target as Element).closest("[data-letter]")?.getAttribute("data-letter");
      for (const each of body.querySelectorAll("[data-letter]"))
        each.classList.toggle(
          "lit",
          name === "pointerover" && each.getAttribute("data-letter") === letter,
        );
    });
  const part = (title: string, ...children: Child[]): HTMLElement =>
    h("div", { class: "part" }, h("h3", {}, title), h("div", { class: "content" }, ...children));
  /** A value under its name and type; a single number beside them. */
  const item = (
    label: Child,
    value: number | null | undefined,
    { letter, how }: { letter?: string | undefined; how?: How | undefined } = {},
    ...notes: Child[]
  ): HTMLElement => {
    const data = dataOf(value);
    const single = !data || data.data?.length === 1;
    const head = h(
      "div",
      { class: "label" },
      letter && letterView(letter),
      letter && " ",
      label,
      label && " ",
      data && typeView(data, t),
    );
    return h(
      "div",
      { class: single ? "item single" : "item", "data-letter": letter },
      head,
      view(value, how),
      ...notes,
    );
  };

  /**
   * before + added = after, where there was something before; or what an engine made of them. What
   * is added stands beside it already: if it is more than a number, it is not repeated.
   */
  const sumView = ({ before, added, after, addsUp }: Sum): HTMLElement =>
    h(
      "div",
      { class: addsUp ? "sum" : "sum differs" },
      view(before),
      h("span", {}, addsUp ? "+" : ","),
      dataOf(added)?.shape.length ? h("em", {}, t.this) : view(added),
      h("span", {}, addsUp ? "=" : "→"),
      view(after, (value, flat) => {
        const parts = [dataOf(before), dataOf(added)].filter((each) => each !== undefined);
        return addsUp ? addedUp(value, parts, flat) : null;
      }),
    );

  const rule = (node: NodeData | undefined): Child => {
    const math = node?.rule ? safeMath(node.rule) : null;
    if (math && node?.rule_text) math.setAttribute("aria-label", node.rule_text);
    const shown = math ?? (node?.rule_text && h("code", {}, node.rule_text));
    if (!shown) return null;
    if (math) markLetters(math, lettersOf(node).keys());
    return part(
      t.rule,
      h("div", { class: "rule scroll" }, shown),
      h("div", { class: "scalars" }, ...(node?.scalars ?? []).map(scalarView)),
    );
  };

  /** "n = 3", as the rule has it, or "dim = 0". */
  const scalarView = ({ name: called, letter, text }: ScalarData): HTMLElement =>
    h(
      "span",
      { class: "badge", title: called, "data-letter": letter },
      letter ? letterView(letter) : h("code", {}, called),
      ` = ${text}`,
      letter && letter !== called && h("code", { class: "type" }, ` ${called}`),
    );

  /** What the letters of the current rule stand for. */
  const valuesOf = (node: NodeData | undefined, turn: Turn): Map<string, ValueData> => {
    const found = new Map<string, ValueData>();
    const add = (letter: string, value: number | null | undefined): void => {
      const data = dataOf(value);
      if (data) found.set(letter, data);
    };
    if (turn.incoming?.length === 1) for (const g of "gG") add(g, turn.incoming[0]);
    for (const [place, { letter, saved: name }] of (node?.letters ?? []).entries()) {
      add(letter, turn.saved.find((each) => each.name === name)?.value);
      if (letter !== "y") add(barred(letter), turn.outgoing?.[place]);
    }
    for (const { letter, value } of node?.scalars ?? [])
      if (letter && value !== undefined)
        found.set(letter, { shape: [], dtype: "float64", data: [value] });
    return found;
  };

  /** How an element of what goes out came about: by the rule that is shown, or as the node does. */
  const howOf = (turn: Turn, slot: number): How => {
    const node = index.node.get(turn.node);
    const letter = outLetter(node, slot);
    const math = letter && node?.rule ? safeMath(node.rule) : null;
    const scalars = new Map(node?.scalars?.map(({ name, text }) => [name, text]));
    const dims = scalars.get("dim")?.match(/-?\d+/g);
    return (out, flat) => {
      const along = dims?.map(Number).map((d) => (d < 0 ? d + out.shape.length : d)) ?? null;
      const read = math && letter && worked(math, letter, valuesOf(node, turn), out, flat, along);
      if (read) return read;
      if (!node?.rule) return null; // of an engine of the reader's own, with the names of others
      const ran = {
        name: node.name,
        incoming: turn.incoming?.map(dataOf) ?? [],
        outgoing: turn.outgoing?.map(dataOf) ?? [],
        saved: new Map(turn.saved.map(({ name, value }) => [name, values[value] as ValueData])),
        scalars,
      };
      return workedByName(ran, slot, out, flat, t.nothingCame);
    };
  };

  const saved = (node: NodeData | undefined, tensor: SavedData, freed: boolean): HTMLElement => {
    const changed = tensor.version !== tensor.expected;
    const label = h(
      "span",
      {},
      h("code", {}, index.node.get(tensor.node ?? "")?.name ?? tensor.name),
      " ",
      h(
        "span",
        { class: changed ? "badge bad" : "badge" },
        changed ? t.versionChanged(tensor.version, tensor.expected) : t.version(tensor.version),
      ),
      freed && h("span", { class: "badge freed" }, t.isFreed),
    );
    const letter = node?.letters?.find((each) => each.saved === tensor.name)?.letter;
    return item(label, tensor.value, { letter });
  };

  /** What was saved, and is not known: a hook of the program has packed it. */
  const packed = (name: string): HTMLElement =>
    h(
      "div",
      { class: "label" },
      h("code", {}, name),
      " ",
      h("span", { class: "badge" }, t.isPacked),
    );

  /** What the reader had predicted, beside what it is. */
  const verdict = (question: Question | null, answers: readonly string[], slot: number | null) => {
    const place = question?.asked.findIndex((asked) => asked.slot === slot) ?? -1;
    const value = dataOf(question?.asked[place]?.value);
    const said = answers[place];
    if (said === undefined || !value) return null;
    const right = isRight(said, value);
    return h("div", { class: right ? "verdict right" : "verdict" }, t.verdict(right, said));
  };

  const outgoing = ({ state: { turn }, answers }: View): HTMLElement[] => {
    const asked = answers.length ? questionAt(index, steps[turn.step]?.last ?? 0) : null;
    const count = turn.outgoing?.length ?? slots(index, turn.node);
    // Of a formula that nobody has seen, what it gave is known by what was sent of it.
    const unseen = !turn.outgoing && turn.sent.size > 0;
    return Array.from({ length: count }, (_, slot) => {
      const sent = turn.outgoing?.[slot] ?? turn.sent.get(slot)?.added;
      if (unseen && sent === undefined) return null;
      const edge = index.next.get(bufferKey(turn.node, slot));
      if (!edge && typeof turn.outgoing?.[slot] !== "number")
        return h("div", { class: "label" }, t.toNobody);
      const label = edge ? t.to(nameOf(index, edge.target)) : t.toNobody;
      if (!turn.outgoing && !unseen) return h("div", { class: "label" }, `${label}: ${t.notYet}`);
      const wide = turn.reduced.get(slot);
      const shape = wide === undefined || wide === null ? undefined : values[wide]?.shape;
      const sum = turn.sent.get(slot);
      return item(
        label,
        sent,
        { letter: outLetterView(index.node.get(turn.node), slot), how: howOf(turn, slot) },
        verdict(asked, answers, slot),
        shape && h("div", { class: "note" }, t.reduced(formatShape(shape, t.scalar))),
        sum &&
          sum.before !== null &&
          h("div", { class: "note" }, sum.addsUp ? t.addedTo : t.notAdded, sumView(sum)),
      );
    }).filter((made) => made !== null);
  };

  /** What an operation of the forward pass did. */
  const computed = ({ state: { turn }, answers }: View): Child[] => {
    const { node, computed: done } = turn;
    if (!done) return [];
    const asked = answers.length ? questionAt(index, steps[turn.step]?.last ?? 0) : null;
    const kept = (index.savedEdges.get(node) ?? []).map(({ target }) => nameOf(index, target));
    const taken = part(t.takes, ...done.inputs.map((x) => item(null, x)));
    if (!done.results) return [side(taken)];
    return [
      side(
        taken,
        part(t.leaves, h("code", {}, nameOf(index, node))),
        kept.length > 0 && part(t.keeps, ...kept.map((name) => h("code", {}, name))),
      ),
      side(
        part(
          t.makes,
          ...done.results.map((x, place) => item(null, x, {}, verdict(asked, answers, place))),
        ),
      ),
    ];
  };

  const element = section("node", t.thisNode, body, work);
  const stop = h("button", { type: "button", class: "stop" }, t.stopHere);
  let shown = "";
  stop.addEventListener("click", () => toggleStop(shown));
  element.querySelector("h2")?.replaceChildren(name, position, stop);
  return {
    element,
    show(view) {
      const { question, answers, scale } = view;
      tint = scale?.size;
      const { turn } = view.state;
      const node = index.node.get(turn.node);
      const seeding = turn.seeds.length > 0;
      const quiet = seeding || turn.computed || question || node?.kind === "accumulate";
      const out = quiet ? [] : outgoing(view);
      shown = turn.node;
      stop.setAttribute("aria-pressed", String(view.stops.has(shown)));
      const titled = seeding || turn.computed;
      name.textContent = titled ? (steps[turn.step]?.title ?? t.seed) : nameOf(index, turn.node);
      position.textContent = t.stepOf(turn.step + 1, steps.length);
      work.textContent = "";
      body.replaceChildren(
        ...present([
          // What helps comes first: the message is long, and stands in the caption as well.
          turn.reason && part(t.reason, h("p", {}, ...quoted(turn.reason))),
          turn.error !== null && part(t.error, h("p", { class: "message" }, turn.error)),
          node?.module && !seeding && part(t.module, h("code", {}, node.module)),
          ...computed(view),
          !titled && rule(node),
          // What comes in beside what goes out: to compare them, nobody has to scroll.
          side(
            turn.incoming &&
              part(
                t.incoming,
                ...turn.incoming.map((g, i, all) =>
                  all.length > 1
                    ? item(t.output(i), g)
                    : item(null, g, { letter: gradientLetter(node) }),
                ),
              ),
            turn.saved.length + turn.packed.length > 0 &&
              part(
                t.saved,
                ...turn.saved.map((s) => saved(node, s, turn.freed.includes(s.name))),
                ...turn.packed.map(packed),
              ),
          ),
          side(
            seeding &&
              part(
                t.outgoing,
                ...turn.seeds.map((seed) => item(t.to(nameOf(index, seed.node)), seed.value)),
              ),
            out.length > 0 && part(t.outgoing, ...out),
            turn.leaf &&
              part(
                t.leafGradient,
                turn.leaf.before === null ? item(null, turn.leaf.after) : sumView(turn.leaf),
                answers.length > 0 && verdict(questionAt(index, view.state.at), answers, null),
              ),
          ),
          question && part(t.predict, questionForm(index, t, question, answer)),
          turn.hooks.length > 0 && part(t.hooks, ...turn.hooks.map((hook) => h("code", {}, hook))),
        ]),
      );
    },
    reveal() {
      body.scrollTop = 0;
      settle(body);
    },
  };
}

/** How an element came about, if that is certain. */
type How = (value: ValueData, flat: number) => string | null;

const barred = (letter: string): string => `${letter}\u0304`;

/** The letters of the rule that stand for a tensor or a number, in the order of their colours. */
function lettersOf(node: NodeData | undefined): Map<string, number> {
  const letters = [
    gradientLetter(node),
    ...(node?.letters ?? []).map(({ letter }) => letter),
    ...(node?.scalars ?? []).map(({ letter }) => letter),
    ...(node?.letters ?? []).map(({ letter }) => barred(letter)),
  ].filter((letter) => letter !== undefined);
  return new Map(letters.map((letter, i) => [letter, i]));
}

/** What the rule calls the gradient that comes in. */
const gradientLetter = (node: NodeData | undefined): string | undefined =>
  node?.rule && node.letters ? (/<mi>G<\/mi>/.test(node.rule) ? "G" : "g") : undefined;

/** What the rule calls the gradient of input `slot`. */
function outLetter(node: NodeData | undefined, slot: number): string | undefined {
  const letter = node?.letters?.[slot]?.letter;
  return letter === "y" ? undefined : letter;
}

function outLetterView(node: NodeData | undefined, slot: number): string | undefined {
  const letter = outLetter(node, slot);
  return letter && barred(letter);
}

const letterView = (letter: string): HTMLElement =>
  // In a font of letters: one of Chinese signs sets the bar beside the letter.
  h("i", { class: "letter", "data-letter": letter, lang: "en" }, letter);

/** Say which of a formula's letters are tied to something. */
function markLetters(math: Element, letters: Iterable<string>): void {
  const tied = new Set(letters);
  for (const token of math.querySelectorAll("mi, mover")) {
    const letter = letterOf(token);
    if (letter === null || !tied.has(letter)) continue;
    if (token.parentElement?.localName === "mover") continue; // the letter under a bar
    setAttributes(token, { class: "letter", "data-letter": letter });
  }
}

/** The number beside `cell`, where the arrow points. */
function besides(cell: HTMLElement, key: string): { focus(): boolean } | null {
  const row = cell.parentElement;
  const column = (cell as HTMLTableCellElement).cellIndex;
  const cells = (line: Element | null | undefined): HTMLElement | undefined =>
    line?.children[column] as HTMLElement | undefined;
  const found = {
    ArrowLeft: cell.previousElementSibling as HTMLElement | null,
    ArrowRight: cell.nextElementSibling as HTMLElement | null,
    ArrowUp: cells(row?.previousElementSibling),
    ArrowDown: cells(row?.nextElementSibling),
  }[key];
  if (!/^Arrow/.test(key)) return null;
  return {
    focus() {
      found?.focus();
      return true;
    },
  };
}

/** One of the two columns. */
const side = (...parts: Child[]): Child =>
  parts.some(Boolean) && h("div", { class: "side" }, ...parts);

const DENSEST = 5;

/** As large as the pane holds it: the style sheet has a size of numbers for each density. */
function settle(body: HTMLElement): void {
  const fits = (): boolean =>
    body.scrollHeight <= body.clientHeight &&
    [...body.querySelectorAll(".value .scroll, .rule")].every(
      (g) => g.scrollWidth <= g.clientWidth,
    );
  for (let density = 0; density <= DENSEST; density++) {
    body.dataset["density"] = String(density);
    if (fits()) return;
  }
}

/** How many inputs the node's operation had. */
function slots(index: Index, node: string): number {
  let count = 0;
  while (index.next.has(bufferKey(node, count))) count += 1;
  return count;
}

const present = (children: (HTMLElement | Child)[]): (Node | string)[] =>
  children.filter((child): child is Node | string => Boolean(child));
