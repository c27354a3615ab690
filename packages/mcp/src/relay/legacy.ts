import { isObject } from "@toolrack/core/internal";
import type { NotificationMessage, RequestMessage } from "../wire/message.ts";
import { notificationMessage, requestMessage } from "../wire/reply.ts";
import { bothKinds, type EndpointAnswer, isStream, messagesOf, type SendToEndpoint, withText } from "./endpoint.ts";
import { pauseBeforeTry } from "./retry.ts";

/** The session of a client that began with a handshake. It is opened again when the server no longer knows it. */
export interface LegacyRelay {
  /** Passes on what is answered; whether a response was among it. */
  answer(message: RequestMessage, body: string, signal: AbortSignal): Promise<boolean>;
  notice(message: NotificationMessage, body: string): Promise<void>;
  /** The client's response to a request of the server. */
  respond(body: string): Promise<void>;
  /** Ends the session at the server, and with it the calls that still run. */
  close(signal: AbortSignal): Promise<void>;
}

export interface LegacyRelayParts {
  readonly send: SendToEndpoint;
  readonly pass: (answer: EndpointAnswer, id: RequestMessage["id"]) => Promise<boolean>;
  readonly write: (text: string) => void;
  readonly onNotice: (text: string) => void;
  readonly closing: AbortSignal;
}

interface Session {
  /** What the client sent, to open the session again. */
  readonly params: RequestMessage["params"];
  readonly version: string;
  readonly id: string | undefined;
}

