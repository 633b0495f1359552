/** The reader's program, with the line that created the current node. */

import { h, reveal } from "../dom";
import type { LineData } from "../payload";
import { highlight } from "../python";
import { leafOf, type Index } from "../state";
import type { Strings } from "../strings";
import { section, type Pane } from "./pane";

const NEAR = 10; // lines on paper before and after the current one
const CLOSE = 2; // in a lecture hall

/** Null if there is no source to show. */
export function codePane(index: Index, t: Strings): Pane | null {
  const { files } = index.payload;
  if (files.length === 0) return null;
  const name = h("span", { class: "type" });
  const listing = h("div", {
    class: "listing scroll",
    tabindex: 0,
    role: "group",
    "aria-label": t.code,
  });
  const element = section("code", t.code, name, listing);
  element.querySelector("h2")?.append(" ", name);
  let open = -1;
  let rows: HTMLElement[] = [];
  let current: HTMLElement | undefined;
  let last: HTMLElement | undefined; // that was current

  const openFile = (number: number): void => {
    const file = files[number];
    if (!file || number === open) return;
    open = number;
    name.textContent = files.length > 1 ? file.name : "";
    rows = highlight(file.lines).map((line, i) => {
      const indent = /^\s*/.exec(file.lines[i] ?? "")?.[0] ?? "";
      const code = h("code", {}, h("span", { class: "indent" }, indent), ...removeIndent(line));
      code.style.setProperty("--indent", String(indent.length));
      return h(
        "div",
        { class: "line" },
        h("span", { class: "gutter" }, String(file.first + i)),
        code,
      );
    });
    listing.replaceChildren(...rows);
  };

  /** Mark the lines around the current one, or the last one, or at the end. */
  const mark = (name: string, most: number): void => {
    for (const row of listing.querySelectorAll(`.${name}`)) row.classList.remove(name);
    const found = last ? rows.indexOf(last) : -1;
    const at = found < 0 ? rows.length - 1 : found;
    for (const row of rows.slice(Math.max(at - most, 0), at + most + 1)) row.classList.add(name);
  };

  return {
    element,
    show({ state }) {
      const line = lineOf(index, state.current.node);
      openFile(line?.file ?? Math.max(open, 0));
      current?.removeAttribute("aria-current");
      current = line && rows[line.line - (files[line.file]?.first ?? 1)];
      current?.setAttribute("aria-current", "true");
      last = current ?? last;
      mark("close", CLOSE);
    },
    reveal(behavior) {
      if (current) reveal(listing, current, behavior);
    },
    print() {
      mark("near", NEAR);
    },
  };
}

/** The pieces of a line without its leading blanks; it may break after a dot, comma or bracket. */
function removeIndent(line: (Node | string)[]): (Node | string)[] {
  const [first, ...rest] = line;
  const pieces = typeof first === "string" ? [first.trimStart(), ...rest] : line;
  return pieces.flatMap((piece): (Node | string)[] =>
    typeof piece === "string"
      ? piece
          .split(/(?<=[.,(=[])/)
          .flatMap((text) => (/[.,(=[]$/.test(text) ? [text, h("wbr")] : [text]))
      : [piece],
  );
}

/** The node's line; for an AccumulateGrad, which no line created, that of its leaf. */
const lineOf = (index: Index, node: string): LineData | undefined =>
  index.node.get(node)?.line ?? leafOf(index, node)?.line;
