import { createEventReader } from "@toolrack/core/internal/sse";

/** How a reply comes: as server-sent events, or as lines of JSON. */
export type StreamFormat = "events" | "lines";

/** Takes the text of a stream piece by piece, cut anywhere, and returns the texts of the events that each piece completes. */
export interface StreamReader {
  read(piece: string): readonly string[];
  /** What the stream ended with, though nothing ended it. */
  rest(): string;
}

export function createStreamReader(format: StreamFormat): StreamReader {
  return format === "events" ? eventReader() : lineReader();
}

function eventReader(): StreamReader {
  const read = createEventReader();
  // An event that no empty line ends is not an event: it may be cut off.
  return { read: (piece) => read(piece).map(({ data }) => data), rest: () => "" };
}

function lineReader(): StreamReader {
  let begun = "";
  return {
    read(piece) {
      begun += piece;
      if (!piece.includes("\n")) return [];
      const lines = begun.split("\n");
      begun = lines.pop()!;
      return lines.filter((line) => line.trim() !== "");
    },
    rest: () => begun.trim(),
  };
}
