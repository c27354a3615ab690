/** A word and its position in a text. */
export interface FoundWord {
  /** Lower case, without accents and common endings. */
  readonly stem: string;
  /** Whether it says something about the text; "the" and "with" do not. */
  readonly isTelling: boolean;
}

/** The words of a text in their order: "Running shoes" → run, sho. Query and text are read the same way, so the stems need not be words. */
export function readWords(text: string): readonly FoundWord[] {
  const plain = text
    .slice(0, maxLength)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return [...plain.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => ({ stem: stemOf(word.slice(0, 40)), isTelling: !common.has(word) }));
}

/** The stems that a search uses, each once; those of all words if only stop words are left. */
export function queryStems(text: string, limit: number): readonly string[] {
  const words = readWords(text);
  const telling = words.filter((word) => word.isTelling);
  return [...new Set((telling.length > 0 ? telling : words).map((word) => word.stem))].slice(0, limit);
}

const maxLength = 100_000;

function stemOf(word: string): string {
  let stem = word;
  if (stem.length > 4 && stem.endsWith("ies")) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 3 && stem.endsWith("s") && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 5 && stem.endsWith("ing")) stem = single(stem.slice(0, -3));
  else if (stem.length > 4 && stem.endsWith("ed")) stem = single(stem.slice(0, -2));
  return stem.length > 3 && stem.endsWith("e") ? stem.slice(0, -1) : stem;
}

/** "runn" → "run" */
function single(stem: string): string {
  return stem.length > 3 && stem.at(-1) === stem.at(-2) && !/[lsz]$/.test(stem) ? stem.slice(0, -1) : stem;
}

const common: ReadonlySet<string> = new Set(
  "a an and any are as at be but by can do for from had has have how i if in into is it its me my no not of on or our some that the their them there these they this to was we were what when where which who will with you your".split(
    " ",
  ),
);
