/**
 * The node whose turn it is: its rule, what comes in, what it saved in the forward pass, what goes
 * out.
 */

import { h, quoted, type Child } from "../dom";
import { typeView, valueView } from "../grid";
import { formatShape } from "../numbers";
import type { NodeData, SavedData, ValueData } from "../payload";
import { safeMath } from "../sanitize";
import { isRight, questionAt, type Question } from "../predict";
import { bufferKey, nameOf, type Index, type Sum } from "../state";
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
  const view = (value: number | null | undefined): HTMLElement => {
    const data = dataOf(value);
    return data ? valueView(data, t) : h("span", { class: "type" }, t.none);
  };
  const part = (title: string, ...children: Child[]): HTMLElement =>
    h("div", { class: "part" }, h("h3", {}, title), h("div", { class: "content" }, ...children));
  /** A value under its name and type; a single number beside them. */
  const item = (label: Child, value: number | null | undefined, ...notes: Child[]): HTMLElement => {
    const data = dataOf(value);
    const single = !data || data.data?.length === 1;
    const head = h("div", { class: "label" }, label, label && " ", data && typeView(data, t));
    return h("div", { class: single ? "item single" : "item" }, head, view(value), ...notes);
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
      view(after),
    );

  const rule = (node: NodeData | undefined): Child => {
    const math = node?.rule ? safeMath(node.rule) : null;
    if (math && node?.rule_text) math.setAttribute("aria-label", node.rule_text);
    const shown = math ?? (node?.rule_text && h("code", {}, node.rule_text));
    return shown ? part(t.rule, h("div", { class: "rule scroll" }, shown)) : null;
  };

  const saved = (tensor: SavedData, freed: boolean): HTMLElement => {
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
    return item(label, tensor.value);
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
      const known = turn.outgoing?.[slot] ?? turn.sent.get(slot)?.added;
      if (unseen && known === undefined) return null;
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
        known,
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
          ...done.results.map((x, place) => item(null, x, verdict(asked, answers, place))),
        ),
      ),
    ];
  };

  const element = section("node", t.thisNode, body);
  const stop = h("button", { type: "button", class: "stop" }, t.stopHere);
  let shown = "";
  stop.addEventListener("click", () => toggleStop(shown));
  element.querySelector("h2")?.replaceChildren(name, position, stop);
  return {
    element,
    show(view) {
      const { question, answers } = view;
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
                ...turn.incoming.map((g, i, all) => item(all.length > 1 ? t.output(i) : null, g)),
              ),
            turn.saved.length + turn.packed.length > 0 &&
              part(
                t.saved,
                ...turn.saved.map((s) => saved(s, turn.freed.includes(s.name))),
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

/** One of the two columns. */
const side = (...parts: Child[]): Child =>
  parts.some(Boolean) && h("div", { class: "side" }, ...parts);

const DENSEST = 5;

/** As large as the pane holds it: the style sheet has a size of numbers for each density. */
function settle(body: HTMLElement): void {
  const fits = (): boolean =>
    body.scrollHeight <= body.clientHeight &&
    [...body.querySelectorAll(".value .scroll")].every((g) => g.scrollWidth <= g.clientWidth);
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
