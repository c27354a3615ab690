import { isObject } from "@toolrack/core/internal";
import { randomBytes } from "node:crypto";
import type { Caller } from "@toolrack/core";
import { McpError } from "../../errors.ts";
import type { Message, NotificationMessage, RequestMessage } from "../../wire/message.ts";
import {
  isLogLevel,
  type JsonObject,
  type LogLevel,
  metaKeys,
  modernVersions,
  type RequestId,
  type ServerInfo,
} from "../../wire/protocol.ts";
import { errorMessage, notificationMessage, resultMessage } from "../../wire/reply.ts";
import type { ClientRequests } from "../questions/client-requests.ts";
import type { Changes } from "../changes/changes.ts";
import type { ClientInfo } from "../exchange.ts";
import { answerInitialize, readClientInfo } from "../handshake.ts";
import { type Methods, toMcpError } from "../methods.ts";
import type { Results } from "../results.ts";
import { readSubscription } from "../changes/subscription.ts";
import { StdioExchange } from "./stdio-exchange.ts";

/** The client at the other end. It may use both eras, one message after the other. */
export interface StdioConnection {
  take(message: Message): void;
  close(): void;
}

export interface StdioParts {
  readonly methods: Methods;
  readonly results: Results;
  readonly changes: Changes;
  readonly clientRequests: ClientRequests;
  readonly serverInfo: ServerInfo;
  readonly instructionsFor: (caller: Caller) => string | undefined;
}

export interface ConnectionParts {
  readonly caller: Caller;
  readonly principal: string;
  readonly isAnonymous: boolean;
  readonly send: (message: string) => void;
}

/** What the legacy handshake and later requests said. */
interface LegacyClient {
  readonly capabilities: JsonObject;
  readonly info: ClientInfo | undefined;
  readonly session: string;
  readonly uris: Set<string>;
  logLevel: LogLevel | undefined;
}

export function createConnection(parts: StdioParts, { caller, principal, isAnonymous, send }: ConnectionParts): StdioConnection {
  const { methods, results, changes, clientRequests, serverInfo, instructionsFor } = parts;
  const owner = randomBytes(18).toString("base64url");
  const running = new Map<RequestId, StdioExchange>();
  /** Subscriptions, by the request that opened them; a legacy client has one without asking. */
  const listening = new Map<RequestId | "legacy", () => void>();
  let legacy: LegacyClient | undefined;

  function toExchange(message: RequestMessage): StdioExchange {
    const base = { message, caller, principal, isAnonymous, send };
    const meta = envelopeOf(message);
    if (meta !== undefined) {
      const logLevel = meta[metaKeys.logLevel];
      return new StdioExchange({
        ...base,
        era: "modern",
        capabilities: meta[metaKeys.clientCapabilities] as JsonObject,
        clientInfo: readClientInfo(meta[metaKeys.clientInfo]),
        logLevel: isLogLevel(logLevel) ? logLevel : undefined,
      });
    }
    return new StdioExchange({
      ...base,
      caller: legacy === undefined || caller.session !== undefined ? caller : { ...caller, session: legacy.session },
      era: "legacy",
      capabilities: legacy?.capabilities ?? {},
      clientInfo: legacy?.info,
      logLevel: legacy?.logLevel,
      ask: (method, params, signal) => clientRequests.ask(owner, method, params, send, signal),
    });
  }

  function initialize({ params }: RequestMessage): string {
    const result = answerInitialize(params, serverInfo, instructionsFor(caller), true);
    const { capabilities, clientInfo } = params;
    const session = randomBytes(18).toString("base64url");
    const info = readClientInfo(clientInfo);
    legacy = { capabilities: isObject(capabilities) ? capabilities : {}, info, session, uris: new Set(), logLevel: undefined };
    return JSON.stringify(result);
  }

  function settle({ method, params }: RequestMessage, client: LegacyClient): string {
    const { level, uri } = params;
    if (method === "logging/setLevel") {
      if (!isLogLevel(level)) throw new McpError("invalidParams", "level is not one that the protocol knows.");
      client.logLevel = level;
    } else if (typeof uri !== "string") throw new McpError("invalidParams", "uri must be a text.");
    else if (method === "resources/unsubscribe") client.uris.delete(uri);
    else client.uris.add(uri);
    return "{}";
  }

  /** Nothing is sent to a client before the answer to its handshake. */
  function listenForLegacy(): void {
    if (listening.has("legacy")) return;
    const tell = (method: string, params?: object): void => send(notificationMessage(method, params));
    const wants = {
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wantsResource: (uri: string) => legacy?.uris.has(uri) ?? false,
    };
    listening.set("legacy", changes.add({ caller, isAnonymous, ...wants, tell }));
  }

  function listen({ id, params }: RequestMessage): void {
    const { wanted, ...wants } = readSubscription(params);
    const tag = { [metaKeys.subscription]: id };
    const tell = (method: string, fields?: object): void => send(notificationMessage(method, { ...fields, _meta: tag }));
    tell("notifications/subscriptions/acknowledged", { notifications: wanted });
    listening.get(id)?.();
    listening.set(id, changes.add({ caller, isAnonymous, ...wants, tell }));
  }

  async function answer(message: RequestMessage): Promise<void> {
    const { id, method } = message;
    try {
      if (method === "initialize" && envelopeOf(message) === undefined) return send(resultMessage(id, initialize(message)));
      const exchange = toExchange(message);
      if (exchange.era === "modern" && method === "subscriptions/listen") return listen(message);
      if (exchange.era === "legacy" && legacy !== undefined && legacyMethods.has(method))
        return send(resultMessage(id, settle(message, legacy)));
      running.set(id, exchange);
      send(resultMessage(id, await methods.answer(exchange)));
    } catch (error) {
      send(errorMessage(id, toMcpError(error)));
    } finally {
      running.delete(id);
    }
  }

  function notice({ method, params }: NotificationMessage): void {
    if (method === "notifications/initialized") return listenForLegacy();
    const id = params["requestId"] as RequestId;
    if (method !== "notifications/cancelled") return;
    running.get(id)?.cancel("The client cancelled the call.");
    listening.get(id)?.();
    listening.delete(id);
  }

  return {
    take(message) {
      if (message.kind === "request") void answer(message);
      else if (message.kind === "notification") notice(message);
      else clientRequests.settle(owner, message);
    },
    close() {
      for (const [id, stop] of listening) {
        stop();
        if (id !== "legacy") send(resultMessage(id, results.complete("modern", { _meta: { [metaKeys.subscription]: id } })));
      }
      listening.clear();
      for (const exchange of running.values()) exchange.cancel("The connection was closed.");
    },
  };
}

const legacyMethods: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

/** The facts of a modern request; undefined: a legacy one. Throws for a modern one that lacks something. */
function envelopeOf({ method, params }: RequestMessage): JsonObject | undefined {
  const meta = params["_meta"];
  const version = isObject(meta) ? meta[metaKeys.version] : undefined;
  if (version === undefined) {
    if (method !== "server/discover") return undefined;
    throw new McpError("invalidParams", `params._meta["${metaKeys.version}"] is missing: every request carries it.`);
  }
  if (typeof version !== "string" || !modernVersions.includes(version)) {
    throw new McpError("unsupportedVersion", "This server does not speak that protocol version.", {
      supported: modernVersions,
      requested: String(version),
    });
  }
  if (!isObject((meta as JsonObject)[metaKeys.clientCapabilities])) {
    throw new McpError("invalidParams", `params._meta["${metaKeys.clientCapabilities}"] is missing: every request carries it.`);
  }
  return meta as JsonObject;
}
