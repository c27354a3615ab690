/**
 * The pattern in the words of ripgrep, matching at least the lines that it matches here; undefined for what has no such words.
 * Letters, digits, groups, repeats and anchors mean the same to both; classes are written out, other characters by number.
 * "\w+\(" → "[0-9A-Za-z_]+\x{28}"
 */
export function toRipgrepPattern(source: string): string | undefined {
  let written = "";
  for (let at = 0; at < source.length;) {
    part.lastIndex = at;
    const found = part.exec(source);
    if (found === null) return undefined;
    const [text] = found;
    at += text.length;
    const translated = translate(text);
    if (translated === undefined) return undefined;
    written += translated;
  }
  return written;
}

/** An escape, a class without classes in it, the head of a group, a repeat, or one character of ASCII. */
const part = /\\[\x21-\x7e]|\[\^?(?:\\[^A-Za-z0-9\s]|[\x20-\x5a\x5e-\x7e])+\]|\(\?:|[*+?](?:\?)?|\{\d+(?:,\d*)?\}\??|[\x20-\x5a^-z|~]/y;

const classes: Readonly<Record<string, string>> = {
  "\\d": "[0-9]",
  "\\w": "[0-9A-Za-z_]",
  "\\s": String.raw`[\s\x{FEFF}]`,
  "\\S": String.raw`(?:[\S\x{85}]|(?-u:[\x80-\xFF]))`,
  "\\b": String.raw`(?-u:\b)`,
};

/** Bytes that are no UTF-8 are characters here, where a file is then read as latin1. */
const orOtherBytes = (matcher: string): string => `(?:${matcher}|(?-u:[\\x80-\\xFF]))`;

function translate(text: string): string | undefined {
  if (text === ".") return orOtherBytes(".");
  if (text.startsWith("\\")) {
    if (Object.hasOwn(classes, text)) return classes[text];
    return /[A-Za-z0-9]/.test(text[1]!) ? undefined : byNumber(text[1]!);
  }
  if (text.startsWith("[") && text.length > 1) return translateClass(text);
  if (text.length > 1 || /[()|*+?^$]/.test(text)) return text;
  return /[A-Za-z0-9]/.test(text) ? text : byNumber(text);
}

function translateClass(text: string): string {
  const negated = text.startsWith("[^");
  const body = text
    .slice(negated ? 2 : 1, -1)
    .replace(/\\(.)|([^A-Za-z0-9])/g, (all, escaped?: string, plain?: string, at?: number, whole?: string) => {
      const isRange = plain === "-" && at! > 0 && at! < whole!.length - 1;
      return isRange ? all : byNumber(escaped ?? plain!);
    });
  return negated ? orOtherBytes(`[^${body}]`) : `[${body}]`;
}

function byNumber(character: string): string {
  return `\\x{${character.charCodeAt(0).toString(16).toUpperCase()}}`;
}
