/**
 * One element of a gradient, worked out: the rule itself with its letters replaced by this element's
 * numbers, "0.42 = 1.4 × (1 − 0.84²)".
 *
 * The rule is read from the very MathML that is shown. What it gives is compared with the number
 * that the engine computed; if they differ, or the rule says something that is not understood here,
 * nothing is said. So what is shown is true, whatever the rule.
 */

import { toNumber } from "./numbers";
import type { ValueData } from "./payload";

/** What the letters stand for: "g" and "y", "ā" for a gradient that goes out, "n" for a number. */
export type Letters = ReadonlyMap<string, ValueData>;

const TERMS = 8; // of a longer sum, the ends are written
const DIGITS = 4;
const CLOSE: Record<string, number> = { float64: 1e-9, float16: 2e-2, bfloat16: 4e-2 };
const CLOSE_ELSE = 1e-4; // float32

/** A number and how it came about. `level`: 3 is an atom, 2 a product, 1 a sum. */
interface Term {
  value: number;
  text: string;
  level: number;
}

type Place = readonly number[];

/**
 * How element `flat` of `out` came about by `rule`, a <math>; null if that is not certain. `name` is
 * the letter whose gradient it is, `along` the dimensions that a reduction has taken away.
 */
export function worked(
  rule: Element,
  name: string,
  letters: Letters,
  out: ValueData,
  flat: number,
  along: readonly number[] | null = null,
): string | null {
  const recorded = toNumber(out.data?.[flat] ?? NaN);
  const tokens = rule && rightSide(rule, name);
  if (!tokens || !Number.isFinite(recorded)) return null;
  try {
    const terms =
      matrixTerms(tokens, letters, out, flat) ?? elements(tokens, letters, out, flat, along);
    const value = terms.reduce((sum, term) => sum + term.value, 0);
    const size = Math.max(Math.abs(recorded), ...terms.map((term) => Math.abs(term.value)));
    if (!(Math.abs(value - recorded) <= (CLOSE[out.dtype] ?? CLOSE_ELSE) * size)) return null;
    return equation(recorded, terms);
  } catch {
    return null; // the rule says something else
  }
}

/** "6 = 3 + 3", if it is so. */
export function addedUp(
  after: ValueData,
  parts: readonly ValueData[],
  flat: number,
): string | null {
  const recorded = toNumber(after.data?.[flat] ?? NaN);
  const terms = parts.map((part) => {
    const value = toNumber(part.data?.[flat] ?? NaN);
    return { value, text: short(value), level: 3 };
  });
  const value = terms.reduce((sum, term) => sum + term.value, 0);
  const size = Math.max(Math.abs(recorded), ...terms.map((term) => Math.abs(term.value)));
  const close = CLOSE[after.dtype] ?? CLOSE_ELSE;
  return Math.abs(value - recorded) <= close * size ? equation(recorded, terms) : null;
}

function equation(recorded: number, terms: readonly Term[]): string {
  const shown =
    terms.length > TERMS
      ? [...terms.slice(0, TERMS - 2).map(inSum), "…", inSum(terms.at(-1) as Term)]
      : terms.map((term) => (terms.length > 1 ? inSum(term) : term.text));
  const left = short(recorded);
  const right = shown.join(" + ");
  if (left === right) return left;
  const exact = [recorded, ...terms.map(({ value }) => value)].every((x) => x === rounded(x));
  return `${left} ${exact ? "=" : "≈"} ${right}${terms.length > TERMS ? `  (${terms.length})` : ""}`;
}

const inSum = ({ text, level }: Term): string =>
  level < 2 || text.startsWith("−") ? `(${text})` : text;

const rounded = (x: number): number => Number(x.toPrecision(DIGITS));
const short = (x: number): string => String(rounded(x)).replaceAll("-", "−");

// --- Reading the rule

