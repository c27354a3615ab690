// Which servers of this user listen on this machine, and where the token of each one's owner is: so that the command line finds it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Announcement {
  /** "http://127.0.0.1:7333" */
  readonly url: string;
  /** The file that holds the token of the owner; where there is none, the token itself. */
  readonly tokenFile?: string;
  readonly token?: string;
}

/** Writes where a server listens into the user's state folder, readable by this user alone. The function takes it back. */
export function announceServer(announcement: Announcement, environment: Environment): () => void {
  const file = fileOf(announcement.url, environment);
  if (file === undefined) return () => {};
  const text = JSON.stringify({ ...announcement, pid: process.pid });
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch {
    // A server without a home still serves; its owner then signs in with a key.
    return () => {};
  }
  return () => {
    try {
      // Another server may have taken the address since.
      if (readFileSync(file, "utf8") === text) rmSync(file);
    } catch {
      // It is gone already.
    }
  };
}

/** The owner's token for a server of this user on this machine; undefined for every other address, and for a server that has ended. */
export function findOwnerToken(url: string, environment: Environment): string | undefined {
  const file = fileOf(url, environment);
  if (file === undefined) return undefined;
  try {
    const { pid, tokenFile, token, ...found } = JSON.parse(readFileSync(file, "utf8")) as Announcement & { readonly pid: number };
    // Where the server has ended, whoever listens there now must not be given the token.
    if (found.url !== new URL(url).origin || !isRunning(pid)) return undefined;
    return tokenFile === undefined ? token : readFileSync(tokenFile, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** "http://127.0.0.1:7333" → "~/.local/state/toolrack/servers/127.0.0.1-7333.json"; undefined for what is not on this machine. */
function fileOf(url: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const state = stateFolder(environment);
  if (state === undefined || protocol !== "http:" || !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return path.join(state, "servers", `${hostname.replace(/[[\]:]/g, "_")}-${port || "80"}.json`);
}

function stateFolder({ XDG_STATE_HOME, HOME, LOCALAPPDATA }: Environment): string | undefined {
  if (XDG_STATE_HOME) return path.join(XDG_STATE_HOME, "toolrack");
  if (HOME) return path.join(HOME, ".local", "state", "toolrack");
  return LOCALAPPDATA ? path.join(LOCALAPPDATA, "toolrack") : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // One of somebody else's runs too, and is not the server that wrote this.
    return false;
  }
}
