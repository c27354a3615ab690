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

/** A message that came in an answer, with its place in the stream, if it has one. An empty text is a place alone. */
export interface Arrived {
  readonly text: string;
  readonly eventId?: string | undefined;
}

export function isStream(answer: EndpointAnswer): boolean {
  return answer.header("content-type")?.startsWith("text/event-stream") ?? false;
}

/** The messages of an answer, as they come. */
export async function* messagesOf(answer: EndpointAnswer): AsyncIterable<Arrived> {
  if (!isStream(answer)) {
    const text = await answer.text();
    if (text !== "") yield { text };
    return;
  }
  const decoder = new TextDecoder();
  const read = createEventReader();
  for await (const chunk of answer.stream() ?? [])
    for (const { id, data } of read(decoder.decode(chunk, { stream: true }))) yield { text: data, eventId: id };
}

/** The same answer, after its text was read. */
export function withText({ status }: EndpointAnswer, text: string): EndpointAnswer {
  return { status, header: () => undefined, text: async () => text, stream: () => undefined };
}

export const bothKinds = "application/json, text/event-stream";
