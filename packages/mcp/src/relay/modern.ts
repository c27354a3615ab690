import { isObject } from "@toolrack/core/internal";
import { rpcErrors } from "../errors.ts";
import type { RequestMessage } from "../wire/message.ts";
import { type JsonObject, metaKeys } from "../wire/protocol.ts";
import { notificationMessage, requestMessage } from "../wire/reply.ts";
import { bothKinds, type EndpointAnswer, isStream, messagesOf, type SendToEndpoint, withText } from "./endpoint.ts";
import { modernHeaders, paramHeaders } from "./modern-headers.ts";
import { pauseBeforeTry } from "./retry.ts";

/** Requests that carry everything needed to answer them. */
export interface ModernRelay {
  /** Passes on what is answered; whether a response was among it. Aborting cancels the request at the server. */
  answer(message: RequestMessage, body: string, signal: AbortSignal): Promise<boolean>;
}

export interface ModernRelayParts {
  readonly send: SendToEndpoint;
  /** Writes what came for a request to the client; whether it was its response. */
  readonly pass: (answer: EndpointAnswer, id: RequestMessage["id"]) => Promise<boolean>;
  readonly write: (text: string) => void;
}

export function createModernRelay({ send, pass, write }: ModernRelayParts): ModernRelay {
  /** The schemas of tools that have parameters in headers, by name. */
  const schemas = new Map<string, JsonObject>();

  const post = (message: Pick<RequestMessage, "method" | "params">, body: string, signal: AbortSignal): Promise<EndpointAnswer> =>
    send({
      method: "POST",
      headers: { accept: bothKinds, "content-type": "application/json", ...modernHeaders(message), ...headersOf(message) },
      body,
      signal,
    });

  function headersOf({ method, params }: Pick<RequestMessage, "method" | "params">): Readonly<Record<string, string>> {
    const schema = method === "tools/call" ? schemas.get(String(params["name"])) : undefined;
    return schema === undefined ? {} : paramHeaders(schema, params["arguments"]);
  }

  /** A client on standard input sends no headers, so it does not have to know which arguments are repeated in them. */
  async function learnSchemas({ params }: RequestMessage, signal: AbortSignal): Promise<void> {
    let cursor: unknown;
    do {
      const page = { _meta: params["_meta"], ...(cursor !== undefined && { cursor }) };
      const listing = { method: "tools/list", params: page as JsonObject };
      const answer = await post(listing, requestMessage("relay-tools", "tools/list", page), signal);
      const result = resultOf(await answer.text());
      for (const tool of Array.isArray(result["tools"]) ? (result["tools"] as unknown[]) : [])
        if (isObject(tool) && typeof tool["name"] === "string" && isObject(tool["inputSchema"]))
          schemas.set(tool["name"], tool["inputSchema"]);
      cursor = result["nextCursor"];
    } while (cursor !== undefined);
  }

  async function call(message: RequestMessage, body: string, signal: AbortSignal): Promise<boolean> {
    const answer = await post(message, body, signal);
    if (answer.status !== 400 || message.method !== "tools/call") return pass(answer, message.id);
    const text = await answer.text();
    if (errorCodeOf(text) !== rpcErrors.headerMismatch.code) return pass(withText(answer, text), message.id);
    await learnSchemas(message, signal);
    return pass(await post(message, body, signal), message.id);
  }

  /** Subscribes again when the server was away; the client then reads its lists again, because changes may have been missed. */
  async function listen(message: RequestMessage, body: string, signal: AbortSignal): Promise<boolean> {
    for (let tries = 0, wanted: JsonObject | undefined; ;) {
      const answer = await post(message, body, signal).catch((error: unknown) => {
        if (wanted === undefined) throw error;
        return undefined;
      });
      if (answer !== undefined && !isStream(answer) && wanted === undefined) return pass(answer, message.id);
      if (answer !== undefined && isStream(answer)) {
        tries = 0;
        try {
          for await (const text of messagesOf(answer)) {
            const acknowledged = acknowledgedIn(text);
            if (acknowledged === undefined || wanted === undefined) write(text);
            else
              for (const change of changesIn(wanted))
                write(notificationMessage(change, { _meta: { [metaKeys.subscription]: message.id } }));
            wanted ??= acknowledged;
          }
        } catch {
          // The connection was lost, or the client has cancelled: then the pause ends at once.
        }
      }
      await pauseBeforeTry(tries++, signal);
    }
  }

  return {
    answer: (message, body, signal) => (message.method === "subscriptions/listen" ? listen : call)(message, body, signal),
  };
}

function acknowledgedIn(text: string): JsonObject | undefined {
  if (!text.includes("notifications/subscriptions/acknowledged")) return undefined;
  const { method, params } = JSON.parse(text) as { readonly method?: string; readonly params?: JsonObject };
  const wanted = params?.["notifications"];
  return method === "notifications/subscriptions/acknowledged" && isObject(wanted) ? wanted : undefined;
}

function changesIn(wanted: JsonObject): readonly string[] {
  return ["tools", "prompts", "resources"]
    .filter((list) => wanted[`${list}ListChanged`] === true)
    .map((list) => `notifications/${list}/list_changed`);
}

function resultOf(text: string): JsonObject {
  const { result } = JSON.parse(text) as { readonly result?: unknown };
  return isObject(result) ? result : {};
}

function errorCodeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly code?: unknown } }).error?.code;
  } catch {
    return undefined;
  }
}
