import { createApp } from "../../src/app.ts";
import type { OpenRackOptions } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";
import { later, open } from "../rack/_open.ts";

/** An app over a rack, whose answers are all held against their schemas. */
export interface TestServer {
  readonly rack: Rack;
  /** Asks as the owner, unless another Authorization header is given; "" sends none. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answered>;
  /** The same with the key of an agent, made when it is first used. */
  as(agent: string, ...roles: string[]): Promise<TestServer["ask"]>;
  fetch(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Response>;
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly status: number;
  // What an answer holds is for the test to say.
  readonly body: any;
}

export async function startServer(options: OpenRackOptions = {}): Promise<TestServer> {
  return serverOver(await open(options));
}

export function serverOver(rack: Rack): TestServer {
  const app = createApp(rack, { checkAnswers: true });
  later(() => app.close());

  async function fetch(method: string, path: string, body?: unknown, { headers, signal }: AskOptions = {}): Promise<Response> {
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: withoutEmpty({
        authorization: `Bearer ${rack.ownerToken.text}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    return app.fetch(request, { remoteAddress: "127.0.0.1" });
  }

  async function ask(method: string, path: string, body?: unknown, asking?: AskOptions): Promise<Answered> {
    const response = await fetch(method, path, body, asking);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  return {
    rack,
    ask,
    fetch,
    async as(agent, ...roles) {
      const { secret } = await rack.keys.create({ agent, roles, by: "test" });
      const authorization = `Bearer ${secret}`;
      return (method, path, body, asking) => ask(method, path, body, { ...asking, headers: { authorization, ...asking?.headers } });
    },
  };
}

function withoutEmpty(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
}

/** The events of a stream, in order. */
export async function readEvents(response: Response): Promise<readonly { readonly event: string; readonly data: unknown }[]> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block.includes("event:"));
  return blocks.map((block) => {
    const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1] ?? "";
    return { event: field("event"), data: JSON.parse(field("data")) };
  });
}
