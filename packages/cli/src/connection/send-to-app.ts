import type { App, HttpRequest } from "@toolrack/server/local";
import type { Send, SentRequest } from "./send.ts";

/** To an app in this process; `origin` is the address that its server would have. No web-standard request is made for it: loading those takes as long as half of `toolrack list`. */
export function sendToApp(app: App, origin: string): Send {
  return async (request) => {
    const { status, headers, body } = await app.answer(toHttpRequest(request, origin));
    return {
      status,
      contentType: headers["content-type"] ?? "",
      isToolrack: true,
      header: (name) => headers[name],
      async text() {
        if (typeof body === "string") return body; // first, since naming streams loads them
        if (!(body instanceof ReadableStream)) return Buffer.from(body ?? []).toString();
        const pieces: Uint8Array[] = [];
        for await (const piece of body) pieces.push(piece);
        return Buffer.concat(pieces).toString();
      },
      stream: () => (body instanceof ReadableStream ? body : undefined),
    };
  };
}

function toHttpRequest({ method, path, query, headers, body, signal }: SentRequest, origin: string): HttpRequest {
  const all: Readonly<Record<string, string>> = { host: "127.0.0.1", ...headers };
  return {
    id: `cli-${process.pid}`,
    method,
    path,
    query,
    origin,
    remoteAddress: "127.0.0.1",
    hasBody: body !== undefined,
    header: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
    headerNames: () => Object.keys(all),
    readBody(maxBytes, take, fail) {
      const bytes = Buffer.from(body ?? "");
      if (bytes.length > maxBytes) fail("too-large");
      else take(bytes);
    },
    onLeave(listener) {
      if (signal?.aborted) listener();
      else signal?.addEventListener("abort", listener, { once: true });
    },
  };
}
