/** A small picture of the whole drawing with a frame around the part that is seen. */

import { h, s, setAttributes } from "../dom";
import type { Camera } from "./camera";
import type { Scene } from "./scene";
import { isFrame } from "./tree";

const LARGEST = { width: 150, height: 110 };

export class Minimap {
  readonly #svg = s("svg", { "aria-hidden": "true" });
  readonly element = h("div", { class: "minimap" }, this.#svg);
  readonly #boxes = s("path", { class: "boxes" });
  readonly #current = s("rect", { class: "here" });
  readonly #seen = s("rect", { class: "seen" });
  #scene: Scene | null = null;

  constructor(private readonly camera: () => Camera) {
    this.#svg.append(this.#boxes, this.#current, this.#seen);
    this.element.addEventListener("pointerdown", ({ clientX, clientY }) => {
      const { left, top, width } = this.#svg.getBoundingClientRect();
      const scale = (this.#scene?.width ?? 1) / Math.max(width, 1);
      this.camera().center({ x: (clientX - left) * scale, y: (clientY - top) * scale });
    });
    for (const name of ["pointermove", "click"])
      this.element.addEventListener(name, (event) => event.stopPropagation());
  }

  draw(scene: Scene): void {
    this.#scene = scene;
    const { width, height, placed } = scene;
    const scale = Math.min(LARGEST.width / width, LARGEST.height / height);
    setAttributes(this.#svg, {
      viewBox: `0 0 ${width} ${height}`,
      width: Math.ceil(width * scale),
      height: Math.ceil(height * scale),
    });
    const paths = [...placed.values()]
      .filter(({ part, open }) => !isFrame(part) || !open)
      .map((box) => `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}z`);
    this.#boxes.setAttribute("d", paths.join(""));
  }

  /** Show the part that is seen; nothing if that is all. */
  look(current: string | undefined): void {
    const camera = this.camera();
    this.element.classList.toggle("off", camera.seesAll);
    if (camera.seesAll || !this.#scene) return;
    setAttributes(this.#seen, { ...camera.view });
    const { x = 0, y = 0, width = 0, height = 0 } = this.#scene.placed.get(current ?? "") ?? {};
    setAttributes(this.#current, { x, y, width, height });
  }
}
