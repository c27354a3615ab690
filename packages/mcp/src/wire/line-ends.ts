/**
 * Rewrites the bytes of an event stream, chunk by chunk, so that every line ends with "\n" and no byte order mark comes first. A client takes
 * "\r\n" and "\r" for the same; after this, every reader finds the end of an event where the client finds it.
 */
export function createLineEnds(): (chunk: Uint8Array) => Uint8Array {
  /** How many bytes of a byte order mark have come; undefined once it is known whether there is one. */
  let marked: number | undefined = 0;
  let endedWithReturn = false;

  /** Without the mark, which may come in pieces. */
  function withoutMark(chunk: Uint8Array, seen: number): Uint8Array {
    let at = 0;
    while (at < chunk.length && seen + at < mark.length && chunk[at] === mark[seen + at]) at++;
    if (seen + at < mark.length && at === chunk.length) {
      marked = seen + at;
      return empty;
    }
    marked = undefined;
    return seen + at === mark.length ? chunk.subarray(at) : Buffer.concat([mark.subarray(0, seen), chunk]);
  }

  return (chunk) => {
    const bytes = marked === undefined ? chunk : withoutMark(chunk, marked);
    if (!endedWithReturn && !bytes.includes(carriageReturn)) return bytes;
    const lines = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (byte !== lineFeed || !endedWithReturn) lines[length++] = byte === carriageReturn ? lineFeed : byte;
      endedWithReturn = byte === carriageReturn;
    }
    return lines.subarray(0, length);
  };
}

const mark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);
const empty: Uint8Array = new Uint8Array();
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
