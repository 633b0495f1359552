/**
 * The calculation of one element of a gradient: the rule with its letters replaced by this element's
 * numbers, "0.42 = 1.4 × (1 − 0.84²)".
 *
 * The rule is parsed from the MathML that is shown. Its result is compared with the number that the
 * engine computed. If they differ, or the rule cannot be parsed, nothing is shown; a calculation
 * that is shown is therefore correct.
 */

import { toNumber } from "./numbers";
import type { ValueData } from "./payload";
import { narrow, ravel, spread, unravel, type Place } from "./places";
import { atom, element, exponential, grouped, minus, named, negative, number } from "./terms";
import { over, plus, power, showIfEqual, times, type Term } from "./terms";

/** Values of the letters: "g" and "y", "ā" for an outgoing gradient, "n" for a number. */
export type Letters = ReadonlyMap<string, ValueData>;

/**
 * The calculation of element `flat` of `out` by `rule`, a <math>; null if it is not certain. `name`
 * is the letter whose gradient `out` is, `along` the dimensions that a reduction removed.
 */
export function explainByRule(
  rule: Element,
  name: string,
  letters: Letters,
  out: ValueData,
  flat: number,
  along: readonly number[] | null = null,
): string | null {
  const tokens = rightSide(rule, name);
  if (!tokens) return null;
  try {
    const terms =
      matrixTerms(tokens, letters, out, flat) ?? elements(tokens, letters, out, flat, along);
    return showIfEqual(out, flat, terms, letters.values());
  } catch {
    return null; // the rule contains something that is not supported here
  }
}

/** "6 = 3 + 3"; null if the parts do not add up. */
export const explainSum = (
  after: ValueData,
  parts: readonly ValueData[],
  flat: number,
): string | null =>
  showIfEqual(
    after,
    flat,
    parts.map((part) => number(toNumber(part.data?.[flat] ?? NaN))),
  );

// --- Reading the rule

/** The right side of `name`'s equation: from "=" up to the next comma. */
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

/** The tokens of a formula, without elements that only group or space them. */
const flatten = (element: Element): Element[] =>
  [...element.children].flatMap((child) => {
    if (/^(mrow|mstyle|math|semantics)$/.test(child.localName)) return flatten(child);
    return child.localName === "mspace" ? [] : [child];
  });

/** "a", "ā"; a subscript only names an element and is ignored. */
export function letterOf(token: Element | undefined): string | null {
  if (!token) return null;
  if (token.localName === "msub") return letterOf(flatten(token)[0]);
  if (token.localName === "mi") return token.textContent;
  const [base, over] = token.localName === "mover" ? flatten(token) : [];
  return over?.textContent === "¯" && base?.localName === "mi" ? `${base.textContent}\u0304` : null;
}

