import { CommandError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { overFetch } from "./over-fetch.ts";

export interface ConnectOptions {
  /** A running server. @default TOOLRACK_URL, else the store that the configuration names */
  readonly url?: string;
  /** @default toolrack.config.yaml, where there is one */
  readonly config?: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the sources of a local rack are started, and waited for. */
  readonly usesTools: boolean;
}

/** To the server that was named, else to a Toolrack opened in this process. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { environment } = options;
  const url = options.url ?? environment["TOOLRACK_URL"];
  if (url === undefined) return openLocal(options);
  const address = readUrl(url);
  const key = environment["TOOLRACK_KEY"];
  return overFetch({ where: address, url: address, fetch: (request) => fetch(request), ...(key !== undefined && { key }) });
}

function readUrl(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address.href.replace(/\/$/, "");
  throw new CommandError("usage", `"${url}" is not the address of a server. Write it like http://127.0.0.1:7333.`);
}

async function openLocal({ config, folder, usesTools }: ConnectOptions): Promise<Connection> {
  // Loaded only here: a command that talks to a server starts without all of it.
  const { createApp, openRack, ownerOf } = await import("@toolrack/server");
  const rack = await openRack({ folder, startSources: usesTools, ...(config !== undefined && { config }) });
  if (usesTools) await rack.sources.ready();
  const app = createApp(rack, { identity: ownerOf(rack) });
  return overFetch({
    where: "the local store",
    url: "http://127.0.0.1",
    fetch: (request) => app.fetch(request, { remoteAddress: "127.0.0.1" }),
    async close() {
      app.close();
      await rack.close();
    },
  });
}
