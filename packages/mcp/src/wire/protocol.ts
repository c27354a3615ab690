/** The two forms of the protocol: stateless requests (2026-07-28), or requests after a handshake (2025-11-25 and 2025-06-18). */
export type Era = "modern" | "legacy";

export const modernVersion = "2026-07-28";
export const modernVersions: readonly string[] = [modernVersion];
/** Newest first: the first is offered to clients that ask for an unsupported version. */
export const legacyVersions: readonly string[] = ["2025-11-25", "2025-06-18"];
/** All versions that a client can speak with this server. */
export const protocolVersions: readonly string[] = [...modernVersions, ...legacyVersions];

/** Keys of `_meta` that the protocol reserves. */
export const metaKeys = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

/** The key of `_meta` in a result for data that its content does not show. */
export const detailsKey = "toolrack/details";

export const tasksExtension = "io.modelcontextprotocol/tasks";
/** Declared by a client that keeps content with the audience ["user"] from its model, and shows it: as an extension, or as experimental. */
export const audienceCapability = "toolrack/audience";

export type JsonObject = Record<string, unknown>;
export type RequestId = string | number;

/** What a client says it can do. */
export type ClientCapabilities = Readonly<JsonObject>;

/** The server: included in every result of the modern era. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** From least to most severe, as in RFC 5424. */
export const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

/** Where "info" was asked for, "warning" is sent and "debug" is not. */
export function isLoudEnough(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
