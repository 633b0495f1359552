// The theme: what the reader has chosen, else what the system prefers. The figures read the same attributes as in
// JupyterLab, so one place decides for all of them.
{
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // a browser may keep nothing for pages from disk
    }
  };
  const show = (theme) => {
    root.dataset.theme = theme;
    root.dataset.jpThemeLight = theme === "light";
  };
  let onPaper = false; // paper is white, also when the system turns dark while the page is printed
  const update = () => show(onPaper ? "light" : (chosen() ?? (system.matches ? "dark" : "light")));
  update();
  system.addEventListener("change", update);
  for (const [moment, printing] of [["beforeprint", true], ["afterprint", false]]) {
    addEventListener(moment, () => {
      onPaper = printing;
      update();
    });
  }
  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".theme")?.addEventListener("click", () => {
      const next = root.dataset.theme === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("theme", next);
      } catch {
        // Then it holds for this page only.
      }
      show(next);
    });
  });
}
