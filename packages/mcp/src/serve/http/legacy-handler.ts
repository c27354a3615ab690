import { ToolError } from "@toolrack/core";
import { onAbort } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { NotificationMessage, RequestMessage, ResponseMessage } from "../../wire/message.ts";
import { isLogLevel, legacyVersions, type RequestId } from "../../wire/protocol.ts";
import { errorMessage, notificationMessage } from "../../wire/reply.ts";
import { toPrimingEvent } from "../../wire/sse.ts";
import { answerInitialize } from "../handshake.ts";
import { methodNotFound } from "../methods.ts";
import { readsStreams, refusal, serve, toAnswer } from "./answers.ts";
import { checkNameHeader } from "./era.ts";
import { EventStream } from "./streams/event-stream.ts";
import type { HttpAnswer, HttpRequest, Reply, Visitor } from "./http.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { HttpParts } from "./parts.ts";
import { createSessionCalls, requestKey } from "./sessions/session-calls.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { LiveSession, Session } from "./sessions/sessions.ts";

/** Handles the legacy era over HTTP. Requests without a session are answered as well, unless they need one. */
export interface LegacyHandler {
  post(request: HttpRequest, message: RequestMessage, visitor: Visitor, reply: Reply): void;
  notice(request: HttpRequest, message: NotificationMessage, visitor: Visitor, reply: Reply): void;
  /** The client's response to a request of the server. */
  respond(request: HttpRequest, message: ResponseMessage, visitor: Visitor, reply: Reply): void;
  /** Opens the stream for messages that belong to no request, or resumes one that was lost. */
  get(request: HttpRequest, visitor: Visitor): HttpAnswer;
  /** Ends a session. */
  end(request: HttpRequest, visitor: Visitor, reply: Reply): void;
  close(): void;
}

/** Undefined: the request names none; "gone": the one that it names does not exist, has ended, or belongs to someone else. */
type FoundSession = Session | "gone" | undefined;

