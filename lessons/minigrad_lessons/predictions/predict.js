// The box of a prediction: it takes an answer, judges it and explains why. Notebook outputs and pages of the web site share
// this program, which needs no kernel. Exercises of the site use the same box, but the reader may try again. Their text for
// an unforeseen answer is `otherwise`.

/** Split an answer into numbers and words. */
export function tokens(answer) {
  const text = answer
    .normalize("NFKC") // full-width signs, as Chinese keyboards type them
    .toLowerCase()
    .replace(/[−–—]/g, "-")
    .replace(/^\s*[\w.]+\s*=(?!=)/, "") // x.grad = 7
    .replace(/\b(torch|mg)\.|\b(tensor|size)\(|,\s*(dtype|grad_fn|requires_grad|device)=[^,)\n]*/g, " ")
    .replace(/[[\](){}"'`“”‘’「」]/g, " ")
    .replace(/[.。!?！？]+(?=\s|$)/g, (end, place, all) => (/\d/.test(all[place - 1]) ? "" : " "));
  return text.split(/[\s,;、，；]+/).filter(Boolean);
}

/** The value of a token, `1/3` included; NaN if it is not a number. */
function number(token) {
  if (/^[+-]?(inf|infinity|∞)$/.test(token)) return token.startsWith("-") ? -Infinity : Infinity;
  const parts = token.split("/");
  if (parts.length > 2 || !parts.every((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(part))) return NaN;
  return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(token);
}

/** Whether the typed number is the expected one, or that number rounded to two digits or more. */
function close(typed, meant) {
  const [t, m] = [number(typed), number(meant)];
  if (Object.is(t, m) || t === m) return true;
  if (!Number.isFinite(t) || !Number.isFinite(m)) return false;
  if (Math.abs(t - m) <= Math.abs(m) * (Number.isInteger(m) ? 1e-6 : 1e-3)) return true;
  const [, decimals = "", power] = /^[+-]?\d*\.?(\d*)(e.*)?$/.exec(typed) ?? [];
  const digits = typed.replace(/e.*/, "").replace(/\D/g, "").replace(/^0+/, "").length;
  return !power && decimals !== "" && digits >= 2 && Number(m.toFixed(Math.min(decimals.length, 20))) === t;
}

const same = (typed, meant) => (Number.isNaN(number(meant)) ? typed === meant : close(typed, meant));

const joinWords = (words) => words.join("").replace(/-/g, ""); // "in place", "in-place" and "inplace" are one

/** Evaluate arithmetic such as `64 * 10 + 1` or `(1/4)**2` as Python does; return any other text unchanged. (`eval` would
 * need a weaker policy of the page.)
 */
function evaluate(typed) {
  const text = typed.normalize("NFKC");
  if (!/^[\d\s.e()*/+_-]+$/.test(text) || !/[*/+(]|\d\s*-/.test(text)) return typed;
  const signs = text.match(/(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?|\*\*|\S/g);
  let at = 0;
  const take = (...wanted) => (wanted.includes(signs[at]) ? signs[at++] : "");
  const sum = () => {
    let value = product();
    for (let sign; (sign = take("+", "-")); ) value += sign === "+" ? product() : -product();
    return value;
  };
  const product = () => {
    let value = factor();
    for (let sign; (sign = take("*", "/")); ) value = sign === "*" ? value * factor() : value / factor();
    return value;
  };
  const factor = () => {
    if (take("-")) return -factor();
    if (take("+")) return factor();
    const base = take("(") ? inner() : number((signs[at++] ?? "").replaceAll("_", ""));
    return take("**") ? base ** factor() : base;
  };
  const inner = () => {
    const value = sum();
    return take(")") ? value : NaN;
  };
  try {
    const value = sum();
    return at === signs.length && Number.isFinite(value) ? String(value) : typed;
  } catch {
    return typed; // brackets nested too deeply
  }
}

/** Whether two answers are the same; `meant` may hold several spellings, between bars. */
export function alike(typed, meant) {
  const given = tokens(evaluate(typed));
  return meant.split("|").some((spelling) => {
    const wanted = tokens(spelling);
    if (given.length === 0 || wanted.length === 0) return false;
    if (given.length === wanted.length && given.every((token, i) => same(token, wanted[i]))) return true;
    const words = [...given, ...wanted].every((token) => Number.isNaN(number(token)));
    return words && joinWords(given) === joinWords(wanted);
  });
}

/** Split a text at the commas outside of brackets; return an empty list if the brackets do not match. */
function split(text) {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    if (depth < 0) return [];
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  if (parts.length === 1 && !/[[({]/.test(text)) return text.trim().split(/\s+/); // blanks separate parts, too
  return depth === 0 ? parts : [];
}

/** Parse an answer as Python would: a number, a word, or a list of them. Quotes and `tensor` are ignored. */
export function value(answer) {
  const written = answer
    .normalize("NFKC")
    .replace(/[−–—]/g, "-")
    .replace(/[、;]/g, ",")
    .replace(/["'`“”‘’]/g, "")
    .trim()
    .replace(/^[\w.]+\s*=(?!=)\s*/, "") // mean_gradient = 0.2
    .replace(/^(?:(?:mg|torch|np)\.)?(?:tensor|array|list|tuple)(?=\(.*\)$)/s, "");
  const found = number(evaluate(written));
  if (!Number.isNaN(found)) return found;
  const text = written.replace(/[.。!?]+$/, "");
  const parts = split(text);
  if (parts.length > 1) return parts.filter((part, i) => i < parts.length - 1 || part.trim()).map(value);
  const inner = /^[[({].*[\])}]$/s.test(text) ? text.slice(1, -1) : null;
  if (parts.length === 0 || inner === null) return /^(true|false|none|nan)$/i.test(text) ? text.toLowerCase() : text;
  if (!inner.trim()) return [];
  const held = split(inner).length > 1 || text.startsWith("(") ? value(inner) : [value(inner)];
  return text.startsWith("{") ? asSet(held) : held;
}

/** Turn a list of words into a set, which begins with "{}"; return any other value unchanged. */
function asSet(value) {
  if (!Array.isArray(value) || value[0] === "{}" || value.some((part) => typeof part !== "string")) return value;
  return ["{}", ...[...new Set(value)].sort()];
}

/** Compare two values part by part, with the tolerance of a check in a notebook. */
function equal(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, i) => equal(part, other[i]));
  }
  if (typeof one !== "number" || typeof other !== "number") return one === other;
  const near = Math.max(1e-4 * Math.max(Math.abs(one), Math.abs(other)), 1e-6);
  return one === other || (Number.isFinite(one - other) && Math.abs(one - other) <= near);
}

/** Find the known answer that was typed; the first one is right. Undefined for an unforeseen answer.
 * An exercise (`exact`) distinguishes [[1, 2]] from [1, 2] and "A" from "a", as its check in a notebook does.
 */
export function judge(typed, answers, exact = false) {
  if (!exact) return answers.find(({ answer }) => alike(typed, answer));
  const given = value(typed);
  const names = asSet(given); // a list is accepted in place of a set
  const same = (right) => equal(given, right) || equal(names, right);
  return answers.find(({ answer }) => answer.split("|").some((spelling) => same(value(spelling))));
}

/** Create an element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Nodes of a text; a piece between backticks becomes <code>. */
function prose(text) {
  return text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
}

// Colours are the page's own: a notebook's output and the site know their theme.
const STYLE = `
.minigrad-prediction { max-width: 46rem; margin: .25rem 0; padding: .6rem .9rem; border: 1px solid #8888;
  border-left: 4px solid #5b7fc7; border-radius: 6px; font-family: system-ui, sans-serif; line-height: 1.5 }
.minigrad-prediction :is(.ask, [role=group]) { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 0 }
.minigrad-prediction label { font-weight: 600 }
.minigrad-prediction :is(input, button) { min-height: 2.25rem; padding: .25rem .75rem; border: 1px solid #7a8294;
  border-radius: 5px; color: inherit; background: transparent; font: inherit; box-sizing: border-box }
.minigrad-prediction input { width: 14rem; max-width: 100%; font-weight: 400 }
.minigrad-prediction button { cursor: pointer }
.minigrad-prediction button:hover { background: #8883 }
.minigrad-prediction button.show { border-color: transparent; text-decoration: underline }
.minigrad-prediction :focus-visible { outline: 2px solid #5b7fc7; outline-offset: 2px }
.minigrad-prediction [role=status]:focus { outline: none }
.minigrad-prediction p { margin: .3rem 0 }
.minigrad-prediction[data-verdict=right] { border-left-color: #2c9a5a }
.minigrad-prediction[data-verdict=wrong] { border-left-color: #c7641c }
`;

/** Unfold the text after the next cell in JupyterLab: it explains the answer. */
function unfold(place) {
  let cell = place.closest(".jp-Cell")?.nextElementSibling;
  while (cell?.matches(".jp-CodeCell")) cell = cell.nextElementSibling;
  cell?.querySelector(".jp-InputPlaceholder .jp-Placeholder-content")?.click();
}

/** Put the box into its place. */
export function mount(place, asked) {
  place.lang = asked.language;
  // JupyterLab would handle the Enter that presses a button.
  place.dataset.lmSuppressShortcuts = "true";
  const verdict = make("div", { role: "status", tabindex: "-1" });
  const question = make("div", { class: "ask" }); // a form would not be submitted in JupyterLab
  /** Show the verdict on an answer; null if the reader gave none. */
  const tell = (typed, found) => {
    if ("otherwise" in asked) return showCheck(place, verdict, asked, found);
    const lines = answerLines(place, asked, typed, found);
    if (typed !== null) place.dataset.verdict = found === asked.answers[0] ? "right" : "wrong";
    question.remove();
    delete place.dataset.lmSuppressShortcuts;
    unfold(place);
    verdict.replaceChildren(...lines);
    verdict.focus({ preventScroll: true });
  };
  fillQuestion(question, asked, tell);
  place.replaceChildren(make("style", {}, STYLE), question, verdict);
}

/** The verdict of an exercise. It does not reveal the answer: the reader may try again. */
function showCheck(place, verdict, { answers, said, otherwise }, found) {
  const isRight = found === answers[0];
  place.dataset.verdict = isRight ? "right" : "wrong";
  const start = make("strong", {}, isRight ? said.right : said.other);
  verdict.replaceChildren(make("p", {}, start, said.gap, ...prose(found?.says ?? otherwise)));
}

/** The verdict on a prediction, its explanation, and where the output is shown. */
function answerLines(place, { answers, said, name }, typed, found) {
  const [right] = answers;
  const isRight = found === right;
  const verdict = typed === null ? [] : [make("strong", {}, isRight ? said.right : said.other), said.gap];
  const between = (words, text) => {
    const [before, after] = words.split("{}");
    return [before, make("strong", {}, text), after];
  };
  const lines = [];
  if (typed !== null && !isRight) {
    const why = found ? [said.gap, ...prose(found.says)] : [];
    lines.push(make("p", {}, ...verdict, ...between(said.you, found?.label ?? typed), ...why));
  }
  const answer = [...between(said.is, right.label), said.gap, ...prose(right.says)];
  lines.push(make("p", {}, ...(isRight ? verdict : []), ...answer));
  // A page that contains the cell's output shows it now, and reports that by preventing the default.
  const detail = { name, place };
  const event = new CustomEvent("minigrad-predicted", { bubbles: true, cancelable: true, detail });
  lines.push(make("p", {}, place.dispatchEvent(event) ? said.run : said.shown));
  return lines;
}

/** Add the choices or the input of a question. */
function fillQuestion(question, asked, tell) {
  const { answers, said } = asked;
  const show = make("button", { type: "button", class: "show" }, said.reveal);
  show.addEventListener("click", () => tell(null));
  if (asked.choices) {
    const group = make("span", { role: "group", "aria-label": said.ask });
    question.append(make("strong", { "aria-hidden": "true" }, said.ask), group);
    const inOrder = [...answers].sort((one, other) =>
      one.label.localeCompare(other.label, "en", { numeric: true }),
    );
    for (const each of inOrder) {
      const button = make("button", { type: "button" }, each.label);
      button.addEventListener("click", () => tell(each.label, each));
      group.append(button);
    }
    question.append(show);
    return;
  }
  const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const answer = make("button", { type: "button" }, said.answer);
  const commit = () => {
    const typed = input.value.trim();
    if (typed) tell(typed, judge(typed, answers, "otherwise" in asked));
    else input.focus();
  };
  answer.addEventListener("click", commit);
  input.addEventListener("keydown", (event) => {
    // While a Chinese word is being composed, Enter belongs to it; with Shift, to the notebook.
    if (event.key === "Enter" && !event.isComposing && !event.shiftKey) commit();
  });
  question.append(make("label", {}, said.ask, " ", input), answer);
  if (!("otherwise" in asked)) question.append(show);
}

/** Mount the box in every place of this page with its name, once. */
export function mountAll(asked) {
  for (const place of document.querySelectorAll(`[data-prediction="${asked.name}"]:not([data-live])`)) {
    place.dataset.live = "";
    mount(place, asked);
  }
}
