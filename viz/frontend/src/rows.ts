/**
 * A list that may have thousands of rows, of which only the visible ones are created: the layout of
 * all rows would take several times as long as the rest of a step.
 *
 * Rows of a long list have one size, so the style sheet places each by its number, and the scrollbar
 * is that of the whole list. A short list is created whole, and its rows are as high as their
 * content.
 */

const LONG = 200; // lists with fewer rows are created whole
const MARGIN = 20; // rows that are created on both sides of the visible ones

export interface Rows {
  /** The created rows, by number. */
  made: ReadonlyMap<number, HTMLElement>;
  /** Keep row `kept` created, in addition to the visible ones. */
  keep(kept: number): void;
  /** Create the rows that are visible now. It measures. */
  look(): void;
  /** Create all rows until the next `look`, for print. */
  all(): void;
  /** Replace a row. */
  renew(row: number): void;
}

export const rows = (
  scroller: HTMLElement,
  list: HTMLElement,
  count: number,
  make: (row: number) => HTMLElement,
): Rows => new Window(scroller, list, count, make);

class Window implements Rows {
  readonly made = new Map<number, HTMLElement>();
  readonly #isLong: boolean;
  #first = 0;
  #last: number;
  #kept = -1;

  readonly #scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #count: number;
  readonly #make: (row: number) => HTMLElement;

  constructor(
    scroller: HTMLElement,
    list: HTMLElement,
    count: number,
    make: (row: number) => HTMLElement,
  ) {
    this.#scroller = scroller;
    this.#list = list;
    this.#count = count;
    this.#make = make;
    this.#isLong = count > LONG;
    this.#last = this.#isLong ? 2 * MARGIN : count;
    list.classList.toggle("long", this.#isLong);
    list.style.setProperty("--count", String(count));
    if (this.#isLong) scroller.addEventListener("scroll", this.look, { passive: true });
    this.#fill();
  }

  readonly look = (): void => {
    if (!this.#isLong) return;
    const [first, last, count] = [this.#first, this.#last, this.#count];
    const [outer, inner] = [this.#scroller, this.#list].map((each) => each.getBoundingClientRect());
    if (!outer || !inner) return;
    // On a narrow page, the steps are a horizontal strip.
    const across = inner.width > inner.height;
    const size = (across ? inner.width : inner.height) / count;
    if (size === 0) return; // not visible yet
    const start = across ? outer.left - inner.left : outer.top - inner.top;
    const seen = Math.floor(start / size);
    const room = Math.ceil((across ? outer.width : outer.height) / size);
    const [from, to] = [Math.max(0, seen - MARGIN), Math.min(count, seen + room + MARGIN)];
    // Rows are created only after half of the margin is used up.
    const ready = Math.abs(from - first) < MARGIN / 2 && Math.abs(to - last) < MARGIN / 2;
    if (ready && first <= seen && seen + room <= last) return;
    [this.#first, this.#last] = [from, to];
    this.#fill();
  };

  keep(row: number): void {
    this.#kept = row;
    if (row >= 0 && !this.made.has(row)) this.#fill();
  }

  readonly all = (): void => {
    [this.#first, this.#last] = [0, this.#count];
    this.#fill();
  };

  renew(row: number): void {
    this.made.get(row)?.replaceWith(this.#create(row));
  }

  #create(row: number): HTMLElement {
    const element = this.#make(row);
    element.style.setProperty("--at", String(row));
    this.made.set(row, element);
    return element;
  }

  #fill(): void {
    const wanted = new Set(this.#kept < 0 ? [] : [this.#kept]);
    for (let row = this.#first; row < this.#last; row++) wanted.add(row);
    for (const [row, element] of this.made) {
      if (wanted.has(row)) continue;
      // Keep the row that has the keyboard's focus.
      if (element.matches(":focus-within")) wanted.add(row);
      else {
        element.remove();
        this.made.delete(row);
      }
    }
    let next = this.#list.firstElementChild;
    for (const row of [...wanted].sort((a, b) => a - b)) {
      const old = this.made.get(row);
      if (old) next = old.nextElementSibling;
      else this.#list.insertBefore(this.#create(row), next);
    }
  }
}
