import type { IncomingMessage, ServerResponse } from "node:http";
import { type Caller, type Registry, type ToolDefinition, ToolError } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import { type ClientRequests, createClientRequests } from "./questions/client-requests.ts";
import { createToolCalls } from "./calls/call-tool.ts";
import { createChanges, type McpNotify } from "./changes/changes.ts";
import { minPageLength } from "./long-results/result-handles.ts";
import { createHttpHandler } from "./http/http-handler.ts";
import { answerFetch } from "./http/fetch.ts";
import { createGuard, type GuardOptions } from "./http/guard.ts";
import type { Visitor } from "./http/http.ts";
import { listenHttp, type Listening, type ListenOptions } from "./http/listen-http.ts";
import { answerNode } from "./http/node.ts";
import type { SessionStore } from "./http/sessions/session-store.ts";
import { createSessions } from "./http/sessions/sessions.ts";
import { createStreamIds } from "./http/streams/stream-ids.ts";
import { createStreams, type StreamLimits } from "./http/streams/streams.ts";
import { createLibrary } from "./library/library.ts";
import { createToolLists } from "./lists/tool-lists.ts";
import { createMethods } from "./methods.ts";
import { createOnceLedger, type OnceLedger } from "./questions/once-ledger.ts";
import { principalOf } from "./principal.ts";
import type { ListOf, McpPrompt } from "./library/prompts.ts";
import { createRequestStates } from "./questions/request-state.ts";
import type { AnyResource } from "./library/resources.ts";
import { createResults } from "./results.ts";
import { createRounds } from "./questions/rounds.ts";
import { createSharedResults, type ResultPeers } from "./long-results/shared-results.ts";
import { createSigner } from "./signer.ts";
import { serveStdio, type StdioStreams } from "./stdio/stdio.ts";
import { createMemoryTaskStore } from "./tasks/memory-task-store.ts";
import type { TaskSupport } from "./tasks/serve-as-task.ts";
import type { TaskStore } from "./tasks/task-store.ts";

export interface ServeMcpOptions extends GuardOptions {
  /** Prompts of your own, beside the recipes that are made from the tools' hints and examples. */
  readonly prompts?: ListOf<McpPrompt>;
  /** Resources and templates of your own, beside the catalog and the pages of long results. */
  readonly resources?: ListOf<AnyResource>;
  /** Where tasks are stored. @default in memory */
  readonly tasks?: TaskStore;
  /** Which calls become tasks, for clients that know them. @default "when-long" for all */
  readonly taskSupport?: (tool: ToolDefinition) => TaskSupport;
  /** How long a call may take before it becomes a task. @default 5_000 */
  readonly taskAfterMs?: number;
  /** How long a task can be retrieved. @default 3_600_000 */
  readonly taskTtlMs?: number;
  /** How often clients should poll a task. @default 1_000 */
  readonly taskPollMs?: number;
  /** @default "toolrack" */
  readonly name?: string;
  /** @default "0.0.0" */
  readonly version?: string;
  /** Instructions for the model about this server as a whole. */
  readonly instructions?: string;
  /** Text for one caller, appended to the instructions: that it may use no tool, for instance. */
  readonly notice?: (caller: Caller) => string | undefined;
  /** At least 32 bytes that sign request states and sessions; share it between servers that answer for each other. @default made up */
  readonly requestStateKey?: string | Uint8Array;
  /** Which request states were used; share it likewise. @default in memory */
  readonly usedStates?: OnceLedger;
  /** How long a person may take to answer. @default 600_000 */
  readonly answerWithinMs?: number;
  /** Items on one page of a list. @default 1_000 */
  readonly pageSize?: number;
  /** How long clients may keep lists. @default 5_000 */
  readonly ttlMs?: number;
  /** How many characters of a result are sent at once, at least 1024; longer texts are read page by page. @default 65_536 */
  readonly resultPageLength?: number;
  /** Whether legacy clients get sessions, which questions, log levels and subscriptions need. @default true */
  readonly sessions?: boolean;
  /** How long the state of a session is stored after its last use. @default 1_800_000 */
  readonly sessionIdleMs?: number;
  /** How many sessions of one principal can have state; the oldest loses its state first. @default 100 */
  readonly sessionsPerPrincipal?: number;
  /** The state of sessions; share it, with the key, between servers that answer for each other. @default in memory */
  readonly sessionStore?: SessionStore;
  /** How pages of long results are read from the server that has them; for servers that answer for each other. @default not at all */
  readonly resultPeers?: ResultPeers;
  /** @default 4 MiB */
  readonly maxBodyBytes?: number;
  /** How many JSON values the message in a body may have. @default 100_000 */
  readonly maxBodyValues?: number;
  /** @default 30_000 */
  readonly bodyTimeoutMs?: number;
  readonly streams?: StreamLimits;
}

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
  /** Called with the status when the answer begins: for metrics. */
  readonly onAnswer?: (status: number) => void;
  /** Called with the method of the message as soon as it was read: for logs. */
  readonly onMethod?: (method: string) => void;
  /** Passed on as the `trace` of each call; trace fields in the message itself win. */
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
  const { answerWithinMs = 600_000 } = options;
  const instructions = options.instructions === undefined ? undefined : cleanText(options.instructions);
  const instructionsFor = (caller: Caller): string | undefined => {
    const notice = options.notice?.(caller);
    if (notice === undefined) return instructions;
    return instructions === undefined ? cleanText(notice) : `${instructions}\n\n${cleanText(notice)}`;
  };
  const pageSize = requireCount("pageSize", options.pageSize ?? 1000, 1);
  const ttlMs = requireCount("ttlMs", options.ttlMs ?? 5000, 0);
  const pageLength = requireCount("resultPageLength", options.resultPageLength ?? 65_536, minPageLength);
  const serverInfo = { name: options.name ?? "toolrack", version: options.version ?? "0.0.0" };
  const taskStore = options.tasks ?? createMemoryTaskStore();
  const supportOf = options.taskSupport ?? ((): TaskSupport => "when-long");
  const limits = { maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024, bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000 };

  const signer = createSigner(options.requestStateKey);
  const results = createResults(serverInfo, ttlMs);
  const lists = createToolLists({ registry, results, pageSize });
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
      visit?.onAnswer?.(response.status);
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

function requireCount(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new ToolError("CONFIG_INVALID", `serveMcp: ${name} must be a whole number of at least ${least}, not ${String(value)}.`);
}

/** A caller that signed in. The principal is computed when first needed: most requests never do. */
class SignedIn implements Visitor {
  readonly caller: Caller;
  readonly isAnonymous: boolean = false;
  readonly signal: AbortSignal | undefined;
  readonly onMethod: ((method: string) => void) | undefined;
  readonly trace: object | undefined;
  readonly #credential: string | undefined;
  #principal: string | undefined;
  constructor(caller: Caller, { principal, signal, credential, onMethod, trace }: McpVisit) {
    this.caller = caller;
    this.signal = signal;
    this.onMethod = onMethod;
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
