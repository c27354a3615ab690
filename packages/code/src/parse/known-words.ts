import { tokTypes, type Parser, type TokenType } from "acorn";

/** The parser's way to read a word. */
interface WordReader {
  pos: number;
  type: TokenType;
  readWord1(): string;
  readWord(): unknown;
  finishToken(type: TokenType, word: string): unknown;
}

const words = new Map<string, TokenType>();
const maximumWords = 5_000;
/** No keyword is longer. For a longer part of a text the host keeps the whole text, so that none of those may be remembered. */
const longestWord = 12;

/** Remembers which words are keywords of types: the parser for TypeScript makes a pattern for every word that it reads. */
export function knownWords(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...given: never[]) => WordReader;
  return class extends Base {
    override readWord(): unknown {
      const start = this.pos;
      const word = this.readWord1();
      if (word.length > longestWord) return this.finishToken(tokTypes.name, word);
      const known = words.get(word);
      if (known !== undefined) return this.finishToken(known, word);
      this.pos = start;
      const read = super.readWord();
      if (words.size >= maximumWords) words.clear();
      words.set(word, this.type);
      return read;
    }
  } as unknown as typeof Parser;
}
