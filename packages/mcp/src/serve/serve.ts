import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, type Registry } from "@toolrack/core";
import { checkArgument, checkFields, portWith } from "@toolrack/core/internal";
import { cleanText } from "@toolrack/core/scan";
import { type ClientRequests, createClientRequests } from "./questions/client-requests.ts";
import { createToolCalls } from "./calls/call-tool.ts";
import { createChanges, type McpNotify } from "./changes/changes.ts";
import { createHttpHandler } from "./http/http-handler.ts";
import { answerFetch } from "./http/fetch.ts";
import { createGuard } from "./http/guard.ts";
import type { SeenMessage, Visitor } from "./http/http.ts";
import { listenHttp, type Listening, type ListenOptions } from "./http/listen-http.ts";
import { answerNode } from "./http/node.ts";
import { createSessions } from "./http/sessions/sessions.ts";
import { createStreamIds } from "./http/streams/stream-ids.ts";
import { createStreams } from "./http/streams/streams.ts";
import { createLibrary } from "./library/library.ts";
import { createToolLists } from "./lists/tool-lists.ts";
import { createMethods } from "./methods.ts";
import { createOnceLedger } from "./questions/once-ledger.ts";
import { principalOf } from "./principal.ts";
import { serveFields, type ServeMcpOptions } from "./serve-options.ts";
import { createRequestStates } from "./questions/request-state.ts";
import { createResults } from "./results.ts";
import { createRounds } from "./questions/rounds.ts";
import { createSharedResults } from "./long-results/shared-results.ts";
import { createSigner } from "./signer.ts";
import { serveStdio, type StdioStreams } from "./stdio/stdio.ts";
import { createMemoryTaskStore } from "./tasks/memory-task-store.ts";
import type { TaskSupport } from "./tasks/serve-as-task.ts";

/** The caller, as identified by a sign-in in front of the endpoint. */
export interface McpVisit {
  /** @default a caller of whom nothing is known */
  readonly caller?: Caller;
  /** The principal, if the caller's facts do not identify one. @default made from the caller's facts */
  readonly principal?: string;
  /** Aborted when what the visitor signed in with is revoked or expires: ends its streams, sessions, calls and tasks. @default never */
  readonly signal?: AbortSignal;
  /** Names the key that the visitor signed in with: a session that was opened with it is for no other. @default for the principal */
  readonly credential?: string;
  /** Called with the status when the answer begins, and whether it is a stream: for metrics. */
  readonly onAnswer?: (status: number, isStream: boolean) => void;
  /** Called with the message as soon as it was read: for logs, metrics and spans. */
  readonly onMessage?: (message: SeenMessage) => void;
  /** Called when a request has its result, which a stream may send long after `onAnswer`; `error` is "tool_error" or the code of JSON-RPC. */
  readonly onResult?: (error: string | undefined) => void;
  /** Passed on as the `trace` of each call. Its own `traceparent` wins over the one in the message, which `onMessage` was shown. */
  readonly trace?: object;
}

/** One registry, served over MCP in both eras. */
export interface McpEndpoint {
  /** For servers with web-standard requests and responses. */
  fetch(request: Request, visit?: McpVisit): Promise<Response>;
  /** For `node:http`: the fastest way. */
  node(request: IncomingMessage, response: ServerResponse, visit?: McpVisit): void;
  /** Opens a port, by default on the loopback address. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Speaks over standard input and output; resolves when the input ends. */
  stdio(streams?: StdioStreams): Promise<void>;
  /** Tells clients of changes that the registry does not show. */
  readonly notify: McpNotify;
  /** How many sessions and streams are open now. */
  readonly usage: { readonly sessions: number; readonly streams: number };
  /** Ends all streams and ports. */
  close(): Promise<void>;
}

