import { utf8Length } from "#bytes";

/**
 * How many bytes a value takes as JSON, escapes not counted; undefined if more than `maxBytes`. Looks at no more of the value
 * than that takes, so it is cheap for the largest one and ends for one that contains itself. Throws what a getter throws.
 */
export function jsonSize(value: unknown, maxBytes: number): number | undefined {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") size += textSize(next, maxBytes);
    else if (ArrayBuffer.isView(next)) size += next.byteLength * 2;
    else if (Array.isArray(next)) {
      size += 2 + next.length; // brackets and commas, so that no more items are looked at than fit
      if (size <= maxBytes) for (const item of next) pending.push(item);
    } else if (typeof next === "object" && next !== null) {
      size += 2;
      for (const key in next) {
        size += textSize(key, maxBytes) + 2;
        if (size > maxBytes) return undefined;
        if (Object.hasOwn(next, key)) pending.push((next as Record<string, unknown>)[key]);
      }
    } else size += 4;
    if (size > maxBytes) return undefined;
  }
  return size;
}

/** A text that is too long by its length alone is not looked at. */
function textSize(text: string, maxBytes: number): number {
  return text.length > maxBytes ? text.length : utf8Length(text) + 2;
}

/** The same; also undefined if the value cannot be read. */
export function sizeWithin(value: unknown, maxBytes: number): number | undefined {
  try {
    return jsonSize(value, maxBytes);
  } catch {
    return undefined;
  }
}
