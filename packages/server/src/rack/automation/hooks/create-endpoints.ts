import { randomUUID } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { type BreadcrumbStore, type Job, type JobDraft, type JobQueue, StoreError } from "@toolrack/store";
import { endpointSchema } from "../../../config/automation.ts";
import type { WriteAudit } from "../../audit/audit.ts";
import { agentOf, type Author } from "../../audit/author.ts";
import type { MessageSealer } from "../../mcp/sealed-messages.ts";
import type { RecordFeed } from "../../store/records.ts";
import { checkSelector, matches, type Positions, type StoredEvent, typesOf } from "../events/event.ts";
import type { EventListener } from "../events/listener.ts";
import { checkId, createKept, type KeptContent, type PausedBy } from "../kept.ts";
import { type DeliverOptions, deliveryDelaysMs, type Message } from "./deliver.ts";
import {
  type DeliveryInfo,
  deliveryKind,
  type EndpointHealth,
  type EndpointInfo,
  type Endpoints,
  type EndpointSpec,
  type EndpointState,
} from "./endpoints.ts";
import { type HookSecret, type HookSecrets, rotated } from "./hook-secrets.ts";
import { checkTarget, type TargetRules } from "./target.ts";

export interface EndpointManager extends Endpoints, EventListener, Pick<DeliverOptions, "targetOf" | "disable"> {
  useFile(configured: readonly ConfiguredEndpoint[]): Promise<void>;
  /** Whether there is any, so that deliveries have to be made. */
  exist(): boolean;
  /** What people have to change, of earlier versions. */
  problems(): readonly string[];
}

export interface ConfiguredEndpoint {
  readonly id: string;
  readonly origin: string;
  readonly spec: unknown;
  /** Names of secrets, the newest first. */
  readonly secrets: readonly string[];
}

export interface EndpointsOptions {
  readonly feed: RecordFeed;
  readonly inner: BreadcrumbStore;
  readonly sealer: MessageSealer;
  readonly secrets: HookSecrets;
  readonly queue: JobQueue;
  readonly rules: TargetRules;
  readonly position: () => Promise<Positions>;
  readonly audit: WriteAudit;
  readonly log: Logger;
  now(): number;
}

const mostEndpoints = 100;

interface Stored extends KeptContent {
  readonly spec: EndpointSpec;
  readonly secrets: readonly HookSecret[];
  readonly by: string;
  readonly madeAt: number;
  readonly since: Positions;
  readonly state: EndpointState;
  readonly reason?: string;
  readonly pausedBy?: PausedBy;
}

