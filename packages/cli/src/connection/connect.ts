import path from "node:path";
import { findServer } from "@toolrack/server/known-servers";
import { CommandError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { givenKey } from "./given-key.ts";
import { keepsNothing } from "./keeps-nothing.ts";
import { overSending } from "./over-sending.ts";
import { configFile, findOwnServer, findProvenServer, listProvenServers } from "./own-servers.ts";
import { sendTo, unix } from "./send-to.ts";

export interface ConnectOptions {
  /** A running server: "http://127.0.0.1:7333", "unix:/run/toolrack.sock". @default TOOLRACK_URL, else the server or the store of this folder */
  readonly url?: string;
  /** @default toolrack.config.yaml, if it exists */
  readonly config?: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the sources of a local rack are started, and waited for. */
  readonly usesTools: boolean;
  /** Called with a sentence about what was chosen, where nothing was named and a server runs on this machine. */
  readonly onChosen?: (sentence: string) => void;
}

/** To the server that was named, else to the one that runs for this folder, else to a Toolrack opened in this process. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { environment, onChosen } = options;
  const named = options.url ?? environment["TOOLRACK_URL"];
  const url = named ?? (await findOwnServer(options));
  if (named === undefined && onChosen !== undefined) await tellChosen(url, options, onChosen);
  if (url === undefined) return openLocal(options);
  const address = readUrl(url, options.folder, options.url === undefined && named !== undefined ? "TOOLRACK_URL" : undefined);
  const given = givenKey(environment);
  // The server of this folder has proved who it is; one that was named must do so before it is sent the owner's token.
  const isKnown = named === undefined || given !== undefined;
  const known = isKnown ? findServer(address, environment) : await findProvenServer(address, environment);
  const key = given ?? known?.ownerToken;
  return overSending({ where: address, isServer: true, send: await sendTo(address, key, known) });
}

/** Which server or store is used, if that is not obvious: a server runs on this machine, and none was named. */
async function tellChosen(url: string | undefined, options: ConnectOptions, onChosen: (sentence: string) => void): Promise<void> {
  if (url !== undefined) return onChosen(`Using the server at ${url}, which runs with ${configFile(options)}. To use another one: --url`);
  const [other, ...more] = await listProvenServers(options.environment);
  if (other === undefined) return;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const where = other.config === undefined ? "" : ` with ${other.config}`;
  onChosen(
    `No server runs for this folder, so its own store is used. A server runs at ${other.url}${where}${others}; to use it: --url ${other.url}, or TOOLRACK_URL=${other.url}`,
  );
}

/** `variable` is the one that the address was read from, if it was. */
export function readUrl(url: string, folder: string, variable?: string): string {
  // "unix:run/toolrack.sock", and as some write it, "unix:///run/toolrack.sock".
  if (url.startsWith(unix) && url.length > unix.length)
    return `${unix}${path.resolve(folder, url.slice(unix.length).replace(/^\/\//, ""))}`;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address !== undefined && `${address.username}${address.password}` !== "")
    throw new CommandError(
      "usage",
      "The address of the server has a name or a password in it. Leave them out: the API key is read from TOOLRACK_KEY.",
    );
  if (address !== undefined && /^https?:$/.test(address.protocol) && !/[?#]/.test(url)) return address.href.replace(/\/$/, "");
  throw new CommandError(
    "usage",
    `"${url}"${variable === undefined ? "" : ` in ${variable}`} is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.`,
  );
}

async function openLocal({ config, folder, environment, usesTools }: ConnectOptions): Promise<Connection> {
  // Loaded only here: a command that talks to a server starts without all of it.
  const [{ createApp, openRack, ownerOf }, { sendToApp }] = await Promise.all([
    import("@toolrack/server/local"),
    import("./send-to-app.ts"),
  ]);
  const rack = await openRack({ folder, environment, startSources: usesTools, ...(config !== undefined && { config }) });
  if (usesTools) await rack.sources.ready();
  const app = createApp(rack, { identity: ownerOf(rack) });
  const { publicUrl, host = "127.0.0.1", port = 7333 } = rack.config.server ?? {};
  const local = overSending({
    where: "the local store",
    isServer: false,
    send: sendToApp(app, publicUrl ?? `http://${host}:${port}`),
    async close() {
      await app.close();
      await rack.close();
    },
  });
  return rack.config.store?.memory === true ? keepsNothing(local, path.relative(folder, configFile({ config, folder }))) : local;
}
