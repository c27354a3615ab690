import type { Client, ClientOptions, OAuthClientProvider, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "@toolrack/core";
import { createGuardedFetch } from "../http/guarded-fetch.ts";
import { createScrubber, type Scrubber } from "../credentials/scrub.ts";
import { credentialsIn, credentialsInUrl, fillSecrets, fillUrl } from "../credentials/secrets.ts";
import { createSignIn, noSignIn, type SignIn } from "./sign-in.ts";
import { causeIn } from "../stdio/cause-in.ts";
import { createStdioTransport } from "../stdio/stdio.ts";
import type { HttpUpstream, McpSourceOptions, StdioUpstream, UpstreamAuth, UpstreamStatus } from "../upstream.ts";

// The one file that knows the official client. It is loaded with the first connection, because it is large.

/** What a question of the server asks for, and what it is answered. */
export interface UpstreamElicitation {
  readonly message: string;
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
}
export type UpstreamElicitationAnswer =
  | { readonly action: "accept"; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: "decline" | "cancel" };

export interface ConnectionEvents {
  onListChanged(): void;
  onClosed(): void;
  /** Legacy servers ask by a request of their own, during a call. */
  onQuestion(question: UpstreamElicitation): Promise<UpstreamElicitationAnswer>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly inputSchema: object;
  onProgress(update: { progress: number; total?: number; message?: string }): void;
}

/** One live connection to a server, in the era that both understand. */
export interface Connection {
  readonly era: NonNullable<UpstreamStatus["era"]>;
  readonly server: UpstreamStatus["server"];
  /** Whether it reports changes of everything that is read of it. */
  readonly tellsChanges: boolean;
  /** What it tells models about itself as a whole. */
  readonly instructions: string | undefined;
  /** What it has beside tools. */
  readonly has: { readonly prompts: boolean; readonly resources: boolean };
  /** The version of the protocol, and the session if there is one. */
  facts(): { readonly protocolVersion?: string; readonly session?: string };
  /** Knows the credentials of this connection. What comes from `listPage`, `request` and `call` has passed it; errors have not. */
  readonly scrub: Scrubber;
  /** One page of a list: of `tools`, say. */
  listPage(
    list: { readonly method: string; readonly field: string; readonly cursor: string | undefined },
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<{ items: readonly unknown[]; nextCursor?: string }>;
  /** A request about prompts or resources. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The complete result, or one that asks for input. */
  call(params: Readonly<Record<string, unknown>> & { name: string }, options: CallOptions): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface ConnectSettings {
  readonly timeoutMs: number;
  readonly maxMessageBytes: number;
  readonly events: ConnectionEvents;
  /** A server that is known to speak the older protocol is not probed again. */
  readonly era: "legacy" | undefined;
  readonly signal: AbortSignal;
}

export async function connect(options: McpSourceOptions, settings: ConnectSettings): Promise<Connection> {
  if ("url" in options) return connectHttp(options, settings);
  try {
    return await connectStdio(options, settings, settings.era);
  } catch (error) {
    // Some older servers end when the first thing they read is not `initialize`.
    if (settings.era === "legacy" || settings.signal.aborted || ToolError.is(error)) throw error;
    return connectStdio(options, settings, "legacy");
  }
}

async function connectStdio(options: StdioUpstream, settings: ConnectSettings, era: "legacy" | undefined): Promise<Connection> {
  const { values: env, secrets } = await fillSecrets(options.env ?? {}, options);
  const scrub = createScrubber(secrets);
  const { maxMessageBytes } = settings;
  const transport = createStdioTransport(options, { env, maxMessageBytes, exitMs: 1_000 });
  try {
    const parts: ConnectionParts = { scrub, wants: options, signIn: noSignIn, close: (client) => client.close() };
    return await open(transport as unknown as Transport, { ...settings, era }, parts);
  } catch (error) {
    await transport.close();
    throw withStderr(scrub.error(error), scrub.text(transport.stderrTail()));
  }
}

/** A program that ends at once mostly writes the reason to stderr. */
function withStderr(error: unknown, tail: string): unknown {
  if (tail.trim() === "" || ToolError.is(error) || !(error instanceof Error)) return error;
  return new Error(`${error.message} (it wrote: ${causeIn(tail)})`, { cause: new Error(tail.trim().slice(-2_000), { cause: error }) });
}

async function connectHttp(options: HttpUpstream, settings: ConnectSettings): Promise<Connection> {
  const { values: headers, secrets } = await fillSecrets(options.headers ?? {}, options);
  const { url, secrets: inAddress } = await fillUrl(options.url, options);
  const { StreamableHTTPClientTransport: HttpTransport } = await import("@modelcontextprotocol/client");
  const scrub = createScrubber([...secrets, ...inAddress, ...credentialsIn(headers), ...credentialsInUrl(url)]);
  const { maxMessageBytes: maxBytes } = settings;
  const fetch = createGuardedFetch({ ...options, headers, origin: url.origin, maxBytes, onCredentials: scrub.learn });
  const auth = options.auth === undefined ? undefined : await createAuthProvider(options.auth, options);
  scrub.learn(auth?.secrets ?? []);
  const makeTransport = (): StreamableHTTPClientTransport =>
    new HttpTransport(url, {
      fetch,
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 10,
      },
      ...(auth !== undefined && { authProvider: auth.provider }),
    });
  let transport = makeTransport();
  const signIn = createSignIn(options.auth, (returned) => transport.finishAuth(returned));
  const parts: ConnectionParts = {
    scrub,
    wants: options,
    signIn,
    async close(client) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, 1_000).unref());
      await Promise.race([transport.terminateSession().catch(() => undefined), late]);
      await client.close();
      fetch.close();
    },
  };
  let isFirst = true;
  try {
    return await signIn(() => {
      if (!isFirst) transport = makeTransport();
      isFirst = false;
      return open(transport, settings, parts);
    });
  } catch (error) {
    await transport.close();
    fetch.close();
    throw scrub.error(error);
  }
}

