// Judge a typed prediction by its value, as judge.py does, which explains it. tests/lessons/predicted_forms.json holds both.
// WORDS is the content of words.json.

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const byLength = (words) => [...words].sort((one, other) => other.length - one.length).map(escaped).join("|");
const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);
const inverted = (table) =>
  new Map(Object.entries(table).flatMap(([name, words]) => words.split(" ").map((word) => [word, name])));

const CLASSES = inverted(WORDS.classes);
const CLASS_NAMES = new Set(Object.keys(WORDS.classes));
const WHOLE = inverted(WORDS.whole);
const FILLERS = new Set(WORDS.fillers.split(" "));
const DIGITS = Object.fromEntries([..."零一二三四五六七八九〇两"].map((sign, i) => [sign, [..."0123456789", 0, 2].map(Number)[i]]));
const SCALES = { 十: 10, 百: 100, 千: 1000, 万: 10000 };
const NUMERAL = "[零〇一二两三四五六七八九十百千万]+(?:点[零〇一二三四五六七八九]+)?";
const PHRASES = new Map([
  ...[...CLASSES].filter(([word]) => !isAscii(word)).map(([word, name]) => [word, ` ${name} `]),
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
  const [whole, decimals] = text.split("点");
  let [total, digit, fresh] = [0, 0, true];
  if (![...whole].some((sign) => sign in SCALES)) total = Number([...whole].map((sign) => DIGITS[sign]).join("") || 0);
  else {
    for (const sign of whole) {
      if (sign in DIGITS) [digit, fresh] = [DIGITS[sign], false];
      else if (sign === "万") [total, digit, fresh] = [(total + digit) * SCALES[sign], 0, true];
      else [total, digit, fresh] = [total + (fresh ? 1 : digit) * SCALES[sign], 0, true];
    }
    total += digit;
  }
  return decimals ? `${total}.${[...decimals].map((sign) => DIGITS[sign]).join("")}` : String(total);
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
    .replace(/\b(\d+) and (?:a|1) half\b/g, "($1+1/2)")
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
  [/[≈~`"'“”‘’「」?]/g, " "],
  [/[、;\n]/g, ","],
  [/[。.!](?=\s*$)/g, " "],
  [/\^/g, "**"],
];

/** The text with signs of one kind, digits for numerals, and without quotes. */
function normal(answer) {
  let text = answer
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/g, (power) => `**${power.normalize("NFKC").replaceAll("−", "-")}`)
    .replace(/(\d*)([½¼¾⅓⅔⅕⅛⅙])/g, (_, whole, part) => `(${whole || 0}+${part.normalize("NFKC")})`)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("\u2044", "/");
  for (const [signs, sign] of SIGNS) text = text.replace(signs, sign);
  text = text
    .replace(/,?\s*\b(?:dtype|grad_fn|requires_grad|device)=[^,)\n]*/g, "")
    .replace(/\b(?:torch|mg|np|math)\.|\b(?:tensor|size|array)(?=\()/g, "");
  const bare = text.replace(/^[ .!]+|[ .!]+$/g, "");
  if (WHOLE.has(bare)) return WHOLE.get(bare);
  text = text
    .replace(/\b([a-z]\w*(?:\.\w+)?)\[\d+\]\s*(?==)/g, "$1")
    .replace(/\b([a-z]\w*\.[a-z]\w*)\s*(?:is\b|是|为|等于)/g, " $1 =");
  return englishNumbers(text)
    .replace(FOUND_HAN, replaceHan)
    .replace(FOUND_PHRASE, (phrase) => PHRASES.get(phrase))
    .replace(/\ba (?=[a-z]{2})/g, "")
    .replace(/(?<=[a-z])-(?=[a-z])/g, " ")
    .replace(/\bof (?:the )?\d+\b/g, "")
    .replace(/(\d)\s*times\s+(?=[-\d(])/g, "$1*")
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
        this.labels.push(token.text);
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
      if (typeof value !== "number" || typeof other !== "number" || !close(value, other)) throw new UnreadableError();
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

  word(word) {
    if (Object.hasOwn(FUNCTIONS, word) && this.at < this.tokens.length) {
      const value = this.factor();
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

/** One operation; a list takes part with each of its parts. */
function combined(sign, one, other) {
  if (Array.isArray(one) && Array.isArray(other)) throw new UnreadableError();
  if (Array.isArray(one)) return one.map((part) => combined(sign, part, other));
  if (Array.isArray(other)) return other.map((part) => combined(sign, one, part));
  const [a, b] = [one, other].map((each) => (typeof each === "string" ? CONSTANTS[each] : each));
  if (a === undefined || b === undefined) throw new UnreadableError();
  if (sign === "*" || sign === "×") return a * b;
  if (sign === "+") return a + b;
  if (sign === "-") return a - b;
  return finite(sign === "/" ? a / b : a ** b);
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

/** Sort values that were labelled with the names of the fields. */
function inOrder(found, labels, fields) {
  const names = labels.flatMap((label) => fields.filter((field) => label === field || label === field.split(".")[0]));
  if (names.length !== found.length || [...names].sort().join() !== [...fields].sort().join()) return found;
  return fields.map((field) => found[names.indexOf(field)]);
}

/** A text as `count` values, read in the most natural way; undefined if there is none. */
function reading(text, count, fields) {
  const ways = [[text, false]];
  if (count > 1) ways.push([text, true]);
  else {
    ways.push([text.replace(/(?<=\d),(?=\d{3}\b)/g, ""), false]);
    ways.push([text.replace(/^(-?\d+),(\d+)$/, "$1.$2"), false]);
    ways.push([text.replace(/\b(\d+) (\d+\/\d+)/g, "($1+$2)"), false]);
  }
  for (const [written, split] of ways) {
    const values = read(written, split, fields);
    if (values?.length === count) return values;
  }
  return undefined;
}

function close(typed, meant) {
  if (typed === meant) return true;
  if (!Number.isFinite(typed) || !Number.isFinite(meant)) return false;
  return Math.abs(typed - meant) <= Math.abs(meant) * (Number.isInteger(meant) ? 1e-6 : 1e-3);
}

/** Whether the number at `place` of a text is `meant`, rounded to two digits or more. */
function isRounded(text, place, meant) {
  const literals = text.match(/(?<![\w.])-?\d*\.\d+(?![\w.*/^])/g) ?? [];
  const plain = (text.match(/-?[\d.]+/g) ?? [])[place];
  if (plain === undefined || !literals.includes(plain)) return false;
  const decimals = plain.split(".")[1].length;
  return plain.replace(/\D/g, "").replace(/^0+/, "").length >= 2 && Number(meant.toFixed(Math.min(decimals, 20))) === Number(plain);
}

function isSame(typed, meant, text, place) {
  if (meant === "any" || typed === meant) return true;
  if (typeof typed !== "number" || typeof meant !== "number") return false;
  return close(typed, meant) || (Number.isFinite(meant) && isRounded(text, place, meant));
}

/** Words without what is between them, since "in place" and "inplace" are one; or nothing. */
const joined = (values) => (values?.every((value) => typeof value === "string") ? values.join("") : "");

/** Whether a normal text has the values of a spelling. */
function alike(text, spelling, fields = []) {
  const wanted = read(normal(spelling)) ?? [];
  if (wanted.length === 0) return false;
  const singles = wanted.length > 1 && wanted.every((each) => typeof each === "string" && each.length === 1);
  if (singles && text.trim() === wanted.join("")) return true;
  const given = reading(text, wanted.length, fields);
  if (given?.every((value, place) => isSame(value, wanted[place], text, place))) return true;
  return joined(wanted) !== "" && joined(read(text)) === joined(wanted);
}

/** The values as the reader sees them; the text itself if there are none. */
function shown(values, typed) {
  const names = { none: "None", true: "True", false: "False" };
  const texts = (values ?? []).map((value) =>
    typeof value === "string" ? (names[value] ?? value) : String(Number(value.toPrecision(6))),
  );
  return texts.join(", ") || typed.trim();
}

/** Find the known answer that was typed; the first one is right. `kind` is "known", "other" or "unread". */
export function judge(typed, answers, fields = []) {
  const text = normal(typed);
  for (const [place, answer] of answers.entries()) {
    if (answer.split("|").some((spelling) => alike(text, spelling, fields))) {
      return { place, kind: "known", reading: shown(read(text), typed) };
    }
  }
  const wanted = answers.flatMap((answer) => answer.split("|").map((spelling) => read(normal(spelling)) ?? []));
  const known = new Set([...CLASS_NAMES, ...wanted.flat()]);
  const counts = [...new Set(wanted.map((values) => values.length))].sort((one, other) => one - other);
  const first = counts.map((count) => reading(text, count, fields)).find(Boolean) ?? read(text);
  const names = (first ?? []).filter((value) => typeof value === "string");
  const isListed = counts.includes(first?.length) || names.length === first?.length;
  const judged = Boolean(first?.length) && isListed && names.every((name) => known.has(name));
  return { place: -1, kind: judged ? "other" : "unread", reading: shown(first, typed) };
}
