// Find the answer in a text with a remark, as remarks.py does, which explains it.

/** What is between an answer and what explains it. */
const CUT = new RegExp(WORDS.cut, "g");
/** What takes an answer back, or goes on to a second one. */
const GOES_ON = new RegExp(WORDS["goes on"]);
const TELLS = new RegExp(WORDS.tells);
/** What holds a number and is no answer. */
const ASIDE = new RegExp(WORDS.aside, "g");
const ENDS = /\d[^\w\u4e00-\u9fff〇]*$/;
const LITERAL = /(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*[a-z])/g;
/** A denial that explains. */
const DENIES = new RegExp(WORDS.denies);
/** Words after which the answer comes. */
const CONCLUDES = new RegExp(WORDS.concludes, "g");
/** What begins a clause that may name any number. */
const REASON = new RegExp(WORDS.reason);
/** A number that is not the answer. */
const CONTRAST = new RegExp(WORDS.contrast);
/** A clause with an operation or a word, not only numbers. */
const RESTATES = new RegExp(WORDS.restates);
const STATES = new RegExp(WORDS.states);
const ALSO = new RegExp(WORDS.also);
const LATER = new RegExp(WORDS.later);
const BRACKETS = /[[(][-\d\s.,]*[\])]/g;
const VALUES = ["none", "nan", "inf", "error"];
const DENIALS = ["no", "not", "never", "false"];
const PLACES = new Map(WORDS.places.flatMap((words, place) => words.split(" ").map((word) => [word, place])));
const BETWEEN = new RegExp(WORDS.between);
/** Clauses that name a place in a list. */
const PLACED = WORDS.placed.map((each) => new RegExp(each.replace("PLACE", byLength(PLACES.keys()))));
const LONGEST_CLAUSES = 12;
const SILENT = new Set([...CLASS_NAMES, ...FILLERS, ...Object.keys(FUNCTIONS), ...Object.keys(CONSTANTS)]);
const hasHanHedge = (text) => [...HEDGES].some((hedge) => !isAscii(hedge) && text.includes(hedge));

/** The normal texts that may be the answer in a text; a wrong answer is taken from one that is first alone. */
function* statements(plain, answers, fields) {
  for (const part of spans(plain, answers)) {
    const text = labelled(normal(part), fields);
    yield { text, isFirst: plain.startsWith(part) };
    for (const each of [...partsTold(part), ...conclusions(part)]) yield { text: normal(each), isFirst: false };
    yield { text: withoutUnknown(text, answers), isFirst: false };
  }
}

/** Each run of clauses, the longest first, of which the others only explain. */
function* spans(plain, answers) {
  const masked = plain.replace(BRACKETS, (found) => "0".repeat(found.length));
  const cuts = [...masked.matchAll(CUT)].slice(0, LONGEST_CLAUSES);
  const starts = [0, ...cuts.map((cut) => cut.index + cut[0].length)];
  const ends = [...cuts.map((cut) => cut.index), plain.length];
  let reasons = false;
  const explain = starts.map((_, at) => {
    const clause = plain.slice(at ? ends[at - 1] : 0, starts[at + 1] ?? plain.length);
    reasons = (reasons && clause[0] === ",") || REASON.test(clause);
    return explains(clause, answers, reasons);
  });
  for (let length = explain.length; length > 0; length -= 1) {
    for (let first = 0; first + length <= explain.length; first += 1) {
      const part = plain.slice(starts[first], ends[first + length - 1]);
      const others = [...explain.slice(0, first), ...explain.slice(first + length)];
      if (others.every(Boolean) && !CONTRAST.test(part)) yield part;
    }
  }
}

/** Whether a clause says something, but neither another answer nor a doubt. */
function explains(whole, answers, goesOn = false) {
  const meant = meanings(answers[0]);
  const right = new Set(meant.flat());
  const clause = withoutContrast(whole.trim(), meant);
  const text = normal(bare(clause)).trim();
  if (text === "") return true;
  if (RESTATES.test(clause) && answers[0].split("|").some((each) => alike(text, each))) return true;
  if (hasHanHedge(clause)) return false;
  const [reasons, works] = [REASON.exec(clause), makes(numbersIn(text), meant)];
  const mentioned = clause.replace(ASIDE, " some ");
  const numbers = (mentioned.match(LITERAL) ?? []).map(Number);
  const words = [...new Set(wordsIn(normal(bare(mentioned))).map((word) => CLASSES.get(word) ?? word))];
  const told = words.filter((word) => !SILENT.has(word) && tells(word));
  if (!reasons && !works) {
    const known = knownWords(answers);
    const isValue = numbers.length > 0 || words.some((word) => known.has(word) && [...VALUES, "true"].includes(word));
    if (GOES_ON.test(mentioned) || (LATER.test(mentioned) && (isValue || told.length === 0))) return false;
    if (!goesOn && isSecond(mentioned, numbers, answers)) return false;
  }
  const denies = DENIES.test(clause);
  const isOpen = numbers.length === 0 && (clause.endsWith(":") || (words.length > 1 && words.some((word) => DOUBTS.includes(word))));
  const isQuiet = words.length > 0 && words.every((word) => FILLERS.has(word)) && numbersIn(text).length === 0;
  const gives = (reasons && (reasons[1] || words.length > 2)) || (goesOn && words.some((word) => !VALUES.includes(word)));
  if (!(works || told.length > 0 || denies || TELLS.test(clause) || isOpen || isQuiet || gives)) return false;
  const wrong = [...knownWords(answers.slice(1))].filter((word) => word !== "none" && word !== "false");
  const others = [...wrong, "error", "true"].filter((word) => !right.has(word));
  const isName = [...right].every(isText) && told.some((word) => !others.includes(word)) && !ALSO.test(clause);
  const free = reasons ? words : isName ? words.filter((word) => !CLASS_NAMES.has(word)) : []; // "b, w is detached"
  const blocked = others.filter((word) => !free.includes(word));
  const mayDeny = meant.some((values) => values.join() === "false") || (denies && (reasons !== null || numbers.length === 0));
  const hedges = [...blocked, ...HEDGES].filter((word) => !mayDeny || !DENIALS.includes(word));
  return !words.some((word) => hedges.includes(word));
}

