// The box of a prediction: it takes an answer, judges it and explains why. Notebook outputs and pages of the web site share
// this program, which needs no kernel; judge.js comes before it. A prediction has two tries with a hint between them, and
// its answer can be shown at any time. Exercises of the site use the same box, but the reader may try without end and no
// answer is shown. Their text for an unforeseen answer is `otherwise`.

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

/** The value of a number or of arithmetic such as `64 * 10 + 1` or `(1/4)**2`; NaN for any other text. */
function arithmetic(text) {
  if (!/^(?:[\d\s.e()*/+_-]+|[+-]?(?:inf|infinity|∞))$/i.test(text)) return NaN;
  const values = read(text.toLowerCase().replace("∞", "inf"));
  return values?.length === 1 && typeof values[0] === "number" ? values[0] : NaN;
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
  const found = arithmetic(written);
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

/** Find the known answer of an exercise that was typed; undefined for an unforeseen one. An exercise distinguishes
 * [[1, 2]] from [1, 2] and "A" from "a", as its check in a notebook does.
 */
export function judgeExactly(typed, answers) {
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
.minigrad-prediction input.short { width: 6rem }
.minigrad-prediction button { cursor: pointer }
.minigrad-prediction button:hover { background: #8883 }
.minigrad-prediction button:disabled { opacity: .6; cursor: default; text-decoration: line-through }
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
  let tries = asked.tries;
  /** End the question with the answer. */
  const finish = (typed, found) => {
    if (typed !== null) place.dataset.verdict = found === asked.answers[0] ? "right" : "wrong";
    const lines = answerLines(place, asked, typed, found);
    question.remove();
    delete place.dataset.lmSuppressShortcuts;
    unfold(place);
    verdict.replaceChildren(...lines);
    verdict.focus({ preventScroll: true });
  };
  /** Judge one try; a text that cannot be read costs none. */
  const take = (typed, found, unread) => {
    if ("otherwise" in asked) return showCheck(place, verdict, asked, found);
    if (unread) return verdict.replaceChildren(make("p", {}, unread));
    tries -= 1;
    if (found === asked.answers[0] || tries === 0) return finish(typed, found);
    place.dataset.verdict = "wrong";
    verdict.replaceChildren(make("p", {}, ...wrongWords(asked, typed, found, asked.hint), asked.said.gap, asked.said.again));
  };
  fillQuestion(question, asked, take, () => finish(null));
  place.replaceChildren(make("style", {}, STYLE), question, verdict);
}

/** The verdict of an exercise. It does not reveal the answer: the reader may try again. */
function showCheck(place, verdict, { answers, said, otherwise }, found) {
  const isRight = found === answers[0];
  place.dataset.verdict = isRight ? "right" : "wrong";
  const start = make("strong", {}, isRight ? said.right : said.other);
  verdict.replaceChildren(make("p", {}, start, said.gap, ...prose(found?.says ?? otherwise)));
}

/** A sentence with a part in bold in place of {}. */
function between(words, text) {
  const [before, after] = words.split("{}");
  return [before, make("strong", {}, text), after];
}

/** What was typed is wrong: why, if it is a known mistake, or else the hint, if there is one. */
function wrongWords({ said }, typed, found, hint) {
  const why = found?.says ?? hint;
  const label = found && !found.answer.includes("any") ? found.label : typed.replaceAll("\n", ", ");
  const start = [make("strong", {}, said.other), said.gap, ...between(said.you, label)];
  return why ? [...start, said.gap, ...prose(why)] : start;
}

/** The verdict on a prediction, its explanation, and where the output is shown. */
function answerLines(place, asked, typed, found) {
  const { answers, said, name } = asked;
  const [right] = answers;
  const lines = [];
  if (typed !== null && found !== right) lines.push(make("p", {}, ...wrongWords(asked, typed, found)));
  const start = found === right ? [make("strong", {}, said.right), said.gap] : [];
  lines.push(make("p", {}, ...start, ...between(said.is, right.label), said.gap, ...prose(right.says)));
  // A page that contains the cell's output shows it now, and reports that by preventing the default.
  const detail = { name, place };
  const event = new CustomEvent("minigrad-predicted", { bubbles: true, cancelable: true, detail });
  lines.push(make("p", {}, place.dispatchEvent(event) ? said.run : said.shown));
  return lines;
}

/** Add the choices or the inputs of a question. */
function fillQuestion(question, asked, take, reveal) {
  const { said } = asked;
  const show = make("button", { type: "button", class: "show" }, said.reveal);
  show.addEventListener("click", reveal);
  if (asked.choices) {
    fillChoices(question, asked, take);
    question.append(show);
    return;
  }
  const labels = asked.fields?.length ? asked.fields : [said.ask];
  const inputs = labels.map(() =>
    make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" }),
  );
  const answer = make("button", { type: "button" }, said.answer);
  const commit = () => {
    const typed = inputs.map((input) => input.value.trim()).filter(Boolean).join("\n");
    if (typed) take(typed, ...judged(typed, asked));
    else inputs[0].focus();
  };
  answer.addEventListener("click", commit);
  for (const [place, input] of inputs.entries()) {
    if (inputs.length > 1) input.className = "short";
    input.addEventListener("keydown", (event) => {
      // While a Chinese word is being composed, Enter belongs to it; with Shift, to the notebook.
      if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
      const next = inputs.slice(place + 1).find((each) => !each.value.trim());
      if (next && input.value.trim()) next.focus();
      else commit();
    });
  }
  if (inputs.length > 1) question.append(make("strong", {}, said.ask));
  question.append(...inputs.map((input, place) => make("label", {}, labels[place], " ", input)), answer);
  if (!("otherwise" in asked)) question.append(show);
}

/** Add a button for each answer; one that is wrong is disabled. */
function fillChoices(question, { answers, said }, take) {
  const group = make("span", { role: "group", "aria-label": said.ask });
  question.append(make("strong", { "aria-hidden": "true" }, said.ask), group);
  const inOrder = [...answers].sort((one, other) => one.label.localeCompare(other.label, "en", { numeric: true }));
  for (const each of inOrder) {
    const button = make("button", { type: "button" }, each.label);
    button.addEventListener("click", () => {
      button.disabled = true;
      take(each.label, each);
    });
    group.append(button);
  }
}

/** The known answer that was typed, and for a text that cannot be compared a sentence that says how it was read. */
function judged(typed, asked) {
  const { answers, said } = asked;
  if ("otherwise" in asked) return [judgeExactly(typed, answers)];
  const texts = answers.map(({ answer }) => answer);
  const { place, kind, reading } = judge(typed, texts, asked.names, asked.unless);
  return [answers[place], kind === "unread" ? said.unread.replace("{}", () => reading) : undefined];
}

/** Mount the box in every place of this page with its name, once. */
export function mountAll(asked) {
  for (const place of document.querySelectorAll(`[data-prediction="${asked.name}"]:not([data-live])`)) {
    place.dataset.live = "";
    mount(place, asked);
  }
}
