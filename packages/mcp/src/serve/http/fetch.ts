import { onAbort, readLimited } from "@toolrack/core/internal";
import { toTail } from "../../wire/reply.ts";
import { eventStreamHeaders } from "../../wire/sse.ts";
import { signInEnded } from "../sign-in-ended.ts";
import { type HttpHandler, turnAway } from "./http-handler.ts";
import type { EventSink, EventStream } from "./streams/event-stream.ts";
import type { HttpAnswer, HttpRequest, Visitor } from "./http.ts";
import type { BodyLimits } from "./node.ts";

/** Answers a web-standard request, as servers such as Hono pass it. */
export async function answerFetch(handler: HttpHandler, request: Request, visitor: Visitor, limits: BodyLimits): Promise<Response> {
  const http = new WebRequest(request, visitor.signal);
  const refused = handler.refuse(http);
  if (refused !== undefined) return toResponse(refused);
  if (http.method === "POST") {
    const body = await readBody(request, limits);
    if (!(body instanceof Uint8Array)) return toResponse(body);
    http.body = body;
  }
  return new Promise((resolve) => handler.handle(http, visitor, (answer) => resolve(toResponse(answer))));
}

/** Asks the request for its signal only where it is needed: many servers make it then. */
class WebRequest implements HttpRequest {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  body: Uint8Array = noBytes;
  readonly #request: Request;

  readonly #signedIn: AbortSignal | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: Request, signedIn: AbortSignal | undefined) {
    this.#signedIn = signedIn;
    this.method = request.method;
    this.#request = request;
    // A request that was made in this process has no Host header; its URL names the host.
    this.header = (name) => request.headers.get(name) ?? (name === "host" ? new URL(request.url).host : undefined);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= withSignIn(this.#request.signal, this.#signedIn));
  }
}

const noBytes = new Uint8Array();

/** Aborted when the connection ends, or the sign-in. */
function withSignIn(connection: AbortSignal, signedIn: AbortSignal | undefined): AbortSignal {
  if (signedIn === undefined) return connection;
  const controller = new AbortController();
  const stop = onAbort(signedIn, () => controller.abort(new DOMException(signInEnded(signedIn), "AbortError")));
  onAbort(connection, () => {
    stop();
    controller.abort(connection.reason);
  });
  return controller.signal;
}

/** The body, or why it is refused. If the length is known, and the transport enforces it, the body is read at once. */
async function readBody(request: Request, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Uint8Array | HttpAnswer> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBodyBytes) return tooLarge(maxBodyBytes);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HttpAnswer>((resolve) => {
    timer = setTimeout(() => resolve(turnAway(408, "The body did not come in in time.")), bodyTimeoutMs);
  });
  try {
    const body = await Promise.race([announced === null ? readPieces(request, maxBodyBytes) : readWhole(request), late]);
    return body instanceof Uint8Array && body.length > maxBodyBytes ? tooLarge(maxBodyBytes) : body;
  } catch {
    return turnAway(400, "The body could not be read.");
  } finally {
    clearTimeout(timer);
  }
}

async function readWhole(request: Request): Promise<Uint8Array> {
  return new Uint8Array(await request.arrayBuffer());
}

async function readPieces({ body }: Request, maxBodyBytes: number): Promise<Uint8Array | HttpAnswer> {
  return (await readLimited(body, maxBodyBytes)) ?? tooLarge(maxBodyBytes);
}

function tooLarge(maxBodyBytes: number): HttpAnswer {
  return turnAway(413, `The body is larger than ${maxBodyBytes} bytes.`);
}

function toResponse({ status, headers, body, prepared, stream, after }: HttpAnswer): Response {
  if (stream !== undefined) return new Response(toReadable(stream, after), { status, headers: { ...eventStreamHeaders, ...headers } });
  if (prepared === undefined && body === undefined) return new Response(null, { status, headers: { ...headers } });
  const content = prepared === undefined ? body! : Buffer.concat([prepared.result.head, Buffer.from(toTail(prepared.id))]);
  return new Response(content, { status, headers: { ...headers, "content-type": "application/json" } });
}

function toReadable(stream: EventStream, after: number | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sink: EventSink;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        sink = {
          write(text) {
            if (isOpen) controller.enqueue(encoder.encode(text));
            return (controller.desiredSize ?? 0) > -maxWaitingBytes;
          },
          end() {
            if (isOpen) controller.close();
            isOpen = false;
          },
          giveUp() {
            if (isOpen) controller.error(new Error("The reader was too slow."));
            isOpen = false;
          },
        };
        stream.attach(sink, after);
      },
      cancel: () => stream.detach(sink),
    },
    { highWaterMark: 64 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

const maxWaitingBytes = 4 * 1024 * 1024;
