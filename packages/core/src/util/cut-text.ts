import { fitsBytes } from "./fits-bytes.ts";

/** What a cut leaves: at most `maxBytes` in UTF-8, and how many characters (UTF-16 units) are missing. */
export interface CutText {
  readonly text: string;
  readonly leftOut: number;
}

/** Undefined where the text fits. A longer one keeps its head and its tail around a note; no character is cut in two. */
export function cutText(text: string, maxBytes: number): CutText | undefined {
  if (fitsBytes(text, maxBytes)) return undefined;
  const room = maxBytes - noteBytes;
  if (room < noteBytes) return withoutNote(text, maxBytes);
  const head = headLength(text, Math.ceil((room * 2) / 3));
  const tail = tailLength(text, Math.floor(room / 3));
  const leftOut = text.length - head - tail;
  return {
    text: `${text.slice(0, head)}\n[… ${leftOut} of ${text.length} characters left out …]\n${text.slice(text.length - tail)}`,
    leftOut,
  };
}

/** The longest note: two lengths of ten digits, two ellipses of three bytes. */
const noteBytes = 64;

/** If there is no room for a note, only the beginning is returned. */
function withoutNote(text: string, maxBytes: number): CutText {
  const head = headLength(text, maxBytes);
  return { text: text.slice(0, head), leftOut: text.length - head };
}

function headLength(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    bytes += bytesOf(point);
    if (bytes > maxBytes) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function tailLength(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = text.length;
  while (at > 0) {
    const width = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
    bytes += width === 2 ? 4 : bytesOf(text.charCodeAt(at - 1));
    if (bytes > maxBytes) break;
    at -= width;
  }
  return text.length - at;
}

function bytesOf(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
