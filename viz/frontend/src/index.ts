/**
 * The stepper's module, which the Python package contains. In a notebook anywidget calls `render`; a stand-alone
 * page calls `mount`.
 *
 * Start reading at stepper.ts; state.ts is the heart.
 */

import { askWidget, type Channel } from "./live";
import { mount } from "./mount";
import type { Pair, Payload } from "./payload";

/** The parts of anywidget's model that are used here. */
interface Model extends Channel {
  get(name: "payload"): Payload | Pair;
  on(name: "change:payload" | "msg:custom", callback: (content: unknown) => void): void;
  off(name: "change:payload" | "msg:custom", callback: (content: unknown) => void): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const ask = askWidget(model);
  let unmount = mount(el, model.get("payload"), false, ask);
  const again = (): void => {
    unmount();
    unmount = mount(el, model.get("payload"), false, ask);
  };
  model.on("change:payload", again);
  return () => {
    model.off("change:payload", again);
    unmount();
  };
}

export { mount };
export default { render };
