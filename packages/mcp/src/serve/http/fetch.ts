import { toTail } from "../../wire/reply.ts";
import { eventStreamHeaders } from "../../wire/sse.ts";
import { type HttpDoor, turnAway } from "./door.ts";
import type { EventSink, EventStream } from "./event-stream.ts";
import type { HttpAnswer, HttpRequest, Visitor } from "./http.ts";
import type { BodyLimits } from "./node.ts";

/** Answers a request of the web's own kind, as servers such as Hono hand it in. */
export async function answerFetch(door: HttpDoor, request: Request, visitor: Visitor, limits: BodyLimits): Promise<Response> {
  const { method, headers } = request;
  // A request that was never on a wire has no Host header; its address says the same.
  const header = (name: string): string | undefined => headers.get(name) ?? (name === "host" ? new URL(request.url).host : undefined);
  const refused = door.refuse({ method, header });
  if (refused !== undefined) return toResponse(refused);
  const body = method === "POST" ? await readBody(request, limits) : "";
  if (typeof body !== "string") return toResponse(body);
  const http: HttpRequest = { method, header, body, signal: request.signal };
  return new Promise((resolve) => door.handle(http, visitor, (answer) => resolve(toResponse(answer))));
}

async function readBody(request: Request, { maxBodyBytes, bodyTimeoutMs }: BodyLimits): Promise<string | HttpAnswer> {
  const tooLarge = (): HttpAnswer => turnAway(413, `The body is larger than ${maxBodyBytes} bytes.`);
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBodyBytes) return tooLarge();
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel().catch(() => undefined);
  }, bodyTimeoutMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.byteLength;
      if (bytes > maxBodyBytes) {
        void reader.cancel().catch(() => undefined);
        return tooLarge();
      }
    }
    return isLate ? turnAway(408, "The body did not come in in time.") : Buffer.concat(chunks).toString("utf8");
  } catch {
    return turnAway(400, "The body could not be read.");
  } finally {
    clearTimeout(timer);
  }
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
