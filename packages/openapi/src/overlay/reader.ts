import { ToolError } from "@toolrack/core";

/** Reads a JSONPath from left to right. */
export interface PathReader {
  at(): number;
  goTo(place: number): void;
  atEnd(): boolean;
  peek(): string | undefined;
  skipSpace(): void;
  /** Passes a text if it is next. */
  take(text: string): boolean;
  expect(text: string): void;
  /** Passes what a sticky expression matches. */
  match(expression: RegExp): string | undefined;
  quoted(): string | undefined;
  integer(): number | undefined;
  /** Reads something inside of something else; throws if that is too deep. */
  nested<T>(read: () => T): T;
  fault(fact: string): ToolError;
}

const maxDepth = 50;
const maxLength = 10_000;

export function createReader(text: string): PathReader {
  let at = 0;
  let depth = 0;
  const fault = (fact: string): ToolError =>
    new ToolError("CONFIG_INVALID", `The JSONPath ${JSON.stringify(text.slice(0, 120))} is wrong at character ${at + 1}: ${fact}.`);

  if (text.length > maxLength) throw fault(`it has more than ${maxLength.toLocaleString("en")} characters`);

  function match(expression: RegExp): string | undefined {
    const sticky = new RegExp(expression.source, "y");
    sticky.lastIndex = at;
    const found = sticky.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function take(wanted: string): boolean {
    if (!text.startsWith(wanted, at)) return false;
    at += wanted.length;
    return true;
  }

  return {
    at: () => at,
    goTo: (place) => void (at = place),
    atEnd: () => at >= text.length,
    peek: () => text[at],
    skipSpace: () => void match(/[ \t\r\n]*/),
    take,
    expect(wanted) {
      if (!take(wanted)) throw fault(`expected ${wanted}`);
    },
    match,
    quoted() {
      const found = match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/);
      return found === undefined ? undefined : unquote(found, fault);
    },
    integer() {
      const found = match(/-?(?:0|[1-9]\d{0,15})/);
      return found === undefined ? undefined : Number(found);
    },
    nested(read) {
      if (++depth > maxDepth) throw fault(`it is nested more than ${maxDepth} deep`);
      const found = read();
      depth--;
      return found;
    },
    fault,
  };
}

/** A text in single or double quotes, with the escapes of JSON. */
function unquote(quoted: string, fault: (fact: string) => ToolError): string {
  const inner = quoted.slice(1, -1);
  const json = quoted.startsWith("'") ? inner.replaceAll(/\\'|"/g, (mark) => (mark === '"' ? '\\"' : "'")) : inner;
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    throw fault("the text in quotes has a wrong escape");
  }
}
