/** One format of settings files: reading, and changing one entry without touching the rest of the text. */
export interface FileEditor {
  /** Throws with a short fact for a text that is not of this format. */
  parse(text: string): unknown;
  /** Sets or adds the entry at these two keys. */
  set(text: string, key: string, name: string, entry: Readonly<Record<string, unknown>>): string;
  /** Removes the entry at these two keys; what is empty then stays. */
  remove(text: string, key: string, name: string): string;
  /** The text of a file that has only this. */
  readonly empty: string;
}
