import { chmodSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { ToolError } from "@toolrack/core";

/** Creates a folder if it is missing, and makes it private (0700). Throws CONFIG_INVALID if its mode cannot be changed. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  tighten(folder, 0o700);
}

/** Creates a file if it is missing, private (0600) from the beginning. */
export function makePrivateFile(file: string): void {
  const handle = openSync(file, "a", 0o600);
  try {
    // The umask may have removed rights that the server itself needs.
    if (hasModes && fstatSync(handle).size === 0 && isOurs(fstatSync(handle).uid)) fchmodSync(handle, 0o600);
  } finally {
    closeSync(handle);
  }
  tightenFile(file);
}

/** The same for a file that may be missing. */
export function tightenFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) tighten(file, 0o600);
}

/** Windows has no modes: rights are inherited from the folder. */
const hasModes = process.platform !== "win32";

function tighten(location: string, mode: number): void {
  const found = statSync(location);
  if (!hasModes || (found.mode & 0o077) === 0) return;
  if (isOurs(found.uid)) return chmodSync(location, mode);
  const what = found.isDirectory() ? "folder" : "file";
  throw new ToolError(
    "CONFIG_INVALID",
    `The ${what} ${location} holds what only this server may read, but it belongs to another user and is open to others. As its owner run: chmod ${mode.toString(8)} ${location}. Or put the store into a folder of its own, with store.sqlite.`,
  );
}

function isOurs(uid: number): boolean {
  const own = process.geteuid?.();
  return own === uid || own === 0;
}
