/**
 * A layered layout of one acyclic graph: the layers of its boxes, an order in each layer that has
 * few crossings, and coordinates. Gradients flow down. Lines that pass a layer get a place in it.
 *
 * A strip that is higher than its room goes on in the next column, like text in a newspaper.
 */

export interface Item {
  id: string;
  width: number;
  height: number;
  /** Where a line enters or leaves, from the item's left side; by default in its middle. */
  enters?: ReadonlyMap<string, number>;
  leaves?: ReadonlyMap<string, number>;
  /** A line's end at the upper or lower side of the frame around it. */
  side?: "top" | "bottom";
}

/** A line for everything that `source` sends: `from` and `to` are items. */
export interface Link {
  source: string;
  from: string;
  to: string;
  /** How much wider it is than one line, if it is drawn as several. */
  spread?: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Drawn {
  width: number;
  height: number;
  /** The upper left corner of each item. */
  places: Map<string, Point>;
  /** The way of each link, by `linkKey`. */
  ways: Map<string, Point[]>;
  columns: number;
}

export const linkKey = ({ source, from, to }: Link): string => `${source} ${from} ${to}`;

/** Links with the same key share the first part of their way. */
const sharedKey = ({ source, from }: Link): string => `${source} ${from}`;

export const GAP = 14; // pixels between two boxes of a layer
const LINE = 9; // the room of a line between boxes
const LAYER = 16; // between two layers
const TRACK = 5; // between two lines that go to the next column
const SWEEPS = 8;

interface Cell {
  item: Item | null; // null: a line passes
  source: string;
  width: number;
  height: number;
  layer: number;
  x: number; // of its middle
  up: Wire[];
  down: Wire[];
}

/** A piece of a link between two neighbouring layers, with the offsets of its ends. */
interface Wire {
  from: Cell;
  to: Cell;
  leaves: number;
  enters: number;
  spread: number;
}

export class Layers {
  readonly #rows: Cell[][] = [];
  readonly #chains = new Map<string, Cell[]>();
  readonly #spreads = new Map<string, number>();
  readonly #wires = new Map<string, Wire>();
  readonly #links: readonly Link[];
  readonly #cells = new Map<string, Cell>();

  constructor(items: readonly Item[], links: readonly Link[]) {
    this.#links = links.filter(({ from, to }) => from !== to);
    const layer = layersOf(items, this.#links);
    for (const item of items) {
      const { id, width, height } = item;
      const cell = { item, source: id, width, height, layer: layer.get(id) ?? 0 };
      this.#cells.set(id, this.#add({ ...cell, x: 0, up: [], down: [] }));
    }
    for (const link of this.#links) {
      const shared = sharedKey(link);
      this.#spreads.set(shared, Math.max(this.#spreads.get(shared) ?? 0, link.spread ?? 0));
    }
    for (const link of this.#links) this.#connect(link);
    this.#order();
    this.#place();
  }

  #add(cell: Cell): Cell {
    (this.#rows[cell.layer] ??= []).push(cell);
    return cell;
  }

  /** Lead a link through the layers between its ends; links of one source share their way. */
  #connect(link: Link): void {
    const [from, to] = [this.#cells.get(link.from), this.#cells.get(link.to)];
    if (!from || !to) return;
    const shared = sharedKey(link);
    const spread = this.#spreads.get(shared) ?? 0;
    const passed = this.#chains.get(shared) ?? [];
    this.#chains.set(shared, passed);
    let last = from;
    for (let layer = from.layer + 1; layer <= to.layer; layer++) {
      let next = layer === to.layer ? to : passed[layer];
      if (!next) {
        const line = { item: null, source: link.source, width: LINE + spread, height: 0, layer };
        next = passed[layer] = this.#add({ ...line, x: 0, up: [], down: [] });
      }
      const key = `${this.#number(last)} ${this.#number(next)} ${link.source}`;
      if (!this.#wires.has(key)) {
        const middle = (cell: Cell): number => cell.width / 2;
        const wire = {
          from: last,
          to: next,
          leaves: last.item?.leaves?.get(link.source) ?? middle(last),
          enters: next.item?.enters?.get(link.source) ?? middle(next),
          spread,
        };
        this.#wires.set(key, wire);
        last.down.push(wire);
        next.up.push(wire);
      }
      last = next;
    }
  }

  readonly #numbers = new Map<Cell, number>();

  #number(cell: Cell): number {
    const known = this.#numbers.get(cell) ?? this.#numbers.size;
    this.#numbers.set(cell, known);
    return known;
  }

  // --- Order: barycentres, down and up, and the best that was seen

  #order(): void {
    let best = this.#rows.map((row) => [...row]);
    let fewest = this.#crossings();
    for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
      const down = sweep % 2 === 0;
      const rows = down ? this.#rows : [...this.#rows].reverse();
      for (const row of rows) {
        const at = new Map<Cell, number>();
        for (const [i, cell] of row.entries()) {
          const ends = down
            ? cell.up.map((w) => this.#index(w.from) + w.leaves / (w.from.width + 1))
            : cell.down.map((w) => this.#index(w.to) + w.enters / (w.to.width + 1));
          at.set(cell, ends.length ? ends.reduce((a, b) => a + b, 0) / ends.length : i);
        }
        row.sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0));
        this.#renumber(row);
      }
      const crossings = this.#crossings();
      if (crossings < fewest) {
        fewest = crossings;
        best = this.#rows.map((row) => [...row]);
      }
    }
    for (const [layer, row] of best.entries()) {
      this.#rows[layer] = row;
      this.#renumber(row);
    }
  }

