/**
 * Ask the kernel of a live page to run the program again.
 *
 * A widget has a channel to its kernel. A notebook shows the stepper as HTML, which has none, so
 * Python opens a widget without a view next to it (stepper/bridge.js). Both meet in the events of
 * the document: the widget says that it is there, and the page sends it pushes.
 */

import type { Ask, Push, Pushed } from "./nudge";

/** The parts of anywidget's model that are used here. */
export interface Channel {
  send(content: unknown): void;
  on(name: "msg:custom", callback: (content: unknown) => void): void;
  off(name: "msg:custom", callback: (content: unknown) => void): void;
}

/** Ask through the stepper's own widget. */
export const askWidget =
  (model: Channel): Ask =>
  (push: Push) =>
    new Promise((resolve) => {
      const number = Math.random();
      const answer = (content: unknown): void => {
        const { nudge, ...pushed } = content as { nudge?: number } & Pushed;
        if (nudge !== number) return;
        model.off("msg:custom", answer);
        resolve(pushed as Pushed);
      };
      model.on("msg:custom", answer);
      model.send({ nudge: number, ...push });
    });

/** The digest by which Python's widget knows a stepper in a notebook's output. */
const idOf = (place: HTMLElement): string | undefined =>
  [...place.classList].find((name) => /^minigrad-[0-9a-f]{16}$/.test(name))?.slice(9);

interface Call {
  id: string;
  live: boolean;
  push?: Push;
  answer?: (pushed: Pushed) => void;
}

const call = (detail: Call): boolean => {
  document.dispatchEvent(new CustomEvent("minigrad-nudge", { detail }));
  return detail.live;
};

/** Call `found` with a way to ask, now or as soon as Python's widget is there. */
export function askPage(place: HTMLElement, found: (ask: Ask) => void): () => void {
  const id = idOf(place);
  if (id === undefined) return () => undefined;
  const ask: Ask = (push) => new Promise((answer) => call({ id, live: false, push, answer }));
  const look = (): void => {
    if (!call({ id, live: false })) return;
    document.removeEventListener("minigrad-live", look);
    found(ask);
  };
  document.addEventListener("minigrad-live", look);
  look();
  return () => document.removeEventListener("minigrad-live", look);
}
