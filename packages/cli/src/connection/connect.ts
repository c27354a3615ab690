import path from "node:path";
import { findOwnerToken, findServersOf } from "@toolrack/server/known-servers";
import { CommandError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { overSending } from "./over-sending.ts";
import { sendByFetch } from "./send-by-fetch.ts";

export interface ConnectOptions {
  /** A running server. @default TOOLRACK_URL, else the store that the configuration names */
  readonly url?: string;
  /** @default toolrack.config.yaml, where there is one */
  readonly config?: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the sources of a local rack are started, and waited for. */
  readonly usesTools: boolean;
  /** Whether the server of this folder is asked where one runs on this machine. */
  readonly prefersServer: boolean;
}

/** To the server that was named, else to a Toolrack opened in this process. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { environment } = options;
  const url = options.url ?? environment["TOOLRACK_URL"] ?? (options.prefersServer ? findServer(options) : undefined);
  if (url === undefined) return openLocal(options);
  const address = readUrl(url);
  const key = environment["TOOLRACK_KEY"] ?? findOwnerToken(address, environment);
  return overSending({ where: address, isServer: true, send: sendByFetch(address, key) });
}

/** The server that runs with this configuration file. */
function findServer({ config, folder, environment }: ConnectOptions): string | undefined {
  const [first, ...more] = findServersOf(path.resolve(folder, config ?? "toolrack.config.yaml"), environment);
  if (more.length === 0) return first;
  throw new CommandError("usage", `Several servers of this folder run: ${[first, ...more].join(", ")}. Name one with --url.`);
}

function readUrl(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address.href.replace(/\/$/, "");
  throw new CommandError("usage", `"${url}" is not the address of a server. Write it like http://127.0.0.1:7333.`);
}

async function openLocal({ config, folder, usesTools }: ConnectOptions): Promise<Connection> {
  // Loaded only here: a command that talks to a server starts without all of it.
  const [{ createApp, openRack, ownerOf }, { sendToApp }] = await Promise.all([
    import("@toolrack/server/local"),
    import("./send-to-app.ts"),
  ]);
  const rack = await openRack({ folder, startSources: usesTools, ...(config !== undefined && { config }) });
  if (usesTools) await rack.sources.ready();
  const app = createApp(rack, { identity: ownerOf(rack) });
  return overSending({
    where: "the local store",
    isServer: false,
    send: sendToApp(app),
    async close() {
      await app.close();
      await rack.close();
    },
  });
}
