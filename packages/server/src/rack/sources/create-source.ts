import { createHash } from "node:crypto";
import path from "node:path";
import { type Caller, type Logger, type ToolDefinition, ToolError, type ToolSource } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import type { IsOwnAddress } from "@toolrack/fetch";
import { nearestNames } from "@toolrack/json-schema/internal";
import { mcpSource, type McpSourceOptions, upstreamIdentity } from "@toolrack/mcp";
import { canonicalJson, type Secrets } from "@toolrack/store";
import type { SourceConfig } from "../../config/config.ts";
import { readOptions } from "../util/module-options.ts";
import { withTexts } from "../texts/list-texts.ts";
import { createOpenApiSource, identityOfDocument } from "./openapi/create-openapi.ts";
import { type CreatedWorkers, createWorkers, identityOfWorkers } from "../workers/create-workers.ts";
import type { WorkerChecks } from "../workers/worker-checks.ts";
import type { WorkerHub } from "../workers/worker-hub.ts";
import type { ServerIdentity } from "../workers/server-identity.ts";
import { programIdentity } from "./program-identity.ts";
import type { StartIdentity } from "./source-approvals.ts";
import { mcpType, openApiType, type SourceKind, workersType } from "./source-kind.ts";

export interface CreateSourceOptions {
  readonly secrets: Pick<Secrets, "get">;
  readonly log: Logger;
  /** Relative paths start here. */
  readonly folder: string;
  /** Types of sources that modules add. */
  readonly kinds: ReadonlyMap<string, SourceKind>;
  /** Sees requests to MCP servers. */
  readonly onRequest?: McpSourceOptions["onRequest"];
  /** What this server is towards workers. */
  readonly serverIdentity?: () => ServerIdentity;
  /** Tells which tools of pools have a worker. */
  readonly workerChecks?: WorkerChecks;
  /** The way of workers to this server without a broker. */
  readonly links?: WorkerHub;
  /** Addresses of this server, which no document may lead to. */
  readonly isOwnAddress?: IsOwnAddress | undefined;
  /** Why a source is never started. */
  faultOf?(id: string, source: SourceConfig): string | undefined;
  /** @default the machine's clock */
  readonly clock?: Pick<Clock, "after"> | undefined;
  /** The text of a document that is kept in the store. */
  stored?(id: string): Promise<string | undefined>;
  /** The tool that callers have under a name. */
  served?(name: string, caller: Caller): ToolDefinition | undefined;
  /** What overlays, grants and definitions of a program are bound to. */
  readonly identity?: string;
  /** Called before each start of a program; what it throws is why it is not started. */
  readonly beforeStart?: () => void;
  /** Called when the document of a source was read. */
  onRead?(): Promise<void>;
}

export type WorkerPool = Omit<CreatedWorkers, "source">;

/** A source that was created from its configuration. */
export interface CreatedSource {
  readonly source: ToolSource;
  /** What a document has that is no tool; workers that are refused. */
  problems?(): readonly string[];
  /** Whether models find its tools by search instead of by list. */
  isSearched?(): boolean;
  /** Of a pool: its workers, and the way to empty one of them. */
  readonly pool?: WorkerPool;
  /** Of the connection to an MCP server. */
  connection?(): { readonly state: string; readonly error?: string };
}

/** Creates the source that a configuration describes. Throws CONFIG_INVALID for an unknown type or wrong options. */
export function createSource(id: string, config: SourceConfig, options: CreateSourceOptions): CreatedSource {
  const { type = mcpType } = config;
  if (config.openapi !== undefined) {
    const { folder, log, isOwnAddress, faultOf, stored, served, onRead, clock = systemClock } = options;
    return createOpenApiSource(registryIdOf(id, config), {
      id,
      config: config.openapi,
      paths: pathsOf(config, folder),
      folder,
      log,
      isOwnAddress,
      fault: () => faultOf?.(id, config),
      clock,
      stored: async (document) => stored?.(document),
      served: (name, caller) => served?.(name, caller),
      onRead: async () => onRead?.(),
    });
  }
  if (config.workers !== undefined) {
    const { folder, log } = options;
    const identity = options.serverIdentity!();
    const { source, ...pool } = createWorkers(registryIdOf(id, config), {
      id,
      config: config.workers,
      folder,
      log,
      identity,
      checks: options.workerChecks!,
      links: options.links!,
      secret: secretOf(id, config, options),
    });
    return { source, pool, problems: pool.problems };
  }
  if (type === mcpType) {
    const source = mcpSource(toUpstream(id, config, options));
    const listed = withTexts(source, config.passOn ?? []);
    const known = options.identity === undefined ? listed : { ...listed, identity: options.identity };
    return { source: known, connection: () => source.status() };
  }
  const fault = typeFault(id, config, options.kinds);
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
  const { folder, log } = options;
  const kind = options.kinds.get(type)!;
  const { value } = readOptions(kind.options, config.options ?? {});
  const made = kind.create(value, { id, folder, log, secret: secretOf(id, config, options) });
  return { source: withId(made, registryIdOf(id, config), identityOf(id, config, options).identity) };
}

