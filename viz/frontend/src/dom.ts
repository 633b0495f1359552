/**
 * Create elements. Text is inserted as text only, never parsed as markup. A tensor's name, a source
 * line or an error message therefore cannot become an element or a script.
 */

type Attributes = Record<string, string | number | boolean | null | undefined>;
export type Child = Node | string | null | undefined | false;

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  setAttributes(element, attributes);
  for (const child of children) if (child) element.append(child);
}

/** True gives an empty attribute; false, null and undefined give none. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value === false || value === null || value === undefined)
      element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export const SVG = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/**
 * Scroll `pane`, and only it, until `child` is well inside: `scrollIntoView` would move the page,
 * too. A visible child stays where it is; another one comes to the middle. Of a child larger than
 * the pane, the beginning is shown.
 */
export function reveal(pane: Element, child: Element, behavior: ScrollBehavior): void {
  const outer = pane.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  const left = shift(inner.left - outer.left, inner.width, pane.clientWidth);
  const top = shift(inner.top - outer.top, inner.height, pane.clientHeight);
  if (left || top) pane.scrollBy({ left, top, behavior });
}

function shift(start: number, size: number, room: number): number {
  if (size > room) return start;
  const margin = Math.min(room / 8, 48);
  const inside = start >= margin && start + size <= room - margin;
  return inside ? 0 : start + (size - room) / 2;
}

/** Nodes of a text; a piece between backquotes becomes <code>. */
export const parseCode = (text: string): Child[] =>
  text.split("`").map((piece, i) => (i % 2 ? h("code", {}, piece) : piece));
