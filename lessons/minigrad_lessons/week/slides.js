// Start reveal.js. A stepper that is used keeps its keys: its arrows step and do not turn the page.
Reveal.initialize({
  controls: true,
  controlsLayout: "edges", // in a corner they would cover the stepper's buttons
  progress: true,
  hash: true,
  slideNumber: "c/t",
  disableLayout: true,
  display: "flex",
  plugins: [RevealNotes],
  keyboardCondition: (event) =>
    !event.defaultPrevented && !event.target.closest?.(".jp-OutputArea-output, details, input"),
});
