// Judge a typed prediction by its value, as judge.py does, which explains it. tests/lessons/predicted_forms.json holds both.
// reading.js and remarks.js come before it, and WORDS, the content of words.json.

/** Find the known answer that was typed; the first one is right. `kind` is "known", "other" or "unread". */
export function judge(typed, answers, fields = [], unless = "") {
  if (typed.length > LONGEST) return { place: -1, kind: "unread", reading: typed.trim() };
  const plain = folded(typed);
  if (byField(typed, answers[0], fields.length)) {
    return { place: 0, kind: "known", reading: shown(read(normal(typed)), typed) };
  }
  const [head, ...rest] = plain.split(":");
  const before = rest.length && explains(`:${rest.join(":")}`, answers) ? normal(head) : "";
  let verdict = judgeText(before, typed, answers, fields);
  if (!/\p{L}$/u.test(before) || verdict.place < 0) {
    verdict = judgeText(labelled(normal(typed), fields), typed, answers, fields);
  }
  for (const each of verdict.place < 0 ? statements(plain, answers, fields) : []) {
    const said = judgeText(each.text, typed, answers, fields);
    const isWrong = said.place > 0 && each.isFirst && verdict.kind === "unread";
    if (said.place === 0 || (isWrong && !holdsRight(plain, answers))) verdict = said;
    if (said.place === 0) break;
  }
  const isOther = verdict.place === 0 && ((unless && new RegExp(unless).test(plain)) || otherNames(plain, answers));
  return isOther ? { place: -1, kind: "unread", reading: verdict.reading } : verdict;
}

/** Whether the values of the right answer stand anywhere in the text. */
function holdsRight(plain, answers) {
  const text = normal(plain);
  const values = [...numbersIn(text), ...wordsIn(text)];
  return meanings(answers[0]).some((meant) => meant.every((each) => values.includes(each)));
}

/** Whether the text has a line for each field, and each is right by itself, or told twice. */
function byField(typed, right, count) {
  const lines = typed.split("\n");
  if (count < 2 || lines.length !== count) return false;
  const parts = right.split("|").map((spelling) => spelling.split(spelling.includes(";") ? ";" : ","));
  const isRight = (line, value) => [value, `${value}, ${value}`].some((each) => judge(line, [each]).place === 0);
  return parts.some((part) => part.length === count && lines.every((line, at) => isRight(line, part[at])));
}

/** Whether a number is right that could be names, and a list of other names follows it. */
function otherNames(plain, answers) {
  const known = [...knownWords(answers.slice(0, 1))].filter((word) => !CLASS_NAMES.has(word));
  const names = (new RegExp(WORDS["names behind"]).exec(plain)?.[1].match(/[a-z_]+/g) ?? []).filter((name) => name !== "and");
  return known.length > 0 && names.some((name) => !known.some((word) => word.startsWith(name)));
}

/** Whether names and numbers, if there are both, stand as in one of the spellings. */
function isBuiltLike(values, right) {
  const kinds = (each) => each.map((value) => typeof value).join();
  const named = knownWords([right]);
  if (values.every((value) => typeof value === "string")) return true;
  if (!values.some((value) => named.has(value) && !CLASS_NAMES.has(value))) return true;
  return meanings(right).some((each) => kinds(each) === kinds(values));
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
  const meant = answers.flatMap(meanings);
  const lengths = meant.map((values) => values.length);
  const counts = [...new Set(lengths)].sort((one, other) => one - other);
  const first = counts.map((count) => reading(text, count, fields)).find(Boolean) ?? read(text);
  const names = (first ?? []).filter((value) => typeof value === "string");
  const right = meanings(answers[0]).map((values) => values.length);
  const isNames = names.length === first?.length && (names.length === 1 || !names.some((name) => CLASS_NAMES.has(name)));
  const isListed = right.includes(first?.length) || isNames;
  const isKind = names.length > 0 || !meant.flat().every(isText);
  const isKnown = isListed && isKind && names.every((name) => known.has(name));
  const judged = Boolean(first?.length) && isKnown && isBuiltLike(first, answers[0]);
  return { place: -1, kind: judged ? "other" : "unread", reading: shown(first, typed) };
}

/** The values as the reader sees them; the text itself if there are none. */
function shown(values, typed) {
  const names = { none: "None", true: "True", false: "False" };
  const texts = (values ?? []).map((value) =>
    typeof value === "string" ? (names[value] ?? value) : String(Number(value.toPrecision(6))),
  );
  return texts.join(", ") || typed.trim();
}

const DASHES = /^\s*\w[\w.]*(?:\s*-\s*\w[\w.]*)+\s*$/;

/** Read "2-4-2-3" as a list, if a list of that length without negative numbers is right. */
function dashesBetween(text, right) {
  const wanted = meanings(right);
  const count = text.split("-").length;
  if (!DASHES.test(text) || wanted.every((values) => values.length !== count)) return text;
  return wanted.some((values) => values.length === 1 || values.some((each) => each < 0)) ? text : text.replaceAll("-", ",");
}
