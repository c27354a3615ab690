import type { RequestMessage } from "../../wire/message.ts";
import { isLogLevel, type JsonObject, metaKeys } from "../../wire/protocol.ts";
import { readClientInfo } from "../handshake.ts";
import { methodNotFound } from "../methods.ts";
import { supportsTasks } from "../tasks/task-methods.ts";
import { readsStreams, serve } from "./answers.ts";
import { checkNameHeader, readEnvelope } from "./era.ts";
import { EventStream } from "./streams/event-stream.ts";
import type { HttpRequest, Reply, Visitor } from "./http.ts";
import { HttpExchange } from "./http-exchange.ts";
import { listen } from "./streams/listen-stream.ts";
import type { HttpParts } from "./parts.ts";

/** A request of the modern era. It carries everything needed to answer it, so no state is stored. */
export function postModern(parts: HttpParts, request: HttpRequest, message: RequestMessage, visitor: Visitor, reply: Reply): void {
  const { methods, streams } = parts;
  const meta = readEnvelope(message.params, request.header);
  const isListening = message.method === "subscriptions/listen";
  if (!isListening && !methods.has("modern", message.method)) throw methodNotFound(message.method);
  checkNameHeader("modern", message.method, message.params, request.header);
  if (isListening) return reply(listen(parts, message, visitor));
  const logLevel = meta[metaKeys.logLevel];
  const capabilities = meta[metaKeys.clientCapabilities] as JsonObject;
  const exchange: HttpExchange = new HttpExchange({
    era: "modern",
    message,
    http: request,
    visitor,
    capabilities,
    clientInfo: readClientInfo(meta[metaKeys.clientInfo]),
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
    hasOwnEnd: supportsTasks({ era: "modern", capabilities }),
    openStream: readsStreams(request) ? () => streams.track(new EventStream({ onGone: () => exchange.streamWent() })) : undefined,
  });
  serve(methods, exchange, reply);
}
