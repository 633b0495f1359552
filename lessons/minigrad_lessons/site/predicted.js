// Outputs that are to be predicted, and the words after them, which tell the answer: folded until the box before them has
// its answer, or until the reader opens the output; and open on paper.
{
  /** What is said about an output: the next cell's prose, up to a heading or another question. */
  const words = (output) => {
    const [first] = output.closest(".cell").nextElementSibling?.matches(".text_cell")
      ? output.closest(".cell").nextElementSibling.querySelectorAll(".rendered_html > :first-child")
      : [];
    const found = [];
    for (let each = first; each && !each.matches("h1, h2, h3, h4, blockquote"); each = each.nextElementSibling) {
      found.push(each);
    }
    return found;
  };
  const hide = (output, hidden) => {
    for (const each of words(output)) each.hidden = hidden;
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