export function createLegacyRelay({ send, pass, write, onNotice, closing }: LegacyRelayParts): LegacyRelay {
  let session: Session | undefined;
  let isInitialized = false;
  let isListening = false;
  let renewing: Promise<void> | undefined;
  /** What belongs to the session, by subject: the log level, and resources that the client subscribed to. */
  const settings = new Map<string, string>();

  function headers(): Readonly<Record<string, string>> {
    return {
      ...(session !== undefined && { "mcp-protocol-version": session.version }),
      ...(session?.id !== undefined && { "mcp-session-id": session.id }),
    };
  }

  const postOnce = (body: string, signal: AbortSignal): Promise<EndpointAnswer> =>
    send({ method: "POST", headers: { accept: bothKinds, "content-type": "application/json", ...headers() }, body, signal });

  /** A session that is gone is opened again, and the message is sent a second time: the server did not take the first. */
  async function post(body: string, signal: AbortSignal): Promise<EndpointAnswer> {
    await renewing;
    const used = session;
    const answer = await postOnce(body, signal);
    if (answer.status !== 404 || used?.id === undefined) return answer;
    await renew(used);
    return postOnce(body, signal);
  }

  async function open(
    params: RequestMessage["params"],
    body: string,
    signal: AbortSignal,
  ): Promise<{ answer: EndpointAnswer; text: string }> {
    const answer = await send({ method: "POST", headers: { accept: bothKinds, "content-type": "application/json" }, body, signal });
    const text = await answer.text();
    const version = versionIn(text);
    if (answer.status === 200 && version !== undefined) session = { params, version, id: answer.header("mcp-session-id") };
    return { answer, text };
  }

  function renew(lost: Session): Promise<void> {
    if (session !== lost) return renewing ?? Promise.resolve();
    return (renewing ??= reopen(lost).finally(() => (renewing = undefined)));
  }

  async function reopen({ params }: Session): Promise<void> {
    const { answer } = await open(params, requestMessage("relay-initialize", "initialize", params), closing);
    if (answer.status !== 200)
      throw new Error(`The server refused to open the session again (status ${answer.status}). Restart this client.`);
    if (isInitialized) await postOnce(notificationMessage("notifications/initialized"), closing);
    for (const setting of settings.values()) await (await postOnce(setting, closing)).text();
    onNotice("The session was opened again.");
    tellChanges();
  }

  /** What changed while nobody listened is unknown, so the client reads its lists again. */
  function tellChanges(): void {
    for (const list of ["tools", "prompts", "resources"]) write(notificationMessage(`notifications/${list}/list_changed`));
  }

  async function listen(): Promise<void> {
    if (isListening) return;
    isListening = true;
    let wasLost = false;
    for (let tries = 0; !closing.aborted; tries++) {
      try {
        await renewing;
        const used = session!;
        const answer = await send({ method: "GET", headers: { accept: "text/event-stream", ...headers() }, signal: closing });
        if (answer.status === 405) return;
        if (answer.status === 404 && used.id !== undefined) await renew(used);
        if (answer.status === 200 && isStream(answer)) {
          if (wasLost) {
            onNotice("The server answers again.");
            tellChanges();
          }
          wasLost = false;
          tries = 0;
          for await (const text of messagesOf(answer)) write(text);
        }
      } catch (error) {
        if (closing.aborted) return;
        if (!wasLost) onNotice(`The connection to the server was lost, and is tried again: ${(error as Error).message}`);
        wasLost = true;
      }
      await pauseBeforeTry(tries, closing).catch(() => undefined);
    }
  }

  /** Takes up a stream that ended before the response, from where it broke off. */
  async function passAll(first: EndpointAnswer, id: RequestMessage["id"], signal: AbortSignal): Promise<boolean> {
    let last: string | undefined;
    const noting = (answer: EndpointAnswer): EndpointAnswer => ({
      status: answer.status,
      header: (name) => answer.header(name),
      text: () => answer.text(),
      stream: () => noteIds(answer, (eventId) => (last = eventId)),
    });
    for (let answer = first, tries = 0; ; tries++) {
      const hasResponse = await pass(isStream(answer) ? noting(answer) : answer, id).catch((error: unknown) => {
        // Only a lost connection is taken up: a message that cannot be read would not become readable.
        if (last === undefined || error instanceof SyntaxError) throw error;
        return false;
      });
      if (hasResponse) return true;
      if (last === undefined) return false;
      await pauseBeforeTry(Math.min(tries, 2), signal);
      answer = await send({ method: "GET", headers: { accept: "text/event-stream", "last-event-id": last, ...headers() }, signal });
      if (!isStream(answer)) return false;
    }
  }

  return {
    async answer(message, body, signal) {
      const { id, method, params } = message;
      if (method === "initialize") {
        const { answer, text } = await open(params, body, signal);
        return pass(withText(answer, text), id);
      }
      const answer = await post(body, signal);
      if (answer.status === 200 && method === "logging/setLevel") settings.set(method, body);
      if (answer.status === 200 && method === "resources/subscribe") settings.set(String(params["uri"]), body);
      if (answer.status === 200 && method === "resources/unsubscribe") settings.delete(String(params["uri"]));
      return passAll(answer, id, signal);
    },
    async notice({ method }, body) {
      await (await post(body, closing)).text();
      if (method !== "notifications/initialized" || session === undefined) return;
      isInitialized = true;
      void listen();
    },
    async respond(body) {
      await (await post(body, closing)).text();
    },
    async close(signal) {
      if (session?.id === undefined) return;
      await send({ method: "DELETE", headers: headers(), signal }).catch(() => undefined);
    },
  };
}

/** The same bytes; `onId` gets the id of every event, also of one without data. */
function noteIds(answer: EndpointAnswer, onId: (id: string) => void): ReadableStream<Uint8Array> | undefined {
  const decoder = new TextDecoder();
  let line = "";
  return answer.stream()?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lines = (line + decoder.decode(chunk, { stream: true })).split("\n");
        line = lines.pop()!;
        for (const one of lines) if (one.startsWith("id:")) onId(one.slice(3).trim());
        controller.enqueue(chunk);
      },
    }),
  );
}

function versionIn(text: string): string | undefined {
  try {
    const { result } = JSON.parse(text) as { readonly result?: unknown };
    return isObject(result) && typeof result["protocolVersion"] === "string" ? result["protocolVersion"] : undefined;
  } catch {
    return undefined;
  }
}
