/** Changes to single shapes of the picture: buttons, moving dashes, dots, signs and far labels. */

import { s } from "../dom";
import { SIGNS } from "../marks";
import type { Mark } from "../payload";
import { leafOf, type Index } from "../state";

/** Make a shape a button; `neighbour` gives the shape that the up and down keys focus. */
export function makeButton(
  shape: SVGElement,
  choose: () => void,
  neighbour: (by: number) => SVGElement | undefined,
): void {
  shape.setAttribute("role", "button");
  shape.setAttribute("tabindex", "-1");
  shape.addEventListener("click", choose);
  shape.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") choose();
    else if (by !== undefined) neighbour(by)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Append a dash that moves along an edge once, like the gradient (the style sheet moves it). */
export function addDash(edge: SVGElement | undefined): SVGElement[] {
  const line = edge?.querySelector("path");
  if (!line) return [];
  const dash = s("path", { class: "flow", d: line.getAttribute("d"), pathLength: 1 });
  edge?.append(dash);
  return [dash];
}

const FAR = 300; // points: about the size of a pane

/** Label the start of each edge whose leaf is far away with the leaf's name. */
export function nameFarLeaves(index: Index, shapes: ReadonlyMap<string, SVGElement>): void {
  for (const { id, kind, target } of index.payload.edges) {
    const leaf = kind === "next" ? leafOf(index, target) : undefined;
    const line = leaf && shapes.get(id)?.querySelector("path");
    if (!leaf || !line) continue;
    const numbers = (line.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [x = 0, y = 0, nextX = 0, nextY = 0] = numbers;
    const [endX = 0, endY = 0] = numbers.slice(-2);
    if (Math.hypot(endX - x, endY - y) < FAR) continue;
    const aside = Math.abs(nextX - x) > Math.abs(nextY - y);
    const left = aside && nextX < x;
    // The label of an AccumulateGrad contains the shape of a leaf without a name.
    const label = index.node.get(target)?.label.split("\n")[1] ?? leaf.name;
    const words = label === leaf.name ? label : `${leaf.name} ${label}`;
    line.parentNode?.append(
      s(
        "text",
        {
          class: "far",
          x: x + (left ? -6 : 6),
          y: aside ? y - 4 : y + 16,
          "text-anchor": left ? "end" : "start",
        },
        words,
      ),
    );
  }
}

/** Show or hide the dot of a node at which playing stops. */
export function markStop(shape: SVGElement | undefined, on: boolean): void {
  const dot = shape?.querySelector(".dot");
  if (!shape || on === Boolean(dot)) return;
  if (dot) dot.remove();
  else {
    const { x, y } = (shape as SVGGElement).getBBox();
    shape.append(s("circle", { class: "dot", cx: x + 1, cy: y + 1, r: 6 }));
  }
}

/** Add the sign of a node that differs between two passes, at the corner opposite the dot. */
export function markSign(shape: SVGElement | undefined, mark: Mark): void {
  if (!shape || shape.querySelector(".sign")) return;
  const { x, y, width } = (shape as SVGGElement).getBBox();
  if (width === 0) return; // not in the page yet
  const at = { x: x + width - 2, y: y + 2 };
  shape.append(
    s("circle", { class: "sign", cx: at.x, cy: at.y, r: 9 }),
    s("text", { class: "sign", x: at.x, y: at.y + 5, "text-anchor": "middle" }, SIGNS[mark]),
  );
}
