/** One number of an outgoing gradient, with everything from which its node computed it. */

import type { ValueData } from "./payload";
import { narrow, places, type Place } from "./places";
import { element, named, number, type Term } from "./terms";

export type Maybe = ValueData | undefined;

/** The inputs and outputs of a node that ran. */
export interface Ran {
  name: string;
  incoming: readonly Maybe[];
  outgoing: readonly Maybe[];
  saved: ReadonlyMap<string, ValueData>;
  /** The values that it holds, as text: "(1, 2)". */
  scalars: ReadonlyMap<string, string>;
}

export class One {
  constructor(
    private readonly ran: Ran,
    readonly slot: number,
    readonly out: ValueData,
    readonly at: Place,
  ) {}

  get name(): string {
    return this.ran.name;
  }

  get shape(): Place {
    return this.out.shape;
  }

  /** All tensors from which it may have been computed. */
  get all(): ValueData[] {
    return [...this.gs, ...this.ran.saved.values()].filter((each) => each !== undefined);
  }

  get others(): readonly Maybe[] {
    return this.ran.outgoing;
  }

  get gs(): readonly Maybe[] {
    return this.ran.incoming;
  }

  get g(): ValueData {
    const found = this.gs.find(Boolean);
    if (!found) throw new Error("no gradient");
    return found;
  }

  saved(name: string): ValueData {
    const found = this.ran.saved.get(name);
    if (!found) throw new Error(name);
    return found;
  }

  has(name: string): Maybe {
    return this.ran.saved.get(name);
  }

  text(name: string): string {
    return this.ran.scalars.get(name) ?? "";
  }

  /** "(1, 2)" as [1, 2]. */
  ints(name: string): number[] {
    return (this.text(name).match(/-?\d+/g) ?? []).map(Number);
  }

  int(name: string, otherwise = 0): number {
    return this.ints(name)[0] ?? otherwise;
  }

  /** The dimensions under `name`, counted from the front; all, if there are none. */
  dims(name = "dim", rank = this.shape.length): number[] {
    const found = this.ints(name).map((d) => (d < 0 ? d + rank : d));
    return found.length ? found : Array.from({ length: rank }, (_, d) => d);
  }

  /** The places that differ from this one only along `dims`. */
  line(dims = this.dims()): number[][] {
    return places(this.shape).filter((p) =>
      p.every((i, d) => dims.includes(d) || i === this.at[d]),
    );
  }

  /** The number of a tensor at `place`; `dims` are dimensions that a reduction removed. */
  number(tensor: Maybe, place: Place = this.at, dims: readonly number[] | null = null): Term {
    if (!tensor) throw new Error("no tensor");
    return number(element(tensor, narrow(place, tensor.shape, this.shape, dims)));
  }

  /** The numbers of the incoming gradients that `goes` maps to this place. */
  findSources(goes: Goes): Source[] {
    return this.gs.flatMap((g, which) =>
      g
        ? places(g.shape)
            .filter((p) => {
              const to = goes([...p], which);
              return to !== null && to.every((i, d) => i === this.at[d]);
            })
            .map((p): Source => [which, p])
        : [],
    );
  }

  /** The terms of their sum; a single one is named by its place. */
  toTerms(from: readonly Source[]): Term[] {
    const terms = from.map(([which, p]) => number(element(this.gs[which], p)));
    const [only] = from;
    if (only && from.length === 1) {
      const letter = this.gs.length > 1 ? `g${SUBSCRIPTS[only[0] + 1] ?? ""}` : "g";
      return [named(terms[0]?.value ?? NaN, letter, only[1])];
    }
    return terms;
  }
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** Which incoming gradient, and where in it. */
export type Source = readonly [number, Place];

/** Where the number at `p` of the incoming gradient `which` goes; null: nowhere. */
export type Goes = (p: number[], which: number) => Place | null;
