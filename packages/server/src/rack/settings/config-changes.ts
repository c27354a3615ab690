import { shellWord } from "@toolrack/core/internal/shell-word";
import { createHash } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import type { Breadcrumb } from "@toolrack/store";
import { changedValues, changesBetween, type ConfigChange } from "../../config/changes.ts";
import type { RackConfig } from "../../config/config.ts";
import { doubtAbout } from "../../config/checks/doubt.ts";
import type { ReadConfig } from "../../config/read.ts";
import { readWholeFile } from "../../config/file/whole-file.ts";
import type { WriteAudit } from "../audit/audit.ts";
import { type Author, signedBy } from "../audit/author.ts";
import { withValue } from "./merge-settings.ts";
import type { ConfigChanges, ConfigNotice, PendingConfig } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";

export interface ConfigChangeManager extends ConfigChanges {
  /**
   * Uses a new file: changes of the policy take effect at once, changes that could run code or disclose more wait for approval. Returns
   * false if nothing took effect. Throws, and changes nothing, if it conflicts with the records.
   */
  take(next: ReadConfig): boolean;
  /** The current file is invalid, so the waiting one can no longer be approved. */
  withdraw(): void;
}

export interface ConfigChangeManagerOptions {
  readonly start: ReadConfig;
  readonly feed: RecordFeed;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** Whether changes take effect without approval, as with `serve --follow`. */
  readonly isFollowing: boolean;
  /** Puts a configuration into force; throws if it conflicts with the records. */
  use(next: ReadConfig): void;
  now(): number;
}

/** How long an approval is valid for the other servers of the store, until they see the same file. Each uses it once. */
const approvalMs = 3_600_000;

/** Delays each change of the file until it may take effect. The table in config/changes.ts says which changes need what. */
export function createConfigChangeManager(options: ConfigChangeManagerOptions): ConfigChangeManager {
  const { feed, log, audit, use } = options;
  const approvals = feed.of("toolrack.config-approval.v1");
  const listeners = new Set<(notice: ConfigNotice) => void>();
  /** The configuration in force: the newest file, with older values for changes that wait. */
  let inForce: HeldConfig = { ...options.start, held: new Map() };
  /** The last file without waiting changes. */
  let base = digestOf(options.start);
  let latest: ReadConfig = options.start;
  let pending: PendingConfig | undefined;
  let afterRestart: readonly string[] = [];
  let noticed = base;
  /** Approvals that this server used, or that existed before it started: an old file that returns needs a new approval. */
  const used = new Set([...approvals.values()].map(useOf));
  /** The approval by which `base` came into force. */
  let reachedBy: Breadcrumb | undefined;

  function take(next: ReadConfig): boolean {
    latest = next;
    const digest = digestOf(next);
    const approval = approvalOf(digest);
    const approvedBy = approval && approverIn(approval);
    const changes = changesBetween(inForce.config, next.config);
    const doubt = approvedBy === undefined && changes.length > 0 ? doubtAbout(inForce, next) : undefined;
    const mayTake = approvedBy !== undefined || options.isFollowing;
    const waiting = changes.filter(({ effect }) => doubt !== undefined || (effect === "approval" && !mayTake));
    const restart = changes.filter(({ effect }) => doubt === undefined && effect === "restart");
    const taken = changes.filter((change) => !waiting.includes(change) && !restart.includes(change));
    if (doubt === undefined) {
      const held = hold(next, inForce, [...waiting, ...restart]);
      use(held);
      inForce = held;
      afterRestart = keysOf(restart);
      if (approval !== undefined) used.add(useOf(approval));
      if (waiting.length === 0 && base !== digest) {
        forget(reachedBy);
        base = digest;
        reachedBy = approval;
      }
    }
    pending = waiting.length === 0 && doubt === undefined ? undefined : toPending(next, digest, doubt, waiting, restart);
    if (taken.length > 0 || digest !== noticed)
      notice({ digest, taken, waiting, restart, by: approvedBy ?? (options.isFollowing ? "serve --follow" : "file") }, next.file);
    noticed = digest;
    return doubt === undefined;
  }

  function approvalOf(digest: string): Breadcrumb | undefined {
    const found = approvals.get(approvalId(base, digest));
    return found === undefined || used.has(useOf(found)) ? undefined : found;
  }

  /** The file changed again, so no server may use that approval any more. */
  function forget(approval: Breadcrumb | undefined): void {
    if (approval === undefined) return;
    approvals
      .remove(approval.id, approval.version)
      .catch((error: unknown) => log.warn("A used approval could not be removed; it will expire.", { error: String(error) }));
  }

  function notice({ digest, taken, waiting, restart, by }: Taken, file: string): void {
    const facts = { digest, changed: keysOf(taken), waiting: keysOf(waiting), restart: keysOf(restart) };
    if (waiting.length > 0 || pending !== undefined) log.warn(`${pending!.message} ${lookAt(pending!)}`, { file, ...facts });
    else log.info("The configuration was read again.", { file, ...facts });
    if (restart.length > 0)
      log.warn(`Changed in ${nameOf(file)}, but in force only after a restart: ${facts.restart.join(", ")}.`, {
        file,
        keys: facts.restart,
      });
    const agreedSources = taken.filter(({ effect, path }) => effect === "approval" && path[0] === "sources").map(({ path }) => path[1]!);
    for (const listener of listeners) listener({ ...facts, agreedSources, by });
    audit({ kind: "config-changed", subject: nameOf(file), by, body: facts }).catch((error: unknown) =>
      log.error("A change of the configuration could not be recorded in the audit log.", { error: String(error) }),
    );
  }

  /** Reads the same file again after it was approved, here or on another server. */
  function takeAgain(): void {
    // If the file on disk is another one by now, that one is read soon.
    if (pending === undefined || !isOnDisk(pending)) return;
    try {
      take(latest);
    } catch (error) {
      log.error("The approved configuration was not used; the previous one stays in force.", { problem: (error as Error).message });
    }
  }
  approvals.subscribe(() => takeAgain());

  return {
    take,
    withdraw: () => void (pending = undefined),
    pending: () => pending,
    afterRestart: () => afterRestart,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async approve(digest, by) {
      if (pending === undefined) return undefined;
      const approved = pending;
      if (approved.digest !== digest)
        throw new ToolError(
          "CONFIG_INVALID",
          `${nameOf(latest.file)} has changed since: it is ${approved.digest} now. Look at it again, and approve that.`,
        );
      if (!isOnDisk(approved))
        throw new ToolError(
          "CONFIG_INVALID",
          `${nameOf(latest.file)} has changed since it was read, or is gone, so nothing was approved. ${lookAt(approved)}`,
        );
      const keys = [...new Set(approved.waiting.map(({ part }) => part))];
      await audit({ kind: "config-approved", subject: nameOf(latest.file), by, body: { digest, keys } });
      const { agent, principal } = signedBy(by);
      await approvals.write({
        id: approvalId(base, digest),
        title: `Approval of ${nameOf(latest.file)}`.slice(0, 200),
        context: { digest, base, by: agent, principal, keys, at: options.now() },
        ttl: { afterMs: approvalMs },
      });
      takeAgain();
      return approved;
    },
  };
}