/** Between `name` with a bar and "=", and the next comma: what its gradient is. */
function rightSide(rule: Element, name: string): Element[] | null {
  const flat = flatten(rule);
  const start = flat.findIndex(
    (token, i) => flat[i + 1]?.textContent === "=" && letterOf(token) === `${name}\u0304`,
  );
  if (start < 0) return null;
  const rest = flat.slice(start + 2);
  const end = rest.findIndex((token) => /^[,;]$/.test(token.textContent ?? ""));
  const tokens = end < 0 ? rest : rest.slice(0, end);
  return tokens.some((token) => token.localName === "mtext") ? null : tokens;
}

/** The parts of a formula, without what only groups or spaces them. */
const flatten = (element: Element): Element[] =>
  [...element.children].flatMap((child) => {
    if (/^(mrow|mstyle|math|semantics)$/.test(child.localName)) return flatten(child);
    return child.localName === "mspace" ? [] : [child];
  });

/** "a", "ā"; what stands below a letter says only which element. */
export function letterOf(token: Element | undefined): string | null {
  if (!token) return null;
  if (token.localName === "msub") return letterOf(flatten(token)[0]);
  if (token.localName === "mi") return token.textContent;
  const [base, over] = token.localName === "mover" ? flatten(token) : [];
  return over?.textContent === "¯" && base?.localName === "mi" ? `${base.textContent}\u0304` : null;
}

/** What is raised to what, if it is. */
function baseAndPower(token: Element): (Element | undefined)[] {
  const [base, first, second] = token.children;
  if (token.localName === "msup") return [base, first];
  return token.localName === "msubsup" ? [base, second] : [token];
}

// --- Products of matrices

/** A row times a column, term by term; null where the rule is no product of two matrices. */
function matrixTerms(
  tokens: readonly Element[],
  letters: Letters,
  out: ValueData,
  flat: number,
): Term[] | null {
  let factor = 1;
  const matrices: { value: ValueData; turned: boolean }[] = [];
  for (const token of tokens) {
    const [base, power] = baseAndPower(token);
    const value = letters.get(letterOf(base) ?? "");
    const turned = /^[T⊤]$/.test(power?.textContent ?? "");
    if (!value?.data || (power && !turned)) return null;
    if (value.shape.length === 0 && !power) factor *= toNumber(value.data[0] ?? NaN);
    else matrices.push({ value, turned });
  }
  const [left, right, more] = matrices;
  if (!left || !right || more || !(left.turned || right.turned)) return null;
  // A vector is a column; on the left of another, turned, a row.
  const at = unravel(flat, out.shape);
  const row =
    out.shape.length > 1 || left.value.shape.length > 1 ? (at.at(-2) ?? at.at(-1) ?? 0) : 0;
  const column = out.shape.length > 1 ? (at.at(-1) ?? 0) : 0;
  const before = at.slice(0, -2);
  const cell = ({ value, turned }: typeof left, i: number, j: number): number => {
    const [down, across] = turned ? [j, i] : [i, j];
    const place = value.shape.length > 1 ? [...before, down, across] : [down];
    return toNumber(value.data?.[ravel(place.slice(-value.shape.length), value.shape)] ?? NaN);
  };
  const inner = ({ value: { shape }, turned }: typeof left, isLeft: boolean): number => {
    const [rows, columns] = shape.length > 1 ? shape.slice(-2) : [shape[0] ?? 1, 1];
    return (isLeft !== turned ? columns : rows) ?? 1;
  };
  const count = inner(left, true);
  if (count !== inner(right, false)) return null;
  const scale = factor === 1 ? "" : `${signed(factor)} × `;
  return Array.from({ length: count }, (_, k) => {
    const [a, b] = [cell(left, row, k), cell(right, k, column)];
    return { value: factor * a * b, text: `${scale}${signed(a)} × ${signed(b)}`, level: 2 };
  });
}

// --- Element by element

