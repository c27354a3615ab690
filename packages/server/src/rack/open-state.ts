import path from "node:path";
import { type Logger, type Recorder, ToolError } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import {
  type BreadcrumbStore,
  type CallLog,
  type Configs,
  checkKeys,
  checkWrite,
  createConfigs,
  createSecrets,
  createTickets,
  type Secrets,
  type Tickets,
} from "@toolrack/store";
import { retentionOf } from "../config/retention.ts";
import { type ApprovalManager, createApprovalManager } from "./approvals/approvals.ts";
import { createAudit, type WriteAudit } from "./audit/audit.ts";
import { noteKey, openAudit } from "./audit/open-audit.ts";
import type { Closers } from "./util/closers.ts";
import { createConfigChangeManager, type ConfigChangeManager, lookAt } from "./settings/config-changes.ts";
import { createDrafts } from "./settings/policy-drafts.ts";
import { createKeys } from "./keys-and-tokens/api-keys.ts";
import { type ConfigDigest, digestConfig } from "./settings/config-digest.ts";
import { createMasterKey, type MasterKey, noKeys, sealedText } from "./keys-and-tokens/key-rotation.ts";
import { createLease, type OwnLease } from "./cluster/lease.ts";
import { masterKeyOrigin, openMasterKey } from "./keys-and-tokens/master-key.ts";
import type { OpenedConfig } from "./settings/open-config.ts";
import { openOwnerToken, type OwnerToken } from "./keys-and-tokens/owner-token.ts";
import { openStore, serverActor, tellWakeUps } from "./store/open-store.ts";
import type { ApiKeys, PendingConfig, PolicyDrafts, Retention } from "./rack.ts";
import { followRecords, type RecordFeed } from "./store/records.ts";
import { openRecording, type Recording } from "./calls/recording.ts";
import { keepAnchors } from "./audit/anchors.ts";
import { startRetention } from "./store/retention.ts";
import { openSharedKey } from "./keys-and-tokens/shared-key.ts";
import type { ServerName } from "./cluster/server-name.ts";
import { createOwnFacts, type OwnFacts } from "./cluster/server-info.ts";
import { createSettingsManager, type SettingsManager } from "./settings/settings.ts";
import { withOlderTasks } from "./mcp/all-tasks.ts";
import { readOlderTasks } from "./mcp/older-tasks.ts";
import { createMessageSealer } from "./mcp/sealed-messages.ts";
import { createShowInput, type ShowInput } from "./calls/shown-input.ts";
import { createTasks, type Tasks } from "./mcp/tasks.ts";
import { type StoreWatch, watchStore } from "./store/store-watch.ts";
import { followLogHeads, type LogHeads } from "./trust/log-heads.ts";

/** Everything that is stored, or shared with other servers. */
export interface RackState {
  readonly store: BreadcrumbStore;
  /** The same store, for the server's own records. They have an owner of their own, so that no role in the API reaches them. */
  readonly inner: BreadcrumbStore;
  readonly showInput: ShowInput;
  readonly feed: RecordFeed;
  readonly secrets: Secrets;
  readonly configs: Configs;
  readonly calls: CallLog;
  readonly recording: Recording & { readonly recorder: Recorder };
  readonly audit: WriteAudit;
  readonly retention: Retention;
  readonly settings: SettingsManager;
  readonly configChanges: ConfigChangeManager;
  readonly approvals: ApprovalManager;
  readonly drafts: PolicyDrafts;
  readonly keys: ApiKeys;
  readonly ownerToken: OwnerToken;
  /** The key that all servers of the store share, to sign and verify. */
  readonly sharedKey: Uint8Array;
  readonly tasks: Tasks;
  /** What the servers of the store work on together. */
  readonly tickets: Tickets;
  /** The lease of this server, under a unique name. */
  readonly lease: OwnLease;
  readonly storeWatch: StoreWatch;
  readonly masterKey: MasterKey;
  readonly logHeads: LogHeads;
  /** Name of a tool with an overlay → its source and its name there: what records of calls state. */
  readonly overlaid: Map<string, string>;
  /** What this server reports to the others about itself. */
  readonly own: OwnFacts;
}

export interface OpenStateOptions {
  readonly source: OpenedConfig;
  /** Whether changes of the file take effect without approval. */
  readonly followConfig: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly clock: Clock | undefined;
  readonly closers: Closers;
  /** @default a new one */
  readonly serverName?: ServerName | undefined;
  now(): number;
}

