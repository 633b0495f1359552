/**
 * The stepper's module, as Python ships it. In a notebook anywidget calls `render`; a stand-alone
 * page calls `mount`.
 *
 * Start reading at stepper.ts; state.ts is the heart.
 */

import type { Pair, Payload } from "./payload";
import { mount } from "./stepper";

/** What anywidget hands over, as far as it is used here. */
interface Model {
  get(name: "payload"): Payload | Pair;
  on(name: "change:payload", callback: () => void): void;
  off(name: "change:payload", callback: () => void): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  let unmount = mount(el, model.get("payload"));
  const again = (): void => {
    unmount();
    unmount = mount(el, model.get("payload"));
  };
  model.on("change:payload", again);
  return () => {
    model.off("change:payload", again);
    unmount();
  };
}

export { mount };
export default { render };
