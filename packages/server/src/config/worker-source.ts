import type { JsonSchema } from "@toolrack/json-schema";
import { isReference } from "./checks/credentials.ts";

/** Tools whose handlers run on workers, which a NATS broker connects with this server, or which connect to it themselves. */
export interface WorkerSourceConfig {
  /** The broker, or several of one cluster: "nats://broker.internal:4222". "server": workers connect to this server by WebSocket. */
  readonly connect: string | readonly string[];
  /** The pool of the workers. @default the id of the source */
  readonly pool?: string;
  /** The public keys of the workers, as `toolrack worker` prints them: "ed25519:…". */
  readonly keys: readonly string[];
  /** A file with the credentials for the broker, as `nsc` writes it; from the folder of the configuration. */
  readonly credentials?: string;
  /** After so long without a message a worker counts as lost, and tools that only it had as unavailable. @default 4000 */
  readonly lostAfterMs?: number;
  readonly user?: string;
  /** `secret:<name>`. */
  readonly password?: string;
  /** Credentials of the broker's system account. With them a lost worker is noticed at once, without after four seconds. */
  readonly system?: { readonly credentials?: string; readonly user?: string; readonly password?: string };
}

const text = { type: "string", minLength: 1 } as const;
const broker = { ...text, pattern: "^(nats|tls)://" } as const;
const signIn = {
  credentials: { ...text, description: "A file with a JWT and a seed, as nsc writes it; from the folder of the configuration." },
  user: text,
  password: { ...text, description: '"secret:<name>"' },
} as const;

export const workerSourceSchema: JsonSchema = {
  type: "object",
  properties: {
    connect: {
      anyOf: [{ const: "server" }, broker, { type: "array", items: broker, minItems: 1 }],
      description:
        'The NATS broker, or several of one cluster: "nats://broker.internal:4222". "server": workers connect to this server by WebSocket, each with an API key.',
    },
    pool: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$", description: "The pool of the workers. Default: the id of the source." },
    keys: {
      type: "array",
      items: { type: "string", pattern: "^ed25519:[A-Za-z0-9_-]{43}$" },
      minItems: 1,
      description: "The public keys of the workers, as toolrack worker prints them.",
    },
    lostAfterMs: {
      type: "integer",
      minimum: 1_500,
      maximum: 600_000,
      description: "After so long without a message a worker counts as lost. Workers send one every second. Default: 4000.",
    },
    ...signIn,
    system: {
      type: "object",
      properties: signIn,
      additionalProperties: false,
      description: "Credentials of the broker's system account. With them a lost worker is noticed at once, without after four seconds.",
    },
  },
  required: ["connect", "keys"],
  additionalProperties: false,
};

/** A mistake that the schema cannot explain. */
export function findWorkerFault(id: string, config: WorkerSourceConfig): string | undefined {
  const { connect, password, system } = config;
  const place = `sources.${id}.workers`;
  if (connect === "server") {
    const foreign = (["credentials", "user", "password", "system"] as const).filter((key) => config[key] !== undefined);
    if (foreign.length === 0) return undefined;
    return `${place}.connect is "server"; ${foreign.join(", ")} belong to a broker. Workers sign in with API keys of this server.`;
  }
  for (const url of typeof connect === "string" ? [connect] : connect) {
    if (!URL.canParse(url)) return `${place}.connect is no address of a broker. Write nats://host:4222.`;
    if (/\/\/[^/]*@/.test(url))
      return `${place}.connect holds credentials. Write them as user and password, the password as "secret:<name>".`;
  }
  for (const [at, value] of [["password", password] as const, ["system.password", system?.password] as const])
    if (value !== undefined && !isReference(value))
      return `${place}.${at} holds a password. Set it with toolrack secrets set <name>, and write "secret:<name>" here.`;
  return undefined;
}
