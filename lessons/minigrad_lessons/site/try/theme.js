// The theme: the reader's choice, else that of the system. Figures read the same attributes.
{
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      const mode = localStorage.getItem("mode"); // the chapters' pages have a third one, "auto"
      return ["light", "dark"].includes(mode) ? mode : null;
    } catch {
      return null; // a browser may have no storage for pages from disk
    }
  };
  const show = (theme) => {
    root.dataset.theme = theme;
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
        localStorage.setItem("mode", next);
        localStorage.setItem("theme", next);
      } catch {
        // The choice then holds for this page only.
      }
      show(next);
    });
  });
}
