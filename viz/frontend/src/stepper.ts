/**
 * The stepper: panes and controls around one number, the event that is shown.
 *
 * Every move ends in `show`, which computes the state at that event and passes it to each pane.
 */

import { address, type Address } from "./address";
import { captionOf } from "./caption";
import { controls, type Actions, type Controls } from "./controls";
import { Divider, type Side } from "./divider";
import { h, parseCode } from "./dom";
import { listenForKeys } from "./keys";
import { scaleOf, type Scale } from "./magnitude";
import { NO_MARKS, type Marks } from "./marks";
import { memoryLane, type Lane } from "./memory";
import { MOVE_KEYS, eventAfter, stepOfNode, stopOf, stops, type Mode, type Move } from "./moves";
import { buffersPane } from "./panes/buffers";
import { codePane } from "./panes/code";
import { graphPane, type GraphPane } from "./panes/graph";
import { nodePane } from "./panes/node";
import type { Pane } from "./panes/pane";
import { stepsPane } from "./panes/steps";
import type { Payload } from "./payload";
import { player, type Player } from "./play";
import { Prediction } from "./prediction";
import { CLICKER, presentation, type Presentation } from "./present";
import { indexPayload, stateAt, type Index } from "./state";
import { shows } from "./shows";
import { strings, type Strings } from "./strings";
import { swipe } from "./swipe";
import { prefersReducedMotion, type ThemeKeeper } from "./theme";

/** A stepper that stands alone, or one half of a pair (pair.ts). */
export interface Part {
  element: HTMLElement;
  /** Show event `offset` of a step, or the step's last; the end if there is no such step. */
  goTo(step: number, offset: number, mode: Mode): void;
  /** The title of the shown step. */
  title(): string;
  /** Turn predict mode on or off. */
  predict(on: boolean): void;
  /** Whether a question is open. */
  asks(): boolean;
  /** Mark an open question as answered without an answer; false if none is open. */
  settle(): boolean;
  stop(): void;
}

/** Decides where a stepper goes that is one half of a pair. */
export interface Guide {
  goToStep(step: number, offset: number): void;
  /** Differences from the other half. */
  marks: Marks;
}

/** One stepper. With a `guide` it has no controls of its own and asks the guide to move. */
export function stepper(
  payload: Payload,
  theme: ThemeKeeper,
  { guide, alone = false }: { guide?: Guide; alone?: boolean } = {},
): Part {
  const t = strings[payload.language] ?? strings.en;
  if (payload.events.length === 0) return emptyPart(t);
  return new Stepper(payload, t, theme, guide, alone);
}

/** The part for a recording without events. */
function emptyPart(t: Strings): Part {
  const nothing = (): void => undefined;
  const never = (): boolean => false;
  return {
    element: h("p", { class: "empty" }, t.empty),
    goTo: nothing,
    title: () => t.empty,
    predict: nothing,
    asks: never,
    settle: never,
    stop: nothing,
  };
}

const SHORT = 600; // pixels: in a lower stepper, the code and the current node share one place

/** What a plain view leaves out. */
const HIDDEN = ["versions", "memory", "scale", "steps", "waiting"] as const;

class Stepper implements Part {
  readonly element: HTMLElement;
  readonly #index: Index;
  #mode: Mode = "node";
  #stops: number[];
  #at: number;
  readonly #prediction: Prediction;
  /** Nodes at which playing stops. */
  readonly #breaks = new Set<string>();
  readonly #wholePass: Scale;
  #scale: Scale | null;

  readonly #play: Player;
  readonly #bar: Controls;
  readonly #graph: GraphPane;
  readonly #node: Pane;
  readonly #panes: Pane[];
  #lane: Lane | null = null;
  readonly #caption: HTMLElement;
  readonly #screen: Presentation;
  readonly #place: Address | null;
  /** Functions that say of a pane's button whether the pane is open. */
  readonly #drawers: (() => void)[] = [];
  readonly #endings: (() => void)[] = [];

  readonly #payload: Payload;
  readonly #t: Strings;
  readonly #guide: Guide | undefined;

