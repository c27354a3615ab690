import {
  type Caller,
  type Logger,
  type Registry,
  type SourceStatus,
  type ToolDefinition,
  ToolError,
  type ToolSource,
} from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import type { IsOwnAddress } from "@toolrack/fetch";
import type { UpstreamRequest } from "@toolrack/mcp";
import type { Secrets } from "@toolrack/store";
import type { SourceConfig } from "../../config/config.ts";
import { toShownSource } from "../../config/shown-source.ts";
import type { WriteAudit } from "../audit/audit.ts";
import type { Author } from "../audit/author.ts";
import type { Tracing } from "../calls/tracing.ts";
import type { SourceInfo, Sources, WorkerPoolInfo } from "../rack.ts";
import { createOutage, type Outage } from "../util/outage.ts";
import type { RecordFeed } from "../store/records.ts";
import type { ConfiguredSource } from "../settings/settings.ts";
import { type LoadedModules, moduleSourceId } from "../modules/loaded-modules.ts";
import { serverIdentity } from "../workers/server-identity.ts";
import type { WorkerChecks } from "../workers/worker-checks.ts";
import { createWorkerHub } from "../workers/worker-hub.ts";
import type { StoredDocuments } from "./openapi/stored-documents.ts";
import { createSourceApprovals, type StartIdentity } from "./source-approvals.ts";
import { createFirstReads } from "./first-reads.ts";
import { type CreatedSource, createSource, identityOf, kindOf, needsApproval, registryIdOf, typeFault } from "./create-source.ts";

export interface SourceManager extends Sources {
  /** Starts, restarts and stops sources according to the settings. */
  apply(): Promise<void>;
  /** Approves these sources as they are configured now. */
  agree(ids: readonly string[], by: Author): Promise<void>;
  close(): Promise<void>;
}

export interface SourceManagerOptions {
  readonly registry: Registry;
  readonly feed: RecordFeed;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** Relative paths start here. */
  readonly folder: string;
  configured(): readonly ConfiguredSource[];
  /** Whether sources are started at all. */
  readonly mayStart: boolean;
  /** What modules of the configuration add. */
  readonly modules: Pick<LoadedModules, "sources" | "supplies">;
  /** Where a source that is not under `sources` is configured. */
  originOf(id: string): string;
  /** Why a source is never started, even if it is approved. */
  faultOf?(id: string, source: SourceConfig): string | undefined;
  now(): number;
  readonly tracing: Tracing;
  /** @default the machine's clock */
  readonly clock?: Pick<Clock, "after">;
  /** Addresses of this server. */
  readonly isOwnAddress?: IsOwnAddress;
  /** The key that all servers of the store share. */
  readonly sharedKey: Uint8Array;
  readonly workerChecks: WorkerChecks;
  /** Tools whose definitions wait for a person, with the id of their source in the registry. */
  held(): readonly { readonly source: string; readonly tool: string }[];
  /** Whether a served tool says what its source says now. */
  isAsSeen(tool: ToolDefinition): boolean;
  /** Adds the search tools, if nobody has; called when a source has so many tools that models search for them. */
  openSearch?(): Promise<void>;
}

interface Started {
  readonly created: CreatedSource;
  readonly registryId: string;
  readonly outage: Outage;
  /** All that the source itself is made of, as text: another text is another source. */
  readonly text: string;
  /** What it started, of a source that needs an approval. */
  readonly identity: StartIdentity | undefined;
  /** Its program is another one than that by now. */
  isChanged: boolean;
}

/**
 * The sources of the settings: MCP servers, and types that modules add. A program, or a source of a module, is started only as it was
 * agreed to: as the file has it when it is first seen, else as an admin approved it. Another command, argument, variable or option behind
 * an old name waits for an admin again.
 */
