// Cells that run: a click turns a chapter's code into an editor, and the lab's Python runs it in a worker of this page.
//
// The cells of a chapter share their variables, in order. So all cells above that have not run yet run first. The page
// already contains their outputs, so these are not shown again unless the reader has changed the cells. Running a changed
// cell makes those below it outdated: they run again before the next one that needs them.
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

// --- Status and stop

const told = make("p", { role: "status" });
const stopper = button(said.stop, "stop", () => stop());
const anew = button(said.anew, "anew", () => restart());
const bar = make("div", { class: "live-bar", hidden: "" }, told, stopper, anew);
const tell = (words, bad = false) => {
  bar.hidden = false;
  bar.classList.toggle("bad", bad);
  told.textContent = words;
};

// --- The browser's storage keeps changed cells for the next visit

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

/** Replace a part of the editor's text so that the browser can undo it. */
const type = (editor, from, to, text) => {
  editor.setSelectionRange(from, to);
  if (text === "") document.execCommand("delete");
  else document.execCommand("insertText", false, text);
};

/** Handle the keys of a Python editor. */
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
    Object.assign(this, { place, number, id: /(?:^| )tag_id-([\w-]+)/.exec(place.className)[1], fresh: false });
    this.input = place.querySelector(".cell_input");
    this.code = this.input.querySelector("pre");
    this.text = this.code.textContent.replace(/\n$/, "");
    this.checks = this.text.startsWith("check(");
    this.raises = place.matches(".tag_raises-exception");
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

  /** Show new outputs instead of the stored ones; without `outputs`, show the stored ones again. */
  show(outputs) {
    this.shown.replaceChildren();
    this.shown.hidden = !outputs;
    this.place.classList.toggle("ran", Boolean(outputs));
    if (!outputs) return null;
    // The output to predict is known now, so the text after it may be shown.
    const predicted = this.place.querySelector(":scope > details.hide");
    if (predicted) predicted.open = true;
    this.back.hidden = false;
    return new outputs(this.shown, { language, title: said.output });
  }

  /** Run it; false if it raised. A cell that already ran for another one only shows its outputs. */
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

let python; // a promise of the kernel and of the class that shows outputs, after the first run
let sources; // a promise of the code that the lab runs, by the ids of its cells
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
let begun; // the kernel, even while it starts

/** Load the lab's copy of the chapter, which lacks the cells that cannot run in a tab. */
const loadSources = () => {
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

/** Stop the kernel if it runs, and forget it. */
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
    const known = await loadSources();
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

/** Elements wider than their place get a tab stop, to be scrolled by keyboard. */
const wide = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.("pre")) wide.observe(node);
}).observe(document.querySelector("main"), { childList: true, subtree: true });
for (const each of document.querySelectorAll("main :is(.highlight pre, .cell_output .output)")) wide.observe(each);

const cells = [];
for (const place of document.querySelectorAll(".cell:not(.tag_ask)")) {
  cells.push(new Cell(place, Number(/ tag_id-code-(\d+)/.exec(place.className)[1])));
}
if (cells.length) {
  document.querySelector(".lesson")?.append(make("span", { class: "hint" }, said.hint));
  document.body.append(bar);
}
document.documentElement.dataset.live = "";
