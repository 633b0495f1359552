/**
 * The theme, light or dark: that of the notebook if it has one, else the preference of the system.
 *
 * The style sheet reads it from an attribute, because a shadow root cannot portably read its
 * surroundings.
 */

export type Theme = "light" | "dark";

export function detectTheme(): Theme {
  const { body, documentElement: html } = document;
  const jupyter = (body.closest("[data-jp-theme-light]") as HTMLElement | null)?.dataset[
    "jpThemeLight"
  ];
  if (jupyter) return jupyter === "false" ? "dark" : "light";
  if (body.matches(".vscode-dark, .vscode-high-contrast")) return "dark"; // VS Code
  if (body.matches(".vscode-light")) return "light";
  // Colab, documentation themes, marimo
  for (const named of [html.getAttribute("theme"), html.dataset["theme"], body.dataset["theme"]])
    if (named === "dark" || named === "light") return named;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export type Choice = "auto" | Theme;
export const CHOICES: readonly Choice[] = ["auto", "light", "dark"];

export interface ThemeKeeper {
  choose(choice: Choice): void;
  stop(): void;
}

/** Update `host`'s data-theme when the page's theme changes, unless the reader has chosen one. */
export function keepTheme(host: HTMLElement): ThemeKeeper {
  let chosen: Choice = "auto";
  const update = (): void => {
    host.dataset["theme"] = chosen === "auto" ? detectTheme() : chosen;
  };
  const observer = new MutationObserver(update);
  const attributeFilter = ["class", "theme", "data-theme", "data-jp-theme-light"];
  for (const target of [document.documentElement, document.body])
    observer.observe(target, { attributeFilter });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", update);
  update();
  return {
    choose(choice) {
      chosen = choice;
      update();
    },
    stop() {
      observer.disconnect();
      system.removeEventListener("change", update);
    },
  };
}

export const prefersReducedMotion = (): boolean =>
  matchMedia("(prefers-reduced-motion: reduce)").matches;
