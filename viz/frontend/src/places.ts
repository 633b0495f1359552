/** Places in a tensor: one index for each dimension, in row-major order. */

export type Place = readonly number[];

export const sizeOf = (shape: Place): number => shape.reduce((a, b) => a * b, 1);

export function unravel(flat: number, shape: Place): number[] {
  const place: number[] = [];
  for (const length of [...shape].reverse()) {
    place.unshift(flat % length);
    flat = Math.floor(flat / length);
  }
  return place;
}

export const ravel = (place: Place, shape: Place): number =>
  shape.reduce((flat, length, d) => flat * length + (place[d] ?? 0), 0);

/** All places of a tensor, in row-major order. */
export const places = (shape: Place): number[][] =>
  Array.from({ length: sizeOf(shape) }, (_, flat) => unravel(flat, shape));

/** The places of shape `wide` that broadcasting maps to `here`. */
export function spread(here: Place, shape: Place, wide: Place): number[][] {
  const missing = wide.length - shape.length;
  return places(wide).filter((place) =>
    shape.every(
      (n, d) => (n === 1 && (wide[d + missing] ?? 1) > 1) || here[d] === place[d + missing],
    ),
  );
}

/** The place in a tensor of `shape` that broadcasts to `place` in one of shape `base`. */
export function narrow(
  place: Place,
  shape: Place,
  base: Place,
  along: readonly number[] | null,
): Place {
  let kept = place;
  if (along && shape.length === base.length - along.length)
    kept = place.filter((_, d) => !along.includes(d));
  const offset = kept.length - shape.length;
  return shape.map((n, d) => (n === 1 ? 0 : (kept[d + offset] ?? 0)));
}
