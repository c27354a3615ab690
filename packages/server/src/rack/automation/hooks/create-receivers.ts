import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { type BreadcrumbStore, StoreError } from "@toolrack/store";
import { receiverSchema } from "../../../config/automation.ts";
import type { WriteAudit } from "../../audit/audit.ts";
import { agentOf } from "../../audit/author.ts";
import type { RecordFeed } from "../../store/records.ts";
import { type ShowInput, showMapping } from "../../calls/shown-input.ts";
import type { MessageSealer } from "../../mcp/sealed-messages.ts";
import { type CallJobs, runOf } from "../call-jobs.ts";
import { checkInput, mapInput, mappingFault } from "../events/mapping.ts";
import { checkId, createKept, type KeptContent } from "../kept.ts";
import { unreadableText } from "../sealed-input.ts";
import { type HookSecret, type HookSecrets, rotated } from "./hook-secrets.ts";
import type { Received, ReceivedRequest, ReceiverInfo, Receivers, ReceiverSpec } from "./receivers.ts";
import { signatureFault } from "./signature.ts";

export interface ReceiverManager extends Receivers {
  useFile(configured: readonly ConfiguredReceiver[]): Promise<void>;
  /** What people have to change, of earlier versions. */
  problems(): readonly string[];
  /** Seals what earlier versions stored in clear. */
  sealOld(): Promise<void>;
}

export interface ConfiguredReceiver {
  readonly id: string;
  readonly origin: string;
  readonly spec: unknown;
  /** Names of secrets, the newest first. */
  readonly secrets: readonly string[];
}

export interface ReceiversOptions {
  readonly feed: RecordFeed;
  readonly inner: BreadcrumbStore;
  /** Seals inputs in the store. */
  readonly sealer: MessageSealer;
  readonly showInput: ShowInput;
  readonly secrets: HookSecrets;
  readonly jobs: () => Promise<CallJobs>;
  readonly schemaOf: (tool: string) => JsonSchema | undefined;
  readonly toolFault: (tool: string, caller: Caller) => string | undefined;
  readonly audit: WriteAudit;
  readonly log: Logger;
  now(): number;
}

const mostReceivers = 100;
const defaultBodyBytes = 262_144;
const mostDepth = 32;
const mostValues = 20_000;

interface Stored extends KeptContent {
  readonly spec: ReceiverSpec;
  readonly secrets: readonly HookSecret[];
  readonly by: string;
  readonly madeAt: number;
}

