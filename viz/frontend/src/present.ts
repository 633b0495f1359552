/**
 * For a lecture hall: the whole screen, large type, and nothing on it but the graph and what
 * happens in this step. The screen can be black while the lecturer speaks.
 */

export interface Presentation {
  readonly on: boolean;
  toggle(): void;
  /** Black, and back. */
  toggleDark(): void;
}

/**
 * What a clicker sends, and what it means. (Those that send F5 begin with it; the full stop turns
 * the screen black.)
 */
export const CLICKER: Record<string, "previous" | "next"> = {
  PageUp: "previous",
  PageDown: "next",
};

/** `root` fills the screen, or where that is not allowed, its window. `changed` is told. */
export function presentation(root: HTMLElement, changed: (on: boolean) => void): Presentation {
  let on = false;
  const show = (now: boolean): void => {
    on = now;
    root.classList.toggle("presenting", on);
    root.classList.remove("dark");
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
      // A frame that is not allowed to fill the screen is filled itself.
      if (on) root.requestFullscreen?.().catch(() => undefined);
      else if (document.fullscreenElement) void document.exitFullscreen();
    },
    toggleDark() {
      root.classList.toggle("dark");
    },
  };
}
