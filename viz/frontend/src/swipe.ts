/** A horizontal swipe makes one move, unless an element under the finger scrolls sideways. */

const FAR = 48; // pixels; a shorter movement is a tap
const FLAT = 2; // the least ratio of horizontal to vertical distance

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

/** Whether `target` or an element between it and `end` moves sideways itself. */
function slides(target: Element, end: Element): boolean {
  for (let at: Element | null = target; at && at !== end; at = at.parentElement) {
    if (at.matches("input, select")) return true;
    if (at.scrollWidth > at.clientWidth && at.matches(".scroll")) return true;
  }
  return false;
}
