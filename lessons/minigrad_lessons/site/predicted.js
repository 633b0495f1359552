// Outputs to predict, and the text after them that reveals the answer. Both are folded until the reader answers or opens
// the output, and open in print.
{
  /** The parts that reveal an output: marked cells up to the next question; of a code cell, its output. */
  const findRevealing = (output) => {
    const found = [];
    let cell = output.closest(".cell").nextElementSibling;
    for (; cell && !cell.matches(".celltag_ask"); cell = cell.nextElementSibling) {
      if (cell.matches(".celltag_told")) found.push(cell.querySelector(":scope > .output_wrapper") ?? cell);
    }
    return found;
  };
  const hide = (output, hidden) => {
    for (const each of findRevealing(output)) each.hidden = hidden;
  };
  addEventListener("DOMContentLoaded", () => {
    for (const output of document.querySelectorAll("details.predicted")) {
      hide(output, true);
      output.addEventListener("toggle", () => hide(output, !output.open));
    }
  });
  addEventListener("minigrad-predicted", (event) => {
    const output = event.detail.place.closest(".cell")?.nextElementSibling?.querySelector("details.predicted");
    if (!output) return;
    output.open = true;
    event.preventDefault(); // the reader is told to look below, not to run a cell
  });
  addEventListener("beforeprint", () => {
    for (const output of document.querySelectorAll("details.predicted")) {
      output.open = true;
      hide(output, false); // the toggle event comes too late
    }
  });
}
