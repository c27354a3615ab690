import type { Cue } from "../words/cues.ts";
import { cueNumbers } from "../words/cues.ts";
import { type PhraseNode, type CueTables, cueTables, wordMarks } from "../words/compile.ts";
import { cuesOfSpecial } from "./special-words.ts";
import { readWord } from "./known-words.ts";
import { Sentence } from "./sentence.ts";
import { hashOfShort, hashOfStem } from "./word-hash.ts";

/** Names that mean something in a text: of the tool itself, of its parameters, and of other tools. */
export interface NamesAround {
  readonly own: string;
  readonly parameters: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

export const noNames: NamesAround = { own: "", parameters: new Set(), others: new Set() };

/** No sentence is longer: what follows is another one. */
const maxWords = 80;
/** Longer words are cut: no rule knows one. */
const maxLetters = 80;

/** Cuts a text into sentences and notes the cues of each. Linear in the length of the text. `lookedUp` receives what could have been a name. */
export function readSentences(text: string, names: NamesAround = noNames, lookedUp?: string[]): Sentence[] {
  const reader = new Reader(text, names, lookedUp);
  let index = 0;
  while (index < text.length) {
    let newlines = 0;
    while (index < text.length && isSpace(text.charCodeAt(index))) if (text.charCodeAt(index++) === 10) newlines++;
    if (index >= text.length) break;
    const start = index;
    while (index < text.length && isLetter(text.charCodeAt(index))) index++;
    const isWord = index > start && (index === text.length || isSpace(text.charCodeAt(index)));
    while (index < text.length && !isSpace(text.charCodeAt(index))) index++;
    if (newlines > 1 || (newlines === 1 && beginsLine(text.charCodeAt(start)))) reader.finish();
    if (isWord) reader.plain(start, index);
    else reader.chunk(start, index);
  }
  reader.finish();
  return reader.sentences;
}

/** A line that begins like this is not the continuation of the one before. */
function beginsLine(code: number): boolean {
  return (
    (code >= 65 && code <= 90) || (code < 65 && code !== 34 && code !== 39 && code !== 40) || code === 91 || code === 124 || code > 0x2000
  );
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  if (code > 32 && code < 0xa0) return false;
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029
  );
}

/** A verb may follow these. */
const beforeVerbs = new Set([
  "to",
  "must",
  "should",
  "shall",
  "will",
  "can",
  "may",
  "and",
  "or",
  "not",
  "please",
  "then",
  "also",
  "never",
  "always",
  "you",
  "don't",
  "it",
  "that",
  "which",
  "assistant",
  "model",
  "agent",
  "tool",
  "they",
  "would",
  "simply",
  "just",
  "kindly",
  "first",
  "quietly",
  "silently",
  "secretly",
]);
/** Names and addresses differ from tool to tool: a sentence is read as if it had these words instead. */
const standIns: Readonly<Record<string, string>> = { own: "‹tool›", sink: "‹parameter›", name: "‹other-tool›", place: "‹address›" };
/** A name may follow these: "the Create button". */
const articles = new Set(["the", "a", "an", "of", "in", "to", "and", "or", "for", "from", "with", "by", "on", "is", "your", "this"]);
const sentenceOpeners = new Set(
  "the this these do don't never always before after when whenever if while once please kindly everything anything nothing nobody no all each every you your note as from by for it to what whatever whoever there we our should".split(
    " ",
  ),
);
const abbreviations = new Set(["e.g", "i.e", "etc", "vs", "approx", "cf", "incl", "no", "fig", "dr", "mr", "ms"]);

class Reader {
  readonly sentences: Sentence[] = [];
  private current: Sentence | undefined;
  private opens = true;
  private englishCount = 0;
  private foreignCount = 0;
  private readonly pending: { node: PhraseNode; at: number; opens: boolean }[] = [];
  private readonly text: string;
  private readonly names: NamesAround;
  private readonly known: CueTables = cueTables();
  private readonly lookedUp: string[] | undefined;

  constructor(text: string, names: NamesAround, lookedUp: string[] | undefined) {
    this.text = text;
    this.names = names;
    this.lookedUp = lookedUp;
  }

  /** A word of plain letters between two spaces: nearly every piece of a text. */
  plain(start: number, end: number): void {
    const raw = this.text.slice(start, end);
    if (this.current !== undefined && this.begins(raw, start)) this.finish();
    this.current ??= new Sentence(start, this.sentences.length);
    this.word(raw);
    this.current.end = end;
    if (this.current.tokens.length >= maxWords) this.finish();
  }

