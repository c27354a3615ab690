import { randomBytes } from "node:crypto";
import { McpError } from "../../errors.ts";
import type { NotificationMessage, RequestMessage, ResponseMessage } from "../../wire/message.ts";
import { isLogLevel, legacyVersions, type RequestId } from "../../wire/protocol.ts";
import { errorMessage, notificationMessage } from "../../wire/reply.ts";
import { answerInitialize } from "../handshake.ts";
import { methodNotFound } from "../methods.ts";
import { whenAborted } from "../when-aborted.ts";
import { readsStreams, serve, toAnswer } from "./answers.ts";
import { checkNameHeader } from "./era.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpAnswer, HttpRequest, Reply, Visitor } from "./http.ts";
import { HttpExchange } from "./http-exchange.ts";
import type { HttpParts } from "./parts.ts";
import type { LiveSession, Session } from "./sessions.ts";

/** The legacy era over HTTP. Requests without a session are answered too, as far as they need none. */
export interface LegacyDoor {
  post(request: HttpRequest, message: RequestMessage, visitor: Visitor, reply: Reply): void;
  notice(request: HttpRequest, message: NotificationMessage, visitor: Visitor): HttpAnswer;
  /** The answer of a client to what it was asked. */
  respond(request: HttpRequest, message: ResponseMessage, visitor: Visitor): HttpAnswer;
  /** Opens the stream for what belongs to no request, or takes up one that broke off. */
  get(request: HttpRequest, visitor: Visitor): HttpAnswer;
  /** Ends a session. */
  end(request: HttpRequest, visitor: Visitor): HttpAnswer;
}

/** Undefined: the request names none; "gone": the one that it names is not there (any more), or not for this visitor. */
type FoundSession = Session | "gone" | undefined;