/** The base of a power and its exponent, which may be missing. */
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
  const matrices: { value: ValueData; transposed: boolean }[] = [];
  for (const token of tokens) {
    const [base, above] = baseAndPower(token);
    const value = letters.get(letterOf(base) ?? "");
    const transposed = /^[T⊤]$/.test(above?.textContent ?? "");
    if (!value?.data || (above && !transposed)) return null;
    if (value.shape.length === 0 && !above) factor *= toNumber(value.data[0] ?? NaN);
    else matrices.push({ value, transposed });
  }
  const [left, right, more] = matrices;
  if (!left || !right || more || !(left.transposed || right.transposed)) return null;
  // A vector is a column; on the left of another, transposed, a row.
  const at = unravel(flat, out.shape);
  const row =
    out.shape.length > 1 || left.value.shape.length > 1 ? (at.at(-2) ?? at.at(-1) ?? 0) : 0;
  const column = out.shape.length > 1 ? (at.at(-1) ?? 0) : 0;
  const before = at.slice(0, -2);
  const cell = ({ value, transposed }: typeof left, i: number, j: number): number => {
    const [down, across] = transposed ? [j, i] : [i, j];
    const place = value.shape.length > 1 ? [...before, down, across] : [down];
    return toNumber(value.data?.[ravel(place.slice(-value.shape.length), value.shape)] ?? NaN);
  };
  const inner = ({ value: { shape }, transposed }: typeof left, isLeft: boolean): number => {
    const [rows, columns] = shape.length > 1 ? shape.slice(-2) : [shape[0] ?? 1, 1];
    return (isLeft !== transposed ? columns : rows) ?? 1;
  };
  const count = inner(left, true);
  if (count !== inner(right, false)) return null;
  return Array.from({ length: count }, (_, k) => {
    const product = times(number(cell(left, row, k)), number(cell(right, k, column)));
    return factor === 1 ? product : times(number(factor), product);
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
  const isAlone = tokens.length <= 2 && letterOf(tokens.at(-1)) !== null; // "g" or "−g"
  const find = (place: Place, base: Place) => (letter: string) => {
    const value = letters.get(letter);
    if (!value) throw new Error(letter);
    used.add(value);
    const at = narrow(place, value.shape, base, along);
    const here = element(value, at);
    return isAlone && base === out.shape ? named(here, letter, at) : number(here);
  };
  const here = unravel(flat, out.shape);
  const alone = new Formula(tokens, find(here, out.shape)).whole();
  const wide = [...used].reduce(
    (shape, value) =>
      value.shape.length > shape.length || larger(value.shape, shape) ? value.shape : shape,
    out.shape,
  );
  if (wide === out.shape || (along && out.shape.length > wide.length)) return [alone];
  return spread(here, out.shape, wide).map((place) =>
    new Formula(tokens, find(place, wide)).whole(),
  );
}

const larger = (a: Place, b: Place): boolean =>
  a.length === b.length && a.some((n, i) => n > (b[i] ?? 0)) && a.every((n, i) => n >= (b[i] ?? 0));

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

/** Parse a formula from left to right and compute it; throw at an unknown token. */
class Formula {
  private at = 0;

  constructor(
    private readonly tokens: readonly Element[],
    private readonly find: (letter: string) => Term,
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
      term = (sign === "+" ? plus : minus)(term, this.product());
    }
    return term;
  }

  private product(): Term {
    if (this.take("−")) return negative(this.product());
    let term = this.factor();
    for (;;) {
      const sign = this.peek();
      if (sign === "·") this.at += 1;
      else if (this.at >= this.tokens.length || (sign && !/^[([|]$/.test(sign) && !FUNCTIONS[sign]))
        return term;
      else if (sign === "|" && this.bars) return term;
      term = times(term, this.factor());
    }
  }

  private bars = 0;

  private factor(): Term {
    const token = this.tokens[this.at++];
    if (!token) throw new Error("end");
    const text = token.textContent ?? "";
    if (token.localName === "mn") return atom(Number(text), text);
    if (token.localName === "mfrac") {
      const [top, below] = [...token.children].map((child) => this.inside(child)) as [Term, Term];
      return over(top, below);
    }
    if (token.localName === "msqrt") {
      const inner = new Formula(flatten(token), this.find).whole();
      return atom(Math.sqrt(inner.value), `√${grouped(inner, 3)}`, [inner]);
    }
    if (/^msu(p|bsup)$/.test(token.localName)) return this.power(token);
    if (token.localName === "mo") return this.bracket(text);
    if (FUNCTIONS[text]) return this.applied(text);
    if (text === "π") return atom(Math.PI, text);
    const letter = letterOf(token);
    if (letter === null) throw new Error(token.localName);
    return this.find(letter);
  }

  private power(token: Element): Term {
    const [below, above] = baseAndPower(token);
    const exponent = this.inside(above);
    if (below?.textContent === "e") return exponential(exponent);
    const base = this.inside(below);
    const value = base.value ** exponent.value;
    const small = /^\d$/.test(exponent.text) && SUPERSCRIPTS[Number(exponent.text)];
    return small
      ? atom(value, grouped(base, 3) + small, [base])
      : power(value, grouped(base, 3), exponent, [base, exponent]);
  }

  private applied(name: string): Term {
    const inner = this.factor();
    const text = `${name}(${inner.text.replace(/^\((.*)\)$/, "$1")})`;
    return atom((FUNCTIONS[name] as (x: number) => number)(inner.value), text, [inner]);
  }

  /** A bracket: a sum, an absolute value, or a condition that counts as 1 or 0. */
  private bracket(open: string): Term {
    if (FUNCTIONS[open]) return this.applied(open);
    if (open === "(") {
      const inner = this.sum();
      if (!this.take(")")) throw new Error(")");
      return { ...inner, text: `(${inner.text})`, level: 3 };
    }
    if (open === "|") {
      this.bars += 1;
      const inner = this.sum();
      this.bars -= 1;
      if (!this.take("|")) throw new Error("|");
      return atom(Math.abs(inner.value), `|${inner.text}|`, [inner]);
    }
    if (open !== "[") throw new Error(open);
    const parts = [this.sum()];
    let holds = true;
    let text = parts[0]?.text ?? "";
    while (!this.take("]")) {
      const sign = this.peek();
      const relation = RELATIONS[sign];
      if (!relation) throw new Error(sign);
      this.at += 1;
      const [left, right] = [parts.at(-1) as Term, this.sum()];
      holds &&= relation(left.value, right.value);
      text += ` ${sign} ${right.text}`;
      parts.push(right);
    }
    return atom(Number(holds), `[${text}]`, parts);
  }
}
