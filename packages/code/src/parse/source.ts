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
  let text = source.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const fence = /^(\s*)(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\2[ \t]*\s*$/.exec(text);
  if (fence !== null) text = `${fence[1]}\n${fence[3]}`;
  const start = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*export\s+default\s/.exec(text);
  if (start === null) return { text, exported: false };
  const end = start[0].length;
  const blanked = start[0].replace(/export(\s+)default(\s)$/, (all: string) => all.replace(/\S/g, " "));
  return { text: blanked + text.slice(end), exported: true };
}

/** The same text with blanks for what only modules may have and what says nothing but types: `import type …`, `export` before a type. */
export function withoutTypeModules(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, " ");
  return text
    .replace(/(?<=^|;)[ \t]*import\s+type\s[^;"']*?from\s*(?:"[^"\n]*"|'[^'\n]*');?/gm, blank)
    .replace(/^[ \t]*export\s+(?=(?:declare\s+)?(?:interface|type)\s+[\p{ID_Start}$_])/gmu, blank);
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The line and column, both from 1, of an offset into the text. */
export function placeOf(text: string, offset: number): Place {
  const until = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < until; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: until - start + 1 };
}

/** The line of the source, for a message: `  3 | const x = y;`. Long lines are cut. */
export function lineOf(text: string, line: number): string {
  const content = (text.split("\n", line)[line - 1] ?? "").trimEnd();
  return `  ${line} | ${content.length > 160 ? `${content.slice(0, 159)}…` : content}`;
}