  /** One piece of text without spaces. */
  chunk(start: number, end: number): void {
    const { text } = this;
    let [first, last] = [start, end];
    let isPlain = true;
    while (first < last && !isWordStart(text, first, last)) first++;
    while (last > first && !isWordEnd(text.charCodeAt(last - 1))) last--;
    if (first === last) {
      if (/[.!?…]/.test(text.slice(start, end)) && this.current !== undefined && !/\d/.test(text.slice(start, end))) this.finish();
      this.opens = true;
      return;
    }
    if (first > start && this.current !== undefined && text.charCodeAt(start) !== 96) this.opens = true;
    for (let index = first; index < last && isPlain; index++) {
      const code = text.charCodeAt(index);
      isPlain = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 39;
    }
    const raw = text.slice(first, last);
    if (isPlain && this.current !== undefined && this.begins(raw, first)) this.finish();
    this.current ??= new Sentence(start, this.sentences.length);
    if (isPlain) this.word(raw);
    else this.special(raw, start, first, last);
    if (this.current !== undefined) this.current.end = end;
    this.punctuation(last, end, raw);
  }

  /** "The branch key Attach the file": a capital where none belongs, at a word that begins an order, begins a sentence whose full stop is missing. */
  private begins(raw: string, first: number): boolean {
    const code = raw.charCodeAt(0);
    if (code < 65 || code > 90 || this.opens || this.current!.tokens.length < 2) return false;
    const second = raw.charCodeAt(1);
    if (second < 97 || this.text.charCodeAt(first - 1) !== 32) return false;
    const before = this.current!.tokens.at(-1)!.word;
    if (articles.has(before)) return false;
    const { word, node } = readWord(raw);
    return sentenceOpeners.has(word) || node?.cues.some(({ isBase, isAlsoNoun }) => isBase && !isAlsoNoun) === true;
  }

  private punctuation(last: number, end: number, raw: string): void {
    for (let index = last; index < end; index++) {
      const code = this.text.charCodeAt(index);
      if (
        code === 46 ||
        code === 33 ||
        code === 63 ||
        code === 0x2026 ||
        code === 0x3002 ||
        code === 0xff01 ||
        code === 0xff1f ||
        code === 0x61f
      ) {
        if (!abbreviations.has(raw.toLowerCase())) return this.finish();
      } else if (
        code === 44 ||
        code === 58 ||
        code === 59 ||
        code === 0x2014 ||
        code === 0x2013 ||
        code === 0xff1a ||
        code === 0xff0c ||
        code === 0x60c
      ) {
        this.opens = true;
      }
    }
    if (this.current !== undefined && this.current.tokens.length >= maxWords) this.finish();
  }

  private word(raw: string): void {
    const { current, opens } = this;
    if (current === undefined) return;
    const at = current.tokens.length;
    const token = readWord(raw);
    const { node } = token;
    current.tokens.push(token);
    if (this.pending.length > 0) this.continuePhrases(token.word, at, current);
    if (node === undefined) {
      this.opens = false;
      return;
    }
    const { marks } = node;
    if ((marks & wordMarks.english) !== 0) this.englishCount++;
    else if ((marks & wordMarks.foreign) !== 0) this.foreignCount++;
    if (node.cues.length > 0 || node.next !== undefined) {
      for (const found of node.cues)
        if (!found.isAlsoNoun || opens || beforeVerbs.has(current.tokens[at - 1]?.word ?? "")) current.add(found, at, at + 1, opens);
      if (node.next !== undefined) this.pending.push({ node, at, opens });
    }
    this.opens = (marks & wordMarks.opener) !== 0 || (opens && (marks & wordMarks.passing) !== 0);
  }

  private continuePhrases(word: string, at: number, current: Sentence): void {
    let kept = 0;
    for (const candidate of this.pending) {
      const node = candidate.node.next?.get(word);
      if (node === undefined) continue;
      for (const found of node.cues) current.add(found, candidate.at, at + 1, candidate.opens);
      if (node.next !== undefined) this.pending[kept++] = { node, at: candidate.at, opens: candidate.opens };
    }
    this.pending.length = kept;
  }

