import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import path from "node:path";
import { ServerError } from "../../errors.ts";

/** Listens on a Unix socket. A stale socket is removed; a socket in use, or another file, never. */
export async function listenOnSocket(server: Server, file: string, mode: string): Promise<void> {
  if (Buffer.byteLength(file) > maxPathBytes)
    throw unavailable(
      file,
      `a socket's path may have ${maxPathBytes} bytes, and this one has ${Buffer.byteLength(file)}. Use a shorter one`,
    );
  const bits = Number.parseInt(mode, 8);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    await removeStale(file);
    await listen(server, file, bits);
    chmodSync(file, bits);
  } catch (error) {
    if (ServerError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unavailable(file, code === "EADDRINUSE" ? "another program listens there" : message, error);
  }
}

/** The limit of all systems; Linux allows four more. */
const maxPathBytes = 103;

/** The file is created with its final mode: no other user can connect before. */
function listen(server: Server, file: string, bits: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const before = limitModes(~bits & 0o777);
    try {
      // A path is bound before `listen` returns.
      server.listen(file, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      if (before !== undefined) process.umask(before);
    }
  });
}

/** Undefined in a worker thread, which cannot set it: there the mode is changed right after. */
function limitModes(mask: number): number | undefined {
  try {
    return process.umask(mask);
  } catch {
    return undefined;
  }
}

async function removeStale(file: string): Promise<void> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw unavailable(file, "there is a file that is no socket. Choose another path, or remove it");
  if (await isListenedOn(file)) throw unavailable(file, "another program listens there. Stop it, or choose another path");
  // Another server may have started meanwhile: the removed socket is checked again, and restored.
  const aside = `${file.slice(0, maxPathBytes - 9)}.${randomBytes(4).toString("hex")}`;
  renameSync(file, aside);
  if (await isListenedOn(aside)) {
    renameSync(aside, file);
    throw unavailable(file, "another program listens there. Stop it, or choose another path");
  }
  rmSync(aside, { force: true });
}

/** Rejects if that cannot be determined. */
function isListenedOn(file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(file);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNREFUSED" ? resolve(false) : reject(error)));
  });
}

function unavailable(file: string, fact: string, cause?: unknown): ServerError {
  return new ServerError("ADDRESS_UNAVAILABLE", `Cannot listen on the socket ${file}: ${fact}.`, { cause });
}
