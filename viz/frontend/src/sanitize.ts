/**
 * Sanitize the markup that comes from outside: the rule of a node (MathML).
 *
 * It is parsed as XML, which runs no script. Elements and attributes that are not on an allow list
 * are removed before the markup enters the page. The list contains only what our formulas use.
 */

const MATHML = "http://www.w3.org/1998/Math/MathML";

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

/** A formula as a <math>, or null if it cannot be read. */
export function safeMath(markup: string): Element | null {
  const root = parse(markup);
  if (root?.namespaceURI !== MATHML || root.localName !== "math") return null;
  return clean(root);
}

function parse(markup: string): Element | null {
  // Labels are escaped text already. A document type could define entities, and an instruction
  // could load a style sheet. The page's policy would report an inline style sheet.
  const plain = markup.replace(/<!DOCTYPE[^>]*>|<\?[^]*?\?>|<style>[^<]*<\/style>/gi, "");
  const parsed = new DOMParser().parseFromString(plain, "application/xml");
  return parsed.querySelector("parsererror") ? null : parsed.documentElement;
}

/** `root` without forbidden elements and attributes, ready to be inserted into the page. */
function clean(root: Element): Element {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== MATHML || !MATH_ELEMENTS.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes])
      // `url(...)` could fetch something.
      if (!MATH_ATTRIBUTES.has(name) || /url\s*\(/i.test(value)) element.removeAttribute(name);
  }
  return document.adoptNode(root);
}
