// The theme's buttons without inline handlers, and white paper.
{
  const actions = { toggleFullScreen: () => globalThis.toggleFullScreen(), "window.print": () => print() };
  addEventListener("click", ({ target }) => actions[target.closest?.("[data-press]")?.dataset.press]?.());
  const root = document.documentElement;
  let screen; // the theme to return to; null while nothing is printed
  const whiten = () => {
    if (screen != null && root.dataset.theme !== "light") root.dataset.theme = "light";
  };
  new MutationObserver(whiten).observe(root, { attributeFilter: ["data-theme"] }); // the system may turn dark meanwhile
  addEventListener("beforeprint", () => {
    screen = root.dataset.theme;
    whiten();
  });
  addEventListener("afterprint", () => {
    const theme = screen;
    screen = null;
    root.dataset.theme = theme;
  });
}
