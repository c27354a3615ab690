import type { Server } from "node:http";
import { createRequire } from "node:module";
import { isIP } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLoopbackAddress } from "@toolrack/core/internal";
import { type AppOptions, createApp } from "./app.ts";
import { ServerError } from "./errors.ts";
import { type Certificate, type CertificateFiles, openCertificate } from "./http/transport/certificate.ts";
import { unixSocket } from "./http/transport/exchange.ts";
import { createHttpServer, defaultTimeouts, type HttpTimeouts } from "./http/transport/http-server.ts";
import { createRefusalLog } from "./http/limits/refusal-log.ts";
import { listenOnSocket } from "./http/transport/socket-file.ts";
import { createTokenCheck, type TokenCheck, type TokenOptions } from "./http/sign-in/tokens.ts";
import type { Rack } from "./rack/rack.ts";
import { shutDown } from "./rack/calls/shut-down.ts";

export interface ServeOptions extends Omit<AppOptions, "tokens" | "isExposed" | "consoleFolder" | "allowAddresses"> {
  /** An address of this machine, "localhost", or "0.0.0.0" for all. @default "127.0.0.1" */
  readonly host?: string;
  /** 0 selects a free one. @default 7333 */
  readonly port?: number;
  /** The path of a Unix socket to listen on, instead of an address and a port. */
  readonly socket?: string;
  /** Who may connect to the socket. @default "0600" */
  readonly socketMode?: string;
  /** Serves HTTPS with this certificate, which is read again when its files change. @default HTTP */
  readonly tls?: CertificateFiles;
  /** JSON Web Tokens that are accepted beside API keys. */
  readonly tokens?: TokenOptions;
  /** How long calls may go on when it stops. @default 10_000 */
  readonly graceMs?: number;
  /** How long it goes on accepting requests when it stops, while it says that it is not ready: so that balancers notice. @default 0 */
  readonly drainDelayMs?: number;
  /** How long clients may take to send their headers and their whole request, and how long an idle connection stays open. */
  readonly timeouts?: Partial<HttpTimeouts>;
  /** Where the built console is; false serves none. @default that of @toolrack/console, where it is built */
  readonly consoleFolder?: string | false;
}

/** A server that listens. */
export interface Served {
  /** "" where it listens on a socket. */
  readonly host: string;
  /** 0 where it listens on a socket. */
  readonly port: number;
  /** The path of the Unix socket, if it listens on one. */
  readonly socket?: string;
  /** "http://127.0.0.1:7333", or "unix:/run/toolrack.sock" */
  readonly url: string;
  /** The address that clients use, if it is configured: "https://tools.example.com" */
  readonly publicUrl?: string;
  /** Whether every caller has to sign in now: requests without a key or a token are refused. */
  requiresSignIn(): boolean;
  /**
   * A link that signs the owner in to the console: it works once, within ten minutes, in a browser on this machine. No browser opens a
   * Unix socket: there it is only the path.
   */
  signInLink(): string;
  /**
   * Reports "not ready" for `drainDelayMs`, then refuses new requests, waits until running ones have ended or the grace period is over,
   * cancels the rest, and closes the rack.
   */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** @default the option that the server was started with */
  readonly graceMs?: number;
  /** @default the option that the server was started with */
  readonly drainDelayMs?: number;
}

function openTokenCheck({ log }: Rack, tokens: TokenOptions): Promise<TokenCheck> {
  const onAway = (error: string): void =>
    log.warn("The issuer of tokens is away. Tokens are refused until its keys can be read; API keys work.", {
      issuer: tokens.issuer,
      error,
    });
  return createTokenCheck({ onRefused: createRefusalLog(log), onAway, ...tokens });
}