export function createLegacyHandler(parts: HttpParts): LegacyHandler {
  const { methods, changes, sessions, clientRequests, streams, streamIds, serverInfo, instructionsFor } = parts;
  const calls = createSessionCalls();
  /** Streams for messages that belong to no request, by session. */
  const listening = new Map<string, Set<EventStream>>();

  const unsubscribe = sessions?.store.subscribe((message) => {
    const { session } = message;
    if (message.kind === "cancel") return calls.cancel(session, message.request);
    if (message.kind === "answer") {
      const { response, fault } = message;
      return fault === undefined ? clientRequests.settle(session, response) : clientRequests.fail(session, response.id, fault);
    }
    calls.endSession(session);
    for (const stream of listening.get(session) ?? []) stream.end();
    return false;
  });

  function sessionOf({ header }: HttpRequest, { sessionOwner }: Visitor): FoundSession {
    const id = header("mcp-session-id");
    return id === undefined ? undefined : (sessions?.read(id, sessionOwner) ?? "gone");
  }

  function initialize(message: RequestMessage, { caller, sessionOwner }: Visitor): HttpAnswer {
    const result = answerInitialize(message.params, serverInfo, instructionsFor(caller), sessions !== undefined);
    const id = sessions?.open(result.protocolVersion, message.params["capabilities"], sessionOwner);
    return { ...toAnswer(message.id, JSON.stringify(result)), ...(id !== undefined && { headers: { "mcp-session-id": id } }) };
  }

  /** Changes the settings of a session: its log level and its subscribed resources. */
  async function changeSettings({ method, params, id }: RequestMessage, session: Session, { signal }: Visitor): Promise<HttpAnswer> {
    const { level, uri } = params;
    if (method === "logging/setLevel") {
      if (!isLogLevel(level))
        throw new McpError("invalidParams", "level must be one of debug, info, notice, warning, error, critical, alert, emergency.");
      await sessions!.store.change(session, (now) => ({ ...now, logLevel: level }));
    } else {
      if (typeof uri !== "string") throw new McpError("invalidParams", "uri must be a text.");
      const change = method === "resources/unsubscribe" ? withoutUri : withUri;
      await sessions!.store.change(session, (now) => ({ ...now, uris: change(now.uris, uri) }));
    }
    sessions!.live(session, signal);
    return toAnswer(id, "{}");
  }

  function call(request: HttpRequest, message: RequestMessage, visitor: Visitor, session: Session | undefined, reply: Reply): void {
    const exchange: HttpExchange = new HttpExchange({
      era: "legacy",
      message,
      http: request,
      visitor,
      capabilities: session?.capabilities ?? {},
      clientInfo: undefined,
      logLevel: session && sessions!.store.settings(session.key).logLevel,
      openStream: readsStreams(request) ? () => streams.track(openStream(session, visitor, () => exchange.streamWent())) : undefined,
      hasOwnEnd: session !== undefined,
      canResume: session !== undefined && canResume(session),
      ...(session && {
        session: session.key,
        ask: (method, params) => clientRequests.ask(session.key, method, params, (text) => exchange.sendAhead(text), exchange.signal),
      }),
    });
    if (session !== undefined && message.method === "tools/call") calls.add(session.key, exchange);
    serve(methods, exchange, reply);
  }

  function openStream(session: Session | undefined, { signal }: Visitor, onGone: () => void): EventStream {
    if (session === undefined || !canResume(session)) return new EventStream({ onGone });
    const live = sessions!.live(session, signal);
    const id = streamIds.make(session.key);
    const stream = new EventStream({ id, onGone, onDone: () => live.streams.delete(id) });
    live.streams.set(id, stream);
    dropOldest(live);
    return stream;
  }

  function resume(session: Session, lastEventId: string): HttpAnswer {
    const end = lastEventId.lastIndexOf("_");
    const number = lastEventId.slice(end + 1);
    const id = lastEventId.slice(0, Math.max(0, end));
    if (!/^\d{1,9}$/.test(number)) return gone(undefined);
    const stream = sessions!.peek(session)?.streams.get(id);
    if (stream !== undefined) return { status: 200, stream, after: Number(number) };
    if (!streamIds.isElsewhere(session.key, id)) return gone(undefined);
    // Repeats the client's position and ends: the client reconnects, and reaches another server.
    const empty = new EventStream({ first: toPrimingEvent(lastEventId, comeAgainMs) });
    empty.end();
    return { status: 200, stream: empty };
  }

  function listenTo(session: Session | undefined, { caller, principal, isAnonymous, signal }: Visitor): HttpAnswer {
    const giveBack = streams.take(principal);
    if (giveBack === undefined)
      return {
        status: 429,
        headers: { "retry-after": "1" },
        body: errorMessage(undefined, new McpError("internal", "You have too many streams open. Close one first.")),
      };
    const stream: EventStream = new EventStream({
      onDone() {
        stop();
        giveBack();
        forget();
        leave();
      },
    });
    const leave = session === undefined ? () => undefined : trackStream(session, stream);
    const stop = changes.add({
      caller,
      isAnonymous,
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wantsResource: (uri) => session !== undefined && sessions!.store.settings(session.key).uris.includes(uri),
      tell: (method, params) => stream.send(notificationMessage(method, params)),
    });
    streams.track(stream);
    const forget = onAbort(signal, () => stream.end());
    return { status: 200, stream };
  }

  function trackStream({ key }: Session, stream: EventStream): () => void {
    const own = listening.get(key) ?? new Set();
    listening.set(key, own.add(stream));
    return () => {
      own.delete(stream);
      if (own.size === 0 && listening.get(key) === own) listening.delete(key);
    };
  }

  /** Answers once the message for the other servers is stored, and with an error if it is not. */
  function tell(session: Session, message: Parameters<SessionStore["tell"]>[1], reply: Reply, answer: HttpAnswer = { status: 202 }): void {
    sessions!.store.tell(session, message).then(
      () => reply(answer),
      (error: unknown) => reply(notForwarded(error)),
    );
  }

  return {
    post(request, message, visitor, reply) {
      if (message.method === "initialize") return reply(initialize(message, visitor));
      const session = sessionOf(request, visitor);
      if (session === "gone") return reply(gone(message.id));
      checkNameHeader("legacy", message.method, message.params, request.header);
      if (sessionMethods.has(message.method)) {
        if (session === undefined) return reply({ status: 200, body: errorMessage(message.id, methodNotFound(message.method)) });
        return void changeSettings(message, session, visitor).then(reply, (error: unknown) =>
          reply(error instanceof McpError ? refusal(message.id, error) : notForwarded(error, message.id)),
        );
      }
      call(request, message, visitor, session, reply);
    },
    notice(request, { method, params }, visitor, reply) {
      const session = sessionOf(request, visitor);
      if (session === "gone") return reply(gone(undefined));
      const { requestId } = params;
      const isCancel = method === "notifications/cancelled" && (typeof requestId === "string" || typeof requestId === "number");
      if (session === undefined || !isCancel) return reply({ status: 202 });
      const cancelled = requestKey(requestId);
      if (calls.cancel(session.key, cancelled)) return reply({ status: 202 });
      tell(session, { kind: "cancel", session: session.key, request: cancelled }, reply);
    },
    respond(request, message, visitor, reply) {
      const session = sessionOf(request, visitor);
      if (session === "gone") return reply(gone(undefined));
      // A response to a request that was never made is ignored.
      if (session === undefined || clientRequests.settle(session.key, message) || !clientRequests.wasAsked(session.key, message.id))
        return reply({ status: 202 });
      const { id, result, error } = message;
      const length = JSON.stringify([result, error]).length;
      if (length <= maxAnswerLength) return tell(session, { kind: "answer", session: session.key, response: message }, reply);
      const fault = `its answer has ${length} characters, and at most ${maxAnswerLength} are passed on from one server to another`;
      const response: ResponseMessage = { kind: "response", id };
      tell(session, { kind: "answer", session: session.key, response, fault }, reply, {
        status: 413,
        body: errorMessage(undefined, new McpError("invalidRequest", `The answer was not passed on: ${fault}.`)),
      });
    },
    get(request, visitor) {
      if (!(request.header("accept") ?? "").includes("text/event-stream")) return { status: 405, headers: { allow: "POST, GET, DELETE" } };
      const session = sessionOf(request, visitor);
      if (session === "gone") return gone(undefined);
      const last = request.header("last-event-id");
      return last === undefined || session === undefined ? listenTo(session, visitor) : resume(session, last);
    },
    end(request, visitor, reply) {
      const session = sessionOf(request, visitor);
      if (session === undefined) return reply({ status: 405, headers: { allow: "POST, GET" } });
      if (session === "gone") return reply(gone(undefined));
      sessions!.end(session).then(
        () => reply({ status: 204 }),
        (error: unknown) => reply(notForwarded(error)),
      );
    },
    close: () => unsubscribe?.(),
  };
}