/** Webhooks that are taken, as records. */
export function createReceivers(options: ReceiversOptions): ReceiverManager {
  const { audit, log, now, secrets } = options;
  const kept = createKept<Stored>({
    feed: options.feed,
    inner: options.inner,
    schemaName: "webhook.receiver.v1",
    noun: "hook",
    most: mostReceivers,
    sealer: options.sealer,
    log,
  });

  function readSpec(name: string, value: unknown): ReceiverSpec {
    const wrong = (fact: string): ToolError => new ToolError("CONFIG_INVALID", `The hook "${name}" is wrong: ${fact}`);
    const checked = validateValue(receiverSchema, value);
    if (!checked.ok) throw wrong(checked.issues.map(({ message }) => message).join(" "));
    const spec = checked.value as ReceiverSpec;
    const secretHeader = spec.headers?.find((header) => unreadable.has(header));
    if (secretHeader !== undefined) throw wrong(`The header "${secretHeader}" holds what proves who sent it, and no tool gets it.`);
    const fault = options.toolFault(spec.tool, callerOf(name, spec));
    if (fault !== undefined) throw wrong(fault);
    const schema = options.schemaOf(spec.tool);
    const mapped = spec.input && schema !== undefined ? mappingFault(spec.input, schema) : undefined;
    if (mapped !== undefined) throw wrong(mapped);
    return spec;
  }

  function infoOf({ id, spec: { input, ...plan }, by, madeAt, origin, secrets: all }: Stored): ReceiverInfo {
    const live = all.filter(({ until }) => until === undefined || until > now());
    const spec = { ...plan, ...(input !== undefined && { input: showMapping(input, options.showInput) }) };
    return { name: id, spec, path: `/hooks/${id}`, madeBy: by, madeAt, origin, secrets: live };
  }

  /** Why it is not proven who sent it. */
  async function senderFault(stored: Stored | undefined, { header, body }: ReceivedRequest): Promise<string | undefined> {
    if (stored === undefined) return "there is no hook of this name";
    if (stored.isUnreadable === true) return unreadableText;
    const { id, spec, secrets: own } = stored;
    const values = await secrets.read(hookName(id), own);
    if ((spec.verify ?? "signature") === "key") {
      const given = /^Bearer (\S{1,500})$/.exec(header("authorization") ?? "")?.[1];
      return given !== undefined && values.some((value) => isSame(value, given)) ? undefined : "it has no key of this hook";
    }
    const signed = { id: header("webhook-id"), timestamp: header("webhook-timestamp"), signature: header("webhook-signature"), body };
    return signatureFault(signed, values, now());
  }

  function refused(name: string, reason: string): Received {
    log.warn("A request to a hook was refused.", { hook: name, reason });
    // The sender learns no more, not even whether there is such a hook: what is wrong helps only whoever guesses.
    return {
      ok: false,
      code: "refused",
      message: `The hook "${name.slice(0, 80)}" does not take this request: its signature or key is wrong, it came before, or there is no such hook.`,
    };
  }

  async function receive(name: string, request: ReceivedRequest): Promise<Received> {
    const stored = kept.get(name);
    // A secret that is not set, or is none, is for whoever runs the server to know.
    const fault = await senderFault(stored, request).catch((error: unknown) => {
      if (ToolError.is(error)) return error.message;
      throw error;
    });
    if (stored === undefined || fault !== undefined) return refused(name, fault ?? "");
    const { spec } = stored;
    const { bodyBytes = defaultBodyBytes } = spec;
    if (request.body.length > bodyBytes)
      return { ok: false, code: "large", message: `The body is larger than the ${bodyBytes} bytes that this hook takes. Send less.` };
    const id = request.header("webhook-id") ?? request.header("idempotency-key");
    if (id !== undefined && !/^[\w.:~/+=-]{1,200}$/.test(id)) return refused(name, "its id is not an id");
    try {
      const body = readJson(readUtf8(request.body, "The body"), mostDepth, "The body", mostValues);
      const headers = Object.fromEntries(
        (spec.headers ?? []).flatMap((one) => (request.header(one) === undefined ? [] : [[one, request.header(one)]])),
      );
      const mapped = spec.input === undefined ? body : mapInput(spec.input, { id: id ?? null, at: now(), headers, body });
      const input = checkInput(spec.tool, options.schemaOf(spec.tool) ?? {}, mapped);
      const jobs = await options.jobs();
      const call = { tool: spec.tool, input, caller: callerOf(name, spec), origin: `hook:${name}`, key: `${name}/${id ?? randomUUID()}` };
      const added = await jobs.add(call).catch((error: unknown) => {
        // The id belongs to a job with other arguments: it came before, with another body or at another time.
        if (ToolError.is(error) && error.code === "INPUT_INVALID") return undefined;
        throw error;
      });
      return added?.isNew === true ? { ok: true, job: added.job.id } : refused(name, "its id is known");
    } catch (error) {
      if (error instanceof JsonError) return { ok: false, code: "wrong", message: error.message };
      if (!ToolError.is(error)) throw error;
      return { ok: false, code: error.code === "QUEUE_FULL" ? "full" : "wrong", message: error.message };
    }
  }

  return {
    list: () => kept.list().map(infoOf),
    get(name) {
      const stored = kept.get(name);
      return stored && infoOf(stored);
    },
    receive,
    problems: kept.problems,
    sealOld: kept.sealOld,
    async add(name, given, by) {
      checkId("hook", name);
      const spec = readSpec(name, given);
      if (kept.get(name) !== undefined) throw new StoreError("STATE_INVALID", `There is a hook "${name}" already. Choose another name.`);
      const made = await secrets.make(hookName(name));
      const stored: Stored = { id: name, spec, secrets: [made.secret], by: agentOf(by), madeAt: now(), origin: "api" };
      await kept.create(stored).catch(async (error: unknown) => {
        await secrets.forget(hookName(name), [made.secret]);
        throw error;
      });
      await audit({ kind: "hook-added", subject: name, by, body: { spec } });
      return { ...infoOf(stored), secret: made.value };
    },
    async rotate(name, overlapMs, by) {
      const before = kept.get(name);
      if (before === undefined) return undefined;
      if (before.origin !== "api")
        throw new StoreError("STATE_INVALID", `The secrets of the hook "${name}" are named in ${before.origin}. Change them there.`);
      const made = await secrets.make(hookName(name));
      let gone: readonly HookSecret[] = [];
      const stored = await kept.change(name, (one) => {
        const next = rotated(one.secrets, made.secret, now() + overlapMs, now());
        gone = next.gone;
        return { ...one, secrets: next.secrets };
      });
      await secrets.forget(hookName(name), gone);
      await audit({ kind: "hook-secret-rotated", subject: name, by, body: { overlapMs } });
      return stored && { ...infoOf(stored), secret: made.value };
    },
    async remove(name, by) {
      const removed = await kept.remove(name);
      if (removed === undefined) return false;
      await secrets.forget(hookName(name), removed.secrets);
      await audit({ kind: "hook-removed", subject: name, by, body: {} });
      return true;
    },
    async useFile(configured) {
      const read = ({ id, origin, spec, secrets: names }: ConfiguredReceiver): Stored => {
        return { id, origin, spec: readSpec(id, spec), secrets: names.map((name) => ({ name })), by: "file", madeAt: now() };
      };
      await kept.useFile(configured, read, async (next, before) =>
        before !== undefined && JSON.stringify([before.spec, before.secrets]) === JSON.stringify([next.spec, next.secrets])
          ? undefined
          : next,
      );
    },
  };
}

/** What proves who sent a request. */
const unreadable: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "webhook-signature"]);

function hookName(name: string): string {
  return `hook ${name}`;
}

function callerOf(name: string, { agent }: ReceiverSpec): Caller {
  const origin = `hook:${name}`;
  return { agent, principal: hookName(name), session: origin, run: runOf(0, origin) };
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}
