// Judge a typed prediction by its value, as judge.py does, which explains it. tests/lessons/predicted_forms.json holds both.
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

/** The text with signs of one kind, digits for numerals, and without quotes. */
function normal(answer) {
  let text = answer
    .replaceAll("，", ", ")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/g, (power) => `**${power.normalize("NFKC").replaceAll("−", "-")}`)
    .replace(/(\d*)([½¼¾⅓⅔⅕⅛⅙])/g, (_, whole, part) => `(${whole || 0}+${part.normalize("NFKC")})`)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("\u2044", "/");
  text = rewritten(text, "before");
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
    .replace(/(\d|\binf)\s*times\s+(?=[-\d(])/g, "$1*")
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

const DASHES = /^\s*\w[\w.]*(?:\s*-\s*\w[\w.]*)+\s*$/;

/** Read "2-4-2-3" as a list, if a list of that length without negative numbers is right. */
function dashesBetween(text, right) {
  const wanted = right.split("|").map((spelling) => read(normal(spelling)) ?? []);
  const count = text.split("-").length;
  if (!DASHES.test(text) || wanted.every((values) => values.length !== count)) return text;
  return wanted.some((values) => values.length === 1 || values.some((each) => each < 0)) ? text : text.replaceAll("-", ",");
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
export function judge(typed, answers, fields = [], unless = "") {
  if (typed.length > LONGEST) return { place: -1, kind: "unread", reading: typed.trim() };
  const plain = typed.normalize("NFKC").toLowerCase();
  if (byField(typed, answers[0], fields.length)) {
    return { place: 0, kind: "known", reading: shown(read(normal(typed)), typed) };
  }
  let verdict = judgeStatement(plain, typed, answers, fields);
  if (verdict.place < 0) {
    const statements = [...partsTold(plain), ...explained(plain, answers), ...conclusions(plain)];
    const freely = statements.map((each) => judgeText(normal(each), typed, answers, fields));
    verdict = freely.find((each) => each.place === 0) ?? verdict;
  }
  const isOther = verdict.place === 0 && ((unless && new RegExp(unless).test(plain)) || otherNames(plain, answers));
  return isOther ? { place: -1, kind: "unread", reading: verdict.reading } : verdict;
}

/** Whether the text has a line for each field, and each is right by itself, or told twice. */
function byField(typed, right, count) {
  const lines = typed.split("\n");
  if (count < 2 || lines.length !== count) return false;
  const parts = right.split("|").map((spelling) => spelling.split(spelling.includes(";") ? ";" : ","));
  const isRight = (line, value) => [value, `${value}, ${value}`].some((each) => judge(line, [each]).place === 0);
  return parts.some((part) => part.length === count && lines.every((line, at) => isRight(line, part[at])));
}

/** Judge a text as it stands, then without its remarks, its working and its reason. */
function judgeStatement(plain, typed, answers, fields) {
  const text = labelled(normal(typed), fields);
  const before = beforeColon(plain, answers);
  let verdict = judgeText(before || text, typed, answers, fields);
  if (before && (verdict.place === 0 || (verdict.place > 0 && /\p{L}$/u.test(before)))) return verdict;
  verdict = judgeText(text, typed, answers, fields);
  const shorter = withoutRemarks(text, answers);
  if (verdict.kind === "unread" && shorter) verdict = judgeText(shorter, typed, answers, fields);
  if (verdict.kind !== "unread") return verdict;
  const bare = withoutUnknown(shorter || text, answers);
  const without = [withoutWorking(bare || text, typed), normal(yesOrNo(plain, answers))];
  for (const bold of [bare, ...without]) {
    const accepted = judgeText(bold, typed, answers, fields);
    if (accepted.place === 0) return accepted;
  }
  const answer = rewritten(plain, "because");
  const withoutReason = answer !== plain ? judgeStatement(answer, answer, answers, fields) : verdict;
  return withoutReason.kind === "unread" ? verdict : withoutReason;
}

const PLACES = new Map(WORDS.places.flatMap((words, place) => words.split(" ").map((word) => [word, place])));
const BETWEEN = new RegExp(WORDS.between);
/** Clauses that name a place in a list. */
const PLACED = WORDS.placed.map((each) => new RegExp(each.replace("PLACE", byLength(PLACES.keys()))));
const NAMES_BEHIND = new RegExp(WORDS["names behind"]);

/** The text with the parts of a list written out, as each rule that applies leaves it. */
const partsTold = (plain) => [...inPlaces(plain), ...simpler(plain, "parts").map(([each]) => each)];

/** The values of clauses that each name a place, in the order of the places. */
function inPlaces(plain) {
  const clauses = plain.split(BETWEEN).filter((each) => each.trim());
  const told = new Map();
  for (const clause of clauses) {
    const found = PLACED.map((way) => way.exec(clause)).find(Boolean);
    if (found) told.set(PLACES.get(found.groups.place), found.groups.value);
  }
  const places = [...told.keys()].sort((one, other) => one - other);
  const isWhole = places.length > 1 && places.length === clauses.length && places[0] < 2;
  if (!isWhole || places.some((place, at) => place !== places[0] + at)) return [];
  return [places.map((place) => told.get(place)).join(", ")];
}

/** What is between an answer and what explains it. */
const CUT = new RegExp(WORDS.cut, "g");
/** What takes an answer back, or goes on to a second one. */
const GOES_ON = new RegExp(WORDS["goes on"]);
/** Words after which the answer comes. */
const TELLS = new RegExp(WORDS.tells);
const ASIDE = new RegExp(WORDS.aside, "g");
const LITERAL = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*[a-z])/g;
/** A denial that explains. */
const DENIES = new RegExp(WORDS.denies);
const ENDS = /\d[^\w\u4e00-\u9fff〇]*$/;
const CONCLUDES = new RegExp(WORDS.concludes, "g");
const hasHanHedge = (text) => [...HEDGES].some((hedge) => !isAscii(hedge) && text.includes(hedge));

/** Each start and end of the text that the rest only explains. */
function explained(plain, answers) {
  return [...plain.matchAll(CUT)].flatMap((cut) => {
    const [head, tail] = [plain.slice(0, cut.index), plain.slice(cut.index + cut[0].length)];
    return [...(explains(tail, answers) ? [head] : []), ...(explains(head, answers) ? [tail] : [])];
  });
}

/** Whether a clause says something, but neither a second answer nor a doubt. */
function explains(whole, answers) {
  const clause = whole.replace(ASIDE, " some ");
  if (GOES_ON.test(clause) || hasHanHedge(clause)) return false;
  const spellings = answers.flatMap((answer) => answer.split("|").map((each) => read(normal(each)) ?? []));
  const numbers = (clause.match(LITERAL) ?? []).map(Number);
  const length = Math.min(...spellings.slice(0, answers[0].split("|").length).map((values) => values.length));
  const single = spellings.filter((values) => values.length === 1).map(([value]) => value);
  const isSecond = length > 1 ? numbers.length >= length : ENDS.test(clause);
  if (isSecond || numbers.some((each) => single.includes(each))) return false;
  const words = [...new Set((normal(clause).match(WORD) ?? []).map((word) => CLASSES.get(word) ?? word))];
  const silent = [...CLASS_NAMES, ...FILLERS, ...Object.keys(FUNCTIONS), ...Object.keys(CONSTANTS), ...DOUBTS];
  const isDoubt = words.length > 1 && words.some((word) => DOUBTS.includes(word));
  const isTold = (word) => (word > "z" || word.length > 1) && !word.includes(".") && !silent.includes(word);
  const tells = words.some(isTold) || isDoubt || TELLS.test(clause);
  const mayDeny = numbers.length === 0 && DENIES.test(clause) && !knownWords(answers.slice(0, 1)).has("false");
  const hedges = [...HEDGES].filter((word) => !mayDeny || !DENIALS.includes(word));
  const known = [...knownWords(answers)].filter((word) => !CLASS_NAMES.has(word));
  const answer = [...known, "error", "nan", "inf", "true", ...hedges];
  return tells && !words.some((word) => answer.includes(word));
}

/** What follows each word that concludes, if nothing before it takes it back. */
function conclusions(plain) {
  const isFree = (before) => !hasHanHedge(before) && !(before.match(WORD) ?? []).some((word) => HEDGES.has(word));
  const found = [...plain.matchAll(CONCLUDES)].filter((each) => isFree(plain.slice(0, each.index + each[0].length)));
  return found.map((each) => plain.slice(each.index + each[0].length));
}

/** Whether a number is right that could be names, and a list of other names follows it. */
function otherNames(plain, answers) {
  const known = [...knownWords(answers.slice(0, 1))].filter((word) => !CLASS_NAMES.has(word));
  const names = (NAMES_BEHIND.exec(plain)?.[1].match(/[a-z_]+/g) ?? []).filter((name) => name !== "and");
  return known.length > 0 && names.some((name) => !known.some((word) => word.startsWith(name)));
}

/** The normal text before a colon and its reason; nothing if the colon follows a label. */
function beforeColon(plain, answers) {
  const [head, ...rest] = plain.split(":");
  const tail = rest.join(":");
  const words = tail.match(/[a-z_]+|[\u4e00-\u9fff〇]+/g) ?? [];
  const isHedge = (hedge) => words.includes(hedge) || (!isAscii(hedge) && tail.includes(hedge));
  if (words.length === 0 || [...HEDGES].some(isHedge)) return "";
  const answer = normal(head);
  const names = (read(answer) ?? []).filter((value) => typeof value === "string");
  const known = knownWords(answers);
  const says = (word) => !known.has(word) && !FILLERS.has(word) && !CLASSES.has(word) && !Object.hasOwn(FUNCTIONS, word);
  if (names.length && names.every((name) => known.has(name) || CLASS_NAMES.has(name))) {
    return words.some(says) && rewritten(`${head} because ${tail}`, "because") === head ? answer : "";
  }
  return names.length || /[a-z\u4e00-\u9fff〇]/.test(head) ? "" : answer;
}

/** Clauses, one of them of words. */
const WORKING = /[,，:：;；(（](?=.*[a-zA-Z\u4e00-\u9fff〇])|^[^,，]*[:：]|\b(?:is|makes?|gives?)\b|[是得]/s;
/** A first clause, and the rest. */
const CLAUSES = /^([^,;:。.]+)[,;:。.]\s*(.+)$/s;
const DENIALS = ["no", "not", "never", "false"];

/** The first or last number, if it is the product, sum or quotient of those next to it; or nothing. */
function withoutWorking(text, typed) {
  const isHedged = (`${text} ${typed.toLowerCase()}`.match(WORD) ?? []).some((word) => HEDGES.has(word));
  if (!WORKING.test(typed) || isHedged) return "";
  const doubted = [...DOUBTS, ...CLASS_NAMES];
  const isDoubted = (text.match(WORD) ?? []).some((word) => doubted.includes(word));
  const ways = [read(text), read(text.replace(/[a-z_\u4e00-\u9fff〇]+/g, " "))];
  const numbers = ways.find((values) => values?.length && values.every((value) => typeof value === "number")) ?? [];
  if (numbers.length < 2) return "";
  const splits = [[numbers[0], numbers.slice(1)], [numbers.at(-1), numbers.slice(0, -1)]];
  const gives = ([result, parts]) => {
    if (parts.length === 1 && agree(parts[0], result) && !isDoubted) return true;
    if (parts.length < 2 || parts.includes(0)) return false;
    const given = [parts.reduce((one, other) => one + other)];
    if (!parts.includes(1)) given.push(parts.reduce((one, other) => one * other));
    if (parts.length === 2) given.push(parts[0] / parts[1]);
    return given.some((each) => agree(each, result));
  };
  const found = splits.find(gives);
  return found ? String(found[0]) : "";
}

/** The yes or no before a clause that does not take it back; nothing if there is none. */
function yesOrNo(plain, answers) {
  const right = (read(normal(answers[0].split("|")[0])) ?? []).join();
  const cut = CLAUSES.exec(plain);
  if (cut === null || !["true", "false"].includes(right)) return "";
  const words = (cut[2].match(/[a-z]+/g) ?? []).map((word) => CLASSES.get(word) ?? word);
  const hedges = right === "false" ? [...HEDGES].filter((word) => !DENIALS.includes(word)) : [...HEDGES, "false"];
  const takenBack = [...hedges, ...(right === "false" ? ["true", "真", "是的", "对的"] : "不没无非未")];
  return takenBack.some((word) => (isAscii(word) ? words.includes(word) : cut[2].includes(word))) ? "" : cut[1];
}

/** The words in the spellings of the answers. */
function knownWords(answers) {
  const values = answers.flatMap((answer) => answer.split("|").flatMap((spelling) => read(normal(spelling)) ?? []));
  return new Set(values.filter((value) => typeof value === "string"));
}

const WORD = /[a-z_][\w.]*(?<!\.)(?!\s*[=:])|[\u4e00-\u9fff〇]+/g;

/** The text without words that say nothing here; nothing if one of them may be a doubt. */
function withoutUnknown(text, answers) {
  const names = knownWords(answers);
  const words = text.match(WORD) ?? [];
  const isList = words.some((word) => names.has(word) && !CLASS_NAMES.has(word)); // and another name may belong to it
  const isChoice = ["true", "false"].some((word) => knownWords([answers[0].split("|")[0]]).has(word));
  if (isList || isChoice || /\d[a-z_]/.test(text)) return "";
  const kept = [...names, ...CLASSES.keys(), ...CLASS_NAMES, ...FILLERS, ...Object.keys(FUNCTIONS), ...Object.keys(CONSTANTS)];
  const known = new Set(kept);
  const unknown = new Set(words.filter((word) => !known.has(word)));
  const isDoubt = (word) => DOUBTS.some((doubt) => (isAscii(doubt) ? doubt === word : word.includes(doubt)));
  return [...unknown].some(isDoubt) ? "" : text.replace(WORD, (word) => (unknown.has(word) ? " " : word));
}

/** The text without reasons and without clauses of words behind it; nothing if it has none. */
function withoutRemarks(text, answers) {
  const known = knownWords(answers);
  const isChoice = ["true", "false"].some((word) => knownWords(answers.slice(0, 1)).has(word));
  let shorter = rewritten(text, "reasons");
  for (let cut; (cut = /^(.*)([,;:])(.*)$/s.exec(shorter)) && isRemark(cut[3], cut[2] === ":", known, isChoice); ) shorter = cut[1];
  const isList = (shorter.match(/[a-z_]+/g) ?? []).some((word) => known.has(word) && !CLASS_NAMES.has(word)); // it may go on
  return shorter.trim() && shorter !== text && !isList ? shorter : "";
}

/** Whether a clause has words, but no doubt and no word of an answer; and no number, if it does not explain. */
function isRemark(clause, explains, known, isChoice) {
  const number = explains ? /^\s*[^\sa-z\u4e00-\u9fff]/ : /\d/;
  if (number.test(clause) || [...HEDGES].some((hedge) => !isAscii(hedge) && clause.includes(hedge))) return false;
  let words = (clause.match(/[a-z_]+|[\u4e00-\u9fff〇]+/g) ?? []).map((word) => CLASSES.get(word) ?? word);
  const mayDeny = explains || !isChoice; // "no path leads"
  if (mayDeny && words.some((word) => word !== "false" && !FILLERS.has(word))) words = words.filter((word) => word !== "false");
  const told = words.filter((word) => word !== "not"); // "the clone is not"
  if (explains || told.some((word) => !FILLERS.has(word))) words = told;
  const others = words.filter((word) => word !== "none");
  if (others.some((word) => !FILLERS.has(word))) words = others; // "it saves nothing"
  const isOrder = (word) => word === "after" || word === "before";
  const isTime = words.some(isOrder) && words.every((word) => isOrder(word) || FILLERS.has(word));
  return words.length > 0 && !isTime && words.every((word) => !known.has(word) && !CLASS_NAMES.has(word) && !HEDGES.has(word));
}

/** Whether names and numbers, if there are both, stand as in one of the spellings. */
function isBuiltLike(values, right) {
  const kinds = (each) => each.map((value) => typeof value).join();
  const named = knownWords([right]);
  if (values.every((value) => typeof value === "string")) return true;
  if (!values.some((value) => named.has(value) && !CLASS_NAMES.has(value))) return true;
  return right.split("|").some((spelling) => kinds(read(normal(spelling)) ?? []) === kinds(values));
}

/** Judge a normal text. */
function judgeText(normalText, typed, answers, fields) {
  const text = dashesBetween(normalText, answers[0]);
  for (const [place, answer] of answers.entries()) {
    if (answer.split("|").some((spelling) => alike(text, spelling, fields))) {
      return { place, kind: "known", reading: shown(read(text), typed) };
    }
  }
  const known = new Set([...CLASS_NAMES, ...knownWords(answers)]);
  const lengths = answers.flatMap((answer) => answer.split("|").map((spelling) => (read(normal(spelling)) ?? []).length));
  const counts = [...new Set(lengths)].sort((one, other) => one - other);
  const first = counts.map((count) => reading(text, count, fields)).find(Boolean) ?? read(text);
  const names = (first ?? []).filter((value) => typeof value === "string");
  const right = answers[0].split("|").map((spelling) => (read(normal(spelling)) ?? []).length);
  const isNames = names.length === first?.length && (names.length === 1 || !names.some((name) => CLASS_NAMES.has(name)));
  const isListed = right.includes(first?.length) || isNames;
  const judged = Boolean(first?.length) && isListed && names.every((name) => known.has(name)) && isBuiltLike(first, answers[0]);
  return { place: -1, kind: judged ? "other" : "unread", reading: shown(first, typed) };
}
