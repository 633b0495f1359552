// Read a typed prediction as a list of numbers and words, as reading.py does, which explains it.
// WORDS is the content of words.json.

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const byLength = (words) => [...words].sort((one, other) => other.length - one.length).map(escaped).join("|");
const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);
const inverted = (table, between = " ") =>
  new Map(Object.entries(table).flatMap(([name, words]) => words.split(between).map((word) => [word, name])));

const CLASSES = inverted(WORDS.classes);
const CLASS_NAMES = new Set(Object.keys(WORDS.classes));
const WHOLE = inverted(WORDS.whole, "|");
const HEDGES = new Set(WORDS.hedges.split(" "));
/** Words that may change what the words around them say. */
const DOUBTS = [...HEDGES, ...WORDS.doubts.split(" ")];
const FILLERS = new Set(WORDS.fillers.split(" "));
const DIGITS = Object.fromEntries([..."零一二三四五六七八九〇两"].map((sign, i) => [sign, [..."0123456789", 0, 2].map(Number)[i]]));
const SCALES = { 十: 10, 百: 100, 千: 1000, 万: 10000 };
/** Rules of words.json by stage. */
const REWRITES = Object.fromEntries(
  Object.entries(WORDS.rewrites).map(([stage, rules]) => [stage, rules.map(([pattern, to]) => [new RegExp(pattern, "g"), to])]),
);
const NUMERAL = "[零〇一二两三四五六七八九十百千万]+(?:点[零〇一二三四五六七八九]+)?";
const PHRASES = new Map([
  ...[...HEDGES, ...CLASSES.keys()].filter((word) => !isAscii(word)).map((word) => [word, ` ${CLASSES.get(word) ?? word} `]),
  ...WORDS.units.split(" ").map((word) => [word, " "]),
  ...Object.entries(WORDS.phrases),
]);
const COUNTED = WORDS.numbers.split(" ");
const TENS = new Map(WORDS.tens.split(" ").map((word, place) => [word, 20 + 10 * place]));
const FUNCTIONS = { sqrt: Math.sqrt, exp: Math.exp, ln: Math.log, log: Math.log, log10: Math.log10, log2: Math.log2, abs: Math.abs };
const LONGEST = 2000; // letters in a text that is read
const CONSTANTS = { pi: Math.PI, e: Math.E };
const FOUND_HAN = new RegExp(
  `(?<phrase>${byLength([...PHRASES.keys()].filter((word) => !isAscii(word)))})` +
    `|(?<below>${NUMERAL})分之(?<above>${NUMERAL})|(?<number>${NUMERAL})`,
  "gu",
);
const FOUND_PHRASE = new RegExp(`\\b(?:${byLength([...PHRASES.keys()].filter(isAscii))})\\b`, "g");

/** A Chinese numeral in digits. */
function chineseNumber(text) {
  let [whole, decimals] = text.split("点").map((part) => [...part].map((sign) => DIGITS[sign] ?? sign).join(""));
  if ([...whole].some((sign) => sign in SCALES)) {
    let [total, digit, fresh] = [0, 0, true];
    for (const sign of whole) {
      if (!(sign in SCALES)) [digit, fresh] = [Number(sign), false];
      else if (sign === "万") [total, digit, fresh] = [(total + digit) * SCALES[sign], 0, true];
      else [total, digit, fresh] = [total + (fresh ? 1 : digit) * SCALES[sign], 0, true];
    }
    if (/[百千万][1-9]$/.test(whole)) digit *= SCALES[whole.at(-2)] / 10;
    whole = String(total + digit);
  }
  return decimals ? `${whole || 0}.${decimals}` : whole;
}

function replaceHan(...found) {
  const { phrase, number, above, below } = found.at(-1);
  if (phrase) return PHRASES.get(phrase);
  return number ? ` ${chineseNumber(number)} ` : ` (${chineseNumber(above)}/${chineseNumber(below)}) `;
}