export function createLegacyDoor({ methods, changes, sessions, asks, streams, serverInfo, instructionsFor }: HttpParts): LegacyDoor {
  const running = new Map<string, HttpExchange>();

  function sessionOf({ header }: HttpRequest, { sessionOwner }: Visitor): FoundSession {
    const id = header("mcp-session-id");
    return id === undefined ? undefined : (sessions?.read(id, sessionOwner) ?? "gone");
  }

  function initialize(message: RequestMessage, { caller, sessionOwner }: Visitor): HttpAnswer {
    const result = answerInitialize(message.params, serverInfo, instructionsFor(caller), sessions !== undefined);
    const id = sessions?.open(result.protocolVersion, message.params["capabilities"], sessionOwner);
    return { ...toAnswer(message.id, JSON.stringify(result)), ...(id !== undefined && { headers: { "mcp-session-id": id } }) };
  }

  /** What a session remembers: from which level on to log, and which resources to watch. */
  function settle({ method, params, id }: RequestMessage, session: Session, { signal }: Visitor): HttpAnswer {
    const live = sessions!.live(session, signal);
    const { level, uri } = params;
    if (method === "logging/setLevel") {
      if (!isLogLevel(level))
        throw new McpError("invalidParams", "level must be one of debug, info, notice, warning, error, critical, alert, emergency.");
      live.logLevel = level;
    } else {
      if (typeof uri !== "string") throw new McpError("invalidParams", "uri must be a text.");
      if (method === "resources/unsubscribe") live.uris.delete(uri);
      else if (live.uris.size >= 1000) throw new McpError("invalidParams", "1000 resources are subscribed to already.");
      else live.uris.add(uri);
    }
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
      logLevel: session && sessions!.peek(session)?.logLevel,
      openStream: readsStreams(request) ? () => streams.track(openStream(session, visitor, () => exchange.streamWent())) : undefined,
      hasOwnEnd: session !== undefined,
      canResume: session !== undefined && canResume(session),
      ...(session && {
        session: session.key,
        ask: (method, params) => asks.ask(session.key, method, params, (text) => exchange.sendAhead(text), exchange.signal),
      }),
    });
    if (session !== undefined && message.method === "tools/call") {
      const key = runningKey(session, message.id);
      running.set(key, exchange);
      exchange.onEnd = () => running.delete(key);
    }
    serve(methods, exchange, reply);
  }

  function openStream(session: Session | undefined, { signal }: Visitor, onGone: () => void): EventStream {
    if (session === undefined || !canResume(session)) return new EventStream({ onGone });
    const live = sessions!.live(session, signal);
    const id = randomBytes(12).toString("base64url");
    const stream = new EventStream({ id, onGone, onDone: () => live.streams.delete(id) });
    live.streams.set(id, stream);
    dropOldest(live);
    return stream;
  }

  function resume(live: LiveSession | undefined, lastEventId: string): HttpAnswer {
    const end = lastEventId.lastIndexOf("_");
    const number = lastEventId.slice(end + 1);
    const stream = live?.streams.get(lastEventId.slice(0, Math.max(0, end)));
    if (stream === undefined || !/^\d{1,9}$/.test(number)) return gone(undefined);
    return { status: 200, stream, after: Number(number) };
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
      },
    });
    const stop = changes.add({
      caller,
      isAnonymous,
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wantsResource: (uri) => (session && sessions!.peek(session)?.uris.has(uri)) ?? false,
      tell: (method, params) => stream.send(notificationMessage(method, params)),
    });
    streams.track(stream);
    const forget = whenAborted(signal, () => stream.end());
    return { status: 200, stream };
  }

  return {
    post(request, message, visitor, reply) {
      if (message.method === "initialize") return reply(initialize(message, visitor));
      const session = sessionOf(request, visitor);
      if (session === "gone") return reply(gone(message.id));
      checkNameHeader("legacy", message.method, message.params, request.header);
      if (sessionMethods.has(message.method)) {
        if (session === undefined) return reply({ status: 200, body: errorMessage(message.id, methodNotFound(message.method)) });
        return reply(settle(message, session, visitor));
      }
      call(request, message, visitor, session, reply);
    },
    notice(request, { method, params }, visitor) {
      const session = sessionOf(request, visitor);
      if (session === "gone") return gone(undefined);
      const { requestId } = params;
      if (
        method === "notifications/cancelled" &&
        session !== undefined &&
        (typeof requestId === "string" || typeof requestId === "number")
      ) {
        running.get(runningKey(session, requestId))?.cancel("The client cancelled the call.");
      }
      return { status: 202 };
    },
    respond(request, message, visitor) {
      const session = sessionOf(request, visitor);
      if (session === "gone") return gone(undefined);
      if (session !== undefined) asks.settle(session.key, message);
      return { status: 202 };
    },
    get(request, visitor) {
      if (!(request.header("accept") ?? "").includes("text/event-stream")) return { status: 405, headers: { allow: "POST, GET, DELETE" } };
      const session = sessionOf(request, visitor);
      if (session === "gone") return gone(undefined);
      const last = request.header("last-event-id");
      return last === undefined || session === undefined ? listenTo(session, visitor) : resume(sessions!.peek(session), last);
    },
    end(request, visitor) {
      const session = sessionOf(request, visitor);
      if (session === undefined) return { status: 405, headers: { allow: "POST, GET" } };
      if (session === "gone") return gone(undefined);
      sessions!.end(session);
      return { status: 204 };
    },
  };
}

/** From the revision on that knows how, streams of a session can be taken up again. */
function canResume({ version }: Session): boolean {
  return version === legacyVersions[0];
}

const sessionMethods: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

function runningKey({ key }: Session, id: RequestId): string {
  return `${key} ${typeof id} ${id}`;
}

/** Streams that nobody came back for make room. */
function dropOldest({ streams }: LiveSession): void {
  const left = [...streams.values()].filter((stream) => !stream.hasReader);
  if (left.length > 32) left[0]!.giveUp();
}

/** The status that tells a legacy client to shake hands again. */
function gone(id: RequestId | undefined): HttpAnswer {
  return { status: 404, body: errorMessage(id, new McpError("invalidRequest", "There is no such session (any more). Initialize again.")) };
}
