import type { Readable } from "node:stream";

/** Splits a stream of bytes into lines, each passed on when it is complete. A line longer than the limit ends the reading. */
export function readLines(input: Readable, maxBytes: number, on: { line(bytes: Uint8Array): void; end(tooLong: boolean): void }): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const end = (tooLong: boolean): void => {
    if (isOver) return;
    isOver = true;
    pieces = [];
    input.removeListener("data", take);
    on.end(tooLong);
  };
  function take(chunk: Buffer | string): void {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      pieces.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [];
      bytes = 0;
      if (line.length > maxBytes) return end(true);
      if (!isBlank(line)) on.line(line);
      if (isOver) return;
    }
    if (rest.length === 0) return;
    pieces.push(rest);
    bytes += rest.length;
    if (bytes > maxBytes) end(true);
  }
  input.on("data", take);
  input.once("end", () => end(false));
  input.once("close", () => end(false));
  input.once("error", () => end(false));
}

/** Only spaces, tabs and line ends. */
function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
