import { endOfText } from "./depth.ts";
import { readLimits } from "./read-limits.ts";

/**
 * A warning for each key of a JSON text that occurs twice in one object: JSON.parse keeps the last one and says nothing. Keys are counted
 * first, so that a text without such keys, which nearly all are, is walked through only once.
 */
export function findDuplicateKeys(text: string, parsed: unknown): readonly string[] {
  return countMembers(text) === countKeys(parsed) ? [] : locate(text);
}

/** The colons outside of texts. */
function countMembers(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === colon) count++;
  }
  return count;
}

function countKeys(parsed: unknown): number {
  let count = 0;
  const waiting: unknown[] = [parsed];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else
      for (const key of Object.keys(value)) {
        count++;
        waiting.push((value as Record<string, unknown>)[key]);
      }
  }
  return count;
}

interface Level {
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
}

function locate(text: string): readonly string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfText(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (code === colon) {
      const level = levels.at(-1)!;
      level.key = JSON.parse(last) as string;
      if (level.keys!.has(level.key)) {
        if (found.length === readLimits.keysTwice) return [...found, readLimits.moreKeysTwice];
        found.push(sentence(levels));
      }
      level.keys!.add(level.key);
    } else if (code === 0x7b || code === 0x5b) levels.push({ keys: code === 0x7b ? new Set() : undefined, key: "" });
    else if (code === 0x7d || code === 0x5d) levels.pop();
  }
  return found;
}

/** The levels next to the key tell where it is. */
const shownLevels = 10;

function sentence(levels: readonly Level[]): string {
  const place = levels
    .slice(0, -1)
    .slice(-shownLevels)
    .map(({ keys, key }) => (keys === undefined ? "[]" : key.slice(0, 80)));
  const isCut = levels.length - 1 > shownLevels;
  const where = place.length === 0 ? "The document" : `${isCut ? "… › " : ""}${place.join(" › ").slice(-200)}`;
  return `${where} has the key ${JSON.stringify(levels.at(-1)!.key.slice(0, 80))} twice: the last one counts.`;
}

const quote = 0x22;
const colon = 0x3a;