/** Only the newest legacy version can resume streams. */
function canResume({ version }: Session): boolean {
  return version === legacyVersions[0];
}

const sessionMethods: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

function withUri(uris: readonly string[], uri: string): readonly string[] {
  if (uris.includes(uri)) return uris;
  if (uris.length >= maxUris) throw new McpError("invalidParams", `${maxUris} resources are subscribed to already.`);
  if (uris.reduce((sum, known) => sum + known.length, uri.length) > maxUrisLength)
    throw new McpError("invalidParams", `The URIs of all subscriptions may have ${maxUrisLength} characters together. End one first.`);
  return [...uris, uri];
}

function withoutUri(uris: readonly string[], uri: string): readonly string[] {
  return uris.filter((known) => known !== uri);
}

const comeAgainMs = 200;
const maxUris = 1000;
const maxUrisLength = 65_536;
/** For a response that reached another server than the one that asked. */
const maxAnswerLength = 524_288;

/** The oldest stream without a reader makes room for a new one. */
function dropOldest({ streams }: LiveSession): void {
  const left = [...streams.values()].filter((stream) => !stream.hasReader);
  if (left.length > 32) left[0]!.giveUp();
}

/** 404 tells a legacy client to initialize again. */
function gone(id: RequestId | undefined): HttpAnswer {
  return { status: 404, body: errorMessage(id, new McpError("invalidRequest", "There is no such session (any more). Initialize again.")) };
}

/** The shared store did not take the message. Its own error is not repeated: it may contain an address. */
function notForwarded(error: unknown, id?: RequestId): HttpAnswer {
  const isFull = error instanceof ToolError && error.code === "QUEUE_FULL";
  const message = isFull ? error.message : "The other servers could not be notified: the store does not answer. Send it again.";
  return {
    status: isFull ? 429 : 503,
    headers: { "retry-after": isFull ? "60" : "1" },
    body: errorMessage(id, new McpError("internal", message)),
  };
}
