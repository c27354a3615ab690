export type Theme = "system" | "light" | "dark";

const themeName = "toolrack-theme";

export function readTheme(): Theme {
  const saved = localStorage.getItem(themeName);
  return saved === "light" || saved === "dark" ? saved : "system";
}

/** Puts a theme on the page and remembers it; "system" follows the machine. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(themeName);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(themeName, theme);
    document.documentElement.dataset["theme"] = theme;
  }
}
