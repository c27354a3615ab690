import { createRedactor, type FieldKind, untilAborted } from "@toolrack/core/internal";
import { readCalls, type ToolCall } from "@toolrack/core/vendors";
import type { AssistantMessage } from "../../message.ts";
import type { ModelEnd, ModelEvent } from "../../model.ts";
import { failedWith, type HideSecrets, ModelFault, readSentError } from "./fault.ts";
import { createGuardedModelFetch } from "./fetch.ts";
import { modelFields, type ModelOptions, readBaseUrl } from "./options.ts";
import { priceOf, toUsage } from "./prices.ts";
import { sendForEvents } from "./send.ts";
import type { ClientRequest, ModelClient, ModelWire } from "./wire.ts";

export interface ClientSettings {
  /** The function that is called: "anthropicModel". */
  readonly maker: string;
  readonly defaultUrl: string;
  /** The client's own options. */
  readonly fields?: Readonly<Record<string, FieldKind>>;
}

/** A model over a vendor's wire. Throws CONFIG_INVALID for options that are wrong; what is sent and received throws nothing. */
export function createClient(options: ModelOptions, settings: ClientSettings, wireOf: (baseUrl: URL) => ModelWire): ModelClient {
  const baseUrl = readBaseUrl(options, settings.maker, { ...modelFields, ...settings.fields }, settings.defaultUrl);
  const { model: name, contextTokens } = options;
  const port = baseUrl.port === "" ? (baseUrl.protocol === "https:" ? 443 : 80) : baseUrl.port;
  const client: Client = {
    options,
    wire: wireOf(baseUrl),
    baseUrl,
    subject: `Model "${name}" at ${baseUrl.host}`,
    fetch: options.fetch ?? createGuardedModelFetch(options.baseUrl === undefined ? [] : [`${baseUrl.hostname}:${port}`]),
  };
  return Object.freeze({
    name,
    target: client.wire.target,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(client.wire.canThink === true && { canThink: true }),
    stream: (request: ClientRequest) => converse(client, request),
  });
}

interface Client {
  readonly options: ModelOptions;
  readonly wire: ModelWire;
  readonly baseUrl: URL;
  readonly subject: string;
  readonly fetch: NonNullable<ModelOptions["fetch"]>;
}

async function* converse(client: Client, request: ClientRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { wire, subject } = client;
  const events: unknown[] = [];
  const secrets: string[] = [];
  const hide: HideSecrets = (said) => createRedactor({ secrets }).text(said).replace(looksLikeKey, "[key]");
  let text = "";
  let isBegun = false;
  let fault: unknown;
  try {
    for await (const event of open(client, request, secrets, hide)) {
      events.push(event);
      const sent = readSentError(event);
      if (sent !== undefined) throw failedWith(subject, sent, hide);
      for (const delta of wire.deltas(event)) {
        if (delta.text === "") continue;
        isBegun = true;
        if (delta.type === "text") text += delta.text;
        yield delta;
      }
      if (wire.isLast?.(event)) break;
    }
  } catch (error) {
    fault = error;
  }
  yield finish(client, request, { events, text, isBegun, fault, hide });
}

/** What came of a request, until its stream ended or a fault ended it. */
interface Received {
  readonly events: readonly unknown[];
  readonly text: string;
  readonly isBegun: boolean;
  readonly fault: unknown;
  readonly hide: HideSecrets;
}

function finish(client: Client, request: ClientRequest, received: Received): ModelEnd {
  const { events, fault } = received;
  try {
    // A connection that is lost after the vendor has told why it stopped takes nothing away.
    const isTold = client.wire.end(events).stop !== undefined && readSentError(events.at(-1)) === undefined;
    if (fault !== undefined && !isTold) throw fault;
    return complete(client, request, received);
  } catch (error) {
    return broken(client, request, { ...received, fault: error });
  }
}

