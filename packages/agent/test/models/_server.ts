import type { ServerResponse } from "node:http";
import { type Loopback, sendJson, type Seen, startLoopback } from "@toolrack/testkit/loopback";
import type { ModelFetch } from "../../src/models/shared/fetch.ts";
import type { ModelEnd, ModelEvent } from "../../src/model.ts";

/** One server for all stand-ins of a file; `answer` says what it does next. */
export interface ModelServer extends Loopback {
  answer(respond: (response: ServerResponse, request: Seen) => void): void;
  /** Sends these events, and ends. */
  events(events: readonly string[], contentType: string): void;
  refuse(status: number, body: unknown, headers?: Record<string, string>): void;
  /** The body of the last request. */
  lastBody(): Record<string, unknown>;
}

export async function startModelServer(): Promise<ModelServer> {
  let next: (response: ServerResponse, request: Seen) => void = (response) => response.destroy();
  const server = await startLoopback((request, response) => next(response, request));
  return {
    ...server,
    answer: (respond) => (next = respond),
    events: (events, contentType) => (next = (response) => response.writeHead(200, { "content-type": contentType }).end(events.join(""))),
    refuse: (status, body, headers) => (next = (response) => sendJson(response, body, status, headers)),
    lastBody: () => JSON.parse(server.seen.at(-1)!.body) as Record<string, unknown>,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export interface Streamed {
  readonly events: readonly Exclude<ModelEvent, ModelEnd>[];
  readonly text: string;
  readonly thinking: string;
  readonly end: ModelEnd;
}

/** All events of a stream. Fails where the end is not the last one, or not the only one. */
export async function collect(stream: AsyncIterable<ModelEvent>): Promise<Streamed> {
  const all: ModelEvent[] = [];
  for await (const event of stream) all.push(event);
  const ends = all.filter((event) => event.type === "end");
  if (ends.length !== 1 || all.at(-1) !== ends[0])
    throw new Error(`The stream has ${ends.length} ends, and its last event is "${all.at(-1)?.type}".`);
  const events = all.filter((event) => event.type !== "end");
  const said = (type: string): string =>
    events
      .filter((event) => event.type === type)
      .map(({ text }) => text)
      .join("");
  return { events, text: said("text"), thinking: said("thinking"), end: ends[0]! };
}

/** The platform's fetch, whose bodies come in pieces of one byte. */
export const byteByByte: ModelFetch = async (url, request) => {
  const response = await fetch(url, request);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body: single(bytes) };
};

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < bytes.length; index++) yield bytes.subarray(index, index + 1);
}