/** Webhooks that are sent, as records. Each event that one wants is a job of its own, so that a slow receiver holds up nobody else. */
export function createEndpoints(options: EndpointsOptions): EndpointManager {
  const { log, audit, now, secrets, queue } = options;
  const kept = createKept<Stored>({
    feed: options.feed,
    inner: options.inner,
    schemaName: "webhook.endpoint.v1",
    noun: "webhook",
    most: mostEndpoints,
    sealer: options.sealer,
    log,
  });

  async function readSpec(id: string, value: unknown): Promise<EndpointSpec> {
    const checked = validateValue(endpointSchema, value);
    if (!checked.ok)
      throw new ToolError("CONFIG_INVALID", `The webhook "${id}" is wrong: ${checked.issues.map(({ message }) => message).join(" ")}`);
    const spec = checked.value as EndpointSpec;
    checkSelector("webhook", id, spec.on);
    await checkTarget(id, spec.url, options.rules);
    return spec;
  }

  async function infoOf(stored: Stored): Promise<EndpointInfo> {
    const { id, spec, state, reason, pausedBy, by, madeAt, origin } = stored;
    const jobs = await queue.list({ origin: originOf(id), limit: 100 });
    return {
      id,
      spec,
      state,
      ...(reason !== undefined && { reason }),
      ...(pausedBy !== undefined && { pausedBy }),
      madeBy: by,
      madeAt,
      origin,
      secrets: stored.secrets.filter(({ until }) => until === undefined || until > now()),
      health: healthOf(jobs),
    };
  }

  async function change(
    id: string,
    by: Author,
    kind: string,
    next: (stored: Stored) => Stored | Promise<Stored>,
  ): Promise<EndpointInfo | undefined> {
    const stored = await kept.change(id, next);
    if (stored === undefined) return undefined;
    await audit({ kind, subject: id, by, body: { state: stored.state } });
    return infoOf(stored);
  }

  async function stop(id: string, state: EndpointState, reason: string): Promise<void> {
    const stored = await kept.change(id, (one) => ({ ...one, state, reason, pausedBy: "server" }));
    if (stored === undefined) return;
    log.warn(`A webhook is ${state}.`, { webhook: id, reason });
    await audit({ kind: `webhook-${state}`, subject: id, by: "server", body: { reason } });
  }

  function draftOf(id: string, message: Omit<Message, "endpoint">): JobDraft {
    return {
      kind: deliveryKind,
      caller: `webhook ${id}`,
      subject: id,
      payload: { endpoint: id, ...message } as unknown as JobDraft["payload"],
      key: message.id,
      origin: originOf(id),
      tries: deliveryDelaysMs.length + 1,
      delaysMs: deliveryDelaysMs,
    };
  }

  async function handle({ id, spec, since, state }: Stored, event: StoredEvent): Promise<void> {
    if (state !== "active" || event.number <= since[event.stream] || !matches(spec.on, event)) return;
    const { type, at, data } = event;
    const added = await queue.enqueue(draftOf(id, { id: messageIdOf(id, event.id), type, at, data }));
    if (!added.ok) await stop(id, "paused", `${added.message} Resume it once its receiver takes them again.`);
  }

  return {
    exist: () => kept.list().length > 0,
    list: () => Promise.all(kept.list().map(infoOf)),
    async get(id) {
      const stored = kept.get(id);
      return stored && infoOf(stored);
    },
    async add(id, given, by) {
      checkId("webhook", id);
      const spec = await readSpec(id, given);
      if (kept.get(id) !== undefined) throw new StoreError("STATE_INVALID", `There is a webhook "${id}" already. Choose another id.`);
      const made = await secrets.make(hookName(id));
      const stored: Stored = {
        id,
        spec,
        secrets: [made.secret],
        by: agentOf(by),
        madeAt: now(),
        origin: "api",
        since: await options.position(),
        state: "active",
      };
      await kept.create(stored).catch(async (error: unknown) => {
        await secrets.forget(hookName(id), [made.secret]);
        throw error;
      });
      await audit({ kind: "webhook-added", subject: id, by, body: { on: spec.on, host: new URL(spec.url).host } });
      return { ...(await infoOf(stored)), secret: made.value };
    },
    pause: (id, by) =>
      change(id, by, "webhook-paused", (stored) => {
        if (stored.state !== "active") throw new StoreError("STATE_INVALID", `The webhook "${id}" is ${stored.state} already.`);
        return { ...stored, state: "paused", reason: `Paused by ${agentOf(by)}.`, pausedBy: "caller" };
      }),
    resume: (id, by) =>
      change(id, by, "webhook-resumed", async (stored) => {
        if (stored.state === "active") throw new StoreError("STATE_INVALID", `The webhook "${id}" is active already.`);
        const { reason: _, pausedBy: __, ...rest } = stored;
        return { ...rest, state: "active", since: await options.position() };
      }),
    async rotate(id, overlapMs, by) {
      const before = kept.get(id);
      if (before === undefined) return undefined;
      if (before.origin !== "api")
        throw new StoreError("STATE_INVALID", `The secrets of the webhook "${id}" are named in ${before.origin}. Change them there.`);
      const made = await secrets.make(hookName(id));
      let gone: readonly HookSecret[] = [];
      const info = await change(id, by, "webhook-secret-rotated", (stored) => {
        const next = rotated(stored.secrets, made.secret, now() + overlapMs, now());
        gone = next.gone;
        return { ...stored, secrets: next.secrets };
      });
      await secrets.forget(hookName(id), gone);
      return info && { ...info, secret: made.value };
    },
    async test(id, by) {
      if (kept.get(id) === undefined) return undefined;
      const message = { id: messageIdOf(id, `test_${randomUUID()}`), type: "test", at: now(), data: { webhook: id, by: agentOf(by) } };
      const added = await queue.enqueue(draftOf(id, message));
      if (!added.ok) throw new ToolError("RATE_LIMITED", added.message);
      return { delivery: added.job.id };
    },
    async remove(id, by) {
      const removed = await kept.remove(id);
      if (removed === undefined) return false;
      await secrets.forget(hookName(id), removed.secrets);
      await audit({ kind: "webhook-removed", subject: id, by, body: {} });
      return true;
    },
    async deliveries(id, query) {
      const jobs = await queue.list({ ...query, origin: originOf(id) });
      return jobs.map(toDelivery);
    },
    async replay(id, delivery, by) {
      const job = await queue.get(delivery);
      if (job?.origin !== originOf(id)) return undefined;
      const changed = await queue.replay(delivery);
      if (!changed.ok) throw new StoreError("STATE_INVALID", changed.message);
      await audit({ kind: "webhook-replayed", subject: id, by, body: { delivery } });
      return toDelivery(changed.job);
    },
    async useFile(configured) {
      const since = configured.length === 0 ? undefined : await options.position();
      const read = async ({ id, origin, spec: given, secrets: names }: ConfiguredEndpoint): Promise<Stored> => {
        const spec = await readSpec(id, given);
        const named = names.map((name) => ({ name }));
        return { id, origin, spec, secrets: named, by: "file", madeAt: now(), since: since!, state: "active" };
      };
      await kept.useFile(configured, read, async (next, before) =>
        before !== undefined && JSON.stringify([before.spec, before.secrets]) === JSON.stringify([next.spec, next.secrets])
          ? undefined
          : { ...next, since: before?.since ?? next.since },
      );
    },
    problems: kept.problems,
    wanted: () => kept.list().flatMap(({ state, spec, since }) => (state === "active" ? [{ types: typesOf(spec.on), since }] : [])),
    subscribe: (listener) => kept.subscribe(listener),
    async take(event) {
      for (const stored of kept.list()) await handle(stored, event);
    },
    async targetOf(id) {
      const stored = kept.get(id);
      if (stored === undefined) return `The webhook "${id}" was removed.`;
      if (stored.state !== "active") return `The webhook "${id}" is ${stored.state}. Resume it, and replay the delivery.`;
      return { url: stored.spec.url, secrets: await secrets.read(hookName(id), stored.secrets) };
    },
    disable: (id, reason) => stop(id, "disabled", reason),
  };
}