async function createAuthProvider(
  auth: UpstreamAuth,
  options: HttpUpstream,
): Promise<{ readonly provider: OAuthClientProvider; readonly secrets: readonly string[] }> {
  if (auth.kind === "provider") return { provider: auth.provider as OAuthClientProvider, secrets: [] };
  const { ClientCredentialsProvider } = await import("@modelcontextprotocol/client");
  const { values } = await fillSecrets({ clientSecret: auth.clientSecret }, options);
  const clientSecret = values["clientSecret"]!;
  const { clientId, issuer: expectedIssuer, scope } = auth;
  const provider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer, ...(scope !== undefined && { scope }) });
  return { provider, secrets: [clientSecret] };
}

/** Performs the handshake within the time that is left. If it fails, nothing stays open. */
async function open(transport: Transport, settings: ConnectSettings, parts: ConnectionParts): Promise<Connection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const { events, signal, timeoutMs, era } = settings;
  signal.throwIfAborted();
  const client = new Client(clientInfo, {
    ...clientOptions,
    // A program that says nothing to the first question speaks the older protocol; an address that says nothing is not there.
    versionNegotiation: { mode: "auto", probe: { timeoutMs: "pid" in transport ? Math.min(5_000, timeoutMs / 4) : timeoutMs } },
  });
  readWholeResults(client);
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    ...(await events.onQuestion(parts.scrub.value(params) as UpstreamElicitation)),
  }));
  client.setNotificationHandler("notifications/tools/list_changed", () => events.onListChanged());
  if (parts.wants.prompts === true) client.setNotificationHandler("notifications/prompts/list_changed", () => events.onListChanged());
  if (parts.wants.resources === true) client.setNotificationHandler("notifications/resources/list_changed", () => events.onListChanged());
  let isOpen = false;
  client.onclose = () => isOpen && events.onClosed();
  const abort = (): void => void transport.close();
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.connect(transport, { timeout: timeoutMs, signal, ...(era === "legacy" && { prior: { kind: "legacy" } }) });
  } finally {
    signal.removeEventListener("abort", abort);
  }
  if (client.transport === undefined) throw new Error("The connection was closed as soon as it was made.");
  isOpen = true;
  const connection = toConnection(client, parts);
  if (connection.era === "modern" && connection.tellsChanges) void listen(client, events, parts.wants);
  return connection;
}

/** What a connection has beside its client. */
interface ConnectionParts {
  readonly scrub: Scrubber;
  readonly wants: Pick<McpSourceOptions, "prompts" | "resources">;
  readonly signIn: SignIn;
  close(client: Client): Promise<void>;
}

const clientInfo = { name: "toolrack", version: "0.1.0" };

/** What a server says about its output is checked by the core, whose validator no schema can stall. */
const clientOptions: ClientOptions = {
  capabilities: { elicitation: { form: {} } },
  inputRequired: { autoFulfill: false },
  jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
};

