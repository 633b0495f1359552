// Cells that run: a click on a chapter's code makes an editor of it, and the lab's Python, in a worker of this page, runs it.
//
// The cells of a chapter share what they know, in their order. So a cell is run after those above it that have not been
// run yet; what these put out stands in the page already and is not shown again, unless a reader has changed them. A cell
// that was changed and run makes those below it old: they are run again before the next one that needs them.
const { lab, language, name, said } = JSON.parse(document.querySelector("#live").textContent);
const LAB = new URL(lab, location.href);
const KEPT = `live/${name}/`;

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const button = (words, kind, action) => {
  const made = make("button", { type: "button", class: kind }, words);
  made.addEventListener("click", action);
  return made;
};

// --- What is told, and what is stopped

const told = make("p", { role: "status" });
const stopper = button(said.stop, "stop", () => stop());
const anew = button(said.anew, "anew", () => restart());
const bar = make("div", { class: "live-bar", hidden: "" }, told, stopper, anew);
const tell = (words, bad = false) => {
  bar.hidden = false;
  bar.classList.toggle("bad", bad);
  told.textContent = words;
};

// --- What a reader has changed is kept for the next visit, where the browser keeps anything

const keep = {
  get(id) {
    try {
      return localStorage.getItem(KEPT + id);
    } catch {
      return null;
    }
  },
  set(id, text) {
    try {
      if (text === null) localStorage.removeItem(KEPT + id);
      else localStorage.setItem(KEPT + id, text);
    } catch {
      if (text === null || keep.warned) return;
      keep.warned = true;
      tell(said.forgets);
    }
  },
};

// --- A cell

const INDENT = "    ";

/** Put a text in the place of a part of what is typed, such that the browser can undo it. */
const type = (editor, from, to, text) => {
  editor.setSelectionRange(from, to);
  if (text === "") document.execCommand("delete");
  else document.execCommand("insertText", false, text);
};