/** ("news", "records.120") → "news_records_120": without points, which separate the parts of what is signed. */
function messageIdOf(endpoint: string, event: string): string {
  return `${endpoint}_${event}`.replaceAll(".", "_");
}

function originOf(id: string): string {
  return `webhook:${id}`;
}

function hookName(id: string): string {
  return `webhook ${id}`;
}

function healthOf(jobs: readonly Job[]): EndpointHealth {
  const count = (...states: readonly Job["state"][]): number => jobs.filter(({ state }) => states.includes(state)).length;
  const delivered = jobs.find(({ state }) => state === "done");
  const failed = jobs.find(({ state, error }) => error !== undefined && state !== "done");
  const isFailing = failed !== undefined && (delivered === undefined || jobs.indexOf(failed) < jobs.indexOf(delivered));
  return {
    state: jobs.length === 0 ? "unused" : isFailing ? "failing" : "healthy",
    delivered: count("done"),
    waiting: count("waiting", "running"),
    dead: count("dead"),
    ...(delivered?.endedAt !== undefined && { lastDeliveredAt: delivered.endedAt }),
    ...(failed?.error && { lastError: failed.error.message }),
  };
}

function toDelivery(job: Job): DeliveryInfo {
  const { endpoint, id: messageId, type } = job.payload as unknown as Message;
  const { status } = (job.result ?? {}) as { readonly status?: number };
  return {
    id: job.id,
    endpoint,
    messageId,
    type,
    state: job.state,
    attempt: job.attempt,
    createdAt: job.createdAt,
    dueAt: job.dueAt,
    ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
    ...(status !== undefined && { status }),
    ...(job.error && { error: job.error.message }),
  };
}
