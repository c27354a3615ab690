import { stripVTControlCharacters } from "node:util";
import type { HandlerReturn } from "@toolrack/core";

/** What a program prints, up to a limit. */
export interface ProcessOutput {
  readonly maxBytes: number;
  take(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** Called once it has printed more than the limit. */
  onTooMuch(listener: () => void): void;
  /** JSON as the value that it is, anything else as text. */
  result(): HandlerReturn;
  /** The end of what it printed as errors. */
  errors(): string;
}

const maxBytes = 1_048_576;
const maxErrorBytes = 500;

export function collectOutput(): ProcessOutput {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let errors = Buffer.alloc(0);
  let tell: (() => void) | undefined;
  return {
    maxBytes,
    take(stream, piece) {
      if (stream === "stderr") {
        errors = Buffer.concat([errors, piece]).subarray(-maxErrorBytes);
        return;
      }
      bytes += piece.length;
      if (bytes > maxBytes) tell?.();
      else pieces.push(piece);
    },
    onTooMuch(listener) {
      tell = listener;
      if (bytes > maxBytes) listener();
    },
    result() {
      const text = Buffer.concat(pieces).toString("utf8").replace(/\n$/, "");
      try {
        return JSON.parse(text) as HandlerReturn;
      } catch {
        return text;
      }
    },
    // Controls and marks that turn the direction of a text would be obeyed by terminals that show the sentence.
    errors: () =>
      stripVTControlCharacters(errors.toString("utf8"))
        .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
        .trim(),
  };
}