/** Listens on loopback by default; on an address that other machines can reach, only if callers can sign in. Prints nothing. */
export async function serve(rack: Rack, options: ServeOptions = {}): Promise<Served> {
  const { host = "127.0.0.1", port = 7333, socket, tls, tokens, consoleFolder = findConsole() ?? false, ...appOptions } = options;
  if (socket !== undefined && tls !== undefined) throw socketWithTls;
  const isExposed = socket === undefined && !isLoopbackName(host);
  // With `requireSignIn` nobody gets in before the owner creates the first key on this machine: so containers can start.
  if (isExposed && tokens === undefined && options.requireSignIn !== true && !rack.keys.exist()) throw needsSignIn(host);
  const certificate = tls && openCertificate(tls, rack.log);
  const check = tokens === undefined ? undefined : await openTokenCheck(rack, tokens);
  const app = createApp(rack, {
    ...appOptions,
    isExposed,
    allowAddresses: socket === undefined && isWildcard(host),
    allowedHosts: [...(options.allowedHosts ?? []), ...(socket === undefined ? [isIP(host) === 6 ? `[${host}]` : host] : [])],
    ...(check !== undefined && { tokens: check }),
    ...(consoleFolder !== false && { consoleFolder }),
  });
  const underWay = { count: 0, onIdle: (): void => {} };
  const onClosed = (): void => {
    underWay.count -= 1;
    if (underWay.count === 0) underWay.onIdle();
  };
  const http = createHttpServer({
    timeouts: timeoutsOf(options),
    tls: certificate?.options,
    onRequest(incoming, outgoing) {
      underWay.count += 1;
      if (app.isDraining()) outgoing.shouldKeepAlive = false;
      app.node(incoming, outgoing, onClosed, socket === undefined ? undefined : unixSocket);
    },
  });
  const { server } = http;
  try {
    await (socket === undefined ? listen(server, host, port) : listenOnSocket(server, socket, options.socketMode ?? "0600"));
  } catch (error) {
    await app.close();
    await check?.close();
    throw error;
  }
  const unfollow = certificate?.follow(http.useCertificate);
  const address = socket === undefined ? (server.address() as { readonly port: number }) : { port: 0 };
  if (socket === undefined) rack.ownPorts.add(address.port);

  async function close(graceMs: number, drainDelayMs: number): Promise<void> {
    app.announceDrain();
    if (drainDelayMs > 0) await sleep(drainDelayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    app.drain();
    // A job of this server that is cancelled below would count as failed: what runs of them is left to another one first.
    await Promise.all([idle(underWay, graceMs), rack.jobs.close(graceMs)]);
    await endCalls(rack);
    await app.close();
    await idle(underWay, 1_000);
    http.closeAllConnections();
    await closed;
    unfollow?.();
    await check?.close();
    await rack.close({ graceMs: 0 });
  }

  let closing: Promise<void> | undefined;
  const url = urlOf({ host, port: address.port, socket, certificate });
  const ownUrl = isExposed ? urlOf({ host: "127.0.0.1", port: address.port, socket, certificate }) : url;
  return {
    host: socket === undefined ? host : "",
    port: address.port,
    ...(socket !== undefined && { socket }),
    url,
    ...(options.publicUrl !== undefined && { publicUrl: new URL(options.publicUrl).origin }),
    requiresSignIn: app.requiresSignIn,
    signInLink: () => (socket === undefined ? `${ownUrl}/#sign-in=${app.makeSignInCode()}` : url),
    close: ({ graceMs = options.graceMs ?? 10_000, drainDelayMs = options.drainDelayMs ?? 0 } = {}) =>
      (closing ??= close(graceMs, drainDelayMs)),
  };
}

interface BoundAddress {
  readonly host: string;
  readonly port: number;
  readonly socket: string | undefined;
  readonly certificate: Certificate | undefined;
}

function urlOf({ host, port, socket, certificate }: BoundAddress): string {
  if (socket !== undefined) return `unix:${socket}`;
  return `${certificate === undefined ? "http" : "https"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The request timeout covers the timeouts of headers and body. */
function timeoutsOf({ timeouts, limits }: ServeOptions): HttpTimeouts {
  const requestMs = (limits?.bodyTimeoutMs ?? 15_000) + 30_000;
  return { ...defaultTimeouts, requestMs, ...timeouts };
}

/** Unfinished requests. */
interface UnderWay {
  count: number;
  onIdle: () => void;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(cannotListen(host, port, error));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
}

/** Running calls are cancelled, and have a moment to be recorded and answered. */
async function endCalls({ running, tasks }: Rack): Promise<void> {
  // A store that is away keeps no server from closing.
  await tasks.handOver().catch(() => undefined);
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

/** The build output of @toolrack/console, wherever it is installed. Undefined if it is not. */
function findConsole(): string | undefined {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve("@toolrack/console/package.json")), "dist");
  } catch {
    return undefined;
  }
}

function isLoopbackName(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

const socketWithTls: ServerError = new ServerError(
  "TLS_INVALID",
  "A Unix socket takes no TLS: nobody listens between its two ends. Remove server.tls or server.socket from the configuration.",
);

function needsSignIn(host: string): ServerError {
  return new ServerError(
    "SIGN_IN_NOT_CONFIGURED",
    `Others can reach a server on ${host}, and nobody would have to sign in. Create an API key first (toolrack keys create <agent>), set up tokens (signIn.jwt in the configuration), set server.requireSignIn to refuse everybody until there is a key, or listen on 127.0.0.1.`,
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
