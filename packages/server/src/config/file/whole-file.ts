import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** One read of a file. */
export interface FileReading {
  /** Its content; absent if it cannot be read. */
  readonly text?: string;
  /** Why it cannot be read. */
  readonly fault?: string;
  /** Device, inode, size and times: another stamp is another save. */
  readonly stamp: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** Reads a file and its stamp. Never throws. */
export function readWholeFile(file: string): FileReading {
  let handle: number | undefined;
  try {
    // Non-blocking: opening a pipe would wait until somebody writes into it.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const before = stampOf(handle);
    if (!before.isFile) throw new Error(`${file} is not a regular file. Put the configuration into one.`);
    if (before.bytes > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes. A configuration is smaller.`);
    const text = readFileSync(handle, "utf8");
    const after = stampOf(handle);
    // Written to while it was read: no other read has this stamp.
    const stamp = before.stamp === after.stamp ? after.stamp : `${before.stamp} to ${after.stamp}`;
    return { text, stamp, changedAt: after.changedAt };
  } catch (error) {
    const fault = (error as Error).message;
    return { fault, stamp: fault, changedAt: Number.POSITIVE_INFINITY };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const maxBytes = 4_194_304;

interface Stamp {
  readonly stamp: string;
  readonly changedAt: number;
  readonly isFile: boolean;
  readonly bytes: number;
}

function stampOf(handle: number): Stamp {
  const found = fstatSync(handle, { bigint: true });
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(":");
  return { stamp, changedAt: Number(ctimeNs / 1_000_000n), isFile: found.isFile(), bytes: Number(size) };
}

/** Whether two reads found the same save: the same bytes with the same stamp. */
export function isSameReading(a: FileReading, b: FileReading): boolean {
  return a.stamp === b.stamp && a.text === b.text;
}
