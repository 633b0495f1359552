// The sliders of an exploration: they select pictures that were drawn when the site was built (frames.py).
{
  const unpack = (packed) => {
    const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
    return new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"))).json();
  };
  const make = (tag, className, ...children) => {
    const element = Object.assign(document.createElement(tag), { className });
    element.append(...children);
    return element;
  };

  /** Replace the still picture by sliders. */
  const fill = async (place) => {
    const { sliders, packed } = JSON.parse(place.querySelector("script").textContent);
    const { captions, graphs, plots } = await unpack(packed);
    const caption = make("p", "caption");
    caption.setAttribute("role", "status");
    const [graph, plot] = [make("div", "picture"), make("div", "picture")];
    const inputs = sliders.map(({ name, values, start }) => {
      const input = make("input", "");
      Object.assign(input, { type: "range", min: 0, max: values.length - 1, value: start });
      const value = make("span", "value");
      value.setAttribute("aria-hidden", "true"); // the slider has the value
      input.addEventListener("input", () => show());
      return { input, value, values, label: make("label", "", make("code", "", name), input, value) };
    });
    const show = () => {
      let at = 0;
      for (const { input, value, values } of inputs) {
        at = at * values.length + Number(input.value);
        value.textContent = String(values[input.value]);
        input.setAttribute("aria-valuetext", value.textContent);
      }
      caption.textContent = captions[at];
      // A value at which the function fails has no picture: the last one stays.
      if (graphs[at]) graph.innerHTML = graphs[at];
      graph.style.minHeight = `${graph.offsetHeight}px`; // the content below must not move
      if (plots[at]) plot.innerHTML = plots[at];
    };
    show();
    const left = make("div", "left", ...inputs.map(({ label }) => label).reverse(), caption, plot);
    place.replaceChildren(left, graph);
  };

  addEventListener("DOMContentLoaded", () => {
    for (const place of document.querySelectorAll(".frames")) fill(place);
  });
}
