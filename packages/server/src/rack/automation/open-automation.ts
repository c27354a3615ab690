import type { Caller, Logger, Registry, ToolEvent } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import { createSafeFetch, type IsOwnAddress, type Resolve } from "@toolrack/fetch";
import { validateValue } from "@toolrack/json-schema";
import type { BreadcrumbStore, JobQueue, JobWorker, JsonObject, Secrets, WorkOptions } from "@toolrack/store";
import type { RackConfig } from "../../config/config.ts";
import { version } from "../../version.ts";
import type { WriteAudit } from "../audit/audit.ts";
import type { CallFeed } from "../calls/call-feed.ts";
import type { ShowInput } from "../calls/shown-input.ts";
import { createMessageSealer } from "../mcp/sealed-messages.ts";
import type { ApiKeys } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import type { Automation } from "./automation.ts";
import type { CallJobs } from "./call-jobs.ts";
import { type Positions, type StreamName, streamNames, streamOf } from "./events/event.ts";
import { type EventFollower, followEvents } from "./events/follow-events.ts";
import { createStreams } from "./events/streams.ts";
import { createEndpoints } from "./hooks/create-endpoints.ts";
import { createReceivers } from "./hooks/create-receivers.ts";
import { deliveryKind } from "./hooks/endpoints.ts";
import { createHookSecrets } from "./hooks/hook-secrets.ts";
import { allowHostsKey } from "./hooks/target.ts";
import { createSchedules } from "./schedules/create-schedules.ts";
import { createTriggers } from "./triggers/create-triggers.ts";

/** Automation, and what the rest of the server has to tell it. */
export interface AutomationManager extends Automation {
  /** Takes over what the configuration says. What is wrong is logged, and does not keep the rest from working. */
  useConfig(config: RackConfig): Promise<void>;
  /** What people have to change, of earlier versions. */
  problems(): readonly string[];
  /** From now on, this server runs what is due and sends what happens. Call it when the tools are there. */
  begin(): void;
  close(): Promise<void>;
}

export interface AutomationOptions {
  readonly store: BreadcrumbStore;
  readonly inner: BreadcrumbStore;
  /** The key that all servers of the store share: inputs are sealed with it. */
  readonly sharedKey: Uint8Array;
  readonly showInput: ShowInput;
  readonly feed: RecordFeed;
  readonly secrets: Secrets;
  readonly registry: Pick<Registry, "get" | "view" | "explain" | "subscribe" | "unsubscribe">;
  /** Tools that are not there because their source is away; their calls wait for it. */
  readonly away: {
    /** Finds out which tools these are. */
    learn(): Promise<void>;
    has(tool: string, caller: Caller): boolean;
  };
  readonly keys: Pick<ApiKeys, "list" | "wereMade">;
  readonly queue: JobQueue;
  readonly callJobs: () => CallJobs;
  readonly callFeed: () => CallFeed;
  readonly worker: Pick<WorkOptions, "holder" | "hasEnded" | "beatMs" | "silentMs">;
  /** How people call the file: "toolrack.config.yaml". */
  readonly file: string;
  readonly allowHosts: readonly string[];
  readonly isOwnAddress: IsOwnAddress;
  /** How long a receiver may take to answer. @default 15_000 */
  readonly timeoutMs?: number;
  /** Resolves names. @default the system's */
  readonly resolve?: Resolve;
  readonly audit: WriteAudit;
  readonly log: Logger;
  readonly clock: Pick<Clock, "after">;
  readonly onStoreFailed: (error: unknown) => void;
  /** The time of the clock on the wall. */
  now(): number;
}

