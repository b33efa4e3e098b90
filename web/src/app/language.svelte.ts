/** The reader's language: the first of the browser's that the page has, or the one that was chosen; the choice is stored. */

import type { Language } from "../api/types";
import { LANGUAGES, loadLanguage } from "../i18n";

const KEY = "marchland.language";
const NAMES = Object.keys(LANGUAGES) as Language[];

class ReaderLanguage {
  /** The page is mounted again when this changes. */
  current = $state<Language>("en");

  /** Load the texts; nothing can be shown before. */
  async start(): Promise<void> {
    await this.show(storedLanguage() ?? preferredLanguage(navigator.languages));
  }

  async choose(language: Language): Promise<void> {
    await this.show(language);
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // Without storage the choice ends with the page.
    }
  }

  private async show(language: Language): Promise<void> {
    await loadLanguage(language);
    document.documentElement.lang = language;
    this.current = language;
  }
}

function storedLanguage(): Language | null {
  try {
    return NAMES.find((name) => name === localStorage.getItem(KEY)) ?? null;
  } catch {
    return null;
  }
}

/** The first language of a list like `["ru-RU", "en"]` that the page has. */
function preferredLanguage(list: readonly string[]): Language {
  for (const tag of list) {
    const known = NAMES.find((name) => name === tag.toLowerCase().split("-")[0]);
    if (known !== undefined) return known;
  }
  return "en";
}

export const readerLanguage = new ReaderLanguage();
