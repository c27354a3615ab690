import { shellWord } from "@toolrack/core/internal/shell-word";
import { isAddress, type ServerEntry } from "../clients/client.ts";
import { readUrl } from "../connection/connect.ts";
import type { Connection } from "../connection/connection.ts";
import { givenKey } from "../connection/given-key.ts";
import { overSending } from "../connection/over-sending.ts";
import { findProvenServer } from "../connection/own-servers.ts";
import { sendTo } from "../connection/send-to.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { CommandInput } from "./command.ts";

export interface EntryKey {
  readonly id: string;
  readonly secret: string;
}

/** The whole key that an entry holds. */
export function keyIn(entry: ServerEntry): EntryKey | undefined {
  const text = isAddress(entry) ? entry.headers["Authorization"]?.replace(/^Bearer /, "") : entry.env?.["TOOLRACK_KEY"];
  const id = /^trk_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/.exec(text ?? "")?.[1];
  return id === undefined ? undefined : { id, secret: text! };
}

/** The server that an entry names: that of its address, or --url of its program. */
function serverIn(entry: ServerEntry): string | undefined {
  if (isAddress(entry)) return /^(.+)\/mcp$/.exec(entry.url)?.[1];
  const at = entry.args.indexOf("--url");
  return at < 0 ? undefined : entry.args[at + 1];
}

export interface Revocation {
  readonly isRevoked: boolean;
  /** How the command ends. */
  readonly reason: ExitReason;
}

/**
 * Revokes the key of an entry, at the server that the entry names. The file may be anybody's: the server has to accept the whole key first,
 * and only that server's owner, or whoever is signed in at the server that --url names, revokes it. Says why, if the key stays valid.
 */
export async function revokeKeyOf(input: CommandInput, entry: ServerEntry): Promise<Revocation> {
  const key = keyIn(entry);
  if (key === undefined) return { isRevoked: false, reason: "ok" };
  const server = serverIn(entry);
  try {
    if (server === undefined) throw new CommandError("failed", "The entry names no server.");
    const address = readUrl(server, input.folder);
    const known = await findProvenServer(address, input.environment);
    const connectAs = async (token: string): Promise<Connection> =>
      overSending({ where: address, isServer: true, send: await sendTo(address, token, known) });
    if (!(await isAccepted(await connectAs(key.secret)))) {
      input.terminal.warn(`The key ${key.id} was left alone: ${safe(address)} does not accept the key of the entry (any more).`);
      return { isRevoked: false, reason: "ok" };
    }
    const token = ownToken(input, address) ?? known?.ownerToken;
    if (token === undefined) throw new CommandError("refused", `${address} is not a server that you started on this machine.`);
    await (await connectAs(token)).ask("DELETE /keys/{id}", { params: { id: key.id } });
    return { isRevoked: true, reason: "ok" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const program = server === undefined ? "toolrack" : `toolrack --url ${shellWord(safe(server))}`;
    input.terminal.warn(`The key ${key.id} was not revoked, and may still be valid. ${safe(error.message)}`);
    input.terminal.warn(`Revoke it as an admin of that server with: ${program} keys revoke ${shellWord(key.id)}`);
    return { isRevoked: false, reason: "failed" };
  }
}

async function isAccepted(connection: Connection): Promise<boolean> {
  try {
    return (await connection.ask("GET /sign-in")).via === "key";
  } catch (error) {
    if (error instanceof CommandError && error.reason === "refused") return false;
    throw error;
  }
}

/** A key of the environment is for the server that the person named, and goes to no other. */
function ownToken({ url, folder, environment }: CommandInput, address: string): string | undefined {
  const named = url ?? environment["TOOLRACK_URL"];
  return named !== undefined && readUrl(named, folder) === address ? givenKey(environment) : undefined;
}
