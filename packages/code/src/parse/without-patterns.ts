import { tokTypes, type Parser, type TokenType } from "acorn";

/** What parsers ask with regular expressions at nearly every token. */
interface AskingParser {
  readonly input: string;
  readonly type: TokenType;
  readonly start: number;
  readonly lastTokEnd: number;
  keywords: Words;
  reservedWordsStrict: Words;
  reservedWordsStrictBind: Words;
  canInsertSemicolon(): boolean;
  hasPrecedingLineBreak(): boolean;
}

/** The part of a pattern that parsers use. */
interface Words {
  test(word: string): boolean;
}

/** Answers known questions without patterns: whether a line ended before the token, and whether a word is a keyword or reserved. */
export function withoutPatterns(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...given: unknown[]) => AskingParser;
  return class extends Base {
    constructor(...given: unknown[]) {
      super(...given);
      this.keywords = remembered(this.keywords);
      this.reservedWordsStrict = remembered(this.reservedWordsStrict);
      this.reservedWordsStrictBind = remembered(this.reservedWordsStrictBind);
    }
    override canInsertSemicolon(): boolean {
      const { type } = this;
      if (type === tokTypes.eof || type === tokTypes.braceR) return true;
      return isBeside(this) ? false : super.canInsertSemicolon();
    }
    override hasPrecedingLineBreak(): boolean {
      return isBeside(this) ? false : super.hasPrecedingLineBreak();
    }
  } as unknown as typeof Parser;
}

/** Between most tokens stands nothing, or one blank. */
function isBeside({ input, start, lastTokEnd }: AskingParser): boolean {
  return start === lastTokEnd || (start === lastTokEnd + 1 && input.charCodeAt(lastTokEnd) === 32);
}

/** "instanceof", "implements", "interface", "protected". */
const longestWord = 10;
const known = new WeakMap<Words, Words>();
const maximumWords = 5_000;

function remembered(pattern: Words): Words {
  let words = known.get(pattern);
  if (words === undefined) {
    const answers = new Map<string, boolean>();
    words = {
      test(word) {
        // No keyword is longer, and the host keeps the whole program for a longer part of it.
        if (word.length > longestWord) return false;
        let answer = answers.get(word);
        if (answer === undefined) {
          answer = pattern.test(word);
          if (answers.size >= maximumWords) answers.clear();
          answers.set(word, answer);
        }
        return answer;
      },
    };
    known.set(pattern, words);
  }
  return words;
}
