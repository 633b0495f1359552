/** Keys of a stepper or of a pair: the same rules decide which key presses count. */

/**
 * Call `press` for plain keys outside of text fields; if it returns true, the key has no other
 * effect. Returns a function that stops listening.
 */
export function listenForKeys(
  target: HTMLElement | Document,
  press: (key: string) => boolean,
): () => void {
  const listener = (event: KeyboardEvent): void => {
    const [origin] = event.composedPath() as Element[];
    if (event.defaultPrevented || origin?.matches?.("select, input:not([type=range])")) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // It presses the button; on a slide, it must not lead to the next slide as well.
    if (event.key === " " && origin?.matches?.("button")) event.stopPropagation();
    if (!press(event.key)) return;
    event.preventDefault(); // the slider and the panes would move as well
    event.stopPropagation();
  };
  target.addEventListener("keydown", listener as EventListener);
  return () => target.removeEventListener("keydown", listener as EventListener);
}
