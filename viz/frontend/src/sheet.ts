/**
 * Values of nodes and edges by id: a map that is cheap to copy even with tens of thousands of ids.
 * All sheets share one table from ids to places in their lists.
 */

export class Sheet<V> {
  constructor(
    private readonly places: Map<string, number>,
    private cells: (V | undefined)[] = [],
  ) {}

  get(id: string): V | undefined {
    const place = this.places.get(id);
    return place === undefined ? undefined : this.cells[place];
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  set(id: string, value: V): void {
    let place = this.places.get(id);
    if (place === undefined) this.places.set(id, (place = this.places.size));
    while (this.cells.length <= place) this.cells.push(undefined);
    this.cells[place] = value;
  }

  delete(id: string): void {
    const place = this.places.get(id);
    if (place !== undefined && place < this.cells.length) this.cells[place] = undefined;
  }

  clear(): void {
    this.cells = [];
  }

  *[Symbol.iterator](): Generator<[string, V]> {
    for (const [id, place] of this.places) {
      const cell = this.cells[place];
      if (cell !== undefined) yield [id, cell];
    }
  }

  copy(): Sheet<V> {
    return new Sheet(this.places, this.cells.slice());
  }
}
