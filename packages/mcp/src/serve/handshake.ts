import { isObject } from "@toolrack/core/internal";
import { type JsonObject, legacyVersions, type ServerInfo } from "../wire/protocol.ts";
import { McpError } from "../errors.ts";
import type { ClientInfo } from "./exchange.ts";
import { serverCapabilities } from "./methods.ts";

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: ServerInfo;
  readonly instructions?: string;
}

/** The legacy handshake: the version that the client requested, or the newest that is supported. Without a session less is offered. */
export function answerInitialize(
  params: JsonObject,
  serverInfo: ServerInfo,
  instructions: string | undefined,
  hasSession: boolean,
): InitializeResult {
  const { protocolVersion } = params;
  if (typeof protocolVersion !== "string") throw new McpError("invalidParams", "protocolVersion must be a text.");
  return {
    protocolVersion: legacyVersions.includes(protocolVersion) ? protocolVersion : legacyVersions[0]!,
    capabilities: hasSession ? serverCapabilities : sessionlessCapabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  };
}

const { logging: _, ...sessionlessCapabilities }: JsonObject = { ...serverCapabilities, resources: { listChanged: true } };

/** The client's name and version; undefined if they are missing or malformed. */
export function readClientInfo(info: unknown): ClientInfo | undefined {
  if (!isObject(info) || typeof info["name"] !== "string") return undefined;
  return { name: info["name"], version: typeof info["version"] === "string" ? info["version"] : "" };
}
