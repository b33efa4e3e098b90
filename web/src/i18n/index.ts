/** The texts of the page in the reader's language. Only that language is loaded. */

import type { Language } from "../api/types";
import type { en } from "./en";

export type Words = typeof en;

/** Each language by its own name. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", ru: "Русский" };

const LOADERS: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import("./en")).en,
  ru: async () => (await import("./ru")).ru,
};

export let language: Language = "en";
/** There are texts once a language is loaded, which is before anything is shown. */
export let words: Words;

/** Load the texts of a language; what is written from then on is in it. */
export async function loadLanguage(chosen: Language): Promise<void> {
  words = await LOADERS[chosen]();
  language = chosen;
}

/** A formatter of the reader's language, made once for each language. */
export function byLanguage<Formatter>(make: (language: Language) => Formatter): () => Formatter {
  const made = new Map<Language, Formatter>();
  return () => {
    const found = made.get(language) ?? make(language);
    made.set(language, found);
    return found;
  };
}
