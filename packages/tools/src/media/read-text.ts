import type { ProcessOperations } from "../operations/processes.ts";
import { runFilter } from "./_run-filter.ts";

/** The text in an image, by the program tesseract. */
export async function readText(processes: ProcessOperations, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const read = await runFilter(processes, {
    program: "tesseract",
    args: ["-", "-", "-l", "eng"],
    input: bytes,
    maxBytes: 1_048_576,
    timeoutMs: 30_000,
    signal,
  });
  return new TextDecoder().decode(read).trim();
}

/** The formats that the program can read. */
export const readableFormats: ReadonlySet<string> = new Set(["png", "jpg", "gif", "webp", "bmp", "tiff", "pnm"]);
