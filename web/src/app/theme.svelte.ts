/** Colour theme: dark by default, the choice is stored. */

const KEY = "marchland.theme";
export type Theme = "dark" | "light";

class Appearance {
  theme = $state<Theme>("dark");
  /** Whether the system asks for less motion. */
  still = $state(false);

  constructor() {
    const motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.still = motion.matches;
    motion.addEventListener("change", () => (this.still = motion.matches));
    this.set(storedTheme());
  }

  toggle(): void {
    this.set(this.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem(KEY, this.theme);
    } catch {
      // Without storage the choice ends with the page.
    }
  }

  private set(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset["theme"] = theme;
  }
}

function storedTheme(): Theme {
  try {
    return localStorage.getItem(KEY) === "light" ? "light" : "dark";
  } catch {
    return "dark";
  }
}

export const appearance = new Appearance();
