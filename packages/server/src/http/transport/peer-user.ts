import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/**
 * Whether the program at the other end of a loopback connection runs as the user of this process, or as root, as the kernel tells on Linux.
 * Undefined where that is not known. A reverse proxy usually has a user of its own, and whoever sends requests through it is not on this machine.
 */
export async function isOfOwnUser({ localPort, remotePort }: Pick<Socket, "localPort" | "remotePort">): Promise<boolean | undefined> {
  if (process.platform !== "linux" || localPort === undefined || remotePort === undefined) return undefined;
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFile(file, "utf8").catch(() => "")));
  return isOwn(tables.flatMap(readConnections), { localPort, remotePort }, process.geteuid!());
}

/** One line of /proc/net/tcp: of each loopback connection, both ends are there. */
export interface ConnectionEnd {
  readonly localPort: number;
  readonly remotePort: number;
  readonly user: number;
  /** Whether a process holds it; of one that nobody holds, the user is not known. */
  readonly isHeld: boolean;
}

export function readConnections(table: string): readonly ConnectionEnd[] {
  return table
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, local = "", remote = "", , , , , user, , inode] = line.trim().split(/\s+/);
      if (inode === undefined) return [];
      return [{ localPort: portOf(local), remotePort: portOf(remote), user: Number(user), isHeld: inode !== "0" }];
    });
}

/** Where addresses differ and ports do not, several lines may be meant: then all of them count. */
export function isOwn(
  connections: readonly ConnectionEnd[],
  { localPort, remotePort }: { readonly localPort: number; readonly remotePort: number },
  ownUser: number,
): boolean | undefined {
  const ends = (from: number, to: number): readonly ConnectionEnd[] =>
    connections.filter((one) => one.localPort === from && one.remotePort === to && one.isHeld);
  // Where not even this end is told, the kernel keeps to itself what it knows.
  if (ends(localPort, remotePort).length === 0) return undefined;
  const others = ends(remotePort, localPort);
  return others.length > 0 && others.every(({ user }) => user === ownUser || user === 0);
}

/** "0100007F:1CA5" → 7333 */
function portOf(address: string): number {
  return Number.parseInt(address.slice(address.indexOf(":") + 1), 16);
}
