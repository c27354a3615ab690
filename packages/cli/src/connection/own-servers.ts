import { randomBytes } from "node:crypto";
import path from "node:path";
import { findServer, findServersOf, isProofOf, type KnownServer, listServers } from "@toolrack/server/known-servers";
import { CommandError } from "../errors.ts";
import { sendTo } from "./send-to.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface OwnFolder {
  /** @default toolrack.config.yaml */
  readonly config?: string | undefined;
  readonly folder: string;
  readonly environment: Environment;
}

/** The address of the server that runs with this configuration file: one that answers and proves who it is. */
export async function findOwnServer({ config, folder, environment }: OwnFolder): Promise<string | undefined> {
  const announced = findServersOf(configFile({ config, folder }), environment);
  const [first, ...more] = await onlyProven(announced, environment);
  if (more.length === 0) return first;
  throw new CommandError("usage", `Several servers for this folder are running: ${[first, ...more].join(", ")}. Name one with --url.`);
}

/** The servers of this user on this machine that answer and prove who they are. */
export async function listProvenServers(environment: Environment): Promise<ReturnType<typeof listServers>> {
  const announced = listServers(environment);
  const proven = await onlyProven(
    announced.map(({ url }) => url),
    environment,
  );
  return announced.filter(({ url }) => proven.includes(url));
}

/** What is known of a server at an address, without its owner token unless it proves that it is that server. */
export async function findProvenServer(address: string, environment: Environment): Promise<KnownServer | undefined> {
  const known = findServer(address, environment);
  if (known === undefined || (await proves(address, known))) return known;
  return { ...known, ownerToken: undefined };
}

export function configFile({ config, folder }: Pick<OwnFolder, "config" | "folder">): string {
  return path.resolve(folder, config ?? "toolrack.config.yaml");
}

async function onlyProven(addresses: readonly string[], environment: Environment): Promise<readonly string[]> {
  const checked = await Promise.all(
    addresses.map(async (address) => {
      const known = findServer(address, environment);
      return known !== undefined && (await proves(address, known)) ? [address] : [];
    }),
  );
  return checked.flat();
}

/**
 * A server that was killed leaves its announcement behind, and its process id and its port may belong to other programs by now. They do not
 * know its secret, and are sent nothing but a random challenge.
 */
async function proves(address: string, known: KnownServer): Promise<boolean> {
  const { secret } = known;
  if (secret === undefined) return false;
  const challenge = randomBytes(24).toString("base64url");
  try {
    const send = await sendTo(address, undefined, known);
    const answered = await send({
      method: "GET",
      path: "/api/v1/sign-in/server",
      query: `challenge=${challenge}`,
      headers: { accept: "application/json" },
      body: undefined,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const { proof } = JSON.parse(await answered.text()) as { readonly proof?: unknown };
    return typeof proof === "string" && isProofOf(secret, challenge, proof);
  } catch {
    // Nothing answers there, or something else does.
    return false;
  }
}

/** A server may be busy; a program that accepts connections and never answers does not stop the command for longer. */
const answerWithinMs = 15_000;
