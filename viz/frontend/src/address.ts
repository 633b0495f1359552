/**
 * The step in the address of a stand-alone page: `page.html#step=6` opens at the sixth step, and the
 * address bar follows the reader.
 */

const STEP = /(?:^#|[#&])step=(\d+)/;
const QUIET = 150; // milliseconds; browsers limit how often a page may write its address

export interface Address {
  /** The step that the address names, from 0. */
  step(): number | null;
  /** Write `step` into the address after a short delay. */
  keep(step: number): void;
  stop(): void;
}

/** `changed` is called when the reader changes the address. */
export function address(changed: (step: number) => void): Address {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = (): number | null => {
    const found = STEP.exec(location.hash);
    return found ? Number(found[1]) - 1 : null;
  };
  const listen = (): void => {
    const named = step();
    if (named !== null) changed(named);
  };
  addEventListener("hashchange", listen);
  return {
    step,
    keep(now) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (now !== step()) history.replaceState(null, "", `#step=${now + 1}`);
      }, QUIET);
    },
    stop() {
      clearTimeout(timer);
      removeEventListener("hashchange", listen);
    },
  };
}