function toConnection(client: Client, { scrub, wants, signIn, close }: ConnectionParts): Connection {
  const server = client.getServerVersion();
  const capabilities = client.getServerCapabilities();
  const instructions = client.getInstructions();
  const tells = (kind: "prompts" | "resources"): boolean =>
    wants[kind] !== true || capabilities?.[kind] === undefined || capabilities[kind].listChanged === true;
  return {
    era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
    server: server && { name: scrub.text(String(server.name)), version: scrub.text(String(server.version)) },
    tellsChanges: capabilities?.tools?.listChanged === true && tells("prompts") && tells("resources"),
    instructions: typeof instructions === "string" ? scrub.text(instructions) : undefined,
    has: { prompts: capabilities?.prompts !== undefined, resources: capabilities?.resources !== undefined },
    facts() {
      const protocolVersion = client.getNegotiatedProtocolVersion();
      const session = client.transport?.sessionId;
      return { ...(protocolVersion !== undefined && { protocolVersion }), ...(session !== undefined && { session }) };
    },
    scrub,
    async listPage({ method, field, cursor }, { signal, timeoutMs }) {
      const request = { method: method as "tools/list", params: cursor === undefined ? {} : { cursor } };
      const listed = (await signIn(() => client.request(request, anyObject, { signal, timeout: timeoutMs }))) as Record<string, unknown>;
      const { [field]: items, nextCursor } = listed;
      if (!Array.isArray(items)) throw new TypeError(`its list of ${field} is not a list`);
      return { items: scrub.value(items) as readonly unknown[], ...(typeof nextCursor === "string" && { nextCursor }) };
    },
    async request(method, params, { signal, timeoutMs }) {
      const request = { method, params } as { method: "prompts/get"; params: { name: string } };
      return scrub.value(await signIn(() => client.request(request, anyObject, { signal, timeout: timeoutMs }))) as Record<string, unknown>;
    },
    async call({ name, ...params }, { signal, timeoutMs, inputSchema, onProgress }) {
      const result: Readonly<Record<string, unknown>> = await signIn(() =>
        client.callTool(
          { name, ...params },
          {
            signal,
            timeout: timeoutMs,
            allowInputRequired: true,
            onprogress: (update) => onProgress(scrub.value(update) as typeof update),
            toolDefinition: { name, inputSchema: inputSchema as { type: "object" } },
          },
        ),
      );
      // The state goes back unchanged, and only to this server.
      const { requestState, ...shown } = result;
      return { ...(scrub.value(shown) as object), ...(requestState !== undefined && { requestState }) };
    },
    async close() {
      client.onclose = undefined;
      await close(client);
    },
  };
}

/** Lists are read tool by tool, so that a single wrong one does not cost the others. */
const anyObject = {
  "~standard": {
    version: 1,
    vendor: "toolrack",
    validate: (value: unknown) =>
      typeof value === "object" && value !== null ? { value } : { issues: [{ message: "it is not an object" }] },
  },
} as const;

/** Results of tools as they came: read by its own schema, the client would take an answer without content for an empty success. */
function readWholeResults(client: Client): void {
  type Send = (request: { readonly method: string }, ...more: unknown[]) => Promise<unknown>;
  const send = client.request.bind(client) as Send;
  const sendWhole: Send = (request, ...more) =>
    request.method === "tools/call" && more.length < 2 ? send(request, anyObject, ...more) : send(request, ...more);
  client.request = sendWhole as typeof client.request;
}

/** Modern servers report changes on a stream that the client requests. A stream that ends is requested again, with growing delays. */
async function listen(client: Client, events: ConnectionEvents, wants: ConnectionParts["wants"]): Promise<void> {
  for (let waitMs = 1_000; client.transport !== undefined; waitMs = Math.min(waitMs * 2, 60_000)) {
    try {
      const subscription = await client.listen({
        toolsListChanged: true,
        ...(wants.prompts === true && { promptsListChanged: true }),
        ...(wants.resources === true && { resourcesListChanged: true }),
      });
      events.onListChanged(); // it may have changed while there was no listener
      const openedAt = Date.now();
      if ((await subscription.closed) === "local") return;
      if (Date.now() - openedAt > 60_000) waitMs = 1_000;
    } catch {
      // It is gone, or does not offer streams after all: reading its list shows which.
      if (client.transport !== undefined) events.onListChanged();
    }
    await new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
  }
}
