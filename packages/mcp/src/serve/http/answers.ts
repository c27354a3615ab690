import { McpError, rpcErrors } from "../../errors.ts";
import type { RequestId } from "../../wire/protocol.ts";
import { errorMessage, PreparedResult, type ResultJson, resultMessage } from "../../wire/reply.ts";
import { type Methods, toMcpError } from "../methods.ts";
import { signInEnded } from "../sign-in-ended.ts";
import type { EventStream } from "./streams/event-stream.ts";
import type { HttpAnswer, HttpRequest, Reply } from "./http.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** Answers with JSON, or with a stream that ends with the result if messages were sent before it. */
export function serve(methods: Methods, exchange: HttpExchange, reply: Reply): void {
  const { id } = exchange;
  if (prefersStreams(exchange)) exchange.openStream();
  const answered = answerOf(methods, exchange);
  if (!(answered instanceof Promise) && exchange.stream === undefined) {
    exchange.end();
    return reply(toAnswer(id, answered));
  }
  exchange.whenStreaming((stream) => reply({ status: 200, stream }));
  Promise.resolve(answered).then((result) => {
    // A caller whose access has ended gets the reason, and no result.
    if (exchange.signedIn?.aborted === true) return fail(new McpError("invalidRequest", signInEnded(exchange.signedIn)));
    exchange.end();
    if (exchange.stream === undefined) reply(toAnswer(id, result));
    else endStream(exchange.stream, resultMessage(id, result));
  }, fail);

  function fail(error: unknown): void {
    exchange.end(String(toMcpError(error).code));
    if (exchange.stream === undefined) reply(failed(exchange, error));
    else endStream(exchange.stream, errorMessage(id, toMcpError(error)));
  }
}

/** What a method throws at once is no different from what it throws later. */
function answerOf(methods: Methods, exchange: HttpExchange): ResultJson | Promise<ResultJson> {
  try {
    return methods.answer(exchange);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Legacy clients take every status but 200 for a fault of the connection, and 404 for a lost session. */
function failed({ id, era }: HttpExchange, error: unknown): HttpAnswer {
  return era === "legacy" ? { status: 200, body: errorMessage(id, toMcpError(error)) } : refusal(id, error, 200);
}

function endStream(stream: EventStream, message: string): void {
  stream.send(message);
  stream.end();
}

export function toAnswer(id: RequestId, result: ResultJson): HttpAnswer {
  return result instanceof PreparedResult ? { status: 200, prepared: { result, id } } : { status: 200, body: resultMessage(id, result) };
}

/** An error that a request met on its way in has a status of its own; one that a method met is an answer like any other. */
export function refusal(id: RequestId | undefined, thrown: unknown, otherwise = 400): HttpAnswer {
  const error = toMcpError(thrown);
  return { status: statusOf.get(error.code) ?? otherwise, body: errorMessage(id, error) };
}

const statusOf: ReadonlyMap<number, number> = new Map([
  [rpcErrors.methodNotFound.code, 404],
  [rpcErrors.headerMismatch.code, 400],
  [rpcErrors.missingCapability.code, 400],
  [rpcErrors.unsupportedVersion.code, 400],
]);

/** Clients without an Accept header, or with any type in it, get streams; so do all clients that follow the protocol. */
export function readsStreams({ header }: Pick<HttpRequest, "header">): boolean {
  const accept = header("accept");
  return accept === undefined || accept.includes("text/event-stream") || accept.includes("*/*");
}

/** A client that names streams first wants one even where there is a single event to send. */
function prefersStreams({ header }: Pick<HttpRequest, "header">): boolean {
  const accept = header("accept");
  return accept !== undefined && accept.startsWith("text/event-stream");
}
