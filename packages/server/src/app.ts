import type { IncomingMessage, ServerResponse } from "node:http";
import { createAnswers, storeStats } from "@toolrack/store";
import { metaToolNames } from "@toolrack/core/search";
import { withAgentFacts } from "./rack/access/agent-facts.ts";
import { createCallFeed } from "./rack/calls/call-feed.ts";
import { compressReply } from "./http/reply/compress.ts";
import { readConsoleFiles } from "./http/console-files.ts";
import { createCors } from "./http/guard/cors.ts";
import type { Abortable } from "./http/request/abortable.ts";
import type { RequestServices } from "./http/request/services.ts";
import { createGuard, type GuardOptions } from "./http/guard/guard.ts";
import { readOwnAddress, withOwnAddress } from "./http/guard/own-address.ts";
import type { HttpRequest, Reply, WholeReply } from "./http/transport/exchange.ts";
import { createHandler, pathOf } from "./http/request/handle.ts";
import type { Identity } from "./http/sign-in/identity.ts";
import { createHeavyWork } from "./http/limits/heavy-work.ts";
import { defaultLimits, type Limits } from "./http/limits/limits.ts";
import { createConcurrencyLimit } from "./http/limits/concurrency.ts";
import { Problem } from "./http/reply/problem.ts";
import { type McpMount, metadataPath, mountMcp } from "./http/mcp/mount.ts";
import { NodeRequest } from "./http/transport/node.ts";
import { createAgentSessions } from "./http/sign-in/agent-sessions.ts";
import { createOwnerSessions } from "./http/sign-in/owner-sessions.ts";
import { createRates } from "./http/limits/rates.ts";
import { jsonReply, problemReply, toProblem } from "./http/reply/respond.ts";
import { createRouter } from "./http/router.ts";
import { answerWorkerLink, workerLinkPath } from "./http/worker-links.ts";
import { createSignIn } from "./http/sign-in/sign-in.ts";
import { createStreams } from "./http/limits/streams.ts";
import type { TokenCheck } from "./http/sign-in/tokens.ts";
import { type Connection, WebRequest } from "./http/transport/web.ts";
import { proofOf } from "./known-servers.ts";
import { type OpenApiDocument, toOpenApi } from "./openapi.ts";
import { runCodeName } from "./rack/programs/run-code.ts";
import type { Rack } from "./rack/rack.ts";
import { SlotList } from "./rack/util/slot-list.ts";
import { routes } from "./routes.ts";
import { type CallSpans, createCallSpans } from "./telemetry/trace/call-spans.ts";
import { hideSecrets } from "./telemetry/log/hide-secrets.ts";
import { logCalls } from "./telemetry/log/log-calls.ts";
import { createRequestLog } from "./telemetry/log/log-requests.ts";
import { createMetrics } from "./telemetry/metrics/metrics.ts";
import type { OperationDurations } from "./telemetry/metrics/operation-durations.ts";

export interface AppOptions extends GuardOptions {
  /** Whether other machines can reach it: then every caller has to sign in. @default false */
  readonly isExposed?: boolean;
  /** The address that clients use, if a proxy is in front: "https://tools.example.com". @default the host of each request */
  readonly publicUrl?: string;
  /** Whether every caller has to sign in, also from this machine. @default true once an API key was created, and if tokens are accepted */
  readonly requireSignIn?: boolean;
  /** The identity of every request: for a program that opened the rack itself, such as the command line. @default by sign-in */
  readonly identity?: Identity;
  /** Accepts tokens in addition to API keys; see `createTokenCheck`. */
  readonly tokens?: TokenCheck;
  readonly limits?: Partial<Limits>;
  /** With which it proves to the owner's command line that it is the server that announced itself. @default it proves nothing */
  readonly announcedSecret?: string;
  /**
   * At least 32 bytes that sign the state of MCP clients between requests. With the same key on every server of a store, a client may use any
   * of them. @default the key that the servers of the store share
   */
  readonly mcpKey?: string | Uint8Array;
  /** The folder of the built console. @default no console */
  readonly consoleFolder?: string;
  /** Validates every answer against its declared schema, and fails if they differ: for tests. @default false */
  readonly checkAnswers?: boolean;
}

/** The whole server over one rack, without a socket. */
export interface App {
  readonly openApi: OpenApiDocument;
  /** For programs in the same process with requests of their own type. Never rejects. MCP is not available this way. */
  answer(request: HttpRequest): Promise<WholeReply>;
  /** For programs in the same process. Without the address of the client, a request does not count as local. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /**
   * For `node:http`: the fastest way. Create the server with `joinDuplicateHeaders`, so that no header is ignored. `onClosed` is called when
   * the answer is finished, or the client disconnected. `remoteAddress` is for connections that have none, see `unixSocket`.
   */
  node(incoming: IncomingMessage, outgoing: ServerResponse, onClosed?: () => void, remoteAddress?: string): void;
  /** Whether every caller has to sign in now: requests without a key or a token are refused. */
  requiresSignIn(): boolean;
  /** A code with which the owner signs in to the console of this app, once and within minutes. */
  makeSignInCode(): string;
  /** Reports from now on that it is not ready, and continues as before. */
  announceDrain(): void;
  isDraining(): boolean;
  /** Refuses new requests and ends endless streams; running requests continue. */
  drain(): void;
  /** Aborts running requests. The rack stays open. */
  close(): Promise<void>;
}

