/**
 * Presentation: the whole screen, large type, only the graph and the current step. The lecturer can
 * turn the screen black while speaking.
 */

export interface Presentation {
  readonly on: boolean;
  toggle(): void;
  /** Black, and back. */
  toggleDark(): void;
}

/**
 * The moves for the keys that a clicker sends. (Some also send F5 to begin, and a full stop to make
 * the screen black.)
 */
export const CLICKER: Record<string, "previous" | "next"> = {
  PageUp: "previous",
  PageDown: "next",
};

/** `root` fills the screen, or its window if that is not allowed; `changed` runs on each change. */
export function presentation(root: HTMLElement, changed: (on: boolean) => void): Presentation {
  let on = false;
  const show = (now: boolean): void => {
    on = now;
    root.classList.toggle("presenting", on);
    root.classList.remove("dark");
    // The controls are hidden, and keys go to where the focus is.
    root.tabIndex = -1;
    if (on) root.focus({ preventScroll: true });
    changed(on);
  };
  root.addEventListener("fullscreenchange", () => {
    if (!(root.getRootNode() as ShadowRoot).fullscreenElement && on) show(false);
  });
  return {
    get on() {
      return on;
    },
    toggle() {
      show(!on);
      if (on) {
        // The presentation may be over when the full screen is allowed. Without permission, fill
        // the frame.
        const leave = (): unknown => on || document.exitFullscreen();
        root
          .requestFullscreen?.()
          .then(leave)
          .catch(() => undefined);
      } else if (document.fullscreenElement) void document.exitFullscreen();
    },
    toggleDark() {
      root.classList.toggle("dark");
    },
  };
}