export function createSourceManager(options: SourceManagerOptions): SourceManager {
  const { registry, feed, log, audit, configured, secrets, folder, modules, tracing, clock = systemClock } = options;
  const reads = createFirstReads(clock);
  const links = createWorkerHub();
  const creating = {
    links,
    secrets,
    folder,
    log,
    kinds: modules.sources,
    onRequest: (request: UpstreamRequest) => tracing.onRequest?.(request),
    isOwnAddress: options.isOwnAddress,
    serverIdentity: () => serverIdentity(options.sharedKey),
    workerChecks: options.workerChecks,
    clock,
    faultOf: (id: string, source: SourceConfig) => options.faultOf?.(id, source),
    stored: (id: string) => documents().then(({ read }) => read(id)),
    served: (name: string, caller: Caller) => {
      // Not `offered`: a tool that waits for its secret is described, too.
      const tool = registry.view(caller).decision(name)?.allowed === true ? registry.get(name) : undefined;
      return tool !== undefined && options.isAsSeen(tool) ? tool : undefined;
    },
    onRead: noteSearched,
  };
  /** Loaded with the first document. */
  const documents = async (): Promise<StoredDocuments> =>
    (await import("./openapi/stored-documents.ts")).createStoredDocuments(feed.of("toolrack.openapi-document.v1"));
  const pins = feed.of("toolrack.source-pin.v1");
  const started = new Map<string, Started>();
  /** Sources that were not read yet. */
  const starting = new Map<string, Promise<void>>();
  const approvals = createSourceApprovals({ pins, audit, log, now: () => options.now() });
  /** Why sources could not be created. */
  const refused = new Map<string, string>();
  let applying: Promise<void> = Promise.resolve();
  let isClosed = false;
  let cancelRetry: ReturnType<Clock["after"]> | undefined;

  /** The sources whose tools models find by search, by their ids in the registry. */
  let searched: ReadonlySet<string> = new Set();

  async function noteSearched(): Promise<void> {
    searched = new Set([...started.values()].flatMap(({ created, registryId }) => (created.isSearched?.() === true ? [registryId] : [])));
    if (searched.size > 0)
      await options.openSearch?.().catch((error: unknown) => log.warn("Tool search could not be opened.", { error: String(error) }));
  }

  async function applyNow(): Promise<void> {
    if (isClosed || !options.mayStart) return;
    const wanted = new Map(configured().map((one) => [one.id, one]));
    for (const [id, { text, registryId, identity, isChanged }] of started) {
      const one = wanted.get(id);
      if (one !== undefined && textOf(one.source) === text && !isChanged && (await allow(one, identity)) !== undefined) continue;
      started.delete(id);
      await registry
        .removeSource(registryId)
        .catch((error: unknown) => log.warn("A source could not be closed.", { source: id, error: String(error) }));
      await noteSearched();
    }
    for (const one of wanted.values()) {
      if (started.has(one.id)) continue;
      const identity = startIdentityOf(one);
      const bound = await allow(one, identity);
      if (bound !== undefined) start(one, identity, bound);
    }
    for (const id of refused.keys()) if (!wanted.has(id)) refused.delete(id);
    if (refused.size > 0 && !isClosed) retryRefused();
  }

  /** Their files may be other ones by then. */
  function retryRefused(): void {
    cancelRetry?.();
    cancelRetry = clock.after(refusedMs, () => void apply());
    cancelRetry.release?.();
  }

  /** What a source starts or loads now; undefined where nobody has to agree to it. */
  function startIdentityOf({ id, source }: ConfiguredSource): StartIdentity | undefined {
    return needsApproval(source) ? identityOf(id, source, creating) : undefined;
  }

  /** Of a source that runs, what was started. */
  function shownIdentityOf(one: ConfiguredSource): StartIdentity | undefined {
    const running = started.get(one.id);
    const isCurrent = running !== undefined && !running.isChanged && running.text === textOf(one.source);
    return isCurrent ? running.identity : startIdentityOf(one);
  }

  /** What its records are bound to, "" where nobody has to agree to it; undefined: it is not started. */
  async function allow({ id, source, origin }: ConfiguredSource, identity: StartIdentity | undefined): Promise<string | undefined> {
    if (source.enabled === false) return undefined;
    return identity === undefined ? "" : approvals.allow(id, identity, origin);
  }

  function start(one: ConfiguredSource, identity: StartIdentity | undefined, bound: string): void {
    const { id, source } = one;
    const isProgram = identity?.parts !== undefined;
    /** A program that ended is started again only as it was approved. */
    const beforeStart = (): void => {
      const now = startIdentityOf(one);
      if (now === undefined || now.identity === identity?.identity) return;
      const running = started.get(id);
      if (running !== undefined) running.isChanged = true;
      void apply();
      throw new ToolError(
        "SOURCE_FAILED",
        `The program of the source "${id}" is another one than at its start, so it is not started again.`,
      );
    };
    let created: CreatedSource;
    try {
      const fault = options.faultOf?.(id, source);
      if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
      created = createSource(id, source, isProgram ? { ...creating, identity: bound, beforeStart } : creating);
      refused.delete(id);
    } catch (error) {
      const { message } = error as Error;
      if (refused.get(id) !== message) log.warn("A source cannot be started.", { source: id, error: String(error) });
      refused.set(id, message);
      return;
    }
    const outage = createOutage({ log, failed: "A source failed.", worked: "A source works again.", fields: { source: id } });
    started.set(id, { created, registryId: registryIdOf(id, source), outage, text: textOf(source), identity, isChanged: false });
    // A slow source does not delay others.
    const first = registry
      .addSource(reads.inTurn(withOutage(created.source, outage)))
      .then(
        ({ state, error }) => (state === "failed" ? outage.failed(error ?? "Its tools could not be read.") : undefined),
        (error: unknown) => log.warn("A source could not be added.", { source: id, error: String(error) }),
      )
      .finally(() => {
        if (starting.get(id) === first) starting.delete(id);
      });
    starting.set(id, first);
    reads.follow(first);
  }

  const apply = (): Promise<void> => {
    applying = applying.then(applyNow).catch((error: unknown) => log.error("The sources could not be updated.", { error: String(error) }));
    reads.follow(applying);
    return applying;
  };
  pins.subscribe(() => void apply());

  function info(one: ConfiguredSource, { statuses, waiting: held }: Listed): SourceInfo {
    const { id, source, origin } = one;
    const identity = shownIdentityOf(one);
    const status = statuses.get(registryIdOf(id, source));
    const waitsBecause = identity === undefined || source.enabled === false ? undefined : approvals.waitsBecause(id, identity);
    const connection = started.get(id)?.created.connection?.();
    // What went wrong before the connection that is there now is over.
    const error = refused.get(id) ?? status?.error ?? (connection?.state === "connected" ? undefined : connection?.error);
    return {
      id,
      kind: kindOf(source),
      state:
        source.enabled === false
          ? "disabled"
          : waitsBecause !== undefined
            ? "waiting-for-approval"
            : refused.has(id)
              ? "failed"
              : starting.has(id)
                ? "starting"
                : (status?.state ?? "starting"),
      tools: status?.tools ?? [],
      problems: [
        ...(waitsBecause === undefined ? [] : [waitsBecause]),
        ...(status?.problems ?? []),
        ...(started.get(id)?.created.problems?.() ?? []),
      ],
      ...heldOf(registryIdOf(id, source), held),
      ...(searched.has(registryIdOf(id, source)) && { searched: true as const }),
      origin,
      config: toShownSource(source),
      ...(identity !== undefined && identityInfo(identity)),
      ...(error !== undefined && { error }),
      ...(status?.readAt !== undefined && { readAt: status.readAt }),
      ...(status?.retryAt !== undefined && { retryAt: status.retryAt }),
      ...(source.required === true && options.mayStart && { required: true as const }),
      ...(connection !== undefined && { connection: connection.state }),
    };
  }

  function list(): readonly SourceInfo[] {
    const statuses = new Map(registry.sources().map((status) => [status.id, status]));
    const waiting = options.held();
    const ours = configured().map((one) => info(one, { statuses, waiting }));
    const ids = new Set(configured().map(({ id, source }) => registryIdOf(id, source)));
    const others = [...statuses.values()].filter(({ id }) => !ids.has(id));
    return [
      ...others.map(({ id, ...status }) => {
        const supplies = suppliesById.get(id);
        const origin = options.originOf(id);
        return { id, kind: "built-in", origin, ...status, ...heldOf(id, waiting), ...(supplies && { supplies }) };
      }),
      ...ours,
    ];
  }
  const suppliesById = new Map([...modules.supplies].map(([specifier, supplies]) => [moduleSourceId(specifier), supplies]));
  const find = (id: string): SourceInfo | undefined => list().find((source) => source.id === id);

  return {
    apply,
    agree(ids, by) {
      for (const one of configured()) {
        const identity = ids.includes(one.id) ? startIdentityOf(one) : undefined;
        if (identity !== undefined) approvals.agree(one.id, identity, by);
      }
      return apply();
    },
    list,
    registryIdOf(name) {
      if (registry.sources().some(({ id }) => id === name)) return name;
      const own = configured().find(({ id }) => id === name);
      return own === undefined ? name : registryIdOf(own.id, own.source);
    },
    searched: () => searched,
    links,
    workers: () => ({
      publicKey: serverIdentity(options.sharedKey).publicKey,
      pools: configured().flatMap(({ id, source }): WorkerPoolInfo[] => {
        if (source.workers === undefined) return [];
        const { state, error, tools } = find(id)!;
        const created = started.get(id)?.created.pool;
        const [workers, problems, broker] = [created?.workers() ?? [], created?.problems() ?? [], created?.broker()];
        const pool = source.workers.pool ?? id;
        const more = { ...(error !== undefined && { error }), ...(broker !== undefined && { broker }) };
        return [{ source: id, pool, state, tools: tools.length, workers, problems, ...more }];
      }),
    }),
    drain(instance) {
      return [...started.values()].some(({ created }) => created.pool?.drain(instance));
    },
    keepDocument: async (text) => (await documents()).write(text),
    async forgetDocument(id) {
      if (!configured().some(({ source }) => source.openapi?.document === id)) await (await documents()).remove(id);
    },
    async plan(id, config, given) {
      const { planDocument } = await import("./openapi/plan-document.ts");
      return planDocument(id, config, { ...creating, ...given });
    },
    async preview(id, config, given) {
      const { previewOperation } = await import("./openapi/plan-document.ts");
      return previewOperation(id, config, { ...creating, ...given });
    },
    faultOf: (id, source) => typeFault(id, source, modules.sources),
    startFaultOf: (id, source) => options.faultOf?.(id, source),
    async ready() {
      await applying;
      await Promise.all(starting.values());
    },
    gathered: () => reads.gathered(),
    async approve(id, identity, by) {
      const one = configured().find((source) => source.id === id);
      const now = one && shownIdentityOf(one);
      if (now === undefined) return undefined;
      if (now.identity !== identity)
        throw new ToolError(
          "CONFIG_INVALID",
          `The source "${id}" has changed: its identity is ${now.identity} now. Look at it again, and approve that.`,
        );
      await approvals.approve(id, now, by);
      await apply();
      return find(id);
    },
    async refresh(id) {
      const statuses = registry.sources().map((status) => status.id);
      const own = configured().find((source) => source.id === id);
      const known = [...(own === undefined ? [] : [registryIdOf(id, own.source)]), id].find((name) => statuses.includes(name));
      if (known === undefined) return undefined;
      await registry.refreshSource(known);
      return find(id);
    },
    async close() {
      isClosed = true;
      cancelRetry?.();
      await applying;
      links.disconnect();
    },
  };
}

