import { shellWord } from "@toolrack/core/internal/shell-word";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type AnyTool, type Logger, type ToolDefinition, ToolError, type ToolSource } from "@toolrack/core";
import type { Link, WorkerFacts, WorkerSource } from "@toolrack/workers";
import type { WorkerSourceConfig } from "../../config/worker-source.ts";
import type { BrokerState } from "../cluster/pool-facts.ts";
import type { ServerIdentity } from "./server-identity.ts";
import { workerCapability, type WorkerChecks } from "./worker-checks.ts";
import type { WorkerHub } from "./worker-hub.ts";

export interface WorkersOptions {
  readonly id: string;
  readonly config: WorkerSourceConfig;
  /** Relative paths start here. */
  readonly folder: string;
  readonly log: Logger;
  readonly identity: ServerIdentity;
  readonly checks: WorkerChecks;
  readonly links: Pick<WorkerHub, "connect">;
  /** Reads a secret; undefined where it is not set. */
  secret(name: string): Promise<string | undefined>;
}

export interface CreatedWorkers {
  readonly source: ToolSource;
  workers(): readonly WorkerFacts[];
  /** Workers that are refused. */
  problems(): readonly string[];
  /** Undefined where workers connect to this server. */
  broker(): BrokerState | undefined;
  drain(instance: string): boolean;
}

/** A pool of workers as a source of the server. Its broker is asked for at the first list, and nothing of it is loaded before. */
export function createWorkers(registryId: string, options: WorkersOptions): CreatedWorkers {
  const { id, config, log, identity, checks } = options;
  const watchers = new Set<() => void>();
  let opening: Promise<WorkerSource> | undefined;
  let opened: WorkerSource | undefined;
  let link: Link | undefined;
  let isClosed = false;
  /** The same object for the same tool, as the contract of sources asks for. */
  const needing = new WeakMap<AnyTool, ToolDefinition>();
  checks.pools.set(id, (tool) => opened?.liveness(tool) ?? { isAlive: false });

  async function open(): Promise<WorkerSource> {
    const { workerSource } = await import("@toolrack/workers");
    const { keys, pool = id } = config;
    const own = await openLink(pool);
    link = own;
    const source = workerSource({
      link: own,
      pool,
      privateKey: identity.privateKey,
      workers: keys,
      log,
      // A tool without a worker stays known, as unavailable.
      graceMs: Number.POSITIVE_INFINITY,
      ...(config.lostAfterMs !== undefined && { silentMs: config.lostAfterMs }),
    });
    source.watch!(() => watchers.forEach((watcher) => watcher()));
    opened = {
      ...source,
      async close() {
        await source.close?.();
        await own.close();
      },
    };
    if (isClosed) await opened.close?.();
    return opened;
  }

  async function openLink(pool: string): Promise<Link> {
    const { connect, keys, system } = config;
    if (connect === "server") return options.links.connect(pool, keys);
    const { natsLink } = await import("@toolrack/workers/nats");
    return natsLink({ servers: connect, ...(await signIn(config)), ...(system && { system: await signIn(system) }) });
  }

  async function signIn({ credentials, user, password }: Pick<WorkerSourceConfig, "credentials" | "user" | "password">) {
    return {
      ...(credentials !== undefined && { credentials: await readCredentials(credentials) }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password: await readPassword(password) }),
    };
  }

  async function readCredentials(file: string): Promise<string> {
    const place = path.resolve(options.folder, file);
    await readFile(place).catch((error: NodeJS.ErrnoException) => {
      throw new ToolError(
        "SOURCE_FAILED",
        `sources.${id}.workers.credentials: ${file} cannot be read (${error.code ?? "unknown"}). Check the name and its permissions.`,
      );
    });
    return place;
  }

  async function readPassword(reference: string): Promise<string> {
    const name = reference.replace(/^secret:/, "");
    const value = await options.secret(name);
    if (value === undefined)
      throw new ToolError(
        "SECRET_MISSING",
        `The secret "${name}" of the source "${id}" is not set. Set it with: toolrack secrets set ${shellWord(name)}`,
      );
    return value;
  }

  function needsWorker(tool: AnyTool): ToolDefinition {
    const known = needing.get(tool);
    if (known !== undefined) return known;
    const { metadata, ...rest } = tool as ToolDefinition;
    const requiresCapabilities = [...(metadata?.requiresCapabilities ?? []), workerCapability(id, rest.name)];
    const needs = { ...rest, metadata: { ...metadata, requiresCapabilities } } as ToolDefinition;
    needing.set(tool, needs);
    return needs;
  }

  return {
    source: {
      id: registryId,
      identity: identityOfWorkers(id, config),
      async list(listing) {
        opening ??= open().catch((error: unknown) => {
          opening = undefined;
          throw error;
        });
        return (await (await opening).list(listing)).map(needsWorker);
      },
      watch(onChange) {
        const watcher = (): void => onChange();
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
      async close() {
        isClosed = true;
        checks.pools.delete(id);
        await opened?.close?.();
      },
    },
    workers: () => opened?.workers() ?? [],
    problems: () => opened?.problems() ?? [],
    broker: () => (config.connect === "server" ? undefined : link?.isConnected === true ? "connected" : "away"),
    drain: (instance) => opened?.drain(instance) ?? false,
  };
}

/** The hash of what is behind the pool: the broker, the pool, and the workers that are trusted. */
export function identityOfWorkers(id: string, { connect, pool = id, keys }: WorkerSourceConfig): string {
  return createHash("sha256")
    .update(JSON.stringify({ connect: [connect].flat(), pool, keys: [...keys].sort() }))
    .digest("hex");
}
