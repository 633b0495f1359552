// Outputs that are to be predicted, and the words after them, which tell the answer: folded until the box before them has
// its answer, or until the reader opens the output; and open on paper.
{
  /** What tells of an output: the cells up to the next question that are marked so; of code, what it puts out. */
  const told = (output) => {
    const found = [];
    let cell = output.closest(".cell").nextElementSibling;
    for (; cell && !cell.matches(".celltag_ask"); cell = cell.nextElementSibling) {
      if (cell.matches(".celltag_told")) found.push(cell.querySelector(":scope > .output_wrapper") ?? cell);
    }
    return found;
  };
  const hide = (output, hidden) => {
    for (const each of told(output)) each.hidden = hidden;
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
      hide(output, false); // that it was opened is told too late
    }
  });
}
