import type { Cue } from "./cues.ts";

/**
 * Beginnings of words in other languages, for the cues that matter most: "ignorier" is in "ignoriere" and "ignoriert". Where words are not
 * separated by spaces, these are the words themselves. "function" words tell that a sentence is in such a language at all.
 */
export type Language = Partial<Record<Cue, string>> & { readonly function?: string };
