/** The latest text of a stream, bounded, with the positions of its characters in the complete stream. */
export interface TextLog {
  append(bytes: Uint8Array): void;
  /** No more bytes: a character that was cut off is shown as such. */
  end(): void;
  /** How many characters there have been. */
  readonly length: number;
  /** The position of the first character that is still stored. */
  readonly start: number;
  /** The stored characters from one position up to another. */
  slice(from: number, to?: number): string;
}

export function createTextLog(maxChars: number): TextLog {
  const decoder = new TextDecoder("utf-8");
  let chunks: string[] = [];
  let [length, start] = [0, 0];
  const add = (text: string): void => {
    if (text === "") return;
    chunks.push(text);
    length += text.length;
    while (length - start - chunks[0]!.length >= maxChars) start += chunks.shift()!.length;
  };
  return {
    append: (bytes) => add(decoder.decode(bytes, { stream: true })),
    end: () => add(decoder.decode()),
    get length() {
      return length;
    },
    get start() {
      return start;
    },
    slice(from, to = length) {
      if (chunks.length > 1) chunks = [chunks.join("")];
      const [first, last] = [Math.max(from, start) - start, Math.max(to, start) - start];
      return (chunks[0] ?? "").slice(first, last);
    },
  };
}

/** The beginning and the end of a log that is longer than `maxChars`; most of it is the end, where errors are. */
export function showLog(
  log: TextLog,
  maxChars: number,
  rest: (from: number) => string,
): { readonly text: string; readonly isCut: boolean } {
  if (log.length <= maxChars && log.start === 0) return { text: log.slice(0), isCut: false };
  const head = log.slice(0, Math.floor(maxChars / 4));
  const tailFrom = Math.max(log.start, log.length - Math.ceil((maxChars * 3) / 4));
  const left = tailFrom - head.length;
  return { text: `${head}\n[… ${left} characters left out${rest(head.length)} …]\n${log.slice(tailFrom)}`, isCut: true };
}
