/**
 * Unpack a payload that travelled as columns: the inverse of minigrad_viz/stepper/wire.py, which
 * describes the forms. Numbers become text only when they are shown.
 */

import { shortest, valueText } from "./numbers";
import type { EventData, Pair, Payload, ValueData } from "./payload";

type Packed = { $: string } & Record<string, unknown>;

const isPacked = (x: object): x is Packed => "$" in x;

/** The payload of a page. One that did not travel, as in a test, is returned as it is. */
export function unpack<T extends Payload | Pair>(sent: T): T {
  const payload = decode(sent) as T;
  for (const one of "passes" in payload ? payload.passes : [payload as Payload])
    for (const event of one.events) nameNumbers(event, one.values);
  return payload;
}

function decode(x: unknown): unknown {
  if (typeof x !== "object" || x === null) return x;
  if (Array.isArray(x)) return x.map(decode);
  if (isPacked(x)) return settled(column(x));
  return Object.fromEntries(Object.entries(x).map(([key, each]) => [key, decode(each)]));
}

type Column = unknown[] | Float32Array;

const settled = (of: Column): unknown[] =>
  of instanceof Float32Array ? Array.from(of, shortest) : of;

/** The values of a column; numbers stay float32 as long as they can. */
function column(x: unknown): Column {
  if (Array.isArray(x)) return x.map(decode);
  const packed = x as Packed;
  const read = READERS[packed.$];
  if (!read) throw new Error(`a newer page sends ${packed.$}`);
  return read(packed);
}

const READERS: Record<string, (packed: Packed) => Column> = {
  same: ({ n, v }) => Array<unknown>(n as number).fill(v),
  steps: ({ v }) => counts(v as number[]),
  names: ({ p, v }) => counts(v as number[]).map((n) => `${p as string}${n}`),
  floats: ({ v }) => floats(v as string),
  lists: ({ n, of }) => {
    const all = column(of);
    let at = 0;
    return settled(column(n)).map((length) => {
      const from = at;
      at += length as number;
      return all instanceof Float32Array ? all.subarray(from, at) : all.slice(from, at);
    });
  },
  maybe: ({ is, of }) => {
    const next = settled(column(of)).values();
    return settled(column(is)).map((there) => (there ? next.next().value : null));
  },
  texts: ({ w, i, of }) => {
    const patterns = (w as string[]).map((each) => each.split("\0"));
    const numbers = (of as unknown[][]).map((each) => each.map((one) => column(one).values()));
    return settled(column(i)).map((which) => {
      const parts = patterns[which as number] ?? [];
      const own = numbers[which as number] ?? [];
      return parts.reduce((text, part, k) => text + String(own[k - 1]?.next().value) + part);
    });
  },
  rows: ({ keys, kind, of }) => {
    const columns = new Map(
      Object.entries(of as Record<string, unknown>).map(([key, each]) => [key, records(each, key)]),
    );
    return settled(column(kind)).map((which) => {
      const row = {};
      for (const key of (keys as string[][])[which as number] ?? []) columns.get(key)?.(row);
      return row;
    });
  },
};

/** A function that puts the next value of a column into a record. */
function records(packed: unknown, key: string): (row: object) => void {
  const values = column(packed);
  const next = (values instanceof Float32Array ? settled(values) : values).values();
  return (row) => {
    const value: unknown = next.next().value;
    if (value instanceof Float32Array) numbersOf(row, key, value);
    else Object.assign(row, { [key]: value });
  };
}

const counts = (steps: number[]): number[] => {
  let sum = 0;
  return steps.map((step) => (sum += step));
};

/** float32 in planes: first the lowest byte of all numbers, then the next. */
function floats(text: string): Float32Array {
  const planes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const count = planes.length / 4;
  const bytes = new DataView(new ArrayBuffer(planes.length));
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 4; k++) bytes.setUint8(4 * i + k, planes[k * count + i] ?? 0);
  return Float32Array.from({ length: count }, (_, i) => bytes.getFloat32(4 * i, true));
}

/** Let a record write its numbers out when they are first read. */
function numbersOf(row: object, key: string, raw: Float32Array): void {
  if (key === "data") RAW.set(row, raw);
  let written: number[] | undefined;
  Object.defineProperty(row, key, {
    enumerable: true,
    configurable: true,
    get: () => (written ??= Array.from(raw, shortest)),
  });
}

const RAW = new WeakMap<object, Float32Array>();

/** The numbers of a tensor as float32, if they travelled so: reading them writes none out. */
export const rawNumbers = (value: ValueData): Float32Array | undefined => RAW.get(value);

const MARKED = /\ue000(\d+)\ue001/g;

/** Let an event name the numbers of its sentence when it is first read. */
function nameNumbers(event: EventData, values: readonly ValueData[]): void {
  const marked = event.caption;
  if (!marked.includes("\ue000")) return;
  let said: string | undefined;
  Object.defineProperty(event, "caption", {
    enumerable: true,
    configurable: true,
    get: () =>
      (said ??= marked.replace(MARKED, (_, place: string) => {
        const value = values[Number(place)];
        return value ? valueText(value) : "";
      })),
  });
}
