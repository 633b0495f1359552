/**
 * The stepper: panes and controls around one number, the event that is shown.
 *
 * Every move ends in `show`, which asks for the state at that event and hands it to each pane.
 */

import { address } from "./address";
import { controls } from "./controls";
import { h, quoted } from "./dom";
import { scaleOf, type Scale } from "./magnitude";
import { NO_MARKS, type Marks } from "./marks";
import { memoryLane } from "./memory";
import memoryCss from "./memory.css";
import { MOVE_KEYS, moved, stepOfNode, stopOf, stops, type Mode, type Move } from "./moves";
import { buffersPane } from "./panes/buffers";
import { codePane } from "./panes/code";
import { graphPane } from "./panes/graph";
import { nodePane } from "./panes/node";
import type { Pane } from "./panes/pane";
import { stepsPane } from "./panes/steps";
import { pair } from "./pair";
import type { Pair, Payload } from "./payload";
import { player } from "./play";
import { CLICKER, presentation } from "./present";
import { questionAt, type Question } from "./predict";
import { indexPayload, stateAt, type Index } from "./state";
import { strings } from "./strings";
import css from "./stepper.css";
import { swipe } from "./swipe";
import { keepTheme, prefersReducedMotion, type ThemeKeeper } from "./theme";

/** A stepper that stands alone, or one of two that move together (pair.ts). */
export interface Part {
  element: HTMLElement;
  /** Show event `offset` of a step, or its last; the end, where there is no such step. */
  goTo(step: number, offset: number, mode: Mode): void;
  /** What the shown step is called. */
  title(): string;
  /** Ask for what a node makes before it is shown, or no longer. */
  predict(on: boolean): void;
  /** Is there a question that is not answered? */
  asks(): boolean;
  /** Show the answer of such a question the next time; was there one? */
  settle(): boolean;
  stop(): void;
}

/** What decides where a stepper goes that does not stand alone. */
export interface Guide {
  goToStep(step: number, offset: number): void;
  /** What is not like that of the other. */
  marks: Marks;
}

/** Read once for all steppers. A page's policy lets it pass, as it would not an element with rules. */
let style: CSSStyleSheet | undefined;
const styleSheet = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + memoryCss);
  return sheet;
};

/**
 * Put a stepper, or two that move together, into `parent`; returns what takes it away again. One
 * that is `alone` on its page answers the page's keys, and its address names the step.
 */
export function mount(parent: HTMLElement, payload: Payload | Pair, alone = false): () => void {
  const host = h("div", {
    class: "minigrad-stepper",
    // JupyterLab's own shortcuts listen on the document: arrow keys would move to the next cell.
    "data-lm-suppress-shortcuts": "true",
  });
  // A shadow root: the page's style does not reach in, ours does not leak out, and ids are our own.
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [(style ??= styleSheet())];
  const theme = keepTheme(host);
  // A slide is 700 px high and scaled to its window: 100vh says nothing in it, and nothing scrolls.
  if (parent.closest(".reveal")) host.style.setProperty("--minigrad-height", "33rem");
  parent.append(host);
  const made =
    "passes" in payload ? pair(payload, theme, alone) : stepper(payload, theme, { alone });
  shadow.append(made.element);
  return () => {
    made.stop();
    theme.stop();
    host.remove();
  };
}

