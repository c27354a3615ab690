import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { contextOf, placeOf, readTrace, type TraceContext, tracer } from "../telemetry/trace.ts";
import { toResponse } from "./answer.ts";
import { readJsonBody } from "./body.ts";
import type { Arrived, Door } from "./door.ts";
import { answerOnce } from "./idempotency.ts";
import { identify } from "./identify.ts";
import type { Identity } from "./identity.ts";
import { checkPart, readQuery, readText } from "./input.ts";
import { type CheckedParts, OpenRequest } from "./open-request.ts";
import { Problem } from "./problem.ts";
import { problemResponse, toProblem } from "./respond.ts";
import type { Route, RouteAnswer } from "./route.ts";

/** Takes a request through a route: sign-in, limits, role, input, work, answer. Never rejects. */
export function createHandler(route: Route, door: Door): (arrived: Arrived) => Promise<Response> {
  const name = `${route.method} ${pathOf(route)}`;
  const { log } = door.rack;
  const { metrics } = door.server;

  return async (arrived) => {
    const startedAt = performance.now();
    const { headers } = arrived.request;
    const cameIn = readTrace(headers.get("traceparent"), headers.get("tracestate"));
    const parent = contextOf(cameIn);
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { "http.route": name } }, parent);
    const place = placeOf(span, cameIn);
    let identity: Identity | undefined;
    let response: Response;
    try {
      identity = await identify(route, door, arrived);
      const work = (): Promise<Response> => answer(route, door, arrived, identity!, place);
      response = await context.with(trace.setSpan(parent, span), work);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 500 && !(error instanceof Problem)) log.error("A request failed unexpectedly.", { route: name, error });
      response = problemResponse(problem);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    metrics.countRequest(name, response.status, seconds);
    endSpan(span, response.status, identity);
    log.info("request", {
      route: name,
      status: response.status,
      durationMs: Math.round(seconds * 1e6) / 1e3,
      ...(identity !== undefined && { agent: identity.agent }),
      ...(place !== undefined && { trace: place.traceparent }),
    });
    return response;
  };
}

/** "/api/v1/tools/{name}" */
export function pathOf({ path, atRoot = false }: Route): string {
  return atRoot ? path : `/api/v1${path}`;
}

async function answer(route: Route, door: Door, arrived: Arrived, identity: Identity, place: TraceContext | undefined): Promise<Response> {
  const parts = await readParts(route, door, arrived);
  const open = new OpenRequest(arrived, route, door, identity, parts, place);
  try {
    const key = route.method === "GET" || route.keepsIdempotency === true ? undefined : open.header("idempotency-key");
    const work = async (): Promise<RouteAnswer> => route.run(open);
    const scope = `${identity.via} ${identity.agent} ${route.id}`;
    const given = key === undefined ? await work() : await answerOnce(door.answers, { key, scope, request: parts }, work);
    return toResponse(given, { route, door, open, place });
  } catch (error) {
    open.end();
    throw error;
  }
}

async function readParts(route: Route, door: Door, { request, params }: Arrived): Promise<CheckedParts> {
  const { url } = request;
  const mark = url.indexOf("?");
  const query = mark === -1 ? {} : readQuery(route.query ?? {}, url.slice(mark + 1));
  const body = route.body === undefined ? undefined : await readJsonBody(request, door.limits);
  return {
    params: route.params === undefined ? params : checkPart("path", route.params, readParams(route.params, params)),
    query: route.query === undefined ? query : checkPart("query", route.query, query),
    body: route.body === undefined ? undefined : checkPart("body", route.body, body),
  };
}

function readParams(schema: NonNullable<Route["params"]>, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, NonNullable<Route["params"]>>>;
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(params)) read[name] = readText(Object.hasOwn(properties, name) ? properties[name]! : {}, params[name]!);
  return read;
}

function endSpan(span: Span, status: number, identity: Identity | undefined): void {
  span.setAttribute("http.response.status_code", status);
  if (identity !== undefined) span.setAttribute("toolrack.agent", identity.agent);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
