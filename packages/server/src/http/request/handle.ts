import { isLargeJson, largeBytes } from "@toolrack/core/node";
import type { CallOrigin } from "../../telemetry/trace/origin.ts";
import { openRequestSpan, type RequestSpan, untraced } from "../../telemetry/trace/request-span.ts";
import { readTrace } from "../../telemetry/trace/trace.ts";
import { toReply } from "../reply/answer.ts";
import { compressReply } from "../reply/compress.ts";
import { readJsonBody, readRawBody } from "./body.ts";
import type { MatchedRequest, RequestServices } from "./services.ts";
import type { HttpRequest, WholeReply } from "../transport/exchange.ts";
import { answerOnce } from "./idempotency.ts";
import { strangerAt } from "../limits/strangers.ts";
import { identify } from "../sign-in/identify.ts";
import { type Identity, nobody } from "../sign-in/identity.ts";
import { checkPart, readPath, readQuery } from "./input.ts";
import { type CheckedParts, OpenRequest } from "./open-request.ts";
import { Problem } from "../reply/problem.ts";
import { problemReply, toProblem } from "../reply/respond.ts";
import type { Route, RouteAnswer } from "../route.ts";

/** Takes a request through a route: sign-in, limits, role, input, work, answer. Never rejects. */
export function createHandler(route: Route, services: RequestServices): (matched: MatchedRequest) => Promise<WholeReply> {
  const name = `${route.method} ${pathOf(route)}`;
  const { log } = services.rack;

  return async (matched) => {
    const startedAt = performance.now();
    const { request } = matched;
    const trace = readTrace(request.header("traceparent"), request.header("tracestate"));
    const span = route.isProbe === true ? untraced : openRequestSpan(services.rack.servers.name, name, trace);
    const { traceContext } = span;
    const origin: CallOrigin = traceContext === undefined ? { requestId: request.id } : { requestId: request.id, ...traceContext };
    let code: string | undefined;
    let identity: Identity | undefined;
    let open: OpenRequest | undefined;
    let leave: (() => void) | undefined;
    let reply: WholeReply;
    try {
      const found = identify(route, services, request);
      identity = found instanceof Promise ? await found : found;
      const caller = callerOf(identity, request);
      // Probes are always answered: who is refused would restart the server.
      if (route.isProbe !== true) leave = services.requests.enter(caller);
      const body = await bodyOf(route, services, request, caller);
      open = new OpenRequest(matched, route, services, identity, checkParts(route, matched, body), origin);
      const answer = await work(open, route, services, { span, caller });
      if (open.signInEnd !== undefined) throw open.signInEnd;
      reply = toReply(answer, { route, services, open, traceContext });
      if (route.isCompressed === true) reply = await compressReply(request, reply);
    } catch (thrown) {
      open?.end();
      // A caller whose sign-in ended gets the reason instead of the answer.
      const error = open?.signInEnd ?? thrown;
      const problem = toProblem(error);
      ({ code } = problem);
      services.rack.storeWatch.notice(error);
      if (problem.status === 500 && !(error instanceof Problem))
        log.error("A request failed unexpectedly.", { route: name, requestId: request.id, error });
      reply = problemReply(problem);
    }
    leave?.();
    const { status } = reply;
    const seconds = (performance.now() - startedAt) / 1_000;
    span.end(status, identity?.agent);
    services.note({ route: name, status, seconds, origin, code, agent: identity?.agent, principal: identity?.principal });
    return reply;
  };
}

function bodyOf(
  { body, rawBodyBytes }: Route,
  services: RequestServices,
  request: HttpRequest,
  caller: string,
): Promise<unknown> | undefined {
  const { limits, heavy } = services;
  if (rawBodyBytes !== undefined) return readRawBody(request, { heavy, caller, limits: { ...limits, bodyBytes: rawBodyBytes } });
  return body === undefined ? undefined : readJsonBody(request, { limits, heavy, caller });
}

/** Whose limits count, and whose turn heavy work takes: those who need no sign-in are told apart by their address alone. */
function callerOf({ principal }: Identity, { remoteAddress }: HttpRequest): string {
  return principal === nobody.principal ? strangerAt(remoteAddress) : principal;
}

/** Routes that read the bytes of a body themselves read JSON, as large as that of others. */
function inTurn(route: Route, open: OpenRequest, { heavy }: RequestServices, caller: string): RouteAnswer | Promise<RouteAnswer> {
  const bytes = route.rawBodyBytes === undefined ? noBytes : (open.body as Uint8Array);
  if (route.isHeavy === true || bytes.length > largeBytes) return heavy.run(caller, () => route.run(open));
  return isLargeJson(bytes) ? heavy.turn(caller).then(() => route.run(open)) : route.run(open);
}

const noBytes = new Uint8Array();

/** "/api/v1/tools/{name}" */
export function pathOf({ path, atRoot = false }: Route): string {
  return atRoot ? path : `/api/v1${path}`;
}

function checkParts(route: Route, { request, params }: MatchedRequest, body: unknown): CheckedParts {
  const query = request.query === "" ? {} : readQuery(route.query ?? {}, request.query);
  return {
    params: route.params === undefined ? params : checkPart("path", route.params, readPath(route.params, params)),
    query: route.query === undefined ? query : checkPart("query", route.query, query),
    body: route.body === undefined ? body : checkPart("body", route.body, body),
  };
}

interface Working {
  readonly span: RequestSpan;
  /** Whose turn heavy work takes. */
  readonly caller: string;
}

/** Runs the route, or returns the stored first answer of a repeated request. */
function work(open: OpenRequest, route: Route, services: RequestServices, { span, caller }: Working): RouteAnswer | Promise<RouteAnswer> {
  const key = route.method === "GET" || route.keepsIdempotency === true ? undefined : open.header("idempotency-key");
  const run = (): RouteAnswer | Promise<RouteAnswer> => inTurn(route, open, services, caller);
  if (key === undefined) return span.run(run);
  const { identity, params, query, body } = open;
  const keyed = {
    key,
    caller: identity.principal,
    scope: `${identity.principal} ${route.id}`,
    request: { params, query, body },
    mayRepeat: route.method !== "POST" && route.method !== "PATCH",
  };
  return answerOnce(services.answers, keyed, async () => span.run(run));
}
