/**
 * The same text in memory of its own. A part of a text keeps the whole alive in the host, and one that was put together its pieces; what a
 * program holds could not be counted.
 */
export function ownText(text: string): string {
  return text.length < shortest ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** The host copies shorter ones itself. */
const shortest = 13;