/** One stepper. With a `guide` it has no controls of its own, and asks where to go. */
export function stepper(
  payload: Payload,
  theme: ThemeKeeper,
  { guide, alone = false }: { guide?: Guide; alone?: boolean } = {},
): Part {
  const t = strings[payload.language] ?? strings.en;
  const { events, steps } = payload;
  if (events.length === 0) {
    const nothing = (): void => undefined;
    const element = h("p", { class: "empty" }, t.empty);
    const title = (): string => t.empty;
    const never = (): boolean => false;
    return {
      element,
      goTo: nothing,
      title,
      predict: nothing,
      asks: never,
      settle: never,
      stop: nothing,
    };
  }
  const index = indexPayload(payload);

  // All that changes while one steps: where we are, how we look, and what the reader has said.
  let mode: Mode = "node";
  let all = stops(steps, events.length, mode);
  let at = all[0] ?? 0;
  let predicting = false;
  const answers = new Map<number, string[]>();
  const breaks = new Set<string>();

  const open = (): Question | null => {
    const question = predicting ? questionAt(index, at) : null;
    return question && !answers.has(question.step) ? question : null;
  };
  const goTo = (event: number): void => {
    const step = events[event]?.step ?? 0;
    if (guide) return guide.goToStep(step, event - (steps[step]?.first ?? 0));
    at = event;
    show();
  };
  /** Next, where a question is open, shows the answer first. */
  const move = (name: Move): void => {
    goTo(name === "next" && settle() ? at : moved(all, at, name));
  };
  const goToStep = (step: number): void => {
    const target = steps[step];
    if (target) goTo(mode === "node" ? target.last : target.first);
  };
  const goToNode = (id: string): void => {
    const step = stepOf(index, id, events[at]?.step ?? 0);
    if (step !== undefined) goToStep(step);
  };
  const toggleStop = (node: string): void => {
    if (!breaks.delete(node)) breaks.add(node);
    show();
  };

  const play = player(
    () => {
      const before = events[at]?.step;
      goTo(moved(all, at, "next"));
      const event = events[at];
      const arrived = event?.step !== before && breaks.has(event?.node ?? "");
      return at < (all.at(-1) ?? 0) && !arrived && !open();
    },
    (playing) => bar.showPlaying(playing),
  );
  /** What the reader does by hand ends the playing. */
  const byHand =
    <A extends unknown[]>(action: (...args: A) => void) =>
    (...args: A): void => {
      play.stop();
      action(...args);
    };
  const togglePlay = (): void => {
    if (play.playing) return play.stop();
    if (at === all.at(-1)) goTo(all[0] ?? 0);
    play.start();
  };

  const predict = (on: boolean): void => {
    predicting = on;
    answers.clear();
    // What has been seen already cannot be predicted; but who begins with it begins at the start.
    const seen = at === all[0] ? -1 : (events[at]?.step ?? 0);
    for (let step = 0; step <= seen; step++) answers.set(step, []);
    show();
  };
  /** An open question's answer, shown without one of the reader's. */
  const settle = (): boolean => {
    const question = open();
    if (question) answers.set(question.step, []);
    return question !== null;
  };

  const bar = controls(t, {
    move: byHand(move),
    goToStop: byHand((stop: number) => goTo(all[stop] ?? at)),
    follow(chosen) {
      mode = chosen;
      all = stops(steps, events.length, mode);
      goTo(all[stopOf(all, at)] ?? at);
    },
    togglePlay,
    setSpeed: play.setSpeed,
    predict,
    setTheme: theme.choose,
    present: () => stage.toggle(),
  });
  const wholePass = scaleOf(payload.values);
  let scale: Scale | null = wholePass;
  const toggleScale = (): void => {
    scale = scale ? null : wholePass;
    show();
  };
  const marks = guide?.marks ?? NO_MARKS;
  const widths = { scale: wholePass, toggle: toggleScale };
  const graph = graphPane(index, t, byHand(goToNode), widths, marks.nodes);
  const code = codePane(index, t);
  const answer = (said: string[]): void => {
    const question = open();
    if (question) answers.set(question.step, said);
    show();
    node.element.querySelector<HTMLElement>(".body")?.focus();
  };
  const node = nodePane(index, t, { answer, toggleStop });
  const panes: Pane[] = [
    ...(code ? [code] : []),
    stepsPane(index, t, byHand(goToStep), marks.stepOf),
    graph,
    node,
    buffersPane(index, t),
  ];
  const caption = h("p", {
    class: "caption scroll",
    role: "status",
    "aria-live": "polite",
    tabindex: 0,
  });
  // Panes that span the pass stand in `lanes`, below the graph; without any, it takes no room.
  const lane = memoryLane(index, t, byHand(goToStep));
  const lanes = h("div", { class: "lanes" }, lane?.element);
  const body = h("div", { class: "panes" }, caption, ...panes.map((pane) => pane.element), lanes);
  if (lane) panes.push(lane);
  body.classList.toggle("codeless", !code);
  body.style.setProperty(
    "--lines",
    String(Math.max(0, ...payload.files.map((f) => f.lines.length))),
  );
  const root = h(
    "div",
    { class: "stepper", role: "region", "aria-label": t.region, lang: payload.language },
    body,
    payload.note && h("p", { class: "remark" }, ...quoted(payload.note)),
    !guide && bar.element,
  );
  const stage = presentation(root, () => show());

  const show = (): void => {
    const question = open();
    const state = stateAt(index, question ? question.shown : at, mode);
    const step = state.turn.step;
    const view = { state, question, answers: answers.get(step) ?? [], scale, stops: breaks };
    for (const pane of panes) pane.show(view);
    const title = steps[step]?.title ?? "";
    bar.show(stopOf(all, at), all.length, `${t.stepOf(step + 1, steps.length)}: ${title}`);
    const said = captionOf(payload, mode, state.at);
    const asks = question?.forward ? t.questionForward : t.question;
    const between = payload.language === "zh" ? "" : " ";
    caption.textContent = question ? said + between + asks : said;
    caption.scrollTop = 0;
    reveal(prefersReducedMotion() ? "instant" : "smooth");
    place?.keep(step);
  };
  const reveal = (behavior: ScrollBehavior): void => {
    caption.classList.remove("long");
    caption.classList.toggle("long", caption.scrollHeight > caption.clientHeight);
    for (const pane of panes) pane.reveal?.(behavior);
  };

  /** Returns whether the key means something here. */
  const press = (key: string): boolean => {
    const name = guide ? undefined : (MOVE_KEYS[key] ?? CLICKER[key]);
    if (name) byHand(move)(name);
    else if (key === "b") toggleStop(events[at]?.node ?? "");
    else if (key === "/") graph.search();
    else if (guide) return false;
    else if (key === "p") togglePlay();
    else if (key === "f" || (key === "Escape" && stage.on)) stage.toggle();
    else if (key === "F5") stage.on || stage.toggle();
    else if (key === "." && stage.on) stage.toggleDark();
    else return false;
    return true;
  };
  const onKey = (event: KeyboardEvent): void => {
    const [target] = event.composedPath() as Element[];
    if (event.defaultPrevented || target?.matches?.("select, input:not([type=range])")) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // It presses the button: in a talk, it is not for the next slide as well.
    if (event.key === " " && target?.matches?.("button")) event.stopPropagation();
    if (!press(event.key)) return;
    event.preventDefault(); // the slider and the panes would move as well
    event.stopPropagation();
  };
  // Alone on its page, nobody else could be meant.
  const listener: HTMLElement | Document = alone ? document : root;
  listener.addEventListener("keydown", onKey as EventListener);
  if (!guide) swipe(root, byHand(move));
  const place = alone ? address(byHand(goToStep)) : null;
  const named = steps[place?.step() ?? -1];
  if (named) at = named.last;
  // Written before it is in the page, all of it is styled and laid out once.
  show();
  // What is not shown yet has no size; and sizes change.
  const resized = new ResizeObserver(() => {
    graph.fit();
    reveal("instant");
  });
  resized.observe(graph.element);
  const print = (): void => panes.forEach((pane) => pane.print?.());
  window.addEventListener("beforeprint", print);
  return {
    element: root,
    goTo(step, offset, chosen) {
      mode = chosen;
      const turn = steps[step];
      at = turn ? Math.min(turn.first + offset, turn.last) : events.length - 1;
      show();
    },
    title: () => steps[events[at]?.step ?? 0]?.title ?? "",
    predict,
    asks: () => open() !== null,
    settle,
    stop() {
      play.stop();
      place?.stop();
      listener.removeEventListener("keydown", onKey as EventListener);
      resized.disconnect();
      window.removeEventListener("beforeprint", print);
    },
  };
}