/** The command that shows the waiting changes. It names the file, so that it works in every folder. */
export function lookAt({ file }: PendingConfig): string {
  return `Look at it with: toolrack config status --config ${shellWord(file)}`;
}

/** Identifies one approval: the same change may be approved again. */
function useOf({ id, version }: Breadcrumb): string {
  return `${id} ${version}`;
}

function approverIn({ context: { by, principal = "" } }: Breadcrumb): Author {
  return { agent: String(by), principal: String(principal) };
}

function isOnDisk({ file, digest }: PendingConfig): boolean {
  const { text } = readWholeFile(file);
  return text !== undefined && digestOf({ text }) === digest;
}

interface Taken {
  readonly digest: string;
  readonly taken: readonly ConfigChange[];
  readonly waiting: readonly ConfigChange[];
  readonly restart: readonly ConfigChange[];
  readonly by: Author;
}

/** A file with some parts of an older one, each with its own origin. */
interface HeldConfig extends ReadConfig {
  readonly held: ReadonlyMap<string, ReadConfig>;
}

function hold(next: ReadConfig, before: HeldConfig, changes: readonly ConfigChange[]): HeldConfig {
  let config = next.config as Readonly<Record<string, unknown>>;
  for (const change of changes) config = withValue(config, change.path, change.before ?? null);
  const held = new Map(changes.map(({ key }) => [key, before.held.get(key) ?? before]));
  return {
    ...next,
    config: config as RackConfig,
    held,
    originOf: (path) => (held.get(path.slice(0, 2).join(".")) ?? held.get(String(path[0])) ?? next).originOf(path),
  };
}

function toPending(
  { file }: ReadConfig,
  digest: string,
  doubt: string | undefined,
  waiting: readonly ConfigChange[],
  restart: readonly ConfigChange[],
): PendingConfig {
  const name = nameOf(file);
  const message =
    doubt === undefined
      ? `Changes in ${name} wait for approval: ${keysOf(waiting).slice(0, 10).join(", ")}.`
      : `${name} may be half-written, because ${doubt}. Nothing of it is used until it is saved again or approved.`;
  return {
    file,
    digest,
    message,
    waiting: waiting.flatMap((change) => changedValues(change).map((value) => ({ part: change.key, ...value }))),
    restart: keysOf(restart),
  };
}

function keysOf(changes: readonly ConfigChange[]): readonly string[] {
  return changes.map(({ key }) => key);
}

function nameOf(file: string): string {
  return file.split(/[\\/]/).at(-1)!;
}

/** Of the exact bytes. */
function digestOf({ text }: Pick<ReadConfig, "text">): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An approval is for the change from one file to another, so that restoring an old file is a change like any other. */
function approvalId(base: string, digest: string): string {
  return `config-approval-${base.slice(0, 32)}-${digest}`;
}
