/** Search nodes by name: matches are marked while typing, Enter goes to the next one. */

import { h } from "../dom";
import type { NodeData } from "../payload";
import type { Strings } from "../strings";

export interface Search {
  element: HTMLElement;
  focus(): void;
}

export function search(
  nodes: readonly NodeData[],
  t: Strings,
  mark: (found: ReadonlySet<string>) => void,
  goToNode: (node: string) => void,
  leave: () => void,
): Search {
  let found: NodeData[] = [];
  let next = 0;
  const count = h("span", { class: "type", role: "status" });
  const input = h("input", { type: "search", placeholder: t.search, "aria-label": t.search });
  const look = (): void => {
    const wanted = input.value.trim().toLowerCase();
    found = wanted ? nodes.filter((node) => textOf(node).includes(wanted)) : [];
    next = 0;
    count.textContent = wanted ? String(found.length) : "";
    mark(new Set(found.map((node) => node.id)));
  };
  input.addEventListener("input", look);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      look();
      leave();
      event.stopPropagation();
    }
    if (event.key !== "Enter") return;
    const node = found[next % Math.max(found.length, 1)];
    next += 1;
    if (node) goToNode(node.id);
  });
  return {
    element: h("span", { class: "search" }, count, input),
    focus: () => input.focus(),
  };
}

const textOf = (node: NodeData): string => `${node.name}\n${node.label}`.toLowerCase();
