// The servers of this user on this machine, and where their owner tokens are, for the command line.

import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Announcement {
  /** "http://127.0.0.1:7333", or "unix:/run/toolrack.sock" */
  readonly url: string;
  /** The certificate, for HTTPS. */
  readonly certificateFile?: string;
  /** The file of the owner token; without one, the token itself. */
  readonly tokenFile?: string;
  readonly token?: string;
  /** Random text of this process, with which it proves that it wrote this: see `proofOf`. */
  readonly secret?: string;
  /** Its configuration file; without one, the path where it would be. */
  readonly config?: string;
}

interface Announced extends Announcement {
  readonly pid: number;
}

/** Writes the address of a server into the user's state folder, readable by this user only. Returns a function that removes it. */
export function announceServer(announcement: Announcement, environment: Environment): () => void {
  const file = fileOf(announcement.url, environment);
  if (file === undefined) return () => {};
  const { config } = announcement;
  const text = JSON.stringify({ ...announcement, ...(config !== undefined && { config: realPath(config) }), pid: process.pid });
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch {
    // A server without a home folder still works; its owner signs in with a key.
    return () => {};
  }
  return () => {
    try {
      // Another server may use the address by now.
      if (readFileSync(file, "utf8") === text) rmSync(file);
    } catch {
      // It was removed already.
    }
  };
}

/** A running server of this user on this machine; undefined for every other address. */
export function findServer(url: string, environment: Environment): KnownServer | undefined {
  const file = fileOf(url, environment);
  if (file === undefined) return undefined;
  try {
    const { pid, tokenFile, token, secret, certificateFile, ...found } = JSON.parse(readFileSync(file, "utf8")) as Announced;
    // If the server has ended, another program that listens there must not get the token.
    if (found.url !== originOf(url) || !isRunning(pid)) return undefined;
    return {
      ownerToken: tokenFile === undefined ? token : readFileSync(tokenFile, "utf8").trim(),
      ...(certificateFile !== undefined && { certificateFile }),
      ...(secret !== undefined && { secret }),
    };
  } catch {
    return undefined;
  }
}

export interface KnownServer {
  readonly ownerToken: string | undefined;
  readonly certificateFile?: string;
  readonly secret?: string;
}

/** What only the process that announced itself can answer to a challenge. The secret is never sent. */
export function proofOf(secret: string, challenge: string): string {
  return createHmac("sha256", secret).update(`server proof: ${challenge}`).digest("base64url");
}

export function isProofOf(secret: string, challenge: string, proof: string): boolean {
  const [expected, given] = [Buffer.from(proofOf(secret, challenge)), Buffer.from(proof)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The URLs of the servers of this user on this machine that run with this configuration file. */
export function findServersOf(config: string, environment: Environment): readonly string[] {
  const wanted = realPath(config);
  return listServers(environment).flatMap(({ url, config: used }) => (used === wanted ? [url] : []));
}

/** The running servers of this user on this machine. */
export function listServers(environment: Environment): readonly Pick<Announcement, "url" | "config">[] {
  const folder = serversFolder(environment);
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name) => {
    try {
      const { url, config, pid } = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Announced;
      return isRunning(pid) ? [{ url, ...(config !== undefined && { config }) }] : [];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The real path of a file, also of a missing one, with links in its folder resolved. */
function realPath(file: string): string {
  const absolute = path.resolve(file);
  try {
    return path.join(realpathSync(path.dirname(absolute)), path.basename(absolute));
  } catch {
    return absolute;
  }
}

/** "http://127.0.0.1:7333" → "~/.local/state/toolrack/servers/127.0.0.1-7333.json"; undefined for what is not on this machine. */
function fileOf(url: string, environment: Environment): string | undefined {
  const { protocol, hostname, port, pathname } = new URL(url);
  const folder = serversFolder(environment);
  if (folder === undefined) return undefined;
  // Two paths may have the same name here; the content of the file tells them apart.
  if (protocol === "unix:") return path.join(folder, `unix${pathname.replace(/[^\w.-]/g, "_")}.json`);
  if (!/^https?:$/.test(protocol) || !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return path.join(folder, `${hostname.replace(/[[\]:]/g, "_")}-${port || (protocol === "https:" ? "443" : "80")}.json`);
}

/** The origin of a socket is its path. */
function originOf(url: string): string {
  return url.startsWith("unix:") ? url : new URL(url).origin;
}

function serversFolder({ XDG_STATE_HOME, HOME, LOCALAPPDATA }: Environment): string | undefined {
  if (XDG_STATE_HOME) return path.join(XDG_STATE_HOME, "toolrack", "servers");
  if (HOME) return path.join(HOME, ".local", "state", "toolrack", "servers");
  return LOCALAPPDATA ? path.join(LOCALAPPDATA, "toolrack", "servers") : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // A process of another user is not the server that wrote this.
    return false;
  }
}
