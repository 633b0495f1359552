// Start reveal.js. → and Space visit every slide; a stepper that was clicked keeps all keys but
// those of a clicker, and Space presses the control that has the focus.
const CLICKER = { PageDown: () => Reveal.next(), PageUp: () => Reveal.prev() };
const CONTROLS = "button, summary, select, input, [role=button]";

function isTaken(event) {
  const [origin] = event.composedPath();
  if (event.key === " ") return origin.matches(CONTROLS);
  return event.target.closest(".minigrad-stepper") !== null;
}

// A stepper that fills the screen is what a clicker moves.
const isFullScreen = () => document.fullscreenElement?.matches(".minigrad-stepper");

document.addEventListener(
  "keydown",
  (event) => {
    if (!(event.key in CLICKER) || isFullScreen()) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // a stepper would move as well
    CLICKER[event.key]();
  },
  { capture: true },
);

// The mouse leaves no focus on an option of a poll, so that Space turns the page.
document.addEventListener("click", ({ detail, target }) => {
  if (detail > 0) target.closest?.("summary")?.blur();
});

Reveal.on("slidechanged", () => document.activeElement?.blur());

Reveal.initialize({
  controls: true,
  controlsLayout: "edges", // in a corner they would cover the stepper's buttons
  navigationMode: "linear",
  progress: true,
  hash: true,
  slideNumber: "c/t",
  disableLayout: true,
  display: "flex",
  plugins: [RevealNotes],
  keyboardCondition: (event) => !event.defaultPrevented && !isTaken(event),
});
