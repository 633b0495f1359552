/**
 * Sanitize the two kinds of markup that come from outside: the picture of the graph (SVG) and the
 * rule of a node (MathML).
 *
 * Both are parsed as XML, which runs no script. Elements and attributes that are not on an allow list
 * are removed before the markup enters the page. The list contains only what Graphviz and our
 * formulas use.
 */

import { SVG } from "./dom";

const MATHML = "http://www.w3.org/1998/Math/MathML";

const SVG_ELEMENTS = new Set(
  "svg g title desc path polygon polyline ellipse circle rect line text tspan".split(" "),
);
const SVG_ATTRIBUTES = new Set(
  (
    "viewBox width height x y dx dy x1 y1 x2 y2 cx cy r rx ry d points transform class " +
    "fill stroke stroke-width stroke-dasharray " +
    "text-anchor font-family font-size font-weight font-style textLength"
  ).split(" "),
);
const MATH_ELEMENTS = new Set(
  (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup " +
    "munder mover munderover mtable mtr mtd mstyle mpadded mphantom menclose semantics"
  ).split(" "),
);
const MATH_ATTRIBUTES = new Set(
  (
    "display displaystyle mathvariant stretchy fence separator accent accentunder form " +
    "lspace rspace minsize maxsize width height depth columnalign rowspacing columnspacing " +
    "scriptlevel linethickness notation"
  ).split(" "),
);

/**
 * The graph as an <svg>, or null if there is none. An `id` becomes `data-id`: ids belong to the
 * page, and two steppers on one page both have an `n0`.
 */
export function safeSvg(markup: string): SVGSVGElement | null {
  const root = parse(markup);
  if (root?.namespaceURI !== SVG || root.localName !== "svg") return null;
  return clean(root, SVG, SVG_ELEMENTS, SVG_ATTRIBUTES) as SVGSVGElement;
}

/** A formula as a <math>, or null if it cannot be read. */
export function safeMath(markup: string): Element | null {
  const root = parse(markup);
  if (root?.namespaceURI !== MATHML || root.localName !== "math") return null;
  return clean(root, MATHML, MATH_ELEMENTS, MATH_ATTRIBUTES);
}

function parse(markup: string): Element | null {
  // Labels are escaped text already. A document type could define entities, and an instruction
  // could load a style sheet. The page's policy would report an inline style sheet.
  const plain = markup.replace(/<!DOCTYPE[^>]*>|<\?[^]*?\?>|<style>[^<]*<\/style>/gi, "");
  const parsed = new DOMParser().parseFromString(plain, "application/xml");
  return parsed.querySelector("parsererror") ? null : parsed.documentElement;
}

/** `root` without forbidden elements and attributes, ready to be inserted into the page. */
function clean(
  root: Element,
  namespace: string,
  elements: ReadonlySet<string>,
  attributes: ReadonlySet<string>,
): Element {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== namespace || !elements.has(element.localName)) {
      // Graphviz wraps shapes with a tooltip in links: keep their content, drop the link.
      if (element.localName === "a") element.replaceWith(...element.children);
      else element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      // `url(...)` could fetch something or point at another picture's definitions.
      if (!attributes.has(name) || /url\s*\(/i.test(value)) element.removeAttribute(name);
      if (name === "id") element.setAttribute("data-id", value);
    }
  }
  return document.adoptNode(root);
}
