/** A finger that is drawn across steps on or back; what scrolls sideways below it goes first. */

const FAR = 48; // pixels; less is a tap that slipped
const FLAT = 2; // so many times as far sideways as up or down

export function swipe(element: HTMLElement, move: (name: "previous" | "next") => void): void {
  let from: Touch | null = null;
  element.addEventListener(
    "touchstart",
    ({ touches, target }) => {
      const [only, other] = touches;
      from = only && !other && !slides(target as Element, element) ? only : null;
    },
    { passive: true },
  );
  element.addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from || !to) return;
    const [across, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    if (Math.abs(across) < Math.max(FAR, FLAT * Math.abs(down))) return;
    move(across < 0 ? "next" : "previous");
  });
}

/** Is there something between `target` and `end` that moves sideways itself? */
function slides(target: Element, end: Element): boolean {
  for (let at: Element | null = target; at && at !== end; at = at.parentElement) {
    if (at.matches("input, select")) return true;
    if (at.scrollWidth > at.clientWidth && at.matches(".scroll")) return true;
  }
  return false;
}