export function createApp(rack: Rack, options: AppOptions = {}): App {
  hideSecrets(rack);
  const limits: Limits = { ...defaultLimits, ...rack.config.server?.limits, ...options.limits };
  const own = readOwnAddress(options.publicUrl);
  const guard = createGuard(withOwnAddress(options, own));
  const streams = createStreams(limits);
  const metrics = createMetrics({
    rack,
    streams: () => streams.open,
    mcp: () => mcpUsage(mounts),
    sources: { recording: () => rack.recording.counts, engine: () => storeStats(rack.store) },
  });
  const { requests: logsRequests = true, calls: logsCalls = true } = rack.config.log ?? {};
  const logRequest = logsRequests ? createRequestLog(rack.log) : () => undefined;
  const stopLogging = logsCalls ? logCalls(rack.log, rack.callEnds) : () => undefined;
  const callFeed = createCallFeed({ calls: rack.calls, registry: rack.registry });
  const { identity, isExposed = false, requireSignIn = false, tokens, announcedSecret } = options;
  const sessions = createOwnerSessions(rack.clock);
  const agentSessions = createAgentSessions(rack.clock, rack.store.actor.owner);
  const signIn = identity
    ? undefined
    : createSignIn({ rack, isExposed, requireSignIn, tokens, sessions, agentSessions, clock: rack.clock });
  let isDraining = false;
  let isClosing = false;
  const services: RequestServices = {
    rack,
    server: {
      metrics,
      callFeed,
      sessions,
      agentSessions,
      prove: (challenge) => (announcedSecret === undefined ? undefined : proofOf(announcedSecret, challenge)),
      isDraining: () => isDraining,
    },
    signIn: signIn ?? (() => identity!),
    limits,
    rates: createRates(limits.requestsPerSecond),
    streams,
    requests: createConcurrencyLimit({
      perCaller: limits.requestsPerCaller,
      total: limits.requests,
      code: "TOO_MANY_REQUESTS",
      what: "requests under way",
    }),
    heavy: createHeavyWork(limits),
    answers: createAnswers(rack.store, {
      server: rack.servers.lease,
      maxAnswersPerCaller: limits.answersPerCaller,
      keepMs: rack.retention.limits.answersHours * 3_600_000,
    }),
    open: new SlotList(),
    feeds: new SlotList(),
    note(request) {
      metrics.countRequest(request.route, request.status, request.seconds);
      logRequest(request);
    },
    publicOrigin: own?.origin,
    checkAnswers: options.checkAnswers ?? false,
  };
  let document: OpenApiDocument | undefined;
  const openApi = (): OpenApiDocument => (document ??= toOpenApi(routes, rack.version));
  const files = options.consoleFolder === undefined ? undefined : readConsoleFiles(options.consoleFolder);
  const mcpOptions = {
    services,
    tokens: options.tokens,
    publicOrigin: own?.origin,
    key: options.mcpKey ?? rack.sharedKey,
    callerFor: (identity: Identity) => withAgentFacts(rack, identity.caller),
  };
  const mounts = [
    mountMcp({ ...mcpOptions, path: "/mcp" }),
    // For large catalogs: clients get three tools, and find the others through them.
    mountMcp({
      ...mcpOptions,
      path: "/mcp/search",
      listed: metaToolNames,
      whenMissing: "Tool search is disabled. Enable its pack: tools.packs.search: true.",
    }),
    // For models that write programs: clients get one tool, and call the others in programs.
    mountMcp({
      ...mcpOptions,
      path: "/mcp/code",
      listed: [runCodeName],
      whenMissing: "Programs are disabled. Enable their pack: tools.packs.programs: true.",
    }),
  ];
  const cors = options.allowedOrigins === undefined ? undefined : createCors(options.allowedOrigins);
  const callSpans = createCallSpans(rack);
  const onRequest = observeUpstream(callSpans, metrics.operations);
  rack.tracing.onRequest = onRequest;

  const router = createRouter<Work>();
  for (const route of routes) {
    const handle = createHandler(route, services);
    router.add(route.method, pathOf(route), (request, params) => handle({ request, params }));
  }
  router.add("GET", "/openapi.json", (request) => compressReply(request, jsonReply(200, openApi())));
  for (const mcp of mounts) {
    for (const method of mcpMethods) router.add(method, mcp.path, (request) => mcp.answer(request));
    router.add("GET", metadataPath(mcp.path), (request) => mcp.describe(request));
  }
  router.add("GET", workerLinkPath, answerWorkerLink(rack.sources.links, services));
  // Older clients look at this path.
  router.add("GET", metadataPath(""), (request) => mounts[0]!.describe(request));

  function find(request: HttpRequest): Reply | Promise<Reply> {
    callSpans.follow();
    const { method, path } = request;
    const found = router.find(method === "HEAD" ? "GET" : method, path);
    if (found !== undefined) return found.work(request, found.params);
    const file = files?.answer(request);
    if (file === undefined) return refuse(request, nothingThere(method, path, router.methods(path)));
    services.note({ route: "GET (console)", status: file.status, seconds: 0, origin: { requestId: request.id } });
    return file;
  }

  /** Before any route handles it. */
  function refuse(request: HttpRequest, problem: Problem): WholeReply {
    const { status, code } = problem;
    services.note({ route: "(none)", status, seconds: 0, origin: { requestId: request.id }, code });
    return problemReply(problem);
  }

  function answer(request: HttpRequest): Reply | Promise<Reply> {
    try {
      guard(request);
      // Probes learn that the server is stopping.
      if (isClosing && !probePaths.has(request.path))
        throw new Problem(503, "SERVER_CLOSING", "The server is shutting down.", { headers: { connection: "close" } });
      if (cors === undefined) return find(request);
      return cors.preflight(request) ?? Promise.resolve(find(request)).then((reply) => cors.open(request, reply));
    } catch (error) {
      return refuse(request, toProblem(error));
    }
  }

  function drain(): void {
    isDraining = true;
    isClosing = true;
    abortAll(services.feeds);
  }

  /** Nothing here should fail; if something does, it affects no other request. */
  function onFailed(error: unknown): WholeReply {
    rack.log.error("A request could not be answered.", { error });
    return problemReply(toProblem(error));
  }

  return {
    get openApi() {
      return openApi();
    },
    async answer(request) {
      const reply = await Promise.resolve(answer(request)).catch(onFailed);
      return "handler" in reply ? problemReply(nothingThere(request.method, request.path, [])) : reply;
    },
    async fetch(request, connection = {}) {
      const web = new WebRequest(request, connection);
      return web.toResponse(await Promise.resolve(answer(web)).catch(onFailed));
    },
    node(incoming, outgoing, onClosed, remoteAddress) {
      const request = new NodeRequest(incoming, outgoing, onClosed, remoteAddress);
      void Promise.resolve(answer(request)).then(
        (reply) => request.send(reply, onFailed),
        (error: unknown) => request.send(onFailed(error), onFailed),
      );
    },
    requiresSignIn: () => signIn?.isRequired() ?? false,
    makeSignInCode: () => sessions.makeCode().code,
    announceDrain: () => void (isDraining = true),
    isDraining: () => isDraining,
    drain,
    async close() {
      drain();
      abortAll(services.open);
      rack.sources.links.disconnect();
      signIn?.close();
      callFeed.close();
      stopLogging();
      metrics.close();
      callSpans.close();
      if (rack.tracing.onRequest === onRequest) rack.tracing.onRequest = undefined;
      for (const mcp of mounts) await mcp.close();
    },
  };
}

