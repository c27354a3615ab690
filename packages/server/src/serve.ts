import { createServer, type Server } from "node:http";
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";
import { type App, type AppOptions, createApp } from "./app.ts";
import { ServerError } from "./errors.ts";
import { isLoopbackAddress } from "./http/guard.ts";
import { createRefusalLog } from "./http/refusal-log.ts";
import { createTokenCheck, type TokenOptions } from "./http/tokens.ts";
import type { Rack } from "./rack/rack.ts";
import { shutDown } from "./rack/shut-down.ts";

export interface ServeOptions extends Omit<AppOptions, "tokens" | "isExposed" | "consoleFolder" | "allowAddresses"> {
  /** An address of this machine, "localhost", or "0.0.0.0" for all. @default "127.0.0.1" */
  readonly host?: string;
  /** 0 takes any free one. @default 7333 */
  readonly port?: number;
  /** JSON Web Tokens that are accepted beside API keys. */
  readonly tokens?: TokenOptions;
  /** Where the built console is; false serves none. @default that of @toolrack/console, where it is built */
  readonly consoleFolder?: string | false;
}

/** A server that listens. */
export interface Served {
  readonly host: string;
  readonly port: number;
  /** "http://127.0.0.1:7333" */
  readonly url: string;
  /** Where clients reach it, where that was configured: "https://tools.example.com" */
  readonly publicUrl?: string;
  /** Whether everybody has to sign in now: callers without a key or a token are refused. */
  requiresSignIn(): boolean;
  /** A link that signs the owner in to the console: it works once, within ten minutes, in a browser on this machine. */
  signInLink(): string;
  /**
   * Takes no more requests, waits until those under way have ended or the grace period is over, cancels the rest, and closes the rack.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Listens on loopback, unless told otherwise; where others can reach it, only with a way to sign in. Prints nothing. */
export async function serve(rack: Rack, options: ServeOptions = {}): Promise<Served> {
  const { host = "127.0.0.1", port = 7333, tokens, consoleFolder = builtConsole, ...appOptions } = options;
  const isExposed = !isLoopbackName(host);
  if (isExposed && tokens === undefined && !rack.keys.exist()) throw needsSignIn(host);
  const check = tokens === undefined ? undefined : await createTokenCheck({ onRefused: createRefusalLog(rack.log), ...tokens });
  const app = createApp(rack, {
    ...appOptions,
    isExposed,
    allowAddresses: isWildcard(host),
    allowedHosts: [...(options.allowedHosts ?? []), isIP(host) === 6 ? `[${host}]` : host],
    ...(check !== undefined && { tokens: check }),
    ...(consoleFolder !== false && { consoleFolder }),
  });
  const underWay = { count: 0, onIdle: (): void => {} };
  const server = createHttpServer(app, underWay, options.limits?.bodyTimeoutMs ?? 15_000);
  try {
    await listen(server, host, port);
  } catch (error) {
    await app.close();
    await check?.close();
    throw cannotListen(host, port, error);
  }
  const address = server.address() as { readonly port: number };

  async function close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    app.drain();
    await idle(underWay, graceMs);
    await endCalls(rack);
    await app.close();
    await idle(underWay, 1_000);
    server.closeAllConnections();
    await closed;
    await check?.close();
    await rack.close({ graceMs: 0 });
  }

  let closing: Promise<void> | undefined;
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}:${address.port}`;
  return {
    host,
    port: address.port,
    url,
    ...(options.publicUrl !== undefined && { publicUrl: new URL(options.publicUrl).origin }),
    requiresSignIn: app.requiresSignIn,
    signInLink: () => `${isExposed ? `http://127.0.0.1:${address.port}` : url}/#sign-in=${app.makeSignInCode()}`,
    close: ({ graceMs = 10_000 } = {}) => (closing ??= close(graceMs)),
  };
}

/** Requests whose answers are not finished. */
interface UnderWay {
  count: number;
  onIdle: () => void;
}

function createHttpServer(app: App, underWay: UnderWay, bodyTimeoutMs: number): Server {
  const onClosed = (): void => {
    underWay.count -= 1;
    if (underWay.count === 0) underWay.onIdle();
  };
  return createServer(
    {
      headersTimeout: 30_000,
      requestTimeout: bodyTimeoutMs + 30_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => {
      underWay.count += 1;
      app.node(incoming, outgoing, onClosed);
    },
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Calls that are still under way are cut, and have a moment to be recorded and answered. */
async function endCalls({ running }: Rack): Promise<void> {
  const calls = running.list();
  for (const call of calls) call.cancel(shutDown());
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, 1_000)));
  await Promise.race([Promise.all(calls.map(({ result }) => result)), late]);
  clearTimeout(timer);
}

function idle(underWay: UnderWay, waitMs: number): Promise<void> {
  if (underWay.count === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    underWay.onIdle = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Where @toolrack/console is built to, beside this package. */
const builtConsole: string = fileURLToPath(new URL("../../console/dist", import.meta.url));

function isLoopbackName(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function needsSignIn(host: string): ServerError {
  return new ServerError(
    "SIGN_IN_NOT_CONFIGURED",
    `Others can reach a server on ${host}, and nobody would have to sign in. Create an API key first (toolrack keys create <agent>), set up tokens (signIn.jwt in the configuration), or listen on 127.0.0.1.`,
  );
}

function cannotListen(host: string, port: number, error: unknown): ServerError {
  const { code, message } = error as NodeJS.ErrnoException;
  const fact =
    code === "EADDRINUSE"
      ? "another program listens there. Stop it, or choose another port: toolrack serve --port <n>, or server.port in the configuration"
      : message;
  return new ServerError("ADDRESS_UNAVAILABLE", `Cannot listen on ${host}, port ${port}: ${fact}.`, { cause: error });
}
