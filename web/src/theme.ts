const KEY = "espalier-theme";
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Shows the theme the person chose, else that of the system. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(KEY);
  document.documentElement.dataset["theme"] = chosen ?? (DARK.matches ? "dark" : "light");
}

/** The other theme from now on. */
export function toggleTheme(): void {
  localStorage.setItem(KEY, document.documentElement.dataset["theme"] === "dark" ? "light" : "dark");
  applyTheme();
}

DARK.addEventListener("change", applyTheme);
