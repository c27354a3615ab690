/** One line of a stream, or what is left of one that was too long. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Buffer }
  | { readonly kind: "too-long"; readonly bytes: number; readonly head: string; readonly tail: string };

/** Splits bytes into lines; of a line above the limit only its two ends are kept, so that memory stays bounded. */
export function createLineReader(maxBytes: number, onLine: (line: Line) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let head = "";
  let tail = "";

  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) {
      parts.push(part);
      return;
    }
    if (parts.length > 0) {
      head = Buffer.concat(parts).toString("utf8", 0, endBytes);
      parts = [];
    } else if (head === "") head = part.toString("utf8", 0, endBytes);
    tail = (tail + part.toString("latin1", Math.max(0, part.length - endBytes))).slice(-endBytes);
  };

  const end = (): void => {
    if (size > maxBytes) onLine({ kind: "too-long", bytes: size, head, tail });
    else if (size > 0) onLine({ kind: "line", bytes: Buffer.concat(parts) });
    parts = [];
    size = 0;
    head = tail = "";
  };

  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}

const newline = 0x0a;
const endBytes = 256;
