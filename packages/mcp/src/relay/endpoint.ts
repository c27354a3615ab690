import { createEventReader } from "@toolrack/core/internal/sse";

/** Sends one HTTP request to an MCP endpoint: over the network, or to an app in this process. Rejects if there is no response. */
export type SendToEndpoint = (request: EndpointRequest) => Promise<EndpointAnswer>;

export interface EndpointRequest {
  readonly method: "POST" | "GET" | "DELETE";
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface EndpointAnswer {
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** The complete body; read either this or `stream`. */
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array> | undefined;
}

export function isStream(answer: EndpointAnswer): boolean {
  return answer.header("content-type")?.startsWith("text/event-stream") ?? false;
}

/** The messages of an answer, as they come. An event without data is a place in the stream alone. */
export async function* messagesOf(answer: EndpointAnswer): AsyncIterable<string> {
  for await (const text of textsOf(answer)) if (text !== "") yield text;
}

async function* textsOf(answer: EndpointAnswer): AsyncIterable<string> {
  if (!isStream(answer)) return yield await answer.text();
  const decoder = new TextDecoder();
  const read = createEventReader();
  for await (const chunk of answer.stream() ?? []) for (const { data } of read(decoder.decode(chunk, { stream: true }))) yield data;
}

/** The same answer, after its text was read. */
export function withText({ status }: EndpointAnswer, text: string): EndpointAnswer {
  return { status, header: () => undefined, text: async () => text, stream: () => undefined };
}

export const bothKinds = "application/json, text/event-stream";
