/** A program's text as it is parsed. Lines and columns stay those of the text that was given. */
export interface ProgramText {
  /** Without a Markdown fence and without `export default`; both are replaced by blanks. */
  readonly text: string;
  /** `export default` stood before it: the function after it is the program. */
  readonly exported: boolean;
}

/** The text is parsed as the body of this function: strict, with `await` and `return`. */
export const before = "(async () => {\n";
export const after = "\n})";

export function readSource(source: string): ProgramText {
  const given = source.replaceAll("\r\n", "\n");
  const text = withoutFence(given.startsWith("\uFEFF") ? given.slice(1) : given);
  const start = afterComments(text);
  const exported = wordEnd(text, start, "export");
  const between = afterBlanks(text, exported);
  const end = between > exported ? wordEnd(text, between, "default") : -1;
  if (end === -1 || !isBlank(text.charCodeAt(end))) return { text, exported: false };
  return { text: text.slice(0, start) + text.slice(start, end).replace(/\S/g, " ") + text.slice(end), exported: true };
}

/** What stands between two lines of three or more backticks or tildes, the first of which may name a language. */
function withoutFence(text: string): string {
  const start = afterBlanks(text, 0);
  const sign = text[start];
  const end = beforeBlanks(text, text.length);
  if ((sign !== "`" && sign !== "~") || text[end - 1] !== sign) return text;
  let opened = start;
  while (text[opened] === sign) opened++;
  let closed = end;
  while (text[closed - 1] === sign) closed--;
  const length = Math.min(opened - start, end - closed);
  const body = text.indexOf("\n", opened) + 1;
  const tick = text.indexOf("`", opened);
  // What names the language holds no backtick. A line of tildes may be closed by a shorter one.
  if (length < 3 || body === 0 || closed < body || (tick !== -1 && tick < body)) return text;
  if (sign === "`" && length < opened - start) return text;
  let until = end - length;
  while (until > body && isBlankOfLine(text.charCodeAt(until - 1))) until--;
  if (until > body && text[until - 1] === "\n") until--;
  return `${text.slice(0, start)}\n${text.slice(body, until)}`;
}

/** The same text with blanks for what only modules may have and what says nothing but types: `import type …`, `export` before a type. */
export function withoutTypeModules(text: string): string {
  const parts: string[] = [];
  let taken = 0;
  const names = new EndOfNames(text);
  let isLine = true;
  let isStatement = true;
  for (let at = 0; at < text.length;) {
    let start = at;
    while (isBlankOfLine(text.charCodeAt(start))) start++;
    const imported: number = isStatement ? endOfImport(text, start, names) : -1;
    const end: number = imported === -1 && isLine ? endOfExport(text, start) : imported;
    if (end !== -1) {
      parts.push(text.slice(taken, at), blank(text.slice(at, end)));
      taken = end;
      at = end;
      isStatement = text[end - 1] === ";";
      continue;
    }
    at = start;
    while (at < text.length && text[at] !== ";" && !isLineEnd(text.charCodeAt(at))) at++;
    isLine = text[at] !== ";";
    isStatement = true;
    at++;
  }
  return taken === 0 ? text : parts.join("") + text.slice(taken);
}

/** Where the names of an import end: at the first quote or semicolon. What was looked through once is not looked through again. */
class EndOfNames {
  private readonly text: string;
  private at = -1;
  /** Where the word before the quote begins, and where what is quoted ends; -1 where that is no module. */
  from = -1;
  end = -1;

  constructor(text: string) {
    this.text = text;
  }

  lookFrom(start: number): void {
    if (this.at >= start) return;
    const { text } = this;
    let at = start;
    while (at < text.length && text[at] !== '"' && text[at] !== "'" && text[at] !== ";") at++;
    this.at = at;
    this.from = beforeBlanks(text, at) - 4;
    const quote = text[at];
    let end = quote === '"' || quote === "'" ? at + 1 : text.length;
    while (end < text.length && text[end] !== quote && text[end] !== "\n") end++;
    this.end = end < text.length && text[end] === quote && text.startsWith("from", this.from) ? end + 1 : -1;
  }
}

/** After `import type … from "…";`, or -1. */
function endOfImport(text: string, start: number, found: EndOfNames): number {
  const imported = wordEnd(text, start, "import");
  const type = afterBlanks(text, imported);
  const named = type > imported ? wordEnd(text, type, "type") : -1;
  if (named === -1 || !isBlank(text.charCodeAt(named))) return -1;
  found.lookFrom(named);
  if (found.end === -1 || found.from <= named) return -1;
  return text[found.end] === ";" ? found.end + 1 : found.end;
}

/** After `export` and its blanks, where a type follows; or -1. */
function endOfExport(text: string, start: number): number {
  const exported = wordEnd(text, start, "export");
  const declared = afterBlanks(text, exported);
  if (declared <= exported) return -1;
  const declare = wordEnd(text, declared, "declare");
  const kind = afterBlanks(text, declare);
  return declaresTypeAt(text, kind > declare ? kind : declared) ? declared : -1;
}

/** Whether a line says `interface Name` or `type Name`. */
export function declaresType(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    while (isBlankOfLine(text.charCodeAt(at))) at++;
    if (declaresTypeAt(text, at)) return true;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++;
  }
  return false;
}

function declaresTypeAt(text: string, at: number): boolean {
  const end = Math.max(wordEnd(text, at, "interface"), wordEnd(text, at, "type"));
  const name = afterBlanks(text, end);
  return name > end && startsName(text, name);
}

function startsName(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && /^[\p{ID_Start}$_]$/u.test(String.fromCodePoint(code));
}

/** The offset after a word that stands there, or -1. */
function wordEnd(text: string, at: number, word: string): number {
  return text.startsWith(word, at) ? at + word.length : -1;
}

function afterComments(text: string): number {
  let at = 0;
  for (;;) {
    at = afterBlanks(text, at);
    const end = text.startsWith("//", at) ? text.indexOf("\n", at) : text.startsWith("/*", at) ? text.indexOf("*/", at + 2) + 1 : -1;
    if (end <= at) return at;
    at = end + 1;
  }
}

/** -1 for -1, which stands for a word that was not there. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at !== -1 && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function isBlankOfLine(code: number): boolean {
  return code === 32 || code === 9;
}

/** As `\s`. */
function isBlank(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return code === 0xa0 || code === 0xfeff || code === 0x1680 || (code >= 0x2000 && /\s/.test(String.fromCharCode(code)));
}

/** Blanks for everything but the ends of lines. */
function blank(found: string): string {
  return found.replace(/[^\n]/g, " ");
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The offsets at which lines start, but for the first. */
export function lineStartsOf(text: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The line and column, both from 1, of an offset into the text. For many of one text, its lines are found once. */
export function placeOf(text: string, offset: number, lineStarts: readonly number[] = lineStartsOf(text)): Place {
  const until = Math.max(0, Math.min(offset, text.length));
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] as number) <= until) low = middle + 1;
    else high = middle;
  }
  return { line: low + 1, column: until - (low === 0 ? 0 : (lineStarts[low - 1] as number)) + 1 };
}

/** The line of the source, for a message: `  3 | const x = y;`. Long lines are cut. */
export function lineOf(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  const content = text.slice(start, end === -1 ? text.length : end).trimEnd();
  return `  ${line} | ${content.length > 160 ? `${content.slice(0, 159)}…` : content}`;
}