/** Requests to MCP servers become facts of the span of their call, and are measured. */
function observeUpstream(spans: CallSpans, operations: OperationDurations): NonNullable<Rack["tracing"]["onRequest"]> {
  return (request) => {
    const startedAt = performance.now();
    spans.note(request);
    return (error) => operations.client(request, error, (performance.now() - startedAt) / 1_000);
  };
}

function mcpUsage(mounts: readonly McpMount[]): ReturnType<McpMount["usage"]> {
  const all = mounts.map((mcp) => mcp.usage());
  return { sessions: sum(all.map(({ sessions }) => sessions)), streams: sum(all.map(({ streams }) => streams)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function abortAll(requests: Iterable<Abortable>): void {
  const reason = new DOMException("The server is shutting down.", "AbortError");
  for (const request of requests) request.abort(reason);
}

/** Probes of load balancers and supervisors, answered until the end. */
const probePaths: ReadonlySet<string> = new Set(["/health", "/health/live", "/ready"]);

type Work = (request: HttpRequest, params: Readonly<Record<string, string>>) => Reply | Promise<Reply>;

/** The endpoint itself decides which methods it supports. */
const mcpMethods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function nothingThere(method: string, path: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0)
    return new Problem(404, "NOT_FOUND", `Nothing exists at ${path.slice(0, 200)}. See /openapi.json for all paths.`);
  const list = allowed.join(", ");
  return new Problem(405, "METHOD_NOT_ALLOWED", `${method.slice(0, 20)} is not supported here. Use ${list}.`, { headers: { allow: list } });
}