  constructor(
    payload: Payload,
    t: Strings,
    theme: ThemeKeeper,
    guide: Guide | undefined,
    alone: boolean,
  ) {
    this.#payload = payload;
    this.#t = t;
    this.#guide = guide;
    this.#index = indexPayload(payload);
    this.#stops = stops(payload.steps, payload.events.length, this.#mode);
    this.#at = this.#stops[0] ?? 0;
    this.#prediction = new Prediction(this.#index);
    this.#wholePass = scaleOf(payload.values);
    this.#scale = this.#wholePass;
    this.#play = player(
      () => this.#playOn(),
      (playing) => this.#bar.showPlaying(playing),
    );
    this.#bar = controls(t, this.#actions(theme));
    this.#graph = this.#makeGraph();
    this.#node = nodePane(this.#index, t, {
      answer: (answers) => this.#answer(answers),
      toggleStop: (node) => this.#toggleStop(node),
    });
    const code = codePane(this.#index, t);
    this.#panes = this.#makePanes(code);
    this.#caption = h("p", {
      class: "caption scroll",
      role: "status",
      "aria-live": "polite",
      tabindex: 0,
    });
    this.element = this.#layOut(code !== null);
    this.#screen = presentation(this.element, () => this.#show());
    this.#place = alone ? address(this.#play.byHand(this.#goToStep)) : null;
    const named = payload.steps[this.#place?.step() ?? -1];
    if (named) this.#at = named.last;
    // Filled before it is in the page, so that styles and layout are computed once.
    this.#show();
    this.#listen(alone);
  }

  goTo(step: number, offset: number, mode: Mode): void {
    const { steps, events } = this.#payload;
    this.#mode = mode;
    const own = steps[step];
    this.#at = own ? Math.min(own.first + offset, own.last) : events.length - 1;
    this.#show();
  }

  title(): string {
    return this.#payload.steps[this.#payload.events[this.#at]?.step ?? 0]?.title ?? "";
  }

  predict(on: boolean): void {
    // Results that were shown cannot be predicted; at the start, nothing counts as shown.
    const seen = this.#at === this.#stops[0] ? -1 : (this.#payload.events[this.#at]?.step ?? 0);
    this.#prediction.toggle(on, seen);
    this.#show();
  }

  asks(): boolean {
    return this.#prediction.open(this.#at) !== null;
  }

  settle(): boolean {
    return this.#prediction.answer(this.#at, []);
  }

  stop(): void {
    this.#play.stop();
    for (const end of this.#endings) end();
  }

  // --- Moves

  #goToEvent(event: number): void {
    const { events, steps } = this.#payload;
    const step = events[event]?.step ?? 0;
    if (this.#guide) return this.#guide.goToStep(step, event - (steps[step]?.first ?? 0));
    this.#at = event;
    this.#show();
  }

  readonly #goToStep = (step: number): void => {
    const target = this.#payload.steps[step];
    if (target) this.#goToEvent(this.#mode === "node" ? target.last : target.first);
  };

  readonly #goToNode = (id: string): void => {
    const step = stepOf(this.#index, id, this.#payload.events[this.#at]?.step ?? 0);
    if (step !== undefined) this.#goToStep(step);
  };

  /** Next shows the answer first if a question is open. */
  readonly #move = (name: Move): void => {
    const answers = name === "next" && this.settle();
    this.#goToEvent(answers ? this.#at : eventAfter(this.#stops, this.#at, name));
  };

  #follow(mode: Mode): void {
    this.#mode = mode;
    this.#stops = stops(this.#payload.steps, this.#payload.events.length, mode);
    this.#lane?.draw(this.#stops);
    this.#goToEvent(this.#stops[stopOf(this.#stops, this.#at)] ?? this.#at);
  }

  /** Make one move; false if playing ends there. */
  #playOn(): boolean {
    const { events } = this.#payload;
    const before = events[this.#at]?.step;
    this.#goToEvent(eventAfter(this.#stops, this.#at, "next"));
    const event = events[this.#at];
    const breaks = event?.step !== before && this.#breaks.has(event?.node ?? "");
    return this.#at < (this.#stops.at(-1) ?? 0) && !breaks && !this.asks();
  }

  #togglePlay(): void {
    if (this.#play.playing) return this.#play.stop();
    if (this.#at === this.#stops.at(-1)) this.#goToEvent(this.#stops[0] ?? 0);
    this.#play.start();
  }

  #toggleStop(node: string): void {
    if (!this.#breaks.delete(node)) this.#breaks.add(node);
    this.#show();
  }

  #answer(answers: string[]): void {
    this.#prediction.answer(this.#at, answers);
    this.#show();
    this.#node.element.querySelector<HTMLElement>(".body")?.focus();
  }

  // --- Parts

  #actions(theme: ThemeKeeper): Actions {
    const { byHand } = this.#play;
    return {
      move: byHand(this.#move),
      goToStop: byHand((stop: number) => this.#goToEvent(this.#stops[stop] ?? this.#at)),
      follow: (mode) => this.#follow(mode),
      togglePlay: () => this.#togglePlay(),
      setSpeed: this.#play.setSpeed,
      predict: (on) => this.predict(on),
      setTheme: theme.choose,
      present: () => this.#screen.toggle(),
    };
  }

  #makeGraph(): GraphPane {
    const toggle = (): void => {
      this.#scale = this.#scale ? null : this.#wholePass;
      this.#show();
    };
    const marks = this.#guide?.marks ?? NO_MARKS;
    const widths = { scale: this.#wholePass, toggle };
    return graphPane(this.#index, this.#t, this.#play.byHand(this.#goToNode), widths, marks.nodes);
  }

  #makePanes(code: Pane | null): Pane[] {
    const marks = this.#guide?.marks ?? NO_MARKS;
    return [
      ...(code ? [code] : []),
      stepsPane(this.#index, this.#t, this.#play.byHand(this.#goToStep), marks.stepOf),
      this.#graph,
      this.#node,
      buffersPane(this.#index, this.#t),
    ];
  }

  #layOut(hasCode: boolean): HTMLElement {
    const [payload, t] = [this.#payload, this.#t];
    const hidden = HIDDEN.filter((part) => !shows(payload, part)).map((part) => `hides-${part}`);
    const lane = hidden.includes("hides-memory")
      ? null
      : memoryLane(
          this.#index,
          t,
          this.#play.byHand(this.#goToStep),
          this.#play.byHand((event: number) => this.#goToEvent(event)),
        );
    // The memory lane is drawn in the slider; below the graph where there is none, or for a remark.
    const lanes = h("div", { class: "lanes" }, lane?.element);
    const isInSlider = lane && payload.memory && !this.#guide;
    lane?.draw(this.#stops, isInSlider ? this.#bar.hold(lane.element) : undefined);
    this.#lane = lane;
    const elements = this.#panes.map((pane) => pane.element);
    const body = h(
      "div",
      { class: ["panes", ...hidden].join(" ") },
      this.#caption,
      ...elements,
      lanes,
    );
    if (lane) this.#panes.push(lane);
    this.#graph.element.querySelector(".tools")?.before(this.#makeDrawers(body, hasCode));
    body.classList.toggle("codeless", !hasCode);
    const lines = payload.files.flatMap((file) => file.lines);
    const most = Math.max(0, ...payload.files.map((file) => file.lines.length));
    body.style.setProperty("--lines", String(most));
    body.style.setProperty("--letters", String(lines.reduce((n, x) => Math.max(n, x.length), 0)));
    return h(
      "div",
      {
        class: this.#guide ? "stepper guided" : "stepper",
        role: "region",
        "aria-label": t.region,
        lang: payload.language,
      },
      body,
      payload.note && h("p", { class: "remark" }, ...parseCode(payload.note)),
      !this.#guide && this.#bar.element,
    );
  }

  /**
   * Buttons that open and close the code and the current node, which a narrow stepper shows over the
   * graph; and dividers, where they stand next to it.
   */
  #makeDrawers(body: HTMLElement, hasCode: boolean): HTMLElement {
    const t = this.#t;
    const sides: [name: string, side: Side, title: string][] = [["node", "card", t.thisNode]];
    if (hasCode) sides.unshift(["code", "code", t.code]);
    const buttons = sides.map(([name, side, title]) => {
      const isShown = (): boolean =>
        Boolean(
          body.querySelector(`:scope > .${name}`)?.checkVisibility({ visibilityProperty: true }),
        );
      const show = (): void => made.setAttribute("aria-expanded", String(isShown()));
      const divider = new Divider(body, side, t.divider(title), () => {
        show();
        this.#reveal("instant"); // the numbers have another width
      });
      const made = h(
        "button",
        { type: "button", class: `for-${name}`, "aria-expanded": "false" },
        title,
      );
      made.addEventListener("click", () => {
        if (divider.element.checkVisibility()) return divider.toggle();
        body.dataset["drawer"] = isShown() ? "" : name;
        for (const drawer of this.#drawers) drawer();
        this.#reveal("instant");
      });
      if (!this.#guide) this.#graph.element.append(divider.element);
      this.#drawers.push(show);
      return made;
    });
    return h("span", { class: "drawers" }, ...buttons);
  }

  // --- Showing

  #show(): void {
    const [payload, t] = [this.#payload, this.#t];
    const question = this.#prediction.open(this.#at);
    const state = stateAt(this.#index, question ? question.shown : this.#at, this.#mode);
    const step = state.current.step;
    const answers = this.#prediction.answersIn(step);
    const view = { state, question, answers, scale: this.#scale, stops: this.#breaks };
    for (const pane of this.#panes) pane.show(view);
    const title = payload.steps[step]?.title ?? "";
    const text = `${t.stepOf(step + 1, payload.steps.length)}: ${title}`;
    this.#bar.show(stopOf(this.#stops, this.#at), this.#stops.length, text);
    const caption = captionOf(this.#index, this.#mode, state.at);
    const asks = question?.forward ? t.questionForward : t.question;
    const between = payload.language === "zh" ? "" : " ";
    this.#caption.textContent = question ? caption + between + asks : caption;
    this.#caption.scrollTop = 0;
    this.#reveal(prefersReducedMotion() ? "instant" : "smooth");
    this.#place?.keep(step);
  }

  #reveal(behavior: ScrollBehavior): void {
    const caption = this.#caption;
    caption.classList.remove("long");
    caption.classList.toggle("long", caption.scrollHeight > caption.clientHeight);
    for (const pane of this.#panes) pane.reveal?.(behavior);
  }

  // --- Listening

  #listen(alone: boolean): void {
    const target = alone ? document : this.element;
    if (!this.#guide) swipe(this.element, this.#play.byHand(this.#move));
    // A hidden stepper has no size yet, and sizes change.
    const resized = new ResizeObserver(() => {
      this.element.classList.toggle("short", this.element.clientHeight < SHORT);
      this.#graph.fit();
      this.#reveal("instant");
      for (const drawer of this.#drawers) drawer();
    });
    resized.observe(this.#graph.element);
    const print = (): void => this.#panes.forEach((pane) => pane.print?.());
    window.addEventListener("beforeprint", print);
    this.#endings.push(
      listenForKeys(target, (key) => this.#press(key)),
      () => this.#place?.stop(),
      () => resized.disconnect(),
      () => window.removeEventListener("beforeprint", print),
    );
  }

  /** Handle a key; false if it has no meaning here. */
  #press(key: string): boolean {
    const [guide, screen] = [this.#guide, this.#screen];
    const name = guide ? undefined : (MOVE_KEYS[key] ?? CLICKER[key]);
    if (name) this.#play.byHand(this.#move)(name);
    else if (key === "b") this.#toggleStop(this.#payload.events[this.#at]?.node ?? "");
    else if (key === "/") this.#graph.search();
    else if (guide) return false;
    else if (key === "p") this.#togglePlay();
    else if (key === "f" || (key === "Escape" && screen.on)) screen.toggle();
    else if (key === "F5") screen.on || screen.toggle();
    else if (key === "." && screen.on) screen.toggleDark();
    else return false;
    return true;
  }
}

/**
 * The step to show when a node is clicked. Leaves, saved tensors and roots have none: a click shows
 * that of the node they belong to.
 */
function stepOf({ payload, node }: Index, id: string, now: number): number | undefined {
  const own = stepOfNode(payload.steps, id, now);
  if (own !== undefined || node.get(id)?.kind === "root") return own ?? 0;
  const edge = payload.edges.find((e) => e.kind !== "next" && [e.source, e.target].includes(id));
  const owner = node.get(id)?.owner ?? (edge?.source === id ? edge.target : edge?.source);
  return owner === undefined ? undefined : stepOfNode(payload.steps, owner, -1);
}
