import type { AnyTool } from "@toolrack/core";
import { type App, type AppOptions, createApp, openRack, type OpenRackOptions, type Rack, type RackConfig } from "@toolrack/server";
import { afterThisTest } from "./cleanup.ts";
import { testTools } from "./test-tools.ts";

/** A rack and an app over it, without a socket. Every answer of the API is checked against its schema. */
export interface TestServer extends AsyncDisposable {
  readonly rack: Rack;
  readonly app: App;
  /** Sends a request to any path, and returns the response as it is. */
  request(method: string, path: string, options?: RequestOptions & { readonly body?: unknown }): Promise<Response>;
  /** Sends a request to an operation of the API ("/tools", without "/api/v1"), and returns the status and the parsed body. */
  ask(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** `ask` with a new key of this agent. */
  as(agent: string, ...roles: string[]): Promise<TestServer["ask"]>;
}

export interface RequestOptions {
  /** A header whose value is "" is not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An API key or a token; "" sends none. @default the owner's token from this machine, none from elsewhere */
  readonly key?: string;
  /** The address of the client. @default "127.0.0.1" */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** What it contains is for the test to know. */
  readonly body: any;
}

export interface TestServerOptions extends AppOptions {
  readonly config?: RackConfig;
  /** In addition to `testTools`. */
  readonly tools?: readonly AnyTool[];
  readonly rack?: Omit<OpenRackOptions, "config" | "tools">;
}

/** A server with `testTools` and a store in memory, which accepts every agent. Whoever opens it disposes of it, with `await using`. */
export async function openTestServer({
  config,
  tools = [],
  rack: rackOptions,
  ...appOptions
}: TestServerOptions = {}): Promise<TestServer> {
  const rack = await openRack({
    environment: {},
    ...rackOptions,
    config: {
      store: { memory: true },
      tools: { packs: { utility: false, sessions: false } },
      ...config,
      policy: { unknownAgents: "allow", ...config?.policy },
    },
    tools: [...testTools, ...tools],
  });
  return createTestServer(rack, createApp(rack, { checkAnswers: true, ...appOptions }));
}

/** A server over a rack that exists; its app is closed after the test. */
export function serverOver(rack: Rack): TestServer {
  const app = createApp(rack, { checkAnswers: true });
  afterThisTest(() => app.close());
  return createTestServer(rack, app);
}

/** JSON, or a text or a stream as it is. */
function bodyOf(body: unknown): RequestInit {
  if (body instanceof ReadableStream) return { body, duplex: "half" };
  return { body: typeof body === "string" ? body : JSON.stringify(body) };
}

function createTestServer(rack: Rack, app: App): TestServer {
  const request: TestServer["request"] = async (method, path, { body, headers = {}, from = "127.0.0.1", signal, ...who } = {}) => {
    const key = who.key ?? (from === "127.0.0.1" && headers["authorization"] === undefined ? rack.ownerToken.text : "");
    const sent = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      ...headers,
    };
    const message = new Request(`http://localhost${path}`, {
      method,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
      ...(body !== undefined && bodyOf(body)),
      ...(signal !== undefined && { signal }),
    });
    return app.fetch(message, { remoteAddress: from });
  };

  const ask: TestServer["ask"] = async (method, path, body, options) => {
    const response = await request(method, `/api/v1${path}`, { ...options, body });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };

  return {
    rack,
    app,
    request,
    ask,
    async as(agent, ...roles) {
      const { secret } = await rack.keys.create({ agent, roles, by: "test" });
      return (method, path, body, options) => ask(method, path, body, { key: secret, ...options });
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await rack.close({ graceMs: 0 });
    },
  };
}