  readonly #places = new Map<Cell, number>();

  #index(cell: Cell): number {
    return this.#places.get(cell) ?? 0;
  }

  #renumber(row: readonly Cell[]): void {
    for (const [i, cell] of row.entries()) this.#places.set(cell, i);
  }

  #crossings(): number {
    let count = 0;
    for (const row of this.#rows) {
      this.#renumber(row);
    }
    for (const row of this.#rows) {
      const ends = row
        .flatMap((cell) => cell.down)
        .map((w): [number, number] => [
          this.#index(w.from) + w.leaves / (w.from.width + 1),
          this.#index(w.to) + w.enters / (w.to.width + 1),
        ]);
      for (const [i, [a, b]] of ends.entries())
        for (let j = 0; j < i; j++) {
          const [c, d] = ends[j] ?? [0, 0];
          if ((a - c) * (b - d) < 0) count += 1;
        }
    }
    return count;
  }

  // --- Coordinates across

  #place(): void {
    for (const row of this.#rows) {
      let x = 0;
      for (const cell of row) {
        cell.x = x + cell.width / 2;
        x += cell.width + GAP;
      }
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const down = sweep % 2 === 0;
      const rows = down ? this.#rows : [...this.#rows].reverse();
      for (const row of rows) settle(row, down ? "up" : "down");
    }
    for (const row of this.#rows) settle(row, "both");
  }

  // --- Columns

  get layers(): number {
    return this.#rows.length;
  }

  /** The drawing, in as many columns as it needs to be at most `room` high. */
  draw(room: number, gap = LAYER): Drawn {
    const heights = this.#rows.map((row) => Math.max(0, ...row.map((cell) => cell.height)));
    const columns = this.#cut(heights, room, gap);
    const drawing = new Drawing(this.#rows, heights, columns, gap);
    const ways = new Map<string, Point[]>();
    for (const link of this.#links) {
      const [from, to] = [this.#cells.get(link.from), this.#cells.get(link.to)];
      if (!from || !to) continue;
      const passed = this.#chains.get(sharedKey(link)) ?? [];
      const cells = [from];
      for (let layer = from.layer + 1; layer < to.layer; layer++) {
        const cell = passed[layer];
        if (cell) cells.push(cell);
      }
      cells.push(to);
      const wires = cells.slice(1).map((cell, i): Wire | undefined => {
        const last = cells[i];
        return (
          last && this.#wires.get(`${this.#number(last)} ${this.#number(cell)} ${link.source}`)
        );
      });
      ways.set(linkKey(link), drawing.way(wires.filter((wire) => wire !== undefined)));
    }
    const places = new Map<string, Point>();
    for (const [id, cell] of this.#cells) places.set(id, drawing.corner(cell));
    const { width, height } = drawing;
    return { width, height, places, ways, columns: columns.length };
  }

  /** The layers at which columns begin: they are about equally high, and few lines are cut. */
  #cut(heights: readonly number[], room: number, gap: number): number[] {
    const starts = [0];
    let start = 0;
    const total = heights.reduce((a, b) => a + b + gap, -gap);
    const count = Math.ceil(total / Math.max(room, 1));
    if (count < 2) return starts;
    while (start < heights.length) {
      let height = 0;
      let end = start;
      while (end < heights.length && (end === start || height + (heights[end] ?? 0) <= room)) {
        height += (heights[end] ?? 0) + gap;
        end += 1;
      }
      if (end >= heights.length) break;
      // Of the last layers that fit, cut where the fewest lines are cut.
      let best = end;
      for (let at = end; at > start + Math.max(1, Math.ceil((end - start) * 0.7)); at--)
        if (this.#passing(at) < this.#passing(best)) best = at;
      start = best;
      starts.push(start);
    }
    return starts;
  }

  #passing(layer: number): number {
    return new Set((this.#rows[layer] ?? []).flatMap((cell) => cell.up.map((w) => w.from))).size;
  }
}

/** Coordinates once it is known which layers form columns. */
class Drawing {
  width = 0;
  height = 0;
  readonly #top: number[] = [];
  readonly #shift: number[] = [];
  readonly #column: number[] = [];
  /** For each column, the room of the lines that come from the last one. */
  readonly #gutters: number[] = [];
  readonly #tracks = new Map<string, number>();
  readonly #used: number[] = [];

  constructor(
    readonly rows: readonly Cell[][],
    readonly heights: readonly number[],
    columns: readonly number[],
    readonly gap: number,
  ) {
    const cut = columns.map((start) => (start ? widthOfTracks(rows[start] ?? []) : 0));
    const most = Math.max(0, ...cut);
    const lanes = columns.length > 1 ? most + 8 : 0;
    let x = 0;
    for (const [n, start] of columns.entries()) {
      const own = rows.slice(start, columns[n + 1] ?? rows.length);
      const cells = own.flat();
      const left = Math.min(...cells.map((cell) => cell.x - cell.width / 2));
      const right = Math.max(...cells.map((cell) => cell.x + cell.width / 2));
      const gutter = n ? (cut[n] ?? 0) + 2 * GAP : 0;
      this.#gutters[n] = x + GAP + TRACK;
      x += gutter;
      let y = lanes;
      for (let layer = start; layer < start + own.length; layer++) {
        this.#top[layer] = y;
        this.#shift[layer] = x - left;
        this.#column[layer] = n;
        y += (heights[layer] ?? 0) + gap;
      }
      this.height = Math.max(this.height, y - gap + lanes);
      x += right - left;
    }
    this.width = x;
  }

  corner(cell: Cell): Point {
    const { layer, width, height, x, item } = cell;
    const room = (this.heights[layer] ?? 0) - height;
    // Ends of lines lie on the frame's side.
    const y = item?.side === "top" ? 0 : item?.side === "bottom" ? room : room / 2;
    return { x: this.#at(x, layer) - width / 2, y: (this.#top[layer] ?? 0) + y };
  }

  #at(x: number, layer: number): number {
    return x + (this.#shift[layer] ?? 0);
  }

  /** The points of a way: it is straight within a layer, and bends between two. */
  way(wires: readonly Wire[]): Point[] {
    const points: Point[] = [];
    for (const { from, to, leaves, enters, spread } of wires) {
      const [start, end] = [this.corner(from), this.corner(to)];
      const a = { x: start.x + leaves, y: start.y + from.height };
      const b = { x: end.x + enters, y: end.y };
      const low = (this.#top[from.layer] ?? 0) + (this.heights[from.layer] ?? 0);
      const high = this.#top[to.layer] ?? 0;
      points.push(a, { x: a.x, y: low });
      if (this.#column[from.layer] !== this.#column[to.layer])
        points.push(...this.#turn(from, spread, a.x, b.x, low, high));
      points.push({ x: b.x, y: high }, b);
    }
    return points;
  }

  /** From the lower end of a column over the gutter to the upper end of the next. */
  #turn(from: Cell, spread: number, x: number, toX: number, low: number, high: number): Point[] {
    const column = (this.#column[from.layer] ?? 0) + 1;
    const key = `${column} ${from.source} ${from.x}`;
    let track = this.#tracks.get(key);
    if (track === undefined) {
      const used = this.#used[column] ?? 0;
      track = used + spread / 2;
      this.#tracks.set(key, track);
      this.#used[column] = used + TRACK + spread;
    }
    const side = (this.#gutters[column] ?? 0) + track;
    const [below, above] = [low + 8 + track, high - 8 - track];
    return [
      { x, y: below },
      { x: side, y: below },
      { x: side, y: above },
      { x: toX, y: above },
    ];
  }
}

/** The width of the lines that lead to a row from the column before. */
function widthOfTracks(row: readonly Cell[]): number {
  const widths = new Map<Cell, number>();
  for (const { from, spread } of row.flatMap((cell) => cell.up)) widths.set(from, TRACK + spread);
  return [...widths.values()].reduce((sum, width) => sum + width, 0);
}

/** The layer of each item: below all that sends it something. */
function layersOf(items: readonly Item[], links: readonly Link[]): Map<string, number> {
  const layer = new Map<string, number>();
  const waiting = new Map(items.map(({ id }) => [id, 0]));
  const below = new Map<string, string[]>();
  const above = new Map<string, string[]>();
  for (const { from, to } of links) {
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
    push(below, from, to);
    push(above, to, from);
  }
  const order = items.filter(({ id }) => !waiting.get(id)).map(({ id }) => id);
  for (const id of order) {
    if (!layer.has(id)) layer.set(id, 0);
    for (const to of below.get(id) ?? []) {
      layer.set(to, Math.max(layer.get(to) ?? 0, (layer.get(id) ?? 0) + 1));
      waiting.set(to, (waiting.get(to) ?? 0) - 1);
      if (waiting.get(to) === 0) order.push(to);
    }
  }
  // A box with more outputs than inputs moves down, next to its outputs.
  for (const id of [...order].reverse()) {
    const next = below.get(id) ?? [];
    if (next.length > (above.get(id)?.length ?? 0))
      layer.set(id, Math.min(...next.map((to) => layer.get(to) ?? 0)) - 1);
  }
  const sides = new Map(items.map(({ id, side }) => [id, side]));
  const inner = items.filter(({ side }) => !side).map(({ id }) => layer.get(id) ?? 0);
  const [first, last] = [Math.min(0, ...inner), Math.max(0, ...inner)];
  const tops = items.some(({ side }) => side === "top") ? 1 : 0;
  const connected = new Set(links.flatMap(({ from, to }) => [from, to]));
  for (const [id, at] of layer) {
    const side = sides.get(id);
    // Unconnected boxes, such as a leaf that many use, stand at the end.
    const own = connected.has(id) || items.length === 1 ? at - first : last - first;
    layer.set(id, side === "top" ? 0 : side === "bottom" ? last - first + 1 + tops : own + tops);
  }
  if (!tops) return layer;
  const used = Math.min(...items.filter(({ side }) => !side).map(({ id }) => layer.get(id) ?? 0));
  if (Number.isFinite(used) && used > 1)
    for (const [id, at] of layer) if (sides.get(id) !== "top") layer.set(id, at - used + 1);
  return layer;
}

/**
 * Move the cells of a row towards their neighbours, in order and without overlap: the places with
 * the least squared distance, found by merging cells that would overlap.
 */
function settle(row: readonly Cell[], towards: "up" | "down" | "both"): void {
  interface Block {
    sum: number;
    weight: number;
    cells: Cell[];
  }
  const offsets: number[] = [];
  const blocks: Block[] = [];
  let offset = 0;
  let last: Cell | undefined;
  for (const cell of row) {
    if (last) offset += (last.width + cell.width) / 2 + (last.item || cell.item ? GAP : LINE / 2);
    offsets.push(offset);
    last = cell;
    const wanted: [number, number][] = [];
    if (towards !== "down")
      for (const { from, leaves, enters } of cell.up)
        wanted.push([
          from.x - from.width / 2 + leaves - (enters - cell.width / 2),
          from.item || cell.item ? 1 : 4,
        ]);
    if (towards !== "up")
      for (const { to, leaves, enters } of cell.down)
        wanted.push([
          to.x - to.width / 2 + enters - (leaves - cell.width / 2),
          to.item || cell.item ? 1 : 4,
        ]);
    const weight = wanted.reduce((sum, [, w]) => sum + w, 0) || 0.1;
    const at = wanted.length ? wanted.reduce((sum, [x, w]) => sum + x * w, 0) / weight : cell.x;
    let block: Block = { sum: (at - offset) * weight, weight, cells: [cell] };
    for (let before = blocks.at(-1); before; before = blocks.at(-1)) {
      if (before.sum / before.weight <= block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: before.sum + block.sum,
        weight: before.weight + block.weight,
        cells: [...before.cells, ...block.cells],
      };
    }
    blocks.push(block);
  }
  let i = 0;
  for (const { sum, weight, cells } of blocks)
    for (const cell of cells) cell.x = sum / weight + (offsets[i++] ?? 0);
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
