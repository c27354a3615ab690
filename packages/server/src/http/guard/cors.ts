import { toOrigin } from "@toolrack/core/internal";
import type { HttpRequest, Reply, WholeReply } from "../transport/exchange.ts";

/** Lets pages of the configured origins read answers. The guard refuses other pages before. */
export interface Cors {
  /** Answers a CORS preflight request; undefined for other requests. */
  preflight(request: HttpRequest): WholeReply | undefined;
  /** Adds the CORS headers of an answer. */
  open(request: HttpRequest, reply: Reply): Reply;
}

export function createCors(allowedOrigins: readonly string[]): Cors {
  const origins = new Set(allowedOrigins.map(toOrigin));
  const originOf = (request: HttpRequest): string | undefined => {
    const origin = request.header("origin");
    return origin !== undefined && origins.has(origin.toLowerCase()) ? origin : undefined;
  };
  return {
    preflight(request) {
      const asks = request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined;
      const origin = asks ? originOf(request) : undefined;
      if (origin === undefined) return undefined;
      return {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-allow-headers": request.header("access-control-request-headers") ?? "",
          "access-control-max-age": "600",
          vary: "origin, access-control-request-headers",
        },
      };
    },
    open(request, reply) {
      const origin = originOf(request);
      if (origin === undefined) return reply;
      const { vary } = reply.headers;
      const headers = {
        ...reply.headers,
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "etag, retry-after, traceparent, x-request-id, mcp-session-id",
        "cross-origin-resource-policy": "cross-origin",
        vary: vary === undefined ? "origin" : `${vary}, origin`,
      };
      return { ...reply, headers };
    },
  };
}
