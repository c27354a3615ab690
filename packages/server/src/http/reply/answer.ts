import { validateValue } from "@toolrack/json-schema";
import type { TraceContext } from "../../telemetry/trace/trace.ts";
import type { RequestServices } from "../request/services.ts";
import { toEventStream } from "./event-stream.ts";
import type { WholeReply } from "../transport/exchange.ts";
import type { OpenRequest } from "../request/open-request.ts";
import { Problem } from "./problem.ts";
import { jsonReply, pieceHeaders, streamReply, textReply, toProblem } from "./respond.ts";
import { toTextStream } from "./text-stream.ts";
import type { Route, RouteAnswer, StreamEvent } from "../route.ts";

export interface AnswerContext {
  readonly route: Route;
  readonly services: RequestServices;
  readonly open: OpenRequest;
  readonly traceContext: TraceContext | undefined;
}

/** Turns the answer of a route into a reply. */
export function toReply(answer: RouteAnswer, { route, services, open, traceContext }: AnswerContext): WholeReply {
  if ("events" in answer) {
    const reply = stream(answer.events, services, open);
    return traceContext === undefined ? reply : { ...reply, headers: { ...reply.headers, traceparent: traceContext.traceparent } };
  }
  if ("pieces" in answer) {
    if (services.checkAnswers) checkType(route, answer.contentType);
    const { contentType, headers } = answer;
    const all = pieceHeaders(contentType, traceContext === undefined ? headers : { ...headers, traceparent: traceContext.traceparent });
    return { status: 200, headers: all, ...(open.method !== "HEAD" && { body: textBody(answer.pieces, services, open) }) };
  }
  open.end();
  if (services.checkAnswers) checkAnswer(route, answer);
  const headers = traceContext === undefined ? answer.headers : { ...answer.headers, traceparent: traceContext.traceparent };
  const etag = headers?.["etag"];
  if (etag !== undefined && isKnown(open.header("if-none-match"), etag)) return jsonReply(304, undefined, { ...headers, ...revalidate });
  if ("text" in answer) return textReply(answer.status ?? 200, answer.text, answer.contentType, headers);
  const { status = answer.body === undefined ? 204 : 200, body } = answer;
  const reply = jsonReply(status, body, etag === undefined ? headers : { ...headers, ...revalidate });
  if (typeof reply.body === "string" && reply.body.length > services.limits.answerBytes) throw tooLarge(services.limits.answerBytes);
  return reply;
}

function tooLarge(answerBytes: number): Problem {
  return new Problem(
    400,
    "ANSWER_TOO_LARGE",
    `The answer would be larger than ${answerBytes} bytes. Request less: set limit, or name one tool. An operator may raise server.limits.answerBytes.`,
  );
}

/** May be cached by the client, and must be revalidated each time. */
const revalidate = { "cache-control": "private, no-cache", vary: "authorization" };

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

function stream(events: AsyncIterable<StreamEvent>, services: RequestServices, open: OpenRequest): WholeReply {
  const leave = services.streams.enter(open.identity.principal);
  let isGone = false;
  let why: Error | undefined;
  open.onGone((reason) => {
    isGone = true;
    why = reason;
    leave();
  });
  const onEnd = (): void => open.abort(new DOMException("The stream ended.", "AbortError"));
  // Without a reader, nothing would ever end it.
  if (isGone || open.method === "HEAD") {
    onEnd();
    return streamReply(undefined);
  }
  const onError = (error: unknown): StreamEvent => {
    if (error instanceof Problem) return { event: "error", data: error.toBody() };
    services.rack.log.error("A stream failed.", { error });
    return { event: "error", data: toProblem(error).toBody() };
  };
  const lastEvent = (): StreamEvent | undefined => (why instanceof Problem ? { event: "error", data: why.toBody() } : undefined);
  return streamReply(toEventStream(events, { onEnd, onError, lastEvent }));
}

/** Counts as a stream of its caller until it has ended, and breaks off where the sign-in ends. */
function textBody(pieces: AsyncIterable<string>, services: RequestServices, open: OpenRequest): ReadableStream<Uint8Array> {
  const leave = services.streams.enter(open.identity.principal);
  const { body, fail } = toTextStream(pieces, {
    onEnd: () => open.abort(new DOMException("The answer ended.", "AbortError")),
    onError: (error) => services.rack.log.error("A stream failed.", { error }),
  });
  open.onGone((reason) => {
    leave();
    fail(reason);
  });
  return body;
}

function checkType({ id, answers }: Route, contentType: string): void {
  const isDeclared = answers[200]?.streamedAs?.some((type) => contentType.startsWith(type)) === true;
  if (!isDeclared) throw new Error(`${id} answers ${contentType}, which it does not declare.`);
}

/** Throws if an answer does not match the schema of the route. */
function checkAnswer(route: Route, answer: Exclude<RouteAnswer, { events: unknown } | { pieces: unknown }>): void {
  const hasBody = "text" in answer || answer.body !== undefined;
  const status = answer.status ?? (hasBody ? 200 : 204);
  const shape = Object.hasOwn(route.answers, status) ? route.answers[status] : undefined;
  if (shape === undefined) throw new Error(`${route.id} answers ${status}, which it does not declare.`);
  if ("text" in answer) {
    if (shape.contentType === undefined || !answer.contentType.startsWith(shape.contentType))
      throw new Error(`${route.id} answers ${answer.contentType}, which it does not declare for ${status}.`);
    return;
  }
  if (shape.schema === undefined) {
    if (hasBody) throw new Error(`${route.id} answers ${status} with a body that it does not declare.`);
    return;
  }
  const sent: unknown = hasBody ? JSON.parse(JSON.stringify(answer.body)) : undefined;
  const checked = validateValue(shape.schema, sent);
  if (!checked.ok) throw new Error(`${route.id} answers ${status} with ${checked.issues.map((issue) => issue.message).join(" ")}`);
}