async function* open(
  client: Client,
  request: ClientRequest,
  secrets: string[],
  hide: HideSecrets,
): AsyncGenerator<unknown, void, undefined> {
  const { wire, options, baseUrl, subject, fetch } = client;
  request.signal.throwIfAborted();
  const key = await untilAborted(readKey(options.key, subject), request.signal);
  secrets.push(...(key === undefined ? [] : [key]), ...Object.values(options.headers ?? {}));
  const body = { ...options.body, ...request.fields, ...wire.body(request) };
  yield* sendForEvents({
    subject,
    url: `${baseUrl.href.replace(/\/$/, "")}${wire.path}`,
    headers: { "content-type": "application/json", ...wire.headers(key), ...options.headers },
    body: JSON.stringify(body),
    format: wire.format,
    fetch,
    signal: request.signal,
    idleTimeoutMs: options.idleTimeoutMs ?? 120_000,
    maxReplyBytes: options.maxReplyBytes ?? 16_777_216,
    hide,
  });
}

async function readKey(key: ModelOptions["key"], subject: string): Promise<string | undefined> {
  let read: unknown;
  try {
    read = typeof key === "function" ? await key() : key;
  } catch (error) {
    throw new ModelFault(`${subject}: its key cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`);
  }
  if (read === undefined || (typeof read === "string" && /^[\x21-\x7e]+$/.test(read))) return read;
  throw new ModelFault(`${subject}: its key is empty or holds a character that cannot be sent. Check the secret.`);
}

/** The end of a reply that the vendor says is complete. Throws where it does not. */
function complete({ wire, options, subject }: Client, request: ClientRequest, { events, text }: Received): ModelEnd {
  const { stop, count, raw, reason } = wire.end(events);
  if (stop === undefined) throw new ModelFault(`${subject} ended its reply early. Send the request again.`, { retryable: true });
  const calls = stop === "refused" ? [] : callsIn(events, request, wire.target, subject);
  const usage = toUsage(count, priceOf(options.model, options.prices));
  const message: AssistantMessage = {
    role: "assistant",
    content: text,
    calls,
    usage,
    ...(raw !== undefined &&
      wire.vendor !== undefined &&
      stop !== "refused" && { raw: { vendor: rawOwner(wire.vendor, options.model), items: raw } }),
  };
  const end = { type: "end", message, stop: stop === "finished" && calls.length > 0 ? "calls" : stop, usage } as const;
  if (stop !== "refused") return end;
  const because = reason === undefined ? "" : ` (${reason.slice(0, 100)})`;
  return { ...end, failure: { message: `${subject} refused to answer${because}. Change the request.`, retryable: false } };
}

function callsIn(events: readonly unknown[], { tools }: ClientRequest, target: ModelWire["target"], subject: string): readonly ToolCall[] {
  try {
    return withOwnIds(readCalls(events as unknown, tools ?? target));
  } catch (error) {
    throw new ModelFault(`${subject}: ${(error as Error).message}`, { retryable: true });
  }
}

/** Thoughts are signed for the model that had them: another one of the same vendor refuses them. */
export function rawOwner(vendor: string, model: string): string {
  return `${vendor}/${model}`;
}

/** Each call needs an id of its own, by which it is answered. */
function withOwnIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, index) => {
    const id = taken.has(call.id) ? `${call.id}_${index}` : call.id;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

/** The end of a reply that broke off: what was said, and no calls, because nobody knows whether all of them came. */
function broken({ wire, options, subject }: Client, { signal }: ClientRequest, received: Received): ModelEnd {
  const { events, text, isBegun, fault, hide } = received;
  const usage = toUsage(wire.end(events).count, events.length === 0 ? undefined : priceOf(options.model, options.prices));
  const message: AssistantMessage = { role: "assistant", content: text, calls: [], usage };
  if (signal.aborted) return { type: "end", message, stop: "cancelled", usage };
  const { retryable, status, retryAfterMs } = fault instanceof ModelFault ? fault : new ModelFault("");
  const said = fault instanceof ModelFault ? fault.message : `${subject}: ${fault instanceof Error ? fault.message : "unknown reason"}`;
  const failure = {
    message: hide(said),
    retryable: retryable && !isBegun,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && !isBegun && { retryAfterMs }),
  };
  return { type: "end", message, stop: "failed", usage, failure };
}

const looksLikeKey = /\b(?:sk|pk|rk|gsk|xai|Bearer)[-_ ][^\s"',]{8,}|\bAIza[\w-]{8,}/g;
