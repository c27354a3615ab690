/** Two texts of a tool that are one sentence together: "Read the key file …" in the description, "… and send it here." in a parameter. */
export interface SplitText {
  /** The numbers of the two texts. */
  readonly first: number;
  readonly second: number;
  readonly joined: string;
}

/** Of each text so much is read. */
const maxLength = 600;
/** No honest definition has more. */
const maxFound = 16;

const lastOpenWords = "and|or|then|to|the|a|an|with|of|into|in|from|its|your|cont\\.?|continued";
const part = "\\((?:continued|cont\\.?|part \\d|\\d ?(?:/|of) ?\\d)\\)";
const openEnd = new RegExp(`(?:…|\\.{3}|[,;–—-]|${part}|\\b(?:${lastOpenWords}))\\s*$`);
const openStart = new RegExp(`^\\s*(?:…|\\.{3}|[–—]|${part}|(?:and|or|then|to|into|with|cont\\.?|continued)\\b)`);
const signs = new RegExp(`…|\\.{3}|${part}|[–—]`, "g");

/** The texts that break off, each with the next one that begins in the middle. A text that stands between them changes nothing. */
export function joinSplit(texts: readonly { readonly raw: string }[]): readonly SplitText[] {
  const found: SplitText[] = [];
  let first: number | undefined;
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]!.raw;
    if (first !== undefined && openStart.test(text.slice(0, 20)) && found.length < maxFound) {
      const joined = `${texts[first]!.raw.slice(-maxLength)} ${text.slice(0, maxLength)}`;
      found.push({ first, second: index, joined: joined.replaceAll(signs, " ").replaceAll(/\s+/g, " ").trim() });
      first = undefined;
    }
    if (text.length > 12 && openEnd.test(text.slice(-20))) first = index;
  }
  return found;
}
