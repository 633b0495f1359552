// Outputs to predict, and the text after them that reveals the answer. Both are folded until the reader answers or opens
// the output, and open in print. In place of a folded part is a line that says so and opens it.
{
  const OUTPUT = ".tag_predict > details.hide";
  const ASKING = ".tag_ask";
  const TELLING = ".tag_told, .told";
  const RESULT = ":scope > .cell_output";
  const LINE = document.documentElement.lang.startsWith("zh")
    ? "这一部分会透露答案，作出预测之后才展开。现在就看"
    : "Folded until you answer the prediction above, because it shows the answer. Show it now";

  /** The parts that reveal an output: marked cells up to the next question; of a code cell, its output. */
  const findRevealing = (output) => {
    const found = [];
    let cell = output.closest(".cell").nextElementSibling;
    for (; cell && !cell.matches(ASKING); cell = cell.nextElementSibling) {
      if (cell.matches(TELLING)) found.push(cell.querySelector(RESULT) ?? cell);
    }
    return found;
  };
  /** The button in place of a part. */
  const addLine = (part) => {
    const line = document.createElement("button");
    line.type = "button";
    line.className = "folded-line";
    line.textContent = LINE;
    line.style.cssText =
      "display: block; margin: .5rem 0; padding: .35rem .75rem; border: 1px dashed #8888; border-radius: 6px;" +
      "color: inherit; background: transparent; font: inherit; text-align: start; text-decoration: underline; cursor: pointer";
    line.addEventListener("click", () => {
      part.hidden = false;
      line.remove();
    });
    part.before(line);
    return line;
  };
  const fold = (output) => {
    const parts = findRevealing(output);
    const lines = parts.map(addLine);
    for (const part of parts) part.hidden = true;
    const unfold = () => {
      for (const line of lines) line.remove();
      for (const part of parts) part.hidden = false;
    };
    output.addEventListener("toggle", () => output.open && unfold());
    addEventListener("beforeprint", () => {
      output.open = true;
      unfold(); // the toggle event comes too late
    });
  };
  addEventListener("DOMContentLoaded", () => {
    for (const output of document.querySelectorAll(OUTPUT)) fold(output);
  });
  addEventListener("minigrad-predicted", (event) => {
    const output = event.detail.place.closest(".cell")?.nextElementSibling?.querySelector(OUTPUT);
    if (!output) return;
    output.open = true;
    event.preventDefault(); // the reader is told to look below, not to run a cell
  });
}