  /** A piece with other characters than letters: an address, a path, a name, words joined by hyphens, another script. */
  private special(raw: string, start: number, first: number, last: number): void {
    const isQuoted = this.text.charCodeAt(first - 1) === 96 || this.text.charCodeAt(last) === 96;
    this.lookedUp?.push(raw);
    const special = cuesOfSpecial(raw, isQuoted, this.names);
    if (special !== undefined) {
      this.word(standIns[special[0] ?? ""] ?? raw.toLowerCase());
      this.mark(special, 1);
      return;
    }
    const target = raw.indexOf("](");
    const words = target < 0 ? raw : raw.slice(0, target);
    if (!/[\u0080-\uffff]/.test(raw)) {
      for (const part of words.split(/[^A-Za-z0-9']+/)) if (part !== "") this.word(part);
      return;
    }
    if (/[\u0250-\u1dff\u1f00-\u1fff\u2c00-\uffff]/.test(raw)) return this.foreign(raw, start);
    for (const part of words.split(/[^\p{L}\p{N}\p{M}'’]+/u)) {
      if (part === "") continue;
      this.word(part);
      if (/[\u0080-\uffff]/.test(part.replaceAll("’", "'"))) this.foreignCount++;
    }
  }

  private mark(found: readonly Cue[], words: number): void {
    const { current } = this;
    if (current === undefined) return;
    const to = current.tokens.length;
    for (const cue of found) current.add({ cue, number: cueNumbers.get(cue)!, isBase: false, isAlsoNoun: false }, to - words, to, false);
  }

  /** Letters of other scripts. Where there are no spaces between words, known words are looked for at every place. */
  private foreign(raw: string, start: number): void {
    const parts = raw.split(/([。！？])/u);
    for (const part of parts) {
      if (part === "。" || part === "！" || part === "？") {
        this.finish();
        continue;
      }
      if (part === "") continue;
      this.current ??= new Sentence(start, this.sentences.length);
      for (const run of part.matchAll(/[\p{L}\p{M}\p{N}'’_.@-]+/gu)) this.foreignRun(run[0]);
      this.current.end = Math.max(this.current.end, start + raw.length);
    }
  }

  private foreignRun(run: string): void {
    this.foreignCount++;
    if (!/[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/.test(run)) return this.stemmed(run.toLowerCase().replaceAll("’", "'"));
    let index = 0;
    let latin = "";
    while (index < run.length) {
      const code = run.charCodeAt(index);
      if (code < 0x250) {
        latin += run[index++];
        continue;
      }
      if (latin !== "") this.word(latin);
      latin = "";
      let length = Math.min(this.known.longestStem, run.length - index);
      while (length > 0 && !this.known.stems.has(run.slice(index, index + length))) length--;
      if (length > 0) {
        this.foreignWord(run.slice(index, index + length));
        this.mark(this.known.stems.get(run.slice(index, index + length))!, 1);
        // Words overlap: "无需确认" is "no need" and "confirm".
        index += length;
      } else {
        index++;
      }
      this.foreignCount += 0.5;
    }
    if (latin !== "") this.word(latin);
  }

  /** A word of a language with spaces, found by its beginning. */
  private stemmed(word: string): void {
    this.foreignWord(word.slice(0, maxLetters));
    const stem = this.stemOf(word);
    if (stem !== undefined) this.mark(stem, 1);
  }

  private foreignWord(word: string): void {
    const { current } = this;
    if (current === undefined) return;
    current.tokens.push({ word, hash: hashOfShort(word), stem: hashOfStem(word), node: undefined });
  }

  private stemOf(word: string): readonly Cue[] | undefined {
    for (let length = Math.min(word.length, this.known.longestStem); length > 0; length--) {
      if (length < 3 && length < word.length) return undefined;
      const found = this.known.stems.get(word.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  finish(): void {
    const { current } = this;
    this.opens = true;
    this.pending.length = 0;
    if (current === undefined) return;
    if (this.foreignCount >= 2 && this.foreignCount > this.englishCount) this.asForeign(current);
    current.english = this.englishCount;
    this.current = undefined;
    this.foreignCount = 0;
    this.englishCount = 0;
    this.sentences.push(current);
  }

  /** The words of a sentence that seems not to be English, looked up once more: three known words decide. */
  private asForeign(sentence: Sentence): void {
    const known = new Set(
      sentence.words.filter((word) => this.known.foreignWords.has(word) || this.stemOf(word) !== undefined || /[\u0250-\uffff]/.test(word)),
    );
    if (known.size < 3) return;
    sentence.isForeign = true;
    for (const [at, word] of sentence.words.entries()) {
      if (/[\u0250-\u1dff\u1f00-\uffff]/.test(word)) continue;
      for (const part of word.includes("'") ? [word, word.slice(word.indexOf("'") + 1)] : [word]) {
        for (const cue of this.stemOf(part) ?? [])
          sentence.add({ cue, number: cueNumbers.get(cue)!, isBase: false, isAlsoNoun: false }, at, at + 1, false);
      }
    }
  }
}

function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    (code > 127 &&
      !(code >= 0x2000 && code <= 0x206f) &&
      !(code >= 0x3001 && code <= 0x3020) &&
      !(code >= 0xff00 && code <= 0xff0f) &&
      code !== 0xff1a &&
      code !== 0xff1f &&
      code !== 0xab &&
      code !== 0xbb &&
      code !== 0x60c &&
      code !== 0x61f)
  );
}

/** A letter or digit; or a dot, slash or tilde that begins the name of a file: ".env", "~/.ssh", "/etc". */
function isWordStart(text: string, index: number, end: number): boolean {
  const code = text.charCodeAt(index);
  if (isLetterOrDigit(code)) return true;
  if (code !== 46 && code !== 47 && code !== 126 && code !== 36) return false;
  const next = index + 1 < end ? text.charCodeAt(index + 1) : 0;
  return isLetterOrDigit(next) || (code === 126 && next === 47) || (code === 46 && next === 47);
}

function isWordEnd(code: number): boolean {
  return isLetterOrDigit(code) || code === 95;
}