/** The terms that add up to the element: one, unless a broadcast was undone. */
function elements(
  tokens: readonly Element[],
  letters: Letters,
  out: ValueData,
  flat: number,
  along: readonly number[] | null,
): Term[] {
  const used = new Set<ValueData>();
  const find = (place: Place) => (letter: string) => {
    const value = letters.get(letter);
    if (!value?.data) throw new Error(letter);
    used.add(value);
    return toNumber(
      value.data[ravel(narrow(place, value.shape, out.shape, along), value.shape)] ?? NaN,
    );
  };
  const here = unravel(flat, out.shape);
  new Formula(tokens, find(here)).whole(); // to see what it uses
  const wide = [...used].reduce(
    (shape, value) =>
      value.shape.length > shape.length || larger(value.shape, shape) ? value.shape : shape,
    out.shape,
  );
  const sums = wide !== out.shape && !(along && out.shape.length > wide.length);
  const places = sums ? spread(here, out.shape, wide) : [here];
  return places.map((place) => {
    const wideFind = (letter: string): number => {
      const value = letters.get(letter);
      if (!value?.data) throw new Error(letter);
      const base = sums ? wide : out.shape;
      const at = narrow(place, value.shape, base, along);
      return toNumber(value.data[ravel(at, value.shape)] ?? NaN);
    };
    return new Formula(tokens, wideFind).whole();
  });
}

const larger = (a: Place, b: Place): boolean =>
  a.length === b.length && a.some((n, i) => n > (b[i] ?? 0)) && a.every((n, i) => n >= (b[i] ?? 0));

/** The places in `wide` that were summed into `here`. */
function spread(here: Place, shape: Place, wide: Place): Place[] {
  const missing = wide.length - shape.length;
  const count = wide.reduce((a, b) => a * b, 1);
  return Array.from({ length: count }, (_, k) => unravel(k, wide)).filter((place) =>
    shape.every(
      (n, d) => (n === 1 && (wide[d + missing] ?? 1) > 1) || here[d] === place[d + missing],
    ),
  );
}

/** Where in a tensor of `shape` the element is that meets `place` in one of `base`. */
function narrow(place: Place, shape: Place, base: Place, along: readonly number[] | null): Place {
  let kept = place;
  if (along && shape.length === base.length - along.length)
    kept = place.filter((_, d) => !along.includes(d));
  const offset = kept.length - shape.length;
  return shape.map((n, d) => (n === 1 ? 0 : (kept[d + offset] ?? 0)));
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const FUNCTIONS: Record<string, (x: number) => number> = {
  ...{ ln: Math.log, sin: Math.sin, cos: Math.cos, sinh: Math.sinh, cosh: Math.cosh },
  ...{ sgn: Math.sign, σ: sigmoid, trunc: Math.trunc },
};
const RELATIONS: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "=": (a, b) => a === b,
  "≤": (a, b) => a <= b,
  "≥": (a, b) => a >= b,
};

/** Reads a formula from left to right, and computes it on the way. What it cannot read it throws. */
class Formula {
  private at = 0;

  constructor(
    private readonly tokens: readonly Element[],
    private readonly find: (letter: string) => number,
  ) {}

  whole(): Term {
    const term = this.sum();
    if (this.at < this.tokens.length) throw new Error("more");
    return term;
  }

  private peek(): string {
    return this.tokens[this.at]?.localName === "mo"
      ? (this.tokens[this.at]?.textContent ?? "")
      : "";
  }

  private take(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.at += 1;
    return true;
  }

  private inside(element: Element | undefined): Term {
    if (!element) throw new Error("nothing");
    const tokens =
      flatten(element).length && element.localName === "mrow" ? flatten(element) : [element];
    return new Formula(tokens, this.find).whole();
  }

  private sum(): Term {
    let term = this.product();
    for (let sign = this.peek(); sign === "+" || sign === "−"; sign = this.peek()) {
      this.at += 1;
      const next = this.product();
      const value = sign === "+" ? term.value + next.value : term.value - next.value;
      const right = next.level < 2 || next.text.startsWith("−") ? `(${next.text})` : next.text;
      term = { value, text: `${term.text} ${sign} ${right}`, level: 1 };
    }
    return term;
  }

