/**
 * The step in the address of a page of its own: `page.html#step=6` opens at the sixth, and what one
 * copies from the address bar leads back to where one is.
 */

const STEP = /(?:^#|[#&])step=(\d+)/;
const QUIET = 150; // milliseconds; a browser refuses to write its address at every move of a slider

export interface Address {
  /** The step that the address names, from 0. */
  step(): number | null;
  /** Write the address for `step`, soon. */
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