/** Serves the tools of a registry, under its policy, to MCP clients of both eras. */
export function serveMcp(registry: Registry, options: ServeMcpOptions = {}): McpEndpoint {
  checkArgument(registry, portWith("view", "invoke"), "serveMcp");
  checkFields(options, serveFields, { subject: "serveMcp", word: "option" });
  const { answerWithinMs = 600_000 } = options;
  const instructions = options.instructions === undefined ? undefined : cleanText(options.instructions);
  const instructionsFor = (caller: Caller): string | undefined => {
    const notice = options.notice?.(caller);
    if (notice === undefined) return instructions;
    return instructions === undefined ? cleanText(notice) : `${instructions}\n\n${cleanText(notice)}`;
  };
  const pageSize = options.pageSize ?? 1000;
  const ttlMs = options.ttlMs ?? 5000;
  const pageLength = options.resultPageLength ?? 65_536;
  const serverInfo = { name: options.name ?? "toolrack", version: options.version ?? "0.0.0" };
  const taskStore = options.tasks ?? createMemoryTaskStore();
  const supportOf = options.taskSupport ?? ((): TaskSupport => "when-long");
  const limits = { maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024, bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000 };

  const signer = createSigner(options.requestStateKey);
  const results = createResults(serverInfo, ttlMs);
  const lists = createToolLists({ registry, results, pageSize, toolFields: options.toolFields });
  const ledger = options.usedStates ?? createOnceLedger();
  const rounds = createRounds(createRequestStates({ signer, ledger, maxAgeMs: answerWithinMs }), results);
  const longResults = createSharedResults({ pageLength, signer, peers: options.resultPeers });
  const { handles } = longResults;
  const tasks = {
    store: taskStore,
    supportOf,
    afterMs: options.taskAfterMs ?? 5000,
    ttlMs: options.taskTtlMs ?? 3_600_000,
    pollIntervalMs: options.taskPollMs ?? 1000,
  };
  const calls = createToolCalls({ registry, results, rounds, handles, tasks });
  const library = createLibrary({
    lists,
    results,
    rounds,
    pages: longResults.pages,
    prompts: options.prompts,
    hasToolPrompts: options.toolPrompts ?? false,
    resources: options.resources,
    pageSize,
  });
  const methods = createMethods({
    lists,
    calls,
    library,
    results,
    tasks: { store: taskStore, registry },
    instructions,
    instructionsFor,
    beforeList: options.beforeList,
  });
  const changes = createChanges(registry, lists);
  const clientRequests: ClientRequests = createClientRequests(answerWithinMs, signer);
  const streams = createStreams(options.streams);
  const sessions =
    options.sessions === false
      ? undefined
      : createSessions({
          signer,
          maxAgeMs: 86_400_000,
          idleMs: options.sessionIdleMs ?? 1_800_000,
          perPrincipal: options.sessionsPerPrincipal ?? 100,
          ...(options.sessionStore && { store: options.sessionStore }),
        });
  const shared = { methods, results, changes, clientRequests, serverInfo, instructionsFor };
  const handler = createHttpHandler({
    ...shared,
    sessions,
    streams,
    streamIds: createStreamIds(signer),
    guard: createGuard(options),
    maxBodyValues: options.maxBodyValues ?? 100_000,
  });
  const closing = new AbortController();
  const ports = new Set<Listening>();

  const endpoint: McpEndpoint = {
    async fetch(request, visit) {
      const response = await answerFetch(handler, request, toVisitor(visit), limits);
      visit?.onAnswer?.(response.status, response.headers.get("content-type") === "text/event-stream");
      return response;
    },
    node: (request, response, visit) => answerNode(handler, request, response, toVisitor(visit), limits, visit?.onAnswer),
    async listen(listenOptions) {
      const port = await listenHttp((request, response, caller) => endpoint.node(request, response, caller && { caller }), listenOptions);
      ports.add(port);
      return port;
    },
    stdio: (stdioStreams = {}) => serveStdio(shared, stdioStreams, closing.signal),
    notify: changes,
    get usage() {
      return { sessions: sessions?.size ?? 0, streams: streams.size };
    },
    async close() {
      closing.abort();
      handler.close();
      longResults.close();
      streams.close();
      sessions?.close();
      await Promise.all([...ports].map((port) => port.close()));
      ports.clear();
    },
  };
  return endpoint;
}

/** A caller that signed in. The principal is computed when first needed: most requests never do. */
class SignedIn implements Visitor {
  readonly caller: Caller;
  readonly isAnonymous: boolean = false;
  readonly signal: AbortSignal | undefined;
  readonly onMessage: ((message: SeenMessage) => void) | undefined;
  readonly onResult: ((error: string | undefined) => void) | undefined;
  readonly trace: object | undefined;
  readonly #credential: string | undefined;
  #principal: string | undefined;
  constructor(caller: Caller, { principal, signal, credential, onMessage, onResult, trace }: McpVisit) {
    this.caller = caller;
    this.signal = signal;
    this.onMessage = onMessage;
    this.onResult = onResult;
    this.trace = trace;
    this.#principal = principal;
    this.#credential = credential;
  }
  get principal(): string {
    return (this.#principal ??= principalOf(this.caller));
  }
  get sessionOwner(): string {
    return this.#credential === undefined ? this.principal : JSON.stringify([this.principal, this.#credential]);
  }
}

const anonymousPrincipal = principalOf({});
const anonymousVisitor: Visitor = {
  caller: Object.freeze({}),
  principal: anonymousPrincipal,
  sessionOwner: anonymousPrincipal,
  isAnonymous: true,
};

function toVisitor(visit: McpVisit | undefined): Visitor {
  if (visit?.caller === undefined && visit?.principal === undefined) return anonymousVisitor;
  return new SignedIn(visit.caller ?? anonymousVisitor.caller, visit);
}
