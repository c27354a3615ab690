import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

/** A file as it was found at one moment. */
export interface FileReading {
  /** What it holds; absent where it cannot be read. */
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
    handle = openSync(file, "r");
    const before = stampOf(handle);
    const text = readFileSync(handle, "utf8");
    const after = stampOf(handle);
    // Written to while it was read: no other reading has this stamp.
    const stamp = before.stamp === after.stamp ? after.stamp : `${before.stamp} to ${after.stamp}`;
    return { text, stamp, changedAt: after.changedAt };
  } catch (error) {
    const fault = (error as Error).message;
    return { fault, stamp: fault, changedAt: Number.POSITIVE_INFINITY };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function stampOf(handle: number): { readonly stamp: string; readonly changedAt: number } {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(handle, { bigint: true });
  return { stamp: [dev, ino, size, mtimeNs, ctimeNs].join(":"), changedAt: Number(ctimeNs / 1_000_000n) };
}

/** Whether two readings found the same save: the same bytes under the same stamp. */
export function isSameReading(a: FileReading, b: FileReading): boolean {
  return a.stamp === b.stamp && a.text === b.text;
}
