// Show outputs of kernel.js in a page. Text is shown as text. Pictures, steppers and tables are HTML that an untrusted
// program may have written, so each is shown in a sandboxed frame of its own (output.html) with an opaque origin. It can
// access neither the page nor the network.
//
//   const shown = new Outputs(element, { language: "en" })    // element: an empty one
//   shown.add(output)                                          // see kernel.js
//   shown.clear()
//
// Frames follow the page's theme: `data-theme` of its root.

const FRAME = new URL("output.html", import.meta.url);

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export class Outputs {
  constructor(place, { language = "en", title = language === "zh" ? "输出" : "Output" } = {}) {
    Object.assign(this, { place, language, title });
  }

  clear() {
    this.place.replaceChildren();
  }

  add({ output_type: kind, name, text, data, traceback }) {
    if (kind === "stream") this.#stream(name, text);
    else if (kind === "error") this.place.append(make("pre", { class: "error" }, traceback.join("\n")));
    else if (data["text/html"]) this.#frame(data["text/html"], data["text/plain"]);
    else if (data["image/svg+xml"]) this.#frame(data["image/svg+xml"], data["text/plain"]);
    else if (data["image/png"]) {
      const src = `data:image/png;base64,${data["image/png"]}`;
      this.place.append(make("img", { src, alt: data["text/plain"] ?? "" }));
    } else this.place.append(make("pre", { class: "result" }, data["text/plain"] ?? ""));
  }

  /** Join printed pieces to one text. */
  #stream(name, text) {
    const last = this.place.lastElementChild;
    if (last?.matches(`pre.${name}`)) last.append(text);
    else this.place.append(make("pre", { class: name }, text));
  }

  #frame(html, plain) {
    const title = plain ? `${this.title}: ${plain.split("\n")[0].slice(0, 80)}` : this.title;
    const kind = html.includes('class="minigrad-output') ? "stepper" : "picture"; // pages style steppers and pictures differently
    const frame = make("iframe", { sandbox: "allow-scripts", title, src: FRAME.href, class: kind });
    frame.style.cssText = "display: block; width: 100%; height: 3rem; border: 0";
    // Accept messages only from its own window, and only a height.
    const heard = ({ source, data }) => {
      if (!frame.isConnected) return removeEventListener("message", heard);
      if (source !== frame.contentWindow) return;
      if (data?.asks) source.postMessage({ html, language: this.language, theme: theme() }, "*");
      else if (Number.isFinite(data?.height)) frame.style.height = `${Math.min(Math.max(data.height, 0), 4000)}px`;
    };
    addEventListener("message", heard);
    const follow = new MutationObserver(() => {
      if (frame.isConnected) frame.contentWindow.postMessage({ theme: theme() }, "*");
      else follow.disconnect();
    });
    follow.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.place.append(frame);
  }
}
