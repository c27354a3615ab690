import { type AnyTool, defineTool } from "@toolrack/core";
import { type App, type AppOptions, createApp } from "../../src/app.ts";
import type { RackConfig } from "../../src/config/config.ts";
import { openRack, type OpenRackOptions } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";

/** A rack in memory with a few tools, and an app over it whose answers are held against their schemas. */
export interface TestServer extends AsyncDisposable {
  readonly rack: Rack;
  readonly app: App;
  /** A request from this machine; a body is sent as JSON. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** An API key or a token; "" sends none. @default from this machine the owner's, from elsewhere none */
  readonly key?: string;
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface TestServerOptions extends AppOptions {
  readonly config?: RackConfig;
  readonly tools?: readonly AnyTool[];
  readonly rack?: Omit<OpenRackOptions, "config" | "tools">;
}

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
      tools: { packs: { utility: false } },
      ...config,
      // Agents need not be listed, unless the test says so.
      policy: { unknownAgents: "allow", ...config?.policy },
    },
    tools: [...testTools, ...tools],
  });
  const app = createApp(rack, { checkAnswers: true, ...appOptions });
  return {
    rack,
    app,
    async ask(method, path, { body, headers = {}, from = "127.0.0.1", signal, ...who } = {}) {
      const key = who.key ?? (from === "127.0.0.1" && headers["authorization"] === undefined ? rack.ownerToken.text : "");
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== "" && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      });
      return app.fetch(request, { remoteAddress: from });
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await rack.close({ graceMs: 0 });
    },
  };
}

export const testTools: readonly AnyTool[] = [
  defineTool({
    name: "echo",
    description: "Gives back what it is given.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
    handler: ({ text }) => ({ text }),
  }),
  defineTool({
    name: "fail",
    description: "Always fails.",
    inputSchema: { type: "object", properties: {} },
    handler: () => {
      throw new Error("It was meant to fail.");
    },
  }),
];

/** The events of a stream, one by one; comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<{ id?: string; event: string; data: unknown }> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string): string | undefined => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data === undefined) continue;
      const id = field("id");
      yield { ...(id !== undefined && { id }), event: field("event") ?? "message", data: JSON.parse(data) as unknown };
    }
  }
}
