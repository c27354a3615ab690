import { PassThrough } from "node:stream";
import { type EndpointAnswer, type EndpointRequest, relayStdio } from "@toolrack/mcp/relay";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { vi } from "vitest";

export interface Sent extends EndpointRequest {
  /** The body of the request, read. */
  readonly message: Message;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A relay to an endpoint that a function plays. Its client writes and reads lines. */
export interface Relayed {
  readonly input: PassThrough;
  /** What reached the endpoint. */
  readonly sent: readonly Sent[];
  /** What reached the client. */
  readonly lines: readonly string[];
  /** What a person was told. */
  readonly notices: readonly string[];
  /** Resolves when the relay has ended. */
  readonly done: Promise<void>;
  write(message: object): void;
  /** Writes a request, and waits for its response. */
  ask(id: number, method: string, params?: object): Promise<Message>;
  messages(): readonly Message[];
}

export function relayTo(play: (request: Sent) => EndpointAnswer | Promise<EndpointAnswer>): Relayed {
  const input = new PassThrough();
  const sent: Sent[] = [];
  const lines: string[] = [];
  const notices: string[] = [];
  const done = relayStdio({
    input,
    write: (line) => lines.push(line),
    async send(request) {
      const one = { ...request, message: JSON.parse(request.body ?? "{}") as Message };
      sent.push(one);
      return play(one);
    },
    onNotice: (text) => notices.push(text),
  });
  afterThisTest(async () => {
    input.end();
    await done;
  });
  const messages = (): readonly Message[] => lines.map((line) => JSON.parse(line) as Message);
  const write = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    input,
    sent,
    lines,
    notices,
    done,
    write,
    messages,
    async ask(id, method, params = {}) {
      const response = (): Message | undefined => messages().find((message) => message.id === id && message.method === undefined);
      write({ id, method, params });
      await until(response, `Request ${id} (${method}) was not answered.`);
      return response()!;
    },
  };
}

export function answer(status: number, text = "", headers: Readonly<Record<string, string>> = {}): EndpointAnswer {
  return { status, header: (name) => headers[name], text: async () => text, stream: () => undefined };
}

export const result = (request: Sent, value: object = {}, headers: Readonly<Record<string, string>> = {}): EndpointAnswer =>
  answer(200, JSON.stringify({ jsonrpc: "2.0", id: request.message.id, result: value }), headers);

/** A stream of these events. Then it ends, breaks off, or stays open until the request is aborted. */
export function events({ signal }: Sent, texts: readonly string[], then: "ends" | "breaks off" | "stays open"): EndpointAnswer {
  const stream = new ReadableStream<Uint8Array>(
    {
      // A stream that fails forgets what was not read yet, so it fails when it is asked for more.
      pull(controller) {
        const [text] = left.splice(0, 1);
        if (text !== undefined) return controller.enqueue(new TextEncoder().encode(text));
        if (then === "ends") return controller.close();
        if (then === "breaks off") return controller.error(new Error("The connection was reset."));
        return new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            controller.error(signal.reason);
            resolve();
          }),
        );
      },
    },
    { highWaterMark: 0 },
  );
  const left = [...texts];
  return {
    status: 200,
    header: (name) => (name === "content-type" ? "text/event-stream" : undefined),
    text: () => Promise.reject(new Error("This is a stream.")),
    stream: () => stream,
  };
}

/** One event with this message. */
export const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

/** "POST {headers} body": all that reached the endpoint. */
export const shown = (sent: readonly Sent[]): readonly string[] =>
  sent.map(({ method, headers, body }) => `${method} ${JSON.stringify(headers)} ${body ?? ""}`.trimEnd());

/** What a client of the modern era says of itself in every request. */
export const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

/** What a client of the legacy era begins with. */
export const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

/** The answer to a handshake; without an id, the server keeps no sessions. */
export const session = (request: Sent, id?: string): EndpointAnswer =>
  result(request, { protocolVersion: "2025-06-18", capabilities: {} }, id === undefined ? {} : { "mcp-session-id": id });

/** Pauses end at once; how long each would have been is kept. */
export function recordPauses(): readonly number[] {
  const pauses: number[] = [];
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((action: () => void, ms: number) => {
    pauses.push(ms);
    return real(action, 0);
  }) as typeof setTimeout);
  afterThisTest(() => vi.restoreAllMocks());
  return pauses;
}
