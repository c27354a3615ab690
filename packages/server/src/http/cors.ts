/** Lets pages of the origins that are configured read answers: for a web application of one's own. Pages of others are refused before. */
export interface Cors {
  /** Answers the question that a browser asks before it sends a request; undefined where it is no such question. */
  preflight(request: Request): Response | undefined;
  /** Adds what the browser needs to hand the answer to the page. */
  open(request: Request, response: Response): Response;
}

export function createCors(allowedOrigins: readonly string[]): Cors {
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  const originOf = ({ headers }: Request): string | undefined => {
    const origin = headers.get("origin");
    return origin !== null && origins.has(origin.toLowerCase()) ? origin : undefined;
  };
  return {
    preflight(request) {
      const origin = request.method === "OPTIONS" && request.headers.has("access-control-request-method") ? originOf(request) : undefined;
      if (origin === undefined) return undefined;
      return new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
          "access-control-max-age": "600",
          vary: "origin, access-control-request-headers",
        },
      });
    },
    open(request, response) {
      const origin = originOf(request);
      if (origin === undefined) return response;
      response.headers.set("access-control-allow-origin", origin);
      response.headers.set("access-control-expose-headers", "etag, retry-after, traceparent, mcp-session-id");
      response.headers.set("cross-origin-resource-policy", "cross-origin");
      response.headers.append("vary", "origin");
      return response;
    },
  };
}
