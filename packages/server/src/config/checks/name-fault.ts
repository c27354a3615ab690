/**
 * Why a name of an agent or of a token's subject could be mistaken for another one; otherwise undefined. Refused are names that NFKC
 * normalisation changes ("ａdmin", "ﬁx"), invisible characters and those that reverse text, and words that mix Latin letters with Greek or
 * Cyrillic ones, which look the same.
 */
export function nameFault(name: string): string | undefined {
  if (invisible.test(name)) return "it has characters that are invisible or turn the writing round";
  if (name.normalize("NFKC") !== name)
    return `it is not in its plain form (NFKC), which would be ${JSON.stringify(name.normalize("NFKC"))}`;
  if (name.split(/[^\p{L}\p{M}]+/u).some(isMixed)) return "a word of it mixes Latin letters with Greek or Cyrillic ones";
  return undefined;
}

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function isMixed(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(word);
}

/** The error for such a name, with invisible characters escaped. */
export function agentNameRefused(part: string, name: string, fault: string): string {
  return `${part} names an agent ${escaped(name)} that could pass for another one: ${fault}. Choose another name.`;
}

function escaped(name: string): string {
  return JSON.stringify(name).replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
