import { maximumChainDepth } from "./chain.ts";

/** "${a.numbers[0]}" → { step: "a", path: ["numbers", 0] } */
export interface Reference {
  /** The id of a step, or "input". */
  readonly step: string;
  readonly path: readonly (string | number)[];
  /** As it was written. */
  readonly text: string;
}

export type TextPart = string | Reference;

export type ReadText =
  | { readonly ok: true; readonly parts: readonly TextPart[] }
  /** A sentence without the name of the step. */
  | { readonly ok: false; readonly fault: string };

/**
 * Splits a text into plain parts and references. "\${" is plain text, and so is a "$" without a brace. A backslash before that is written
 * twice: "\\${a.x}" is a backslash and a value.
 */
export function readText(text: string): ReadText {
  const parts: TextPart[] = [];
  let plain = "";
  let from = 0;
  for (;;) {
    const at = text.indexOf("${", from);
    if (at === -1) break;
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
    plain += text.slice(from, at - slashes) + "\\".repeat(slashes >> 1);
    if (slashes % 2 === 1) {
      plain += "${";
      from = at + 2;
      continue;
    }
    const read = readReference(text, at);
    if (typeof read === "string") return { ok: false, fault: read };
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(read);
    from = at + read.text.length;
  }
  plain += text.slice(from);
  if (plain !== "" || parts.length === 0) parts.push(plain);
  return { ok: true, parts };
}

const name = /[A-Za-z_][\w-]*/y;
const field = /\.([A-Za-z_$][\w$-]*|\d{1,9})/y;
const index = /\[(\d{1,9})\]/y;
const quoted = /\["((?:[^"\\]|\\.)*)"\]/y;

/** The reference that begins here, or why there is none. */
function readReference(text: string, start: number): Reference | string {
  const wrong = (): string =>
    `${JSON.stringify(shorten(text.slice(start)))} is not a reference. Write it like "\${step.field}" or "\${input.name}"; for the text itself, write "\\\${".`;
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const head = match(name, start + 2);
  if (head === null) return wrong();
  let at = start + 2 + head[0].length;
  const path: (string | number)[] = [];
  while (text[at] !== "}") {
    const next = match(field, at) ?? match(index, at) ?? match(quoted, at);
    if (next === null) return wrong();
    const key = keyOf(next);
    if (key === undefined) return wrong();
    if (key === "__proto__") return '"__proto__" is not a field of any result. Take it out.';
    path.push(key);
    if (path.length > maximumChainDepth)
      return `${JSON.stringify(shorten(text.slice(start)))} goes more than ${maximumChainDepth} fields deep. Refer to a value that is less deep.`;
    at += next[0].length;
  }
  return { step: head[0], path, text: text.slice(start, at + 1) };
}

function keyOf([whole, inner = ""]: RegExpExecArray): string | number | undefined {
  if (!whole.startsWith('["')) return /^\d+$/.test(inner) ? Number(inner) : inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