export async function openState(options: OpenStateOptions): Promise<RackState> {
  const { source, followConfig, environment, log, clock, closers, now } = options;
  const { config, file } = source.start;
  const opened = await openStore({ config: config.store, folder: path.dirname(file), environment, ...(clock && { clock }) });
  const { store } = opened;
  closers.add(() => store.close());
  closers.add(tellWakeUps(store, log));
  const inner = store.as(serverActor);
  const storeWatch = watchStore(log);
  closers.add(() => storeWatch.close());
  storeWatch.tryWith(() => checkWrite(inner, "store-watch"));
  const feed = await followRecords(inner, storeWatch.failed);
  closers.add(() => feed.close());
  const keyLocation = { environment, ...(opened.folder !== undefined && { file: path.join(opened.folder, "master.key") }) };
  const keys = openMasterKey({ sealed: sealedText(await checkKeys(inner, noKeys)), log, ...keyLocation });
  await openAudit({ store: inner, masterKey: keys, log, file: opened.auditKeyFile });
  const secrets = await createSecrets(store, { keys });
  closers.add(() => secrets.close());
  const configs = await createConfigs(store);
  closers.add(() => configs.close());

  const own = createOwnFacts(now());
  const lease = createLease(inner, own.read, options.serverName);
  closers.add(() => lease.close());
  closers.add(keepAnchors({ store: inner, server: lease, onStoreFailed: storeWatch.notice }));
  const masterKey = createMasterKey({
    store: inner,
    keys,
    origin: masterKeyOrigin(keyLocation),
    secrets,
    onNewAuditKey: (keyId) => opened.auditKeyFile !== undefined && noteKey(opened.auditKeyFile, keyId, log),
  });
  const keyProblem = masterKey.explain(await masterKey.check());
  if (keyProblem !== undefined) log.error(keyProblem);
  const redaction = { fields: config.redaction?.fields ?? [], values: () => secrets.seenValues() };
  const showInput = createShowInput(redaction);
  const audit = createAudit(store, redaction);
  const overlaid = new Map<string, string>();
  const recording = openRecording({
    store,
    server: lease,
    config: config.audit ?? {},
    redaction,
    upstreamOf: (tool) => overlaid.get(tool),
    folder: opened.endsFolder,
    log,
    audit,
    onFailed: storeWatch.notice,
    now,
  });
  const { calls } = recording;
  closers.add(() => recording.close());
  await recoverEnds(calls, opened.endsFolder, log);
  const retention = startRetention({ store, inner, server: lease, limits: retentionOf(config), log, now });
  closers.add(() => retention.close());
  const settings = createSettingsManager({
    feed,
    file: source.start,
    log,
    audit,
    fileProblems: () => [...source.problems(), ...waitingText(configChanges.pending())],
    reload: source.reload,
  });
  const configChanges = createConfigChangeManager({
    start: source.start,
    feed,
    log,
    audit,
    isFollowing: followConfig,
    use: settings.useFile,
    now,
  });
  const digest = digestWhenChanged(settings);
  const logHeads = followLogHeads(inner);
  own.describe("keyId", () => keys.keyId);
  own.describe("config", digest);
  own.describe("feed", feed.position);
  own.describe("log", () => logHeads.last);
  const { waitMs = 600_000, sessionMs = 86_400_000, maxWaiting = 20, maxWaitingTotal = 1_000 } = config.approvals ?? {};
  // A server with a wrong master key does not replace the key of the others.
  const sharedKey = await openSharedKey(inner, keys, { mayReplace: keyProblem === undefined });
  const tickets = createTickets(inner);
  const sealer = createMessageSealer(sharedKey);
  const { tasksPerCaller } = config.server?.limits ?? {};
  return {
    store,
    inner,
    showInput,
    feed,
    tickets,
    secrets,
    configs,
    calls,
    recording,
    audit,
    retention,
    settings,
    configChanges,
    approvals: createApprovalManager({
      feed,
      log,
      audit,
      server: lease,
      waitMs,
      sessionMs,
      maxWaiting,
      maxWaitingTotal,
      sealer,
      showInput,
      now,
    }),
    drafts: createDrafts({ feed, settings, audit, now }),
    keys: createKeys({ feed, audit, settings, clock: clock ?? systemClock, log }),
    ownerToken: openOwnerToken({ log, ...(opened.folder !== undefined && { file: path.join(opened.folder, "owner.token") }) }),
    sharedKey,
    tasks: withOlderTasks(createTasks({ tickets, server: lease, sealer, maxPerOwner: tasksPerCaller }), readOlderTasks(feed, sealer)),
    lease,
    storeWatch,
    masterKey,
    own,
    logHeads,
    overlaid,
  };
}

/** Runs before calls of ended servers are marked as aborted: the stored ends are their true ends. */
async function recoverEnds(calls: CallLog, folder: string | undefined, log: Logger): Promise<void> {
  try {
    await calls.recover();
  } catch (error) {
    if (!isFileError(error))
      return log.error("Buffered ends of calls of a server could not be written. They stay in their file.", {
        folder,
        error: String(error),
      });
    const fact = `The folder ${folder} holds ends of calls that are not in the audit yet, and cannot be read or changed (${error.code}).`;
    throw new ToolError("CONFIG_INVALID", `${fact} Make the user of this server its owner again, or remove it, which loses them.`, {
      cause: error,
    });
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The digest of the settings, computed once for each change. */
function digestWhenChanged(settings: SettingsManager): () => ConfigDigest {
  let known: ConfigDigest | undefined;
  settings.subscribe(() => (known = undefined));
  return () => (known ??= digestConfig(settings.config(), settings.disabled().keys()));
}

function waitingText(pending: PendingConfig | undefined): readonly string[] {
  return pending === undefined ? [] : [`${pending.message} ${lookAt(pending)}`];
}
