/** Light or dark, or as the system says. */

import { useEffect, useState } from "preact/hooks";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "wordsplit-theme";

export function ThemeSelect() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Some browsers keep nothing for pages from the file system.
    }
  }, [theme]);
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
      <option value="auto">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

function remembered(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}