  private product(): Term {
    if (this.take("−")) {
      const { value, text, level } = this.product();
      return {
        value: -value,
        text: `−${level < 2 || text.startsWith("−") ? `(${text})` : text}`,
        level: 2,
      };
    }
    let term = this.factor();
    for (;;) {
      const sign = this.peek();
      if (sign === "·") this.at += 1;
      else if (
        this.at >= this.tokens.length ||
        (sign && !/^[([|⌊]$/.test(sign) && !FUNCTIONS[sign])
      )
        return term;
      else if (sign === "|" && this.bars) return term;
      const next = this.factor();
      term = {
        value: term.value * next.value,
        text: `${grouped(term, 2)} × ${grouped(next, 3)}`,
        level: 2,
      };
    }
  }

  private bars = 0;

  private factor(): Term {
    const token = this.tokens[this.at++];
    if (!token) throw new Error("end");
    const text = token.textContent ?? "";
    if (token.localName === "mn") return { value: Number(text), text, level: 3 };
    if (token.localName === "mfrac") {
      const [top, below] = [...token.children].map((child) => this.inside(child)) as [Term, Term];
      return {
        value: top.value / below.value,
        text: `${grouped(top, 2)} / ${grouped(below, 3)}`,
        level: 2,
      };
    }
    if (token.localName === "msqrt") {
      const inner = new Formula(flatten(token), this.find).whole();
      return { value: Math.sqrt(inner.value), text: `√${grouped(inner, 3)}`, level: 3 };
    }
    if (/^msu(p|bsup)$/.test(token.localName)) return this.power(token);
    if (token.localName === "mo") return this.bracket(text);
    const apply = FUNCTIONS[text];
    if (apply) return this.applied(text, apply);
    const letter = letterOf(token);
    if (letter === null) throw new Error(token.localName);
    const value = this.find(letter);
    return { value, text: short(value), level: 3 };
  }

  private power(token: Element): Term {
    const [below, above] = baseAndPower(token);
    const exponent = this.inside(above);
    if (below?.textContent === "e") {
      return { value: Math.exp(exponent.value), text: `e^${grouped(exponent, 3)}`, level: 3 };
    }
    const base = this.inside(below);
    const value = base.value ** exponent.value;
    const simple = /^\d$/.test(exponent.text);
    const written = simple
      ? (SUPERSCRIPTS[Number(exponent.text)] ?? "")
      : `^${grouped(exponent, 3)}`;
    return { value, text: `${grouped(base, 3)}${written}`, level: 3 };
  }

  private applied(name: string, apply: (x: number) => number): Term {
    const { value, text } = this.factor();
    return { value: apply(value), text: `${name}(${text.replace(/^\((.*)\)$/, "$1")})`, level: 3 };
  }

  /** What stands in brackets: a sum, a size, or a condition that counts as 1 or 0. */
  private bracket(open: string): Term {
    if (FUNCTIONS[open]) return this.applied(open, FUNCTIONS[open]);
    if (open === "(") {
      const inner = this.sum();
      if (!this.take(")")) throw new Error(")");
      return { value: inner.value, text: `(${inner.text})`, level: 3 };
    }
    if (open === "|") {
      this.bars += 1;
      const inner = this.sum();
      this.bars -= 1;
      if (!this.take("|")) throw new Error("|");
      return { value: Math.abs(inner.value), text: `|${inner.text}|`, level: 3 };
    }
    if (open !== "[") throw new Error(open);
    let left = this.sum();
    let text = left.text;
    let holds = true;
    while (!this.take("]")) {
      const sign = this.peek();
      const relation = RELATIONS[sign];
      if (!relation) throw new Error(sign);
      this.at += 1;
      const right = this.sum();
      holds &&= relation(left.value, right.value);
      text += ` ${sign} ${right.text}`;
      left = right;
    }
    return { value: Number(holds), text: `[${text}]`, level: 3 };
  }
}

/** In brackets, if it binds less than `level`, or begins with a sign. */
const grouped = ({ text, level }: Term, needed: number): string =>
  level < needed || text.startsWith("−") ? `(${text})` : text;

const signed = (x: number): string => (x < 0 ? `(${short(x)})` : short(x));

function unravel(flat: number, shape: Place): number[] {
  const place: number[] = [];
  for (const length of [...shape].reverse()) {
    place.unshift(flat % length);
    flat = Math.floor(flat / length);
  }
  return place;
}

const ravel = (place: Place, shape: Place): number =>
  shape.reduce((flat, length, d) => flat * length + (place[d] ?? 0), 0);