/** Replace English numerals by digits, and "three halves" by a fraction. */
function englishNumbers(text) {
  const [small, tens] = [COUNTED.join("|"), [...TENS.keys()].join("|")];
  const ordinals = byLength(Object.keys(WORDS.ordinals));
  const count = (word) => (word === undefined || word === "a" ? 1 : Number(word));
  return text
    .replace(new RegExp(`\\b(?:(${tens})(?:[- ](${small}))?|(${small}))\\b`, "g"), (_, ten, unit, alone) => {
      const found = unit ?? alone;
      return String((TENS.get(ten) ?? 0) + (found ? COUNTED.indexOf(found) : 0));
    })
    .replace(/(?:\b(\d+|a) )?\bhundred\b(?:(?: and)? (\d+)\b)?/g, (_, hundreds, rest) =>
      String(count(hundreds) * 100 + Number(rest ?? 0)),
    )
    .replace(/\b(\d+) point((?: \d)+)/g, (_, whole, decimals) => `${whole}.${decimals.replaceAll(" ", "")}`)
    .replace(/\b([1-9]\d*) and (?:a|1) half\b/g, "($1+1/2)")
    .replace(/\b(\d+)(?:st|nd|rd|th)\b/g, "$1")
    .replace(new RegExp(`\\b(\\d+|a) (${ordinals})\\b`, "g"), (_, number, part) => `(${count(number)}/${WORDS.ordinals[part]})`)
    .replace(new RegExp(`\\b(${ordinals})\\b`, "g"), (word) => String(WORDS.ordinals[word]))
    .replace(
      new RegExp(`\\b(?:(\\d+|a) )?(${byLength(Object.keys(WORDS.parts))})\\b`, "g"),
      (_, number, part) => `(${count(number)}/${WORDS.parts[part]})`,
    );
}

