/**
 * Making elements. Text goes in as text only: there is no way here to write markup, so nothing that
 * a tensor's name, a source line or an error message contains can become an element or a script.
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
 * Scroll `pane`, and only it, until `child` is in view: `scrollIntoView` would move the page under
 * the reader.
 */
export function reveal(pane: Element, child: Element, behavior: ScrollBehavior): void {
  const outer = pane.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  const margin = 8;
  const shift = (from: number, to: number, low: number, high: number): number =>
    from < low + margin
      ? from - low - margin
      : to > high - margin
        ? Math.min(to - high + margin, from - low - margin)
        : 0;
  const left = shift(inner.left, inner.right, outer.left, outer.left + pane.clientWidth);
  const top = shift(inner.top, inner.bottom, outer.top, outer.top + pane.clientHeight);
  if (left || top) pane.scrollBy({ left, top, behavior });
}