/** When a source that could not be created is tried again. */
const refusedMs = 60_000;

/** What the registry and the lock know of the sources. */
interface Listed {
  readonly statuses: ReadonlyMap<string, SourceStatus>;
  readonly waiting: ReturnType<SourceManagerOptions["held"]>;
}

function heldOf(registryId: string, waiting: Listed["waiting"]): Pick<SourceInfo, "held"> {
  const held = waiting.flatMap(({ source, tool }) => (source === registryId ? [tool] : []));
  return held.length === 0 ? {} : { held };
}

/** The same source; each read reports whether it works. An aborted read is no failure. */
function withOutage(source: ToolSource, outage: Outage): ToolSource {
  return {
    ...source,
    async list(options) {
      try {
        const tools = await source.list(options);
        outage.worked();
        return tools;
      } catch (error) {
        if (!options.signal.aborted) outage.failed(error);
        throw error;
      }
    },
  };
}

/** What is approved, and the files that belong to it. */
function identityInfo({ identity, parts = {} }: StartIdentity): Pick<SourceInfo, "identity" | "files"> {
  const files = Object.keys(parts).flatMap((part) => (part.startsWith("file ") ? [part.slice("file ".length)] : []));
  return { identity, ...(files.length > 0 && { files }) };
}

function textOf(config: SourceConfig): string {
  const { required: _, ...source } = config;
  return JSON.stringify(source);
}
