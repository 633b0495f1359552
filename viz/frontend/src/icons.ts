/** The buttons' icons as SVG: glyphs such as the media symbols are missing in many fonts. */

import { s } from "./dom";

const PATHS = {
  first: "M5 4v12M16 4l-8 6 8 6z",
  previous: "M14 4l-8 6 8 6z",
  next: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
  play: "M6 3.5l10 6.5-10 6.5z",
  pause: "M6.5 4v12M13.5 4v12",
  theme: "M15.5 12.5a6.5 6.5 0 0 1-8-8 6.5 6.5 0 1 0 8 8z",
  in: "M10 4v12M4 10h12",
  out: "M4 10h12",
  follow: "M3 3h14v14H3zM7 10h6M10 7l3 3-3 3",
  fit: "M6 6h8v8H6zM10 1v2M10 17v2M1 10h2M17 10h2",
  screen: "M2 4h16v10H2zM7 18h6M10 14v4",
  keys: "M2 5h16v10H2zM5 8h1M9 8h1M13 8h2M6 12h8",
  more: "M4 10h.5M10 10h.5M16 10h.5",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }),
  );
}
