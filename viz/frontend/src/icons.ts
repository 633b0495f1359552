/** The buttons' icons as drawings: glyphs such as the media symbols are missing from many fonts. */

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
  up: "M10 16V5M5 10l5-5 5 5",
  fit: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }),
  );
}
