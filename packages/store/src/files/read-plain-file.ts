import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { StoreError } from "../errors.ts";

/** The bytes of an ordinary file of at most `maxBytes`. No link is followed, and opening a pipe does not block. */
export async function readPlainFile(path: string, maxBytes: number, label: string): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | neverFollow).catch((error: NodeJS.ErrnoException) => {
    throw new StoreError(
      "RECORD_INVALID",
      error.code === "ELOOP"
        ? `${label} is a link, and links are not followed.`
        : `${label} cannot be read: ${error.code ?? error.message}.`,
    );
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new StoreError("RECORD_INVALID", `${label} is not an ordinary file.`);
    if (found.size > maxBytes)
      throw new StoreError("RECORD_TOO_LARGE", `${label} has ${found.size} bytes, and at most ${maxBytes} are read. Split it.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Windows has neither. */
const neverFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
