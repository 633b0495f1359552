/**
 * A list that may have thousands of rows, of which those in view are made: to lay out all of them
 * takes several times as long as everything else that a step does.
 *
 * Rows of a long list have one size, so where each stands follows from its number (the style sheet
 * puts it there), and the scrollbar is that of the whole list. A short one is all there, and its
 * rows are as high as what is in them.
 */

const LONG = 200; // fewer rows than this are all made
const BEYOND = 20; // rows that are ready on both sides of those in view

export interface Rows {
  /** Those that are there, by their numbers. */
  made: ReadonlyMap<number, HTMLElement>;
  /** Have `kept` there, and what is in view. */
  keep(kept: number): void;
  /** Look what is in view. It measures. */
  look(): void;
  /** Have all of them there, until it is looked again: on paper nobody scrolls. */
  all(): void;
  /** Make a row anew. */
  renew(row: number): void;
}

export function rows(
  scroller: HTMLElement,
  list: HTMLElement,
  count: number,
  make: (row: number) => HTMLElement,
): Rows {
  const made = new Map<number, HTMLElement>();
  const isLong = count > LONG;
  let [first, last] = [0, isLong ? 2 * BEYOND : count];
  let kept = -1;
  list.classList.toggle("long", isLong);
  list.style.setProperty("--count", String(count));

  const fresh = (row: number): HTMLElement => {
    const element = make(row);
    element.style.setProperty("--at", String(row));
    made.set(row, element);
    return element;
  };
  const fill = (): void => {
    const wanted = new Set(kept < 0 ? [] : [kept]);
    for (let row = first; row < last; row++) wanted.add(row);
    for (const [row, element] of made) {
      if (wanted.has(row)) continue;
      // What has the keyboard's focus would lose it.
      if (element.matches(":focus-within")) wanted.add(row);
      else {
        element.remove();
        made.delete(row);
      }
    }
    let next = list.firstElementChild;
    for (const row of [...wanted].sort((a, b) => a - b)) {
      const old = made.get(row);
      if (old) next = old.nextElementSibling;
      else list.insertBefore(fresh(row), next);
    }
  };
  const look = (): void => {
    if (!isLong) return;
    const [outer, inner] = [scroller.getBoundingClientRect(), list.getBoundingClientRect()];
    // On a narrow page, the steps are a strip.
    const across = inner.width > inner.height;
    const size = (across ? inner.width : inner.height) / count;
    if (size === 0) return; // nobody sees it yet
    const start = across ? outer.left - inner.left : outer.top - inner.top;
    const seen = Math.floor(start / size);
    const room = Math.ceil((across ? outer.width : outer.height) / size);
    const [from, to] = [Math.max(0, seen - BEYOND), Math.min(count, seen + room + BEYOND)];
    // Until half of what was ready is used up, nothing has to be made.
    const ready = Math.abs(from - first) < BEYOND / 2 && Math.abs(to - last) < BEYOND / 2;
    if (ready && first <= seen && seen + room <= last) return;
    [first, last] = [from, to];
    fill();
  };
  if (isLong) scroller.addEventListener("scroll", look, { passive: true });
  fill();
  return {
    made,
    look,
    keep(row) {
      kept = row;
      if (row >= 0 && !made.has(row)) fill();
    },
    all() {
      [first, last] = [0, count];
      fill();
    },
    renew(row) {
      made.get(row)?.replaceWith(fresh(row));
    },
  };
}
