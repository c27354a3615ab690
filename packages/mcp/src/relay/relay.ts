import type { Readable } from "node:stream";
import { isObject } from "@toolrack/core/internal";
import { McpError } from "../errors.ts";
import { readLines } from "../wire/lines.ts";
import { type Message, readMessage, type RequestMessage, UnreadableRequest } from "../wire/message.ts";
import type { RequestId } from "../wire/protocol.ts";
import { errorMessage } from "../wire/reply.ts";
import { type EndpointAnswer, messagesOf, type SendToEndpoint } from "./endpoint.ts";
import { createLegacyRelay } from "./legacy.ts";
import { createModernRelay } from "./modern.ts";
import { isModern } from "./modern-headers.ts";

export type { EndpointAnswer, EndpointRequest, SendToEndpoint } from "./endpoint.ts";

export interface RelayOptions {
  readonly input: Readable;
  /** Takes one line, without its end. */
  readonly write: (line: string) => void;
  /** To the MCP endpoint, signed in as whoever the client is. */
  readonly send: SendToEndpoint;
  /** What a person who looks for the reason of a silence wants to know, one line each. */
  readonly onNotice?: (text: string) => void;
  /** Ends the relay as the end of the input does. */
  readonly signal?: AbortSignal;
}

/**
 * Speaks MCP over standard input and output for a server that speaks it over HTTP: messages of both eras go to the endpoint, one request
 * each, and everything that comes back goes to the client. Resolves when the input ends; calls that run then are cancelled.
 */
export async function relayStdio({ input, write, send, onNotice = () => undefined, signal }: RelayOptions): Promise<void> {
  const closing = new AbortController();
  const running = new Map<RequestId, Running>();
  const cancelled = new Set<RequestId>();
  const parts = { send, pass, write: writeLine };
  const modern = createModernRelay(parts);
  const legacy = createLegacyRelay({ ...parts, onNotice, closing: closing.signal });

  function writeLine(text: string): void {
    write(/[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text);
  }

  async function pass(answer: EndpointAnswer, id: RequestId): Promise<boolean> {
    if (answer.status < 200 || answer.status > 299) {
      writeLine(errorMessage(id, refusalOf(answer.status, await answer.text())));
      return true;
    }
    for await (const text of messagesOf(answer)) {
      writeLine(text);
      if (isResponse(text)) return true;
    }
    return false;
  }

  async function answer(message: RequestMessage, body: string, { signal: stop }: AbortController): Promise<void> {
    try {
      const hasResponse = await (isModern(message) ? modern : legacy).answer(message, body, stop);
      if (hasResponse || stop.aborted || cancelled.has(message.id)) return;
      throw new Error("The server ended the connection before it answered. A call may have run: look with toolrack calls, then try again.");
    } catch (error) {
      if (!stop.aborted) writeLine(errorMessage(message.id, new McpError("internal", (error as Error).message)));
    } finally {
      running.delete(message.id);
      cancelled.delete(message.id);
    }
  }

  function take(message: Message, body: string): void {
    if (message.kind === "request") {
      const controller = new AbortController();
      const isEndless = message.method === "subscriptions/listen";
      running.set(message.id, { controller, isEndless, isModern: isModern(message), done: answer(message, body, controller) });
      return;
    }
    if (message.kind === "response") return void legacy.respond(body).catch(lost);
    const id = message.params["requestId"] as RequestId;
    const asked = message.method === "notifications/cancelled" ? running.get(id) : undefined;
    if (asked !== undefined) cancelled.add(id);
    // In the modern era the end of the connection cancels a request; in the legacy era the message does.
    if (asked?.isModern) return asked.controller.abort();
    void legacy.notice(message, body).catch(lost);
  }

  const lost = (error: Error): void => {
    if (!closing.signal.aborted) onNotice(`A message of the client was not delivered: ${error.message}`);
  };

  await new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve());
    if (signal?.aborted) resolve();
    readLines(input, maxLineBytes, {
      line(bytes) {
        try {
          const body = Buffer.from(bytes).toString();
          take(readMessage(bytes), body);
        } catch (error) {
          const fault = error instanceof McpError ? error : new McpError("parse", "The message cannot be read.");
          writeLine(errorMessage(error instanceof UnreadableRequest ? error.id : undefined, fault));
        }
      },
      end(tooLong) {
        if (tooLong) writeLine(errorMessage(undefined, new McpError("parse", `A message is longer than ${maxLineBytes} bytes.`)));
        resolve();
      },
    });
  });
  input.pause();
  await withinGrace([...running.values()].filter(({ isEndless }) => !isEndless).map(({ done }) => done));
  closing.abort();
  for (const { controller } of running.values()) controller.abort();
  await legacy.close(AbortSignal.timeout(graceMs));
}

interface Running {
  readonly controller: AbortController;
  readonly isModern: boolean;
  readonly isEndless: boolean;
  readonly done: Promise<void>;
}

const maxLineBytes = 10 * 1024 * 1024;
/** How long answers that are on their way may take after the input has ended. */
const graceMs = 1_000;

async function withinGrace(work: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([Promise.all(work), new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
  clearTimeout(timer);
}

function isResponse(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return isObject(message) && message["method"] === undefined && message["id"] !== undefined;
}

/** An error of the protocol as it is, a problem of the HTTP server with its sentence. */
function refusalOf(status: number, text: string): McpError {
  const { error, detail } = parsed(text);
  if (isObject(error) && typeof error["message"] === "string" && typeof error["code"] === "number")
    return new McpError(error["code"], error["message"], error["data"]);
  return new McpError("internal", typeof detail === "string" ? detail : `The server answered with status ${status}.`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
