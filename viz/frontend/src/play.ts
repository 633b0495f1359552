/** Stepping by itself: one move at a time, until there is none left or somebody wants to look. */

export const SPEEDS = [0.5, 1, 2, 4]; // moves a second
const DEFAULT_SPEED = 1;

export interface Player {
  readonly playing: boolean;
  start(): void;
  stop(): void;
  setSpeed(movesPerSecond: number): void;
}

/** `advance` makes one move and says whether to go on; `changed` is called on start and stop. */
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
    setSpeed(movesPerSecond) {
      speed = movesPerSecond;
      if (timer === undefined) return;
      clearTimeout(timer);
      wait();
    },
  };
}
