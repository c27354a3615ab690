import { filled } from "../lists.ts";
import type { Machine } from "../machine/machine.ts";

/** From this length on the host's own search may take the product of both lengths. */
const longText = 24;

/** Finds a text in another, in time that grows with the sum of their lengths. */
export interface TextSearch {
  /** The first place from an offset on, or -1. */
  first(text: string, from: number): number;
  /** The last place up to an offset, or -1. */
  last(text: string, until: number): number;
}

export function searchFor(m: Machine, wanted: string): TextSearch {
  if (wanted.length < longText)
    return {
      first(text, from) {
        const at = text.indexOf(wanted, from);
        m.charge(Math.max(0, (at === -1 ? text.length : at) - from) >> 5);
        return at;
      },
      last(text, until) {
        m.charge(text.length >> 5);
        return text.lastIndexOf(wanted, until);
      },
    };
  m.charge(wanted.length >> 4);
  m.allocate(8 * wanted.length);
  const borders = bordersOf(wanted);
  return {
    first: (text, from) => scan(m, text, wanted, borders, Math.max(0, from), false),
    last(text, until) {
      const end = Math.min(text.length, Math.max(0, until) + wanted.length);
      return scan(m, text.slice(0, end), wanted, borders, 0, true);
    },
  };
}

/** For each length of a beginning: the longest shorter beginning that it ends with. */
function bordersOf(wanted: string): number[] {
  const borders = filled<number>(wanted.length, 0);
  for (let at = 1, length = 0; at < wanted.length; at++) {
    while (length > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(length)) length = borders[length - 1] as number;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}

function scan(m: Machine, text: string, wanted: string, borders: readonly number[], from: number, toEnd: boolean): number {
  let found = -1;
  let at = from;
  for (let length = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && code !== wanted.charCodeAt(length)) length = borders[length - 1] as number;
    if (code === wanted.charCodeAt(length)) length++;
    if (length < wanted.length) continue;
    found = at - wanted.length + 1;
    if (!toEnd) break;
    length = borders[length - 1] as number;
  }
  m.charge((at - from) >> 4);
  return found;
}