/** The keys of an editor of Python. */
const keys = (event, editor, run) => {
  const { value, selectionStart: from, selectionEnd: to } = editor;
  const { key } = event;
  const first = value.lastIndexOf("\n", from - 1) + 1;
  const before = value.slice(first, from);
  if (event.isComposing) return;
  if (key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) run();
  else if (key === "Escape") {
    editor.dataset.leaves = ""; // the next Tab leaves the editor, as everywhere
    return;
  } else if (key === "Tab" && !("leaves" in editor.dataset) && !event.altKey && !event.ctrlKey) {
    if (from === to && !event.shiftKey) type(editor, from, to, INDENT.slice(before.length % 4));
    else {
      const change = event.shiftKey ? (line) => line.replace(/^ {1,4}/, "") : (line) => INDENT + line;
      const last = value.indexOf("\n", Math.max(from, to - 1));
      const end = last < 0 ? value.length : last;
      const lines = value.slice(first, end).split("\n").map(change).join("\n");
      type(editor, first, end, lines);
      if (from === to) editor.setSelectionRange(Math.max(first, from - (end - first - lines.length)), Math.max(first, from - (end - first - lines.length)));
      else editor.setSelectionRange(first, first + lines.length);
    }
  } else if (key === "Enter") {
    const deeper = /:\s*(#.*)?$/.test(before) ? INDENT : "";
    type(editor, from, to, `\n${/^ */.exec(before)[0]}${deeper}`);
  } else if (key === "Backspace" && from === to && /^( {4})+$/.test(before)) type(editor, from - 4, to, "");
  else {
    if (key !== "Shift") delete editor.dataset.leaves;
    return;
  }
  event.preventDefault();
};

class Cell {
  constructor(place, number) {
    Object.assign(this, { place, number, id: place.id.replace("cell-id=", ""), fresh: false });
    this.input = place.querySelector(".input");
    this.code = this.input.querySelector("pre");
    this.text = this.code.textContent.replace(/\n$/, "");
    this.checks = this.text.startsWith("check(");
    this.raises = place.matches(".celltag_raises-exception");
    this.shown = make("div", { class: "live-output", hidden: "" });
    const act = button(this.checks ? said.check : said.run, "run", () => runUpTo(this));
    this.change = button(said.change, "change", () => this.edit());
    this.back = button(said.back, "back", () => this.restore());
    this.back.hidden = true;
    this.tools = make("div", { class: "live-tools" }, act, ...(this.checks ? [] : [this.change]), this.back);
    this.input.after(this.tools);
    place.append(this.shown);
    if (this.checks) return;
    this.code.addEventListener("click", () => getSelection().isCollapsed && this.edit());
    this.code.classList.add("live-code");
    const kept = keep.get(this.id);
    if (kept !== null) this.edit(kept);
  }

  get changed() {
    return this.editor !== undefined && this.editor.value !== this.text;
  }

  /** Make an editor of the code. */
  edit(text) {
    if (this.editor === undefined) {
      const label = said.editor.replace("{}", this.number);
      this.editor = make("textarea", {
        ...{ class: "live-editor", "aria-label": label, spellcheck: "false", wrap: "off" },
        ...{ autocapitalize: "off", autocomplete: "off", autocorrect: "off" },
      });
      this.editor.value = text ?? this.text;
      this.editor.addEventListener("keydown", (event) => keys(event, this.editor, () => runUpTo(this)));
      this.editor.addEventListener("input", () => this.typed());
      this.code.hidden = true;
      this.code.after(this.editor);
      this.change.hidden = true;
      this.typed();
    }
    if (text === undefined) this.editor.focus({ preventScroll: true });
  }

  typed() {
    this.editor.rows = this.editor.value.split("\n").length;
    this.back.hidden = !this.changed && this.shown.hidden;
    this.fresh = false;
    keep.set(this.id, this.changed ? this.editor.value : null);
  }

  /** The page as it was. Python still knows what this cell did: it, and those below, are to be run again. */
  restore() {
    if (this.editor !== undefined) {
      this.editor.remove();
      delete this.editor;
      this.code.hidden = false;
      this.change.hidden = false;
    }
    keep.set(this.id, null);
    this.show(null);
    this.back.hidden = true;
    for (const each of cells) if (each.number >= this.number) each.fresh = false;
    (this.checks ? this.tools.querySelector(".run") : this.change).focus({ preventScroll: true });
  }

  /** Room for outputs in place of those that were stored, or those again. */
  show(outputs) {
    this.shown.replaceChildren();
    this.shown.hidden = !outputs;
    this.place.classList.toggle("ran", Boolean(outputs));
    if (!outputs) return null;
    // What was to be predicted is known now, and the words after it may be read.
    const predicted = this.place.querySelector("details.predicted");
    if (predicted) predicted.open = true;
    this.back.hidden = false;
    return new outputs(this.shown, { language, title: said.output });
  }

  /** Run it; false if it raised. One that ran before another and has not been shown is shown, as it would be now. */
  async run({ kernel, Outputs }, sources, asked) {
    if (asked && this.fresh && this.ran && this.shown.hidden) {
      const shown = this.show(Outputs);
      this.ran.outputs.forEach((each) => shown.add(each));
      return this.ran.ok;
    }
    const shown = asked || this.changed ? this.show(Outputs) : null;
    this.place.setAttribute("aria-busy", "true");
    try {
      this.ran = await kernel.run(this.changed ? this.editor.value : sources.get(this.id), {
        name: `cell ${this.number}`,
        output: (each) => shown?.add(each),
      });
    } finally {
      this.place.removeAttribute("aria-busy");
    }
    this.fresh = this.ran.ok || (this.raises && !this.changed);
    if (!this.fresh && !shown) {
      const late = this.show(Outputs);
      this.ran.outputs.forEach((each) => late.add(each));
    }
    if (this.changed) for (const each of cells) if (each.number > this.number) each.fresh = false;
    return this.ran.ok;
  }
}

// --- Python

let python; // a promise of the kernel and of what shows outputs, once somebody has asked for it
let sources; // the same of the code that the lab runs, by the names of its cells
let busy = false;

const begin = () => {
  python ??= (async () => {
    const address = new URL("live/", LAB);
    const [{ Kernel }, { Outputs }] = await Promise.all(
      ["kernel.js", "outputs.js"].map((file) => import(new URL(file, address))),
    ).catch(() => {
      throw new Error(said.unreachable.replace("{}", address.pathname));
    });
    const kernel = new Kernel({ language, progress: tell });
    begun = kernel;
    await kernel.ready;
    return { kernel, Outputs };
  })();
  return python;
};
let begun; // the kernel, also while it starts

/** What the lab runs: where a cell needs what a tab does not have, the lab's copy of the chapter lacks it. */
const copies = () => {
  sources ??= (async () => {
    const address = new URL(`files/${language}/${name}.ipynb`, LAB);
    const answer = await fetch(address).catch(() => ({ ok: false }));
    if (!answer.ok) {
      sources = undefined;
      throw new Error(said.unreachable.replace("{}", address.pathname));
    }
    const { cells } = await answer.json();
    return new Map(cells.filter((each) => each.cell_type === "code").map(({ id, source }) => [id, source]));
  })();
  return sources;
};

const setBusy = (now) => {
  busy = now;
  document.body.classList.toggle("live-busy", now);
  stopper.hidden = !now;
  anew.hidden = now;
};

/** Forget the kernel: it has ended, or does so now. */
const forget = () => {
  begun?.stop();
  python = begun = undefined;
  for (const each of cells) each.fresh = false;
};

const runUpTo = async (cell) => {
  if (busy) return;
  setBusy(true);
  tell(said.running);
  try {
    const known = await copies();
    if (!known.has(cell.id)) return tell(said.absent);
    const ready = await begin();
    const above = cells.filter((each) => each.number < cell.number && !each.fresh && !each.checks && known.has(each.id));
    for (const [place, each] of above.entries()) {
      tell(said.before.replace("{}", place + 1).replace("{}", above.length));
      await each.run(ready, known, false);
      if (!each.fresh) return tell(said.above, true);
    }
    tell(said.running);
    const ok = await cell.run(ready, known, true);
    tell(ok ? said.done : said.raised);
  } catch (error) {
    forget();
    tell(error.constructor.name === "Stopped" ? said.stopped : error.message, true);
  } finally {
    setBusy(false);
  }
};

const stop = () => begun?.stop();

const restart = async () => {
  forget();
  setBusy(true);
  try {
    await begin();
    tell(said.ready);
  } catch (error) {
    forget();
    tell(error.constructor.name === "Stopped" ? said.stopped : error.message, true);
  } finally {
    setBusy(false);
  }
};

// --- The page

/** What is wider than its place can be reached, and moved, without a mouse. */
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.("pre")) wide.observe(node);
}).observe(document.querySelector("main"), { childList: true, subtree: true });
for (const each of document.querySelectorAll("main :is(.highlight pre, .output_area)")) wide.observe(each);

const cells = [];
for (const place of document.querySelectorAll(".code_cell:not(.celltag_ask)")) {
  cells.push(new Cell(place, Number(/\d+$/.exec(place.id)[0])));
}
if (cells.length) {
  document.querySelector(".lesson")?.append(make("span", { class: "hint" }, said.hint));
  document.body.append(bar);
}
document.documentElement.dataset.live = "";
