import path from "node:path";
import { findServer, findServersOf, type KnownServer, listServers } from "@toolrack/server/known-servers";
import { CommandError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { overSending } from "./over-sending.ts";
import { sendByFetch } from "./send-by-fetch.ts";
import type { Send } from "./send.ts";

export interface ConnectOptions {
  /** A running server: "http://127.0.0.1:7333", "unix:/run/toolrack.sock". @default TOOLRACK_URL, else the store that the configuration names */
  readonly url?: string;
  /** @default toolrack.config.yaml, if it exists */
  readonly config?: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the sources of a local rack are started, and waited for. */
  readonly usesTools: boolean;
  /** Whether the server of this folder is asked where one runs on this machine. */
  readonly prefersServer: boolean;
  /** Called with a sentence about what was chosen, where nothing was named and a server runs on this machine. */
  readonly onChosen?: (sentence: string) => void;
}

/** To the server that was named, else to a Toolrack opened in this process. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { environment } = options;
  const named = options.url ?? environment["TOOLRACK_URL"];
  const url = named ?? (options.prefersServer ? findOwnServer(options) : undefined);
  if (named === undefined && options.onChosen !== undefined) tellChosen(url, options);
  if (url === undefined) return openLocal(options);
  const address = readUrl(url, options.folder);
  const known = findServer(address, environment);
  const key = environment["TOOLRACK_KEY"] ?? known?.ownerToken;
  return overSending({ where: address, isServer: true, send: await sendTo(address, key, known) });
}

export async function sendTo(address: string, key: string | undefined, known: KnownServer | undefined): Promise<Send> {
  const isSocket = address.startsWith(unix);
  if (!isSocket && known?.certificateFile === undefined) return sendByFetch(address, key);
  const { sendOverSocket, sendWithCertificate } = await import("./send-by-node.ts");
  return isSocket ? sendOverSocket(address.slice(unix.length), key) : sendWithCertificate(address, known!.certificateFile!, key);
}

const unix = "unix:";

/** The server that runs with this configuration file. */
export function findOwnServer({
  config,
  folder,
  environment,
}: Pick<ConnectOptions, "config" | "folder" | "environment">): string | undefined {
  const [first, ...more] = findServersOf(path.resolve(folder, config ?? defaultFile), environment);
  if (more.length === 0) return first;
  throw new CommandError("usage", `Several servers for this folder are running: ${[first, ...more].join(", ")}. Name one with --url.`);
}

/** Which server or store is used, if that is not obvious: a server runs on this machine, and none was named. */
function tellChosen(url: string | undefined, { config, folder, environment, onChosen }: ConnectOptions): void {
  const file = path.resolve(folder, config ?? defaultFile);
  if (url !== undefined) return onChosen!(`Using the server at ${url}, which runs with ${file}. To use another one: --url`);
  const [own] = findServersOf(file, environment);
  if (own !== undefined) return onChosen!(`Reading the store of this folder. Its server runs at ${own}; to ask it instead: --url ${own}`);
  const [other, ...more] = listServers(environment);
  if (other === undefined) return;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const where = other.config === undefined ? "" : ` with ${other.config}`;
  onChosen!(
    `No server runs for this folder, so its own store is used. A server runs at ${other.url}${where}${others}; to use it: --url ${other.url}, or TOOLRACK_URL=${other.url}`,
  );
}

const defaultFile = "toolrack.config.yaml";

export function readUrl(url: string, folder: string): string {
  // "unix:run/toolrack.sock", and as some write it, "unix:///run/toolrack.sock".
  if (url.startsWith(unix) && url.length > unix.length)
    return `${unix}${path.resolve(folder, url.slice(unix.length).replace(/^\/\//, ""))}`;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address.href.replace(/\/$/, "");
  throw new CommandError(
    "usage",
    `"${url}" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.`,
  );
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
  const { publicUrl, host = "127.0.0.1", port = 7333 } = rack.config.server ?? {};
  return overSending({
    where: "the local store",
    isServer: false,
    send: sendToApp(app, publicUrl ?? `http://${host}:${port}`),
    async close() {
      await app.close();
      await rack.close();
    },
  });
}
