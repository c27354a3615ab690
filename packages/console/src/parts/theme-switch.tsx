import { type ReactNode, useState } from "react";
import { applyTheme, readTheme, type Theme } from "../theme/theme.ts";

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState<Theme>(readTheme);
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={({ target }) => {
        const next = target.value as Theme;
        applyTheme(next);
        setTheme(next);
      }}
    >
      <option value="system">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