/** Why the type of a source, or its options, cannot be used. */
export function typeFault(
  id: string,
  { type = mcpType, options = {} }: SourceConfig,
  kinds: ReadonlyMap<string, SourceKind>,
): string | undefined {
  if (type === mcpType) return undefined;
  const kind = kinds.get(type);
  if (kind === undefined) {
    const known = [mcpType, ...kinds.keys()];
    const near = nearestNames(type.slice(0, 80), known, 1)[0];
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    return `sources.${id}.type: "${type.slice(0, 80)}" is not a known type of source.${hint} Known types: ${known.join(", ")}. A module of tools.modules can add one.`;
  }
  const { faults } = readOptions(kind.options, options);
  if (faults.length === 0) return undefined;
  return faults.map(({ at, fact }) => `${["sources", id, "options", ...at].join(".")} ${fact}`).join(" ");
}

/** Whether a person has to agree to it before it starts: it runs a program, or code of a module with these options. */
export function needsApproval({ command, type = mcpType }: SourceConfig): boolean {
  return command !== undefined || type !== mcpType;
}

/** The hash of what a person agrees to: program, arguments, variables, files and folder, or type and options. */
export function identityOf(id: string, config: SourceConfig, options: CreateSourceOptions): StartIdentity {
  const { type = mcpType } = config;
  if (config.openapi !== undefined) return { identity: identityOfDocument({ config: config.openapi }) };
  if (config.workers !== undefined) return { identity: identityOfWorkers(id, config.workers) };
  if (type === mcpType) {
    const former = upstreamIdentity(toUpstream(id, config, options));
    return config.command === undefined ? { identity: former } : { ...programIdentity(config, options.folder), former };
  }
  const text = canonicalJson(JSON.parse(JSON.stringify({ type, options: config.options ?? {} })) as Parameters<typeof canonicalJson>[0]);
  return { identity: createHash("sha256").update(text).digest("hex") };
}

/** "openapi", "workers", "mcp-stdio", "mcp-http", or the type that a module adds. */
export function kindOf({ command, openapi, workers, type = mcpType }: SourceConfig): string {
  if (workers !== undefined) return workersType;
  if (openapi !== undefined) return openApiType;
  return type !== mcpType ? type : command === undefined ? "mcp-http" : "mcp-stdio";
}

/** The id of a source in the registry: "mcp:github", "openapi:petstore", "workers:gpu". */
export function registryIdOf(id: string, { openapi, workers, type = mcpType }: Pick<SourceConfig, "type" | "openapi" | "workers">): string {
  if (workers !== undefined) return `${workersType}:${id}`;
  return `${openapi === undefined ? type : openApiType}:${id}`;
}

/** The same of a source as it is shown. */
export function shownRegistryId({ id, kind }: { readonly id: string; readonly kind: string }): string {
  if (kind === "built-in") return id;
  return `${kind === "mcp-http" || kind === "mcp-stdio" ? mcpType : kind}:${id}`;
}

function secretOf(id: string, config: SourceConfig, { secrets }: CreateSourceOptions): (name: string) => Promise<string | undefined> {
  const tool = registryIdOf(id, config);
  return (name) => secrets.get({ name, tool, callId: `source-${id}`, caller: { agent: "server" }, reason: `connection to ${id}` });
}

function toUpstream(id: string, config: SourceConfig, options: CreateSourceOptions): McpSourceOptions {
  const { command, args, env, cwd, url, headers, allowHosts, maxTools, passOn = [] } = config;
  const secret = secretOf(id, config, options);
  const shared = {
    name: id,
    secret,
    ...(passOn.includes("prompts") && { prompts: true }),
    ...(passOn.includes("resources") && { resources: true }),
    ...(maxTools !== undefined && { maxTools }),
    ...(options.onRequest && { onRequest: options.onRequest }),
    ...(config.paths && { paths: pathsOf(config, options.folder)! }),
  };
  if (url !== undefined) return { ...shared, url, ...(headers && { headers }), ...(allowHosts && { allowHosts }) };
  return {
    ...shared,
    command: command!.startsWith(".") ? path.resolve(options.folder, command!) : command!,
    cwd: path.resolve(options.folder, cwd ?? "."),
    ...(args && { args }),
    ...(env && { env }),
    ...(options.beforeStart && { beforeStart: options.beforeStart }),
  };
}

function pathsOf({ paths }: SourceConfig, folder: string): McpSourceOptions["paths"] {
  return paths && { ...paths, folder: path.resolve(folder, paths.folder) };
}

/** The source of a module under the id that the server gives it. What is behind it is said by its type and options, unless it says more. */
function withId(source: ToolSource, id: string, configured: string): ToolSource {
  return {
    id,
    identity: source.identity === undefined ? configured : `${configured} ${source.identity}`,
    list: (listing) => source.list(listing),
    ...(source.listFor && { listFor: (caller) => source.listFor!(caller) }),
    ...(source.watch && { watch: (onChange) => source.watch!(onChange) }),
    ...(source.close && { close: () => source.close!() }),
  };
}