const SIGNS = [
  [/[−–—‒]/g, "-"],
  [/->|=>|[→⇒>]/g, ","],
  [/[⋅·∙•∗✕]/g, "*"],
  [/÷/g, "/"],
  [/√/g, " sqrt "],
  [/π/g, " pi "],
  [/∞/g, " inf "],
  [/[~`"'“”‘’「」?]/g, " "],
  [/[、;\n]/g, ", "],
  [/[。.!](?=\s*$)/g, " "],
  [/\^/g, "**"],
];

/** The text after the rules of a stage, one after the other. */
function rewritten(text, stage) {
  return REWRITES[stage].reduce((found, [pattern, to]) => found.replace(pattern, to), text);
}

/** The text in small letters, with plain digits, powers and fractions. */
const folded = (typed) =>
  typed
    .replaceAll("，", ", ")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/g, (power) => `**${power.normalize("NFKC").replaceAll("−", "-")}`)
    .replace(/(\d*)([½¼¾⅓⅔⅕⅛⅙])/g, (_, whole, part) => `(${whole || 0}+${part.normalize("NFKC")})`)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("\u2044", "/");

/** The text with signs of one kind, digits for numerals, and without quotes. */
function normal(answer) {
  let text = rewritten(folded(answer), "before");
  for (const [signs, sign] of SIGNS) text = text.replace(signs, sign);
  text = text
    .replace(/,?\s*\b(?:dtype|grad_fn|requires_grad|device)=[^,)\n]*/g, "")
    .replace(/\b(?:torch|mg|np|math)\.|\b(?:tensor|size|array)(?=\()/g, "")
    .replace(/\[([^[\],\s]+)\]\s*\*\s*([1-9])(?!\d)/g, (_, one, times) =>
      Array(Number(times)).fill(one).join(", "));
  const bare = text.replace(/^[ .!]+|[ .!]+$/g, "");
  if (WHOLE.has(bare)) return WHOLE.get(bare);
  text = text
    .replace(/\b([a-z]\w*(?:\.\w+)?)\[\d+\]\s*(?==)/g, "$1")
    .replace(/\b([a-z]\w*\.[a-z]\w*)\s*(?:is\b|是|为|等于)/g, " $1 =");
  return rewritten(englishNumbers(text).replace(FOUND_HAN, replaceHan), "after")
    .replace(FOUND_PHRASE, (phrase) => PHRASES.get(phrase))
    .replace(/\ba (?!(?:last|first|is|gets|has|comes|then)\b)(?=[a-z]{2})/g, "")
    .replace(/(?<=[a-z])-(?=[a-z])/g, " ")
    .replace(/(?<=\d) of (?:the )?\d+\b/g, "")
    .replace(/(\d|\binf(?:inity)?)\s*times\s+(?=[-\d(])/g, "$1*")
    .replace(/(?<=[\d)\]])\s*[x×]\s*(?=[-\d([])/g, "×")
    .replace(/(?<=\d)\s*[x×*](?=\s*(?:$|,))/g, "");
}

const TOKEN =
  /(?<space>\s*)(?:(?<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?<percent>%?)|(?<word>[a-z_][\w.]*(?<!\.)|[\u4e00-\u9fff〇]+)|(?<sign>\*\*|\S))/gu;

/** The tokens of a normal text, without words that say nothing. */
function tokensOf(text) {
  const found = [];
  for (const match of text.trimEnd().matchAll(TOKEN)) {
    const { space, number, percent, sign } = match.groups;
    let { word } = match.groups;
    const apart = space !== "";
    if (number) {
      const value = Number(number.replaceAll("_", ""));
      found.push({ kind: "number", text: "", value: percent ? value / 100 : value, apart });
    } else if (word) {
      word = word.endsWith("error") ? "error" : (CLASSES.get(word) ?? word);
      const glued = /^(ln|log)(\d+)$/.exec(word);
      const follows = text.slice(match.index + match[0].length).trimStart()[0] ?? "";
      if (glued && !(Object.hasOwn(FUNCTIONS, word) && /[\d(]/.test(follows))) {
        found.push({ kind: "word", text: glued[1], apart }, { kind: "number", text: "", value: Number(glued[2]), apart: false });
      } else found.push({ kind: "word", text: word, apart });
    } else found.push({ kind: "sign", text: sign, apart });
  }
  return withoutFillers(found);
}

/** Drop words that say nothing; "x.grad =" and "b:" become labels. */
function withoutFillers(found) {
  const kept = [];
  for (const [place, token] of found.entries()) {
    const after = found[place + 1]?.text;
    if (token.kind === "word" && (after === "=" || after === ":") && !CLASS_NAMES.has(token.text)) {
      kept.push({ ...token, kind: "label" });
    } else if ((token.text === "=" || token.text === ":") && kept.at(-1)?.kind === "label") continue;
    else if (token.kind !== "word" || !FILLERS.has(token.text)) kept.push(token);
  }
  return kept;
}

class UnreadableError extends Error {}

/** Parses tokens as a list of expressions. With `split`, an operator between numbers separates them. */
class Reader {
  constructor(found, split) {
    Object.assign(this, { tokens: found, at: 0, split, labels: [] });
  }

  take(...signs) {
    const token = this.tokens[this.at];
    if (token?.kind !== "sign" || !signs.includes(token.text)) return "";
    this.at += 1;
    return token.text;
  }

  all() {
    const found = this.items();
    if (this.at < this.tokens.length) throw new UnreadableError();
    return found;
  }

  items() {
    const found = [];
    const separators = this.split ? [",", ":", "&", "+", "*", "/", "×", "="] : [",", ":", "&"];
    for (let token; (token = this.tokens[this.at]); ) {
      if (this.take(...separators)) continue;
      if (token.kind === "sign" && !"-+([{".includes(token.text)) break;
      if (token.kind === "label") {
        this.labels.push([token.text, found.length]);
        this.at += 1;
        continue;
      }
      found.push(this.equation());
    }
    return found;
  }

  equation() {
    let value = this.sum();
    while (!this.split && this.take("=")) {
      const other = this.sum();
      if (!agree(value, other)) throw new UnreadableError();
      value = other;
    }
    return value;
  }

  /** Take an operator; a minus that only its number follows begins another number. */
  binary(...signs) {
    const token = this.tokens[this.at];
    if (this.split) {
      const behind = this.tokens[this.at + 1];
      if (token?.text !== "-" || !signs.includes("-") || (token.apart && behind && !behind.apart)) return "";
    }
    return this.take(...signs);
  }

  sum() {
    let value = this.product();
    for (let sign; (sign = this.binary("+", "-")); ) value = combined(sign, value, this.product());
    return value;
  }

  product() {
    let value = this.factor();
    for (let sign; (sign = this.binary("*", "/", "×")); ) value = combined(sign, value, this.factor());
    return value;
  }

  factor() {
    if (this.take("-")) return combined("*", -1, this.factor());
    if (this.take("+")) return this.factor();
    const base = this.atom();
    return this.take("**") ? combined("**", base, this.factor()) : base;
  }

  atom() {
    const token = this.tokens[this.at];
    if (token === undefined) throw new UnreadableError();
    this.at += 1;
    if (token.kind === "number") return this.scaled(token.value);
    if (token.kind === "word") return this.word(token.text);
    const closing = { "(": ")", "[": "]", "{": "}" }[token.text];
    if (closing === undefined) throw new UnreadableError();
    const split = this.split;
    this.split = split && token.text !== "(";
    const inner = this.items();
    this.split = split;
    if (!this.take(closing)) throw new UnreadableError();
    return inner.length === 1 && token.text === "(" ? inner[0] : inner;
  }

  /** The number, or its product with a constant or function that touches it, as in 2π. */
  scaled(number) {
    const token = this.tokens[this.at];
    const named = token?.kind === "word" && (token.text === "pi" || Object.hasOwn(FUNCTIONS, token.text));
    return named && !this.split ? combined("*", number, this.factor()) : number;
  }

  /** What a function is applied to; in "ln 1/10" that is 1/10, in "ln 10 / 2" 10. */
  argument(name) {
    const after = this.tokens.slice(this.at, this.at + 3);
    const isQuotient = after.map((token) => token.kind).join() === "number,sign,number" && after[1].text === "/";
    return name[0] === "l" && isQuotient && !after[1].apart && !after[2].apart ? this.product() : this.factor();
  }

  word(word) {
    if (Object.hasOwn(FUNCTIONS, word) && this.at < this.tokens.length) {
      const value = this.argument(word);
      if (typeof value !== "number") throw new UnreadableError();
      return finite(FUNCTIONS[word](value));
    }
    return word === "inf" ? Infinity : word === "pi" ? Math.PI : word;
  }
}

/** Python raises where JavaScript computes NaN or an infinite number. */
function finite(number) {
  if (!Number.isFinite(number)) throw new UnreadableError();
  return number;
}

/** One operation; a list takes part with each of its parts, and two add part by part. */
function combined(sign, one, other) {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (!"+-".includes(sign) || one.length !== other.length) throw new UnreadableError();
    return one.map((part, place) => combined(sign, part, other[place]));
  }
  if (Array.isArray(one)) return one.map((part) => combined(sign, part, other));
  if (Array.isArray(other)) return other.map((part) => combined(sign, one, part));
  const [a, b] = [one, other].map((each) => (typeof each === "string" ? CONSTANTS[each] : each));
  if (a === undefined || b === undefined) throw new UnreadableError();
  if (sign === "*" || sign === "×") return Number.isNaN(a * b) ? "nan" : a * b;
  if (sign === "+") return a + b;
  if (sign === "-") return a - b;
  if (sign === "/" && a === 0 && b === 0) return "nan";
  return finite(sign === "/" ? a / b : a ** b);
}

/** Whether an equation holds, up to the digits of its right side. */
function agree(value, other) {
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === other.length && value.every((part, place) => agree(part, other[place]));
  }
  if (typeof value !== "number" || typeof other !== "number") return value === other;
  return close(value, other) || (other % 1 !== 0 && Math.abs(value - other) <= Math.abs(other) / 50);
}

/** The values in a normal text, or null if it cannot be read. */
function read(text, split = false, fields = []) {
  if (text.length > LONGEST) return null;
  try {
    const reader = new Reader(tokensOf(text), split);
    const found = settled(reader.all().flat(Infinity));
    return found.some(Number.isNaN) ? null : inOrder(found, reader.labels, fields);
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof RangeError) return null; // RangeError: too deep
    throw error;
  }
}

/** Drop a "yes" before what it affirms, a "no error" next to a number, and repetitions. */
function settled(found) {
  let kept = found.filter((value, place) => !(place > 0 && value === "error" && found[place - 1] === "error"));
  const isNoError = (values) => values.join() === "false,error";
  if (kept.length > 2 && isNoError(kept.slice(0, 2))) kept = kept.slice(2);
  else if (kept.length > 2 && isNoError(kept.slice(-2))) kept = kept.slice(0, -2);
  return kept.length > 1 && kept[0] === "true" && !["true", "false"].includes(kept[1]) ? kept.slice(1) : kept;
}

/** Sort values of which some were labelled with the names of the fields. */
function inOrder(found, labels, fields) {
  const named = new Map();
  for (const [label, place] of labels) {
    for (const field of fields) if (label === labelOf(field) || label === field.split(".")[0]) named.set(field, place);
  }
  const others = found.filter((_, place) => ![...named.values()].includes(place));
  if (found.length !== fields.length || others.length !== fields.length - named.size) return found;
  return fields.map((field) => (named.has(field) ? found[named.get(field)] : others.shift()));
}

/** The text with a label for each number that its field's name or first letter follows. */
function labelled(text, fields) {
  return fields.reduce((found, field) => {
    const [name, start] = [escaped(labelOf(field)), field.split(".")[0]];
    const named = field.includes(" ") ? found.replace(new RegExp(`\\b${escaped(field)}\\b`, "g"), labelOf(field)) : found;
    const before = new RegExp(`(?<![\\d.-])(-?\\d+)(?: times)? (?:(?:for|in|is)? ?${name}|for ${start})\\b`, "g");
    return named.replace(before, `${labelOf(field)}=$1`);
  }, text);
}

const labelOf = (field) => field.replaceAll(" ", "_");

/** A text as `count` values, read in the most natural way; undefined if there is none. */
function reading(text, count, fields) {
  const ways = [[text, false]];
  if (count > 1) ways.push([text, true], ...simpler(text, "several"));
  else {
    ways.push(...simpler(text, "one"));
    ways.push([text.replace(/(?<=\d),(?=\d{3}\b)/g, ""), false]);
    ways.push([text.replace(/^(-?\d+),(\d+)$/, "$1.$2"), false]);
    ways.push([text.replace(/\b(\d+) (\d+\/\d+)/g, "($1+$2)"), false]);
  }
  for (const [written, split] of ways) {
    let values = read(written, split, fields);
    if (count === 1 && typeof values?.[0] === "string" && new Set(values).size === 1) values = values.slice(0, 1);
    if (values?.length === count) return values;
  }
  return undefined;
}

/** The text without remarks, as each rule of a stage that applies leaves it. */
function simpler(text, stage) {
  const found = [text];
  for (const [pattern, to] of REWRITES[stage]) {
    const shorter = found.at(-1).replace(pattern, to);
    if (shorter !== found.at(-1)) found.push(shorter);
  }
  return found.slice(1).map((each) => [each, false]);
}

function close(typed, meant) {
  if (typed === meant) return true;
  if (!Number.isFinite(typed) || !Number.isFinite(meant)) return false;
  return Math.abs(typed - meant) <= Math.abs(meant) * (Number.isInteger(meant) ? 1e-6 : 1e-3);
}

/** Whether the number at `place` of a text is `typed`, and is `meant` rounded to two digits or more. */
function isRounded(text, place, typed, meant) {
  const literals = text.match(/(?<![\w.])-?\d*\.\d+(?![\w.*/^])/g) ?? [];
  const plain = (text.match(/-?[\d.]+/g) ?? [])[place];
  if (plain === undefined || !literals.includes(plain)) return false;
  if (Math.abs(Number(plain)) !== Math.abs(typed) || typed < 0 !== meant < 0) return false;
  const decimals = Math.min(plain.split(".")[1].length, 20);
  return plain.replace(/\D/g, "").replace(/^0+/, "").length >= 2 && Math.abs(Number(meant.toFixed(decimals))) === Math.abs(typed);
}

function isSame(typed, meant, text, place) {
  if (meant === "any" || typed === meant) return true;
  if (typeof typed !== "number" || typeof meant !== "number") return false;
  return close(typed, meant) || (Number.isFinite(meant) && isRounded(text, place, typed, meant));
}

/** Words without what is between them, as in "in place" and "dcba"; or nothing. */
const joined = (values) => (values?.every((value) => typeof value === "string") ? values.join("") : "");

/** Whether a normal text has the values of a spelling. */
function alike(text, spelling, fields = []) {
  const wanted = meaning(spelling);
  if (wanted.length === 0) return false;
  const given = reading(text, wanted.length, fields);
  if (given?.every((value, place) => isSame(value, wanted[place], text, place))) return true;
  return joined(wanted) !== "" && joined(read(text)) === joined(wanted);
}

const WORD = /[a-z_][\w.]*(?<!\.)(?![\w.]*\s*[=:])|[\u4e00-\u9fff〇]+/g;
const wordsIn = (text) => text.match(WORD) ?? [];

const MEANINGS = new Map();

/** The values of a known spelling, which is read once. */
function meaning(spelling) {
  if (!MEANINGS.has(spelling)) MEANINGS.set(spelling, read(normal(spelling)) ?? []);
  return MEANINGS.get(spelling);
}

/** The values of each spelling of an answer. */
const meanings = (answer) => answer.split("|").map(meaning);
const isText = (value) => typeof value === "string";

/** The words in the spellings of the answers. */
function knownWords(answers) {
  const words = answers.flatMap(meanings).flat().filter((value) => !Number.isFinite(value));
  return new Set(words.map((each) => String(each).replace("Infinity", "inf")));
}
