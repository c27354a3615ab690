import { heavyTurn, isLargeJson } from "@toolrack/core/node";
import { McpError } from "../../errors.ts";
import { readMessage, UnreadableRequest } from "../../wire/message.ts";
import type { RequestId } from "../../wire/protocol.ts";
import { errorMessage } from "../../wire/reply.ts";
import { refusal } from "./answers.ts";
import { checkMethodHeader, eraOf } from "./era.ts";
import { guardMessage } from "./guard.ts";
import type { HttpAnswer, HttpRequest, Reply, Visitor } from "./http.ts";
import { createLegacyHandler } from "./legacy-handler.ts";
import { postModern } from "./modern-handler.ts";
import type { HttpParts } from "./parts.ts";

/** Handles MCP over HTTP. Both eras use one path. */
export interface HttpHandler {
  /** The answer to a request with a wrong Host, Origin or content type; undefined: go on. Called before the body is read. */
  refuse(request: Pick<HttpRequest, "method" | "header">): HttpAnswer | undefined;
  handle(request: HttpRequest, visitor: Visitor, reply: Reply): void;
  /** Stops listening to other servers. */
  close(): void;
}

export function createHttpHandler(parts: HttpParts): HttpHandler {
  const legacy = createLegacyHandler(parts);

  function post(request: HttpRequest, visitor: Visitor, reply: Reply): void {
    // Reading a large message cannot be interrupted: it waits for its turn, as the large bodies of the HTTP API do.
    if (isLargeJson(request.body)) void heavyTurn(visitor.principal).then(() => take(request, visitor, reply));
    else take(request, visitor, reply);
  }

  function take(request: HttpRequest, visitor: Visitor, reply: Reply): void {
    let id: RequestId | undefined;
    try {
      const message = readMessage(request.body, parts.maxBodyValues);
      if (message.kind === "response") return legacy.respond(request, message, visitor, reply);
      visitor.onMessage?.(message);
      const era = eraOf(message, request.header);
      if (message.kind === "notification") {
        checkMethodHeader("legacy", message.method, request.header);
        // A modern client cancels by closing the connection, and has no other notification to send.
        return era === "legacy" ? legacy.notice(request, message, visitor, reply) : reply({ status: 202 });
      }
      ({ id } = message);
      checkMethodHeader(era, message.method, request.header);
      if (era === "legacy") legacy.post(request, message, visitor, reply);
      else postModern(parts, request, message, visitor, reply);
    } catch (error) {
      reply(refusal(error instanceof UnreadableRequest ? error.id : id, error));
    }
  }

  return {
    refuse({ method, header }) {
      const fault = parts.guard(header);
      if (fault !== undefined) return turnAway(403, guardMessage(fault));
      if (method === "POST" && !isJson(header("content-type"))) return turnAway(415, "The content type must be application/json.");
      return undefined;
    },
    handle(request, visitor, reply) {
      if (request.method === "POST") post(request, visitor, reply);
      else if (request.method === "GET") reply(legacy.get(request, visitor));
      else if (request.method === "DELETE") legacy.end(request, visitor, reply);
      else reply({ status: 405, headers: { allow: "POST, GET, DELETE" } });
    },
    close: legacy.close,
  };
}

export function turnAway(status: number, message: string): HttpAnswer {
  return { status, body: errorMessage(undefined, new McpError("invalidRequest", message)) };
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(;|$)/i.test(contentType.trim());
}
