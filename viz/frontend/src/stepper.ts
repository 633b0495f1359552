/**
 * The stepper: panes and controls around one number, the event that is shown.
 *
 * Every move ends in `show`, which asks for the state at that event and hands it to each pane.
 */

import { controls } from "./controls";
import { h } from "./dom";
import { moved, stepOfNode, stopOf, stops, type Mode, type Move } from "./moves";
import { buffersPane } from "./panes/buffers";
import { codePane } from "./panes/code";
import { graphPane } from "./panes/graph";
import { nodePane } from "./panes/node";
import type { Pane } from "./panes/pane";
import { stepsPane } from "./panes/steps";
import type { Payload } from "./payload";
import { indexPayload, stateAt } from "./state";
import { strings } from "./strings";
import css from "./stepper.css";
import { followTheme } from "./theme";

const KEYS: Record<string, Move> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
};

/** Put a stepper into `parent`; returns what takes it away again. */
export function mount(parent: HTMLElement, payload: Payload): () => void {
  const host = h("div", {
    class: "minigrad-stepper",
    // JupyterLab's own shortcuts listen on the document: arrow keys would move to the next cell.
    "data-lm-suppress-shortcuts": "true",
  });
  // A shadow root: the page's style does not reach in, ours does not leak out, and ids are our own.
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(h("style", {}, css));
  const unfollow = followTheme(host);
  parent.append(host);
  const stop = fill(shadow, payload);
  return () => {
    stop();
    unfollow();
    host.remove();
  };
}

function fill(shadow: ShadowRoot, payload: Payload): () => void {
  const t = strings[payload.language] ?? strings.en;
  const { events, steps } = payload;
  if (events.length === 0) {
    shadow.append(h("p", { class: "empty" }, t.empty));
    return () => undefined;
  }
  const index = indexPayload(payload);
  let mode: Mode = "node";
  let all = stops(steps, events.length, mode);
  let at = all[0] ?? 0;

  const goTo = (event: number): void => {
    at = event;
    show();
  };
  const goToStep = (step: number): void => {
    const target = steps[step];
    if (target) goTo(mode === "node" ? target.last : target.first);
  };
  const goToNode = (id: string): void => {
    const step = stepOfNode(steps, id, stateAt(index, at).turn.step) ?? stepOfNeighbour(id);
    if (step !== undefined) goToStep(step);
  };
  /** Leaves, saved tensors and roots have no turn: theirs is that of the node they belong to. */
  const stepOfNeighbour = (id: string): number | undefined => {
    const node = index.node.get(id);
    if (node?.kind === "root") return 0;
    const edge = payload.edges.find(
      (e) => e.kind !== "next" && (e.source === id || e.target === id),
    );
    const owner = node?.owner ?? (edge?.source === id ? edge.target : edge?.source);
    return owner === undefined ? undefined : stepOfNode(steps, owner, -1);
  };

  const bar = controls(t, {
    move: (move) => goTo(moved(all, at, move)),
    goToStop: (stop) => goTo(all[stop] ?? at),
    follow(chosen) {
      mode = chosen;
      all = stops(steps, events.length, mode);
      goTo(all[stopOf(all, at)] ?? at);
    },
  });
  const graph = graphPane(index, t, goToNode);
  const code = codePane(index, t);
  const panes: Pane[] = [
    ...(code ? [code] : []),
    stepsPane(index, t, goToStep),
    graph,
    nodePane(index, t),
    buffersPane(index, t),
  ];
  const caption = h("p", { class: "caption", role: "status", "aria-live": "polite" });
  const root = h(
    "div",
    { class: "stepper", role: "region", "aria-label": t.region, lang: payload.language },
    h("div", { class: code ? "panes" : "panes codeless" }, ...panes.map((pane) => pane.element)),
    bar.element,
    caption,
    h("p", { class: "keys" }, t.keys),
  );

  const show = (): void => {
    const state = stateAt(index, at);
    for (const pane of panes) pane.show(state, mode);
    const step = steps[state.turn.step];
    bar.show(
      stopOf(all, at),
      all.length,
      `${t.stepOf(state.turn.step + 1, steps.length)}: ${step?.title ?? ""}`,
    );
    caption.textContent = captionOf(payload, mode, at);
  };

  root.addEventListener("keydown", (event) => {
    const move = KEYS[event.key];
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!move || !plain || (event.target as Element).localName === "select") return;
    event.preventDefault(); // the slider and the panes would move as well
    event.stopPropagation();
    goTo(moved(all, at, move));
  });
  shadow.append(root);
  show();
  // The graph can be fitted only once it has a size, and again when that changes.
  const resized = new ResizeObserver(() => graph.fit());
  resized.observe(graph.element);
  return () => resized.disconnect();
}

/**
 * What is said about the event, or about all events of the turn for those who follow whole nodes.
 */
function captionOf({ events, language }: Payload, mode: Mode, at: number): string {
  const event = events[at];
  if (!event || mode === "detail") return event?.caption ?? "";
  const turn = events.filter((other) => other.step === event.step);
  return turn.map((other) => other.caption).join(language === "zh" ? "" : " ");
}
