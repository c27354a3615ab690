/** A letter, and those of other scripts that many fonts draw like it. */
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аα",
    b: "ьβƄ",
    c: "сϲ",
    d: "ԁժ",
    e: "еεҽ",
    f: "ſϝ",
    g: "ɡց",
    h: "һհ",
    i: "іιɩ",
    j: "јϳ",
    k: "кκ",
    l: "ӏ|ıǀ",
    m: "м",
    n: "ոηп",
    o: "оοօ",
    p: "рρ",
    q: "ԛզ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υսц",
    v: "ѵν",
    w: "ԝωѡ",
    x: "хχ",
    y: "уγү",
    z: "ᴢ",
    A: "АΑ",
    B: "ВΒ",
    C: "СϹ",
    E: "ЕΕ",
    H: "НΗ",
    I: "ІΙӀ",
    J: "Ј",
    K: "КΚ",
    M: "МΜ",
    N: "Ν",
    O: "ОΟՕ",
    P: "РΡ",
    S: "ЅՏ",
    T: "ТΤ",
    X: "ХΧ",
    Y: "ҮΥ",
    Z: "Ζ",
  }).flatMap(([letter, likes]) => Array.from(likes, (like) => [like, letter] as const)),
);

/** The Latin letter that a letter of another script looks like; the letter itself if there is none. */
export function latinTwin(letter: string): string {
  return twins.get(letter) ?? letter;
}

export interface Disguise {
  readonly looksLike: string;
  /** The letters that are others than they seem, each once, as "U+0430". */
  readonly letters: readonly string[];
}

/**
 * What a text looks like if a word of it passes for one of ASCII letters and has others among them: "pаssword" with a Cyrillic а, "ａdmin" in full
 * width. A word that is written in another script alone is what it seems.
 */
export function disguiseOf(text: string): Disguise | undefined {
  if (isAscii.test(text)) return undefined;
  const letters = new Set<string>();
  const looksLike = text.replaceAll(/[\p{L}\p{M}\p{Nd}]+/gu, (word) => {
    if (isAscii.test(word)) return word;
    const plain = Array.from(word, plainLetter);
    const latin = plain.map(latinTwin).join("");
    if (!isAscii.test(latin) || !plain.some((letter) => /^[A-Za-z]+$/.test(letter))) return word;
    for (const letter of word) if (!isAscii.test(letter)) letters.add(toPoint(letter));
    return latin;
  });
  return letters.size === 0 ? undefined : { looksLike, letters: [...letters] };
}

const isAscii = /^[ -~]*$/;

/** "ａ" → "a". Raised letters, as in "nº", are written on purpose. */
function plainLetter(letter: string): string {
  return /[ªº\p{Lm}]/u.test(letter) ? letter : letter.normalize("NFKC");
}

function toPoint(letter: string): string {
  return `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** "Read_File", "read-file" and a "readfile" with a Cyrillic е → "readfile": names of one shape are taken for each other. */
export function shapeOfName(name: string): string {
  const plain = /^[A-Za-z0-9_-]*$/.test(name);
  if (plain) return name.toLowerCase().replaceAll(/[-_]/g, "");
  const letters = Array.from(name.normalize("NFKD"), latinTwin)
    .join("")
    .toLowerCase()
    .replace(/[-_.\s\p{M}\p{Cf}\p{Pd}\p{DI}]/gu, "");
  return Array.from(letters, latinTwin).join("");
}

/** As `shapeOfName`, with 0 for o and 1, I, | for l. */
export function looseShapeOfName(name: string): string {
  return shapeOfName(name.replaceAll(/[I1|]/g, "l").replaceAll("0", "o").replaceAll("5", "s")).replaceAll("rn", "m").replaceAll("vv", "w");
}
