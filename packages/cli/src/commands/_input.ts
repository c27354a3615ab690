import { readJson } from "@toolrack/core/internal";
import { text as readAll } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { CommandError } from "../errors.ts";

/** `{"a":1}` as it is; `a=1 b=two` as an object; "-" from standard input; nothing as {}. */
export async function readInput(words: readonly string[], stdin: Readable): Promise<unknown> {
  if (words.length === 1 && words[0] === "-") return parse(await readAll(stdin));
  if (words.length === 1 && /^\s*[[{"]/.test(words[0]!)) return parse(words[0]!);
  const input: Record<string, unknown> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0)
      throw new CommandError(
        "usage",
        `"${word}" is neither JSON nor name=value. Write one of the two: name=value, or '{"name": "value"}'.`,
      );
    input[word.slice(0, at)] = valueOf(word.slice(at + 1));
  }
  return { ...input };
}

/** "5" → 5, "true" → true, "[1,2]" → [1, 2]; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** As the server reads bodies: a text that two programs could read differently is refused. */
function parse(text: string): unknown {
  try {
    return readJson(text, maxDepth, "The input");
  } catch (error) {
    throw new CommandError("usage", (error as Error).message);
  }
}

const maxDepth = 100;