export function openAutomation(options: AutomationOptions): AutomationManager {
  const { feed, inner, store, registry, log, audit, now, keys } = options;
  const rules = {
    allowHosts: options.allowHosts,
    isOwnAddress: options.isOwnAddress,
    ...(options.resolve && { resolve: options.resolve }),
  };
  const fetch = createSafeFetch({ ...rules, allowHostsKey });
  const secrets = createHookSecrets(options.secrets, "server", now);
  /** Something of the file was left out for a tool that was not there. */
  let lacksTool = false;
  const schemaOf = (tool: string) => registry.get(tool)?.inputSchema;
  const toolFault = (tool: string, caller: Caller): string | undefined => {
    if (registry.get(tool) === undefined && options.away.has(tool, caller)) return undefined;
    lacksTool ||= registry.get(tool) === undefined;
    if (registry.get(tool) === undefined) return `There is no tool "${tool.slice(0, 128)}". See: toolrack list`;
    return registry.view(caller).offered(tool) === undefined ? registry.explain(tool, caller).sentences.join(" ") : undefined;
  };
  const inputFault = (tool: string, input: JsonObject): string | undefined => {
    const checked = validateValue(schemaOf(tool) ?? {}, input);
    return checked.ok ? undefined : `"${tool}" does not take its input: ${checked.issues.map(({ message }) => message).join(" ")}`;
  };
  const jobs = async (): Promise<CallJobs> => options.callJobs();

  let follower: EventFollower | undefined;
  const follow = (): EventFollower =>
    (follower ??= followEvents({
      streams: createStreams({ store, inner, callFeed: options.callFeed() }),
      feed,
      log,
      onEvent: async (event) => {
        await triggers.take(event);
        await endpoints.take(event);
      },
      onStoreFailed: options.onStoreFailed,
    }));
  const position = (): Promise<Positions> => follow().now();

  const shared = { feed, inner, audit, log, now, sealer: createMessageSealer(options.sharedKey), showInput: options.showInput };
  const schedules = createSchedules({ ...shared, jobs, keys, toolFault, inputFault, clock: options.clock });
  const triggers = createTriggers({ ...shared, jobs, keys, toolFault, schemaOf, position });
  const endpoints = createEndpoints({ ...shared, secrets, queue: options.queue, rules, position });
  const receivers = createReceivers({ ...shared, secrets, jobs, toolFault, schemaOf });

  let hasBegun = false;
  let isClosed = false;
  /** What the configuration said last. */
  let used: RackConfig | undefined;
  let worker: Promise<JobWorker> | undefined;

  async function work(): Promise<JobWorker> {
    const { createDeliver } = await import("./hooks/deliver.ts");
    const { targetOf, disable } = endpoints;
    const { timeoutMs = 15_000 } = options;
    const deliver = createDeliver({ targetOf, disable, fetch, timeoutMs, version, now });
    return options.queue.work({ [deliveryKind]: deliver }, { ...options.worker, slotsPerCaller: 2, onStoreFailed: options.onStoreFailed });
  }

  /** Follows what somebody waits for, and sends where there is somebody to send to. */
  function apply(): void {
    if (!hasBegun || isClosed) return;
    const wanted = [...triggers.wanted(), ...endpoints.wanted()];
    if (wanted.length > 0 || follower !== undefined) {
      const names = new Set<StreamName>(wanted.flatMap(({ types }) => types.map(streamOf)));
      const since = streamNames.map((name) => [name, Math.min(...wanted.map((one) => one.since[name]))] as const);
      follow().follow(names, Object.fromEntries(since) as unknown as Positions);
    }
    if (endpoints.exist()) worker ??= work();
  }
  const leave = [triggers.subscribe(apply), endpoints.subscribe(apply)];

  async function sealOld(): Promise<void> {
    for (const part of [schedules, triggers, receivers]) await part.sealOld();
  }

  async function useConfig(config: RackConfig): Promise<void> {
    used = config;
    lacksTool = false;
    await options.away.learn();
    const entries = (part: Readonly<Record<string, object>> | undefined, at: string): readonly Entry[] =>
      Object.entries(part ?? {}).map(([id, value]) => ({ id, origin: `${options.file} at ${at}.${id}`, value: { ...value } }));
    const parts = [
      () => schedules.useFile(entries(config.schedules, "schedules").map(withAgent)),
      () => triggers.useFile(entries(config.triggers, "triggers").map(withAgent)),
      () => endpoints.useFile(entries(config.hooks?.out, "hooks.out").map(withSecrets)),
      () => receivers.useFile(entries(config.hooks?.in, "hooks.in").map(withSecrets)),
    ];
    for (const part of parts) {
      try {
        await part();
      } catch (error) {
        log.error((error as Error).message);
      }
    }
  }

  /** What was left out may be used with the tools of a source that was away. */
  const onSource = ({ type }: ToolEvent): void => {
    if (type === "source-ready" && lacksTool && used !== undefined && !isClosed) void useConfig(used);
  };
  registry.subscribe(onSource);

  return {
    schedules,
    triggers,
    endpoints,
    receivers,
    useConfig,
    problems: () => [...endpoints.problems(), ...receivers.problems()],
    begin() {
      hasBegun = true;
      sealOld().catch(options.onStoreFailed);
      schedules.begin();
      apply();
    },
    async close() {
      isClosed = true;
      registry.unsubscribe(onSource);
      for (const stop of leave) stop();
      await schedules.close();
      await follower?.close();
      await (await worker)?.close();
      await fetch.close();
    },
  };
}

interface Entry {
  readonly id: string;
  readonly origin: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function withAgent({ id, origin, value: { agent, ...spec } }: Entry): { id: string; origin: string; spec: unknown; agent: string } {
  return { id, origin, spec, agent: String(agent) };
}

function withSecrets({ id, origin, value: { secrets, ...spec } }: Entry): {
  id: string;
  origin: string;
  spec: unknown;
  secrets: readonly string[];
} {
  return { id, origin, spec, secrets: secrets as readonly string[] };
}
