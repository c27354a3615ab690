import type { AnyTool, ToolDefinition, ToolSource } from "@toolrack/core";
import { noteListedFields } from "../wire/listed-fields.ts";
import type { UpstreamText, UseTexts } from "./texts/text.ts";

/** One MCP server whose tools become ours: a program that is started, or an address. */
export type McpSourceOptions = StdioUpstream | HttpUpstream;

export interface StdioUpstream extends UpstreamOptions {
  /** The program, started without a shell and in a process group of its own. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables of its own; a value may be "secret:name", or hold "${secret:name}". */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that it inherits, beside PATH, HOME, LANG and a few like them. Nothing else is inherited. */
  readonly inheritEnv?: readonly string[];
  readonly cwd?: string;
  /** Called before each start of the program, the first one included; what it throws is why the program is not started. @default nothing */
  readonly beforeStart?: () => void | Promise<void>;
}

export interface HttpUpstream extends UpstreamOptions {
  /** Where it speaks Streamable HTTP. Its path and query may hold "${secret:name}". */
  readonly url: string;
  /** Sent to this server alone; a value may be "secret:name", or hold "${secret:name}". */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs in by OAuth. */
  readonly auth?: UpstreamAuth;
  /** Hosts, or hosts with a port, that may be reached although their address is not public. @default none */
  readonly allowHosts?: readonly string[];
}

export type UpstreamAuth =
  | {
      readonly kind: "client-credentials";
      /** The authorization server that is given the secret; a server that names another one is not signed in to. */
      readonly issuer: string;
      readonly clientId: string;
      /** May be "secret:name". */
      readonly clientSecret: string;
      readonly scope?: string;
    }
  | {
      readonly kind: "provider";
      /** An OAuth client provider in the form that the TypeScript SDK of MCP takes. */
      readonly provider: object;
      /** Waits for the person whom the provider sent to sign in, and answers the parameters that they came back with. */
      readonly consent?: () => Promise<URLSearchParams>;
    };

/** What both kinds have in common. */
export interface UpstreamOptions {
  /** Begins the name of each tool: "github" → "github__create_issue". 1 to 32 letters, digits, and single - or _ between. */
  readonly name: string;
  /** Starting, connecting and shaking hands. @default 30_000 */
  readonly connectTimeoutMs?: number;
  /** @default 15_000 */
  readonly listTimeoutMs?: number;
  /** @default 120_000, or what the registry says if that is less */
  readonly callTimeoutMs?: number;
  /** How long the tools of a server that went away stay in the list. @default 300_000 */
  readonly graceMs?: number;
  /** How often the list is requested if a change may be missed: over HTTP, and from a server that reports no changes. @default 300_000 */
  readonly refreshMs?: number;
  /** The wait before the first attempt to connect again; it doubles with each further one. @default 500 */
  readonly backoffMs?: number;
  /** The longest of those waits. @default 60_000 */
  readonly maxBackoffMs?: number;
  /** How many requests in a row may get no answer before the server is left alone for a while. @default 5 */
  readonly maxFailures?: number;
  /** The largest single message that is read. @default 10_485_760 */
  readonly maxMessageBytes?: number;
  /** @default 1_000 */
  readonly maxTools?: number;
  /**
   * Fingerprints of approved definitions, by the server's own tool names. When given, a tool that is not among them or was changed is
   * left out, with its new fingerprint among the problems of the source.
   */
  readonly approved?: Readonly<Record<string, string>>;
  /** The approved `upstreamIdentity`; a command or address that is another one is refused. */
  readonly identity?: string;
  /** Which parameters of its tools hold paths, and the folder of this machine that none of them may leave. @default the workspace guard leaves them alone */
  readonly paths?: UpstreamPaths;
  /** Whether its prompts are read, for `texts` and `getPrompt`. @default false */
  readonly prompts?: boolean;
  /** Whether its resources are read, for `texts` and `readResource`. @default false */
  readonly resources?: boolean;
  /** Reads what "secret:name" stands for. @default nothing can be read */
  readonly secret?: (name: string) => string | undefined | Promise<string | undefined>;
  /** Told of every request that goes to the server; what it returns is told of the end. For spans and metrics. @default nothing */
  readonly onRequest?: (request: UpstreamRequest) => ((error: unknown) => void) | undefined;
}

export interface UpstreamPaths {
  /** Absolute. Relative paths start there. */
  readonly folder: string;
  /** @default ["path"] */
  readonly parameters?: readonly string[];
}

/** A request to an MCP server, when it is sent. */
export interface UpstreamRequest {
  readonly method:
    | "tools/call"
    | "tools/list"
    | "prompts/list"
    | "prompts/get"
    | "resources/list"
    | "resources/templates/list"
    | "resources/read";
  /** The name of the server in the configuration. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool?: string;
  /** The call that it belongs to. */
  readonly callId?: string;
  /** "pipe": a program. "tcp": HTTP. */
  readonly transport: "pipe" | "tcp";
  /** Of a server that has an address. */
  readonly address?: { readonly host: string; readonly port: number };
  /** "2025-11-25" */
  readonly protocolVersion?: string;
  readonly session?: string;
}

/** A source whose tools run on an MCP server. */
export interface McpSource extends ToolSource, UseTexts {
  list(options: { readonly signal: AbortSignal }): Promise<readonly AnyTool[]>;
  watch(onChange: () => void): () => void;
  /** What the server says beside its tools, as of the last list: its instructions, and the prompts and resources that are read. */
  texts(): readonly UpstreamText[];
  status(): UpstreamStatus;
  /** Resolves when nothing of the server's process is left. */
  close(): Promise<void>;
}

/** How the connection is doing, as of now. */
export interface UpstreamStatus {
  readonly state: "idle" | "connecting" | "connected" | "resting" | "closed";
  /** "modern": 2026-07-28 and later; "legacy": 2025-11-25 and before. */
  readonly era?: "modern" | "legacy";
  /** What the server calls itself. */
  readonly server?: { readonly name: string; readonly version: string };
  /** Why it was lost, or could not be had, last. */
  readonly error?: string;
  /** Failures since it was last stable. */
  readonly failures: number;
  /** When it is tried again, in milliseconds since 1970. */
  readonly retryAt?: number;
}

/** Where a tool comes from, and what its server says about it, word for word. */
export interface UpstreamTool {
  readonly server: string;
  /** The server's own name for it. */
  readonly name: string;
  /** Of the whole definition and of the command or address that it came from. */
  readonly fingerprint: string;
  /** As it was listed, `_meta` and icons included. Nothing in it can be trusted. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** For a tool that came from an MCP server; undefined for any other. */
export function upstreamToolOf(tool: ToolDefinition): UpstreamTool | undefined {
  return origins.get(tool);
}

const origins = new WeakMap<ToolDefinition, UpstreamTool>();

export function noteOrigin(tool: ToolDefinition, origin: UpstreamTool): void {
  origins.set(tool, origin);
  noteListedFields(tool, origin.definition);
}

/** Says of a tool that was made from another one that it comes from the same server, which describes it so. */
export function passOrigin(from: ToolDefinition, to: ToolDefinition, definition: UpstreamTool["definition"]): void {
  const origin = origins.get(from);
  if (origin !== undefined) noteOrigin(to, { ...origin, definition });
}