/**
 * The turn that a click on a node leads to. Leaves, saved tensors and roots have none: theirs is
 * that of the node they belong to.
 */
function stepOf({ payload, node }: Index, id: string, now: number): number | undefined {
  const own = stepOfNode(payload.steps, id, now);
  if (own !== undefined || node.get(id)?.kind === "root") return own ?? 0;
  const edge = payload.edges.find((e) => e.kind !== "next" && [e.source, e.target].includes(id));
  const owner = node.get(id)?.owner ?? (edge?.source === id ? edge.target : edge?.source);
  return owner === undefined ? undefined : stepOfNode(payload.steps, owner, -1);
}

/**
 * What is said about the event, or about the turn so far for those who follow whole nodes. To them
 * a badge tells that something was freed, and the picture that a gradient came first.
 */
function captionOf({ events, language, steps }: Payload, mode: Mode, at: number): string {
  const event = events[at];
  if (!event || mode === "detail") return event?.caption ?? "";
  const whole = events.slice(steps[event.step]?.first, at + 1);
  const telling = whole.filter(
    ({ kind, before }) => kind !== "free" && (kind !== "accumulate" || before !== null),
  );
  const turn = telling.length ? telling : whole;
  return turn.map((other) => other.caption).join(language === "zh" ? "" : " ");
}