/** The clause without the signs around it, and without a bracket that has no other. */
function bare(clause) {
  const inner = clause.replace(/^[ ,;:、]+|[ ,;:、]+$/g, "");
  return inner.split("(").length === inner.split(")").length ? inner : inner.replace(/^[()]+|[()]+$/g, "");
}

/** Whether a word has a meaning of its own, and is no doubt. */
function tells(word) {
  if (word < "z") return word.length > 1 && !word.includes(".") && !DOUBTS.includes(word);
  return word.length > 3 || !DOUBTS.some((doubt) => doubt > "z" && word.includes(doubt));
}

const isList = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);

/** The clause without a value that it says is not the answer: "not 12", "instead of 7". */
function withoutContrast(clause, meant) {
  const found = CONTRAST.exec(clause);
  const values = found ? (read(normal(found[1])) ?? []) : [];
  const isValue = values.length > 0 && values.every((each) => !isText(each) || VALUES.includes(each));
  return isValue && !meant.some((each) => isList(each, values)) ? clause.slice(found[0].length) : clause;
}

/** Whether numbers in a clause may be another answer. */
function isSecond(clause, numbers, answers) {
  const wrong = answers.slice(1).flatMap(meanings).filter((values) => values.length === 1).flat();
  const meant = meanings(answers[0]);
  if (numbers.some((each) => wrong.includes(each))) return true;
  if (numbers.length > 0 && numbers.every((each) => meant.flat().includes(each))) return false;
  const length = Math.min(...meant.map((values) => values.length));
  return (length > 1 ? numbers.length >= length : ENDS.test(clause)) || STATES.test(clause);
}

/** Whether a single value that is meant is the product, sum or quotient of the numbers. */
function makes(numbers, meant) {
  if (numbers.length < 2 || numbers.includes(0)) return false;
  const [product, sum] = [numbers.reduce((one, other) => one * other), numbers.reduce((one, other) => one + other)];
  const given = [product, sum, numbers[0] / numbers[1]];
  const single = meant.filter((values) => values.length === 1 && !isText(values[0])).flat();
  return single.some((value) => given.some((each) => agree(each, value)));
}

/** The numbers in a normal text, whatever is between them. */
const numbersIn = (text) => (read(text.replace(/[^\d.,-]+|-(?!\d)/g, " "), true) ?? []).filter((each) => !isText(each));

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

/** What follows each word that concludes, if nothing before it takes it back. */
function conclusions(plain) {
  const isFree = (before) => !hasHanHedge(before) && !wordsIn(before).some((word) => HEDGES.has(word));
  const found = [...plain.matchAll(CONCLUDES)].filter((each) => isFree(plain.slice(0, each.index + each[0].length)));
  return found.map((each) => plain.slice(each.index + each[0].length));
}

/** The text without words that say nothing here; nothing if one of them may be a doubt. */
function withoutUnknown(text, answers) {
  const known = knownWords(answers);
  const words = wordsIn(text);
  const isNames = words.some((word) => known.has(word) && !CLASS_NAMES.has(word)); // and another name may belong to it
  const isChoice = meaning(answers[0].split("|")[0]).some((value) => value === "true" || value === "false");
  if (isNames || isChoice || /\d[a-z_]/.test(text)) return "";
  const unknown = new Set(words.filter((word) => !known.has(word) && !CLASSES.has(word) && !SILENT.has(word)));
  const isDoubt = (word) => DOUBTS.some((doubt) => (isAscii(doubt) ? doubt === word : word.includes(doubt)));
  return [...unknown].some(isDoubt) ? "" : text.replace(WORD, (word) => (unknown.has(word) ? " " : word));
}
