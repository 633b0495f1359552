/** Automatic stepping: one move at a time, until none is left or `stop` is called. */

export const SPEEDS = [0.5, 1, 2, 4]; // moves a second
const DEFAULT_SPEED = 1;

export interface Player {
  readonly playing: boolean;
  start(): void;
  stop(): void;
  setSpeed(movesPerSecond: number): void;
  /** Wrap an action of the reader, which stops playing first. */
  byHand<A extends unknown[]>(action: (...args: A) => void): (...args: A) => void;
}

/** `advance` makes one move and returns whether to continue; `changed` runs on start and stop. */
export function player(advance: () => boolean, changed: (playing: boolean) => void): Player {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let speed = DEFAULT_SPEED;
  const wait = (): void => {
    timer = setTimeout(() => {
      if (advance()) wait();
      else stop();
    }, 1000 / speed);
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    changed(false);
  };
  return {
    get playing() {
      return timer !== undefined;
    },
    start() {
      if (timer !== undefined) return;
      wait();
      changed(true);
    },
    stop,
    byHand:
      (action) =>
      (...args) => {
        stop();
        action(...args);
      },
    setSpeed(movesPerSecond) {
      speed = movesPerSecond;
      if (timer === undefined) return;
      clearTimeout(timer);
      wait();
    },
  };
}
