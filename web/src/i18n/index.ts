/** The texts of the page in the reader's language. */

import { en } from "./en";

export type Words = typeof en;

export const words: Words = en;
