import { createHash, randomBytes } from "node:crypto";
import { type CallStart, type Answer, type ApprovalRequest, type Approver, type Caller, type Logger, ToolError } from "@toolrack/core";
import { ApprovalNeeded } from "@toolrack/core/internal";
import type { Breadcrumb, BreadcrumbStore, JsonObject } from "@toolrack/store";
import type { WriteAudit } from "../audit/audit.ts";
import { agentOf } from "../audit/author.ts";
import type { ApprovalDecision, Approvals, RememberedApproval, WaitingApproval, WaitingNotice } from "./approval.ts";
import type { ShowInput } from "../calls/shown-input.ts";
import type { MessageSealer } from "../mcp/sealed-messages.ts";
import { isLeft } from "../calls/shut-down.ts";
import type { RecordDraft, RecordFeed } from "../store/records.ts";

export interface ApprovalManager extends Approvals, Approver {
  /** Ends the requests of this server for calls that the policy refuses by now. `whyRefused` returns the reason. */
  endRefused(whyRefused: (tool: string, caller: Caller) => string | undefined): void;
  /** Removes the requests of a server that ended, and hands over their calls. Returns their ids. */
  abandon(server: string, record: (call: CallStart) => Promise<void>): Promise<readonly string[]>;
  /** Calls the listener when a call of this server has begun to wait, with its id and those of the calls that led to it. */
  onWaiting(listener: (callIds: readonly string[], notice: WaitingNotice) => void): void;
  /** The servers whose calls wait for approval. */
  servers(): readonly string[];
  /** From now on, questions of programs are stored with their programs. */
  usePrograms(programs: ProgramQuestions): void;
  /** From now on, questions of runs of agents are stored, and nobody waits for them. */
  useAgents(agents: AgentQuestions): void;
  /** An open question, read from the store itself. */
  fetch(id: string): Promise<WaitingApproval | undefined>;
  /** Removes questions whose calls nobody waits for. */
  withdraw(ids: readonly string[]): Promise<void>;
}

/** Which questions are asked by a run of an agent: it ends, and goes on when the question is answered. */
export interface AgentQuestions {
  of(request: ApprovalRequest): AgentQuestion | undefined;
}

export interface AgentQuestion {
  /** The same whenever the call is made again. */
  readonly id: string;
  /** The session that goes on with the answer. */
  readonly session: string;
  /** It was asked in an earlier run: without an answer that is stored, nobody answered in time. */
  readonly wasAsked: boolean;
}

/** What programs have to do with questions to people. */
export interface ProgramQuestions {
  /** For a question of a program: what is stored with it. */
  beside(request: ApprovalRequest, approval: string): Promise<QuestionCompanion | undefined>;
  /** A call that is made again: the question that was answered before; true if it was approved. */
  carried(callId: string): string | true | undefined;
}

export interface QuestionCompanion {
  readonly program: QuestionProgram;
  /** Writes the programs that wait, in the transaction of the question. */
  write(tx: BreadcrumbStore): Promise<void>;
  /** After the transaction. */
  done(isWritten: boolean): void;
}

export interface QuestionProgram {
  readonly id: string;
  /** Where it stands, and the source there. */
  readonly line: number;
  readonly text: string;
  /** Where the labels of the arguments come from, by JSON Pointer. */
  readonly origins?: Readonly<Record<string, readonly string[]>>;
  /** Whether the question outlives its server: any other one goes on with the program. */
  readonly isKept: boolean;
}

export interface ApprovalManagerOptions {
  readonly feed: RecordFeed;
  readonly log: Logger;
  readonly audit: WriteAudit;
  /** This server, by its present name. */
  readonly server: { readonly name: string };
  /** How long a call waits for approval. */
  readonly waitMs: number;
  /** How long an approval for a session is valid. */
  readonly sessionMs: number;
  /** How many calls of one principal may wait for approval at the same time, on all servers. */
  readonly maxWaiting: number;
  /** How many calls may wait altogether. */
  readonly maxWaitingTotal: number;
  /** Seals inputs in the store. */
  readonly sealer: MessageSealer;
  readonly showInput: ShowInput;
  now(): number;
}

export const approvalSchema = "toolrack.approval.v1";

type State = "waiting" | "decided";

/** A call that waits for approval: the tool, the tools whose calls led to it, and why the call was ended. */
interface AskingCall {
  readonly tools: readonly string[];
  readonly caller: Caller;
  refused?: string;
}

/**
 * Approval requests, as records: any server shows them and takes the decision, and the server that waits learns of it through the feed.
 * An approval for a session or without end is a record, too, so that it is valid on every server and can be revoked.
 */
export function createApprovalManager(options: ApprovalManagerOptions): ApprovalManager {
  const { feed, log, audit, server, waitMs, sessionMs, maxWaiting, maxWaitingTotal, sealer, showInput, now } = options;
  const records = feed.of(approvalSchema);
  const sealInput = (id: string, input: unknown): string => sealer.seal(id, JSON.stringify(input ?? null));
  const toApproval = (record: Breadcrumb): WaitingApproval => ({ ...factsOf(record), input: showInput(inputOf(record, sealer)) });
  const waiting = new Map<string, (record: Breadcrumb | undefined) => void>();
  records.subscribe((id, record) => waiting.get(id)?.(record));
  /** The calls behind the requests of this server, and why they were ended. */
  const asking = new Map<string, AskingCall>();

  /** Requests that are being written, by principal: they count before they are records. */
  const beginning = new Map<string, number>();

  const listeners: Parameters<ApprovalManager["onWaiting"]>[0][] = [];
  let programs: ProgramQuestions | undefined;
  let agents: AgentQuestions | undefined;

  /** The answer that was given before the server ended. Without one, nobody approved. */
  async function carriedAnswer(id: string | true, digest: string): Promise<Answer> {
    if (id === true) return { action: "accept" };
    const record = await records.fetch(id);
    if (record === undefined || record.context["digest"] !== digest || stateOf(record.context) !== "decided") return { action: "cancel" };
    return toAnswer(record.context);
  }

  const isOpen = ({ context }: Breadcrumb): boolean => stateOf(context) === "waiting" && Number(context["expiresAt"]) > now();

  /** An earlier approval for more than one call: of the same tool, unchanged, with the same arguments, principal and agent. */
  function remembered({ tool, digest, caller, schema }: ApprovalRequest): boolean {
    if (schema !== undefined) return false;
    for (const { context } of records.values()) {
      if (context["tool"] !== tool || context["digest"] !== digest || !holds(context, now())) continue;
      const given = context["caller"] as Caller;
      if (given.agent !== caller.agent || given.tenant !== caller.tenant || principalOf(given) !== principalOf(caller)) continue;
      if (context["scope"] === "always" || (caller.session !== undefined && given.session === caller.session)) return true;
    }
    return false;
  }

  /** Refuses a request beyond the limits: one caller must not crowd out the requests of others. */
  function demandRoom(caller: Caller): void {
    const principal = principalOf(caller);
    let own = beginning.get(principal) ?? 0;
    let all = [...beginning.values()].reduce((sum, count) => sum + count, 0);
    for (const record of records.values()) {
      if (!isOpen(record)) continue;
      all += 1;
      if (principalOf(record.context["caller"] as Caller) === principal) own += 1;
    }
    if (own >= maxWaiting)
      throw new ToolError(
        "RATE_LIMITED",
        `${own} calls of "${principal}" wait for a person already, and no more may (approvals.maxWaiting). Wait until they are answered.`,
        { retryable: true },
      );
    if (all >= maxWaitingTotal)
      throw new ToolError(
        "RATE_LIMITED",
        `${all} calls wait for a person already, and no more may (approvals.maxWaitingTotal). Call again later.`,
        { retryable: true },
      );
  }

  /** The answer that was given meanwhile; else the question is stored, and the call ends with APPROVAL_REQUIRED. */
  async function askLater(request: ApprovalRequest, question: AgentQuestion): Promise<Answer> {
    const { tool, message, input, labels, digest, callId, caller, schema } = request;
    const id = questionId(question.id);
    const known = await records.fetch(id);
    if (known !== undefined && stateOf(known.context) === "decided") return toAnswer(known.context);
    if (known === undefined ? question.wasAsked : !isOpen(known)) return { action: "cancel" };
    const needed = new ApprovalNeeded(`Tool "${tool}" needs a person's answer: ${message}`, { tool, digest, reason: message });
    if (known !== undefined) throw needed;
    demandRoom(caller);
    const askedAt = now();
    const expiresAt = askedAt + waitMs;
    const asked = { callId, tool, message, sealedInput: sealInput(id, input), digest, caller: plainCaller(caller), askedAt, expiresAt };
    await records.create({
      id,
      title: `May ${caller.agent ?? "somebody"} call ${tool}?`.slice(0, 200),
      context: {
        state: "waiting",
        server: server.name,
        session: question.session,
        ...asked,
        ...(schema !== undefined && { schema }),
        ...(labels !== undefined && { labels }),
      },
      ttl: { afterMs: waitMs + 60_000 },
      visibility: "private",
      sensitivity: "secret",
    });
    throw needed;
  }

  async function ask(request: ApprovalRequest): Promise<Answer> {
    const carried = programs?.carried(request.callId);
    if (carried !== undefined) return carriedAnswer(carried, request.digest);
    if (remembered(request)) return { action: "accept" };
    const question = agents?.of(request);
    if (question !== undefined) return askLater(request, question);
    demandRoom(request.caller);
    const principal = principalOf(request.caller);
    beginning.set(principal, (beginning.get(principal) ?? 0) + 1);
    let isWritten = false;
    const written = (): void => {
      if (isWritten) return;
      isWritten = true;
      const left = (beginning.get(principal) ?? 1) - 1;
      if (left === 0) beginning.delete(principal);
      else beginning.set(principal, left);
    };
    const { tool, message, input, labels, digest, callId, caller, signal, schema } = request;
    // Hexadecimal: no part of it begins with a dash, so that a command takes any of it as an id and not as an option.
    const id = `approval-${randomBytes(16).toString("hex")}`;
    const askedAt = now();
    const expiresAt = askedAt + waitMs;
    const about: AskingCall = { tools: [tool, ...(request.parents ?? [])], caller };
    asking.set(id, about);
    const decided = untilDecided(id, signal, expiresAt).finally(() => asking.delete(id));
    let companion: QuestionCompanion | undefined;
    try {
      companion = await programs?.beside(request, id);
      const draft: RecordDraft = {
        id,
        title: `May ${caller.agent ?? "somebody"} call ${tool}?`.slice(0, 200),
        context: {
          state: "waiting",
          server: server.name,
          callId,
          tool,
          message,
          sealedInput: sealInput(id, input),
          digest,
          caller: plainCaller(caller),
          askedAt,
          expiresAt,
          ...(schema !== undefined && { schema }),
          ...(labels !== undefined && { labels }),
          ...(companion && { program: companion.program }),
        },
        // Kept a little longer than its end, so that the waiting server reports the end.
        ttl: { afterMs: waitMs + 60_000 },
        visibility: "private",
        sensitivity: "secret",
      };
      const record = await records.create(draft, companion && ((tx) => companion!.write(tx))).catch((error: unknown) => {
        companion?.done(false);
        throw error;
      });
      companion?.done(record !== undefined);
      written();
      if (record === undefined) throw new ToolError("ANSWER_UNAVAILABLE", "The approval request could not be stored. Call again.");
      for (const listener of listeners) listener([callId, ...(request.parentCallIds ?? [])], { approval: id, tool, message, expiresAt });
    } catch (error) {
      written();
      waiting.get(id)?.(undefined);
      await decided.catch(() => undefined);
      throw error;
    }
    // A decision in the last moment still counts.
    const answered = (await decided) ?? (signal.aborted ? undefined : await records.fetch(id).catch(() => undefined));
    if (answered !== undefined && stateOf(answered.context) === "decided") return toAnswer(answered.context);
    if (companion?.program.isKept === true && isLeft(signal.reason)) signal.throwIfAborted(); // another server takes the answer
    await records.remove(id).catch((error: unknown) => log.warn("An approval request could not be removed.", { id, error: String(error) }));
    signal.throwIfAborted();
    if (about.refused !== undefined) throw new ToolError("TOOL_NOT_ALLOWED", about.refused);
    log.info("No approval in time; the call is refused.", { tool, callId });
    return { action: "cancel" };
  }

  /** The record after a decision; undefined if nobody decided in time, or the caller disconnected. */
  function untilDecided(id: string, signal: AbortSignal, expiresAt: number): Promise<Breadcrumb | undefined> {
    return new Promise((resolve) => {
      const finish = (record: Breadcrumb | undefined): void => {
        if (record !== undefined && stateOf(record.context) !== "decided") return;
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        waiting.delete(id);
        resolve(record);
      };
      const leave = (): void => finish(undefined);
      const timer = setTimeout(leave, Math.min(expiresAt - now(), 2 ** 31 - 1));
      signal.addEventListener("abort", leave, { once: true });
      waiting.set(id, finish);
      if (signal.aborted) leave();
    });
  }

  return {
    ask,
    onWaiting: (listener) => void listeners.push(listener),
    usePrograms: (port) => void (programs = port),
    useAgents: (port) => void (agents = port),
    async fetch(id) {
      const record = await records.fetch(id);
      return record === undefined || !isOpen(record) ? undefined : toApproval(record);
    },
    withdraw: async (ids) => void (await Promise.all(ids.map((id) => records.remove(id)))),
    endRefused(whyRefused) {
      for (const [id, about] of asking) {
        const refused = about.tools.map((tool) => whyRefused(tool, about.caller)).find((why) => why !== undefined);
        if (refused === undefined) continue;
        about.refused = refused;
        waiting.get(id)?.(undefined);
      }
    },
    waiting: () => [...records.values()].filter(isOpen).length,
    list: async () => [...records.values()].filter(isOpen).map(toApproval).sort(byAge),
    async get(id) {
      const record = records.get(id);
      return record === undefined || !isOpen(record) ? undefined : toApproval(record);
    },
    remembered: async () => [...records.values()].filter(({ context }) => holds(context, now())).map(toRemembered),
    async decide(id, decision) {
      const record = await records.fetch(id);
      if (record === undefined || !isOpen(record)) return undefined;
      if (decision.digest !== undefined && decision.digest !== record.context["digest"])
        throw new ToolError(
          "INPUT_INVALID",
          `The answer is for other arguments than those of "${id}". Look at it again, and decide again.`,
        );
      const { context, ttl } = toDecided(record.context, decision, { now: now(), sessionMs });
      const written = await records.replace(record, context, ttl);
      if (written === undefined) return undefined;
      const { tool, callId, digest, caller } = toApproval(record);
      const { approved, reason, by } = decision;
      await audit({
        kind: approved ? "call-approved" : "call-denied",
        subject: tool,
        by,
        body: {
          approval: id,
          callId,
          digest,
          agent: caller.agent ?? null,
          scope: context["scope"],
          ...(reason !== undefined && { reason }),
        },
      });
      return toApproval(record);
    },
    async forget(id, by) {
      const record = records.get(id);
      if (record === undefined || !holds(record.context, now()) || !(await records.remove(id))) return false;
      await audit({ kind: "approval-forgotten", subject: String(record.context["tool"]), by, body: { approval: id } });
      return true;
    },
    servers: () =>
      [...records.values()]
        .filter(({ context }) => stateOf(context) === "waiting" && context["session"] === undefined)
        .map(({ context }) => String(context["server"])),
    async abandon(ended, record) {
      const left: string[] = [];
      for (const question of records.values()) {
        if (question.context["server"] !== ended || stateOf(question.context) !== "waiting") continue;
        // Its session, or its program, goes on when it is answered.
        if (question.context["session"] !== undefined) continue;
        if (programOf(question.context)?.isKept === true && isOpen(question)) continue;
        // The server that removes it records it, so only one of several does. If it is answered meanwhile, its call may continue.
        if (!(await records.remove(question.id, question.version))) continue;
        const { callId, tool, input, caller, askedAt } = toApproval(question);
        await record({ callId, tool, input, caller, startedAt: askedAt });
        left.push(callId);
      }
      return left;
    },
  };
}

/** The id of the question of a run: "<call> <digest>" → "approval-4f0c…" */
export function questionId(question: string): string {
  return `approval-${createHash("sha256").update(question).digest("hex").slice(0, 32)}`;
}

/** The caller, as requests are counted and approvals remembered. */
function principalOf({ principal, agent }: Caller): string {
  return principal ?? `agent ${agent ?? ""}`;
}

function byAge(a: WaitingApproval, b: WaitingApproval): number {
  return a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1);
}

/** A caller may carry more than facts, and may have undefined facts. */
function plainCaller(caller: Caller): Caller {
  return Object.fromEntries(Object.entries(caller).filter(([, fact]) => fact !== undefined)) as Caller;
}

function stateOf(context: JsonObject): State {
  return context["state"] === "decided" ? "decided" : "waiting";
}

/** An approval that is still valid for further calls. */
function holds(context: JsonObject, now: number): boolean {
  if (stateOf(context) !== "decided" || context["approved"] !== true || context["scope"] === "once") return false;
  return context["until"] === undefined || Number(context["until"]) > now;
}

function toDecided(
  context: JsonObject,
  { approved, scope: wanted = "once", reason, by, value }: ApprovalDecision,
  { now, sessionMs }: { readonly now: number; readonly sessionMs: number },
): { readonly context: JsonObject; readonly ttl: { readonly afterMs: number } | undefined } {
  const hasSession = (context["caller"] as Caller).session !== undefined;
  const scope = !approved || context["schema"] !== undefined || (wanted === "session" && !hasSession) ? "once" : wanted;
  // Long enough for a server that goes on with the program or the session.
  const onceMs = programOf(context) === undefined && context["session"] === undefined ? 60_000 : 3_600_000;
  const lastsMs = { once: onceMs, session: sessionMs, always: undefined }[scope];
  const { input: _, sealedInput: __, ...withoutInput } = context;
  return {
    context: {
      // A remembered approval is found by its digest; the arguments are in the log.
      ...(scope === "once" ? context : withoutInput),
      state: "decided",
      approved,
      scope,
      by: agentOf(by),
      decidedAt: now,
      ...(scope === "session" && { until: now + sessionMs }),
      ...(reason !== undefined && { reason }),
      ...(value !== undefined && { value }),
    },
    ttl: lastsMs === undefined ? undefined : { afterMs: lastsMs },
  };
}

/** The scope is left out: longer approvals are remembered here, where they can be revoked. */
function toAnswer(context: JsonObject): Answer {
  const { reason } = context;
  if (context["approved"] !== true) return { action: "decline", ...(typeof reason === "string" && { reason }) };
  return context["schema"] === undefined ? { action: "accept" } : { action: "accept", value: context["value"] };
}

/** Earlier versions stored it in clear. */
function inputOf({ id, context }: Breadcrumb, sealer: MessageSealer): unknown {
  const { sealedInput, input } = context;
  if (typeof sealedInput !== "string") return input;
  const text = sealer.open(id, sealedInput);
  return text === undefined ? "[changed in the store, or sealed with another key]" : (JSON.parse(text) as unknown);
}

function factsOf({ id, context }: Breadcrumb): Omit<WaitingApproval, "input"> {
  const { callId, tool, message, digest, caller, askedAt, expiresAt, schema, labels } = context as unknown as WaitingApproval;
  const asked = { id, callId, tool, message, digest, caller, askedAt, expiresAt };
  const program = programOf(context);
  return {
    ...asked,
    ...(schema !== undefined && { schema }),
    ...(labels !== undefined && { labels }),
    ...(program && { program: shownProgram(program) }),
  };
}

function shownProgram(program: QuestionProgram): NonNullable<WaitingApproval["program"]> {
  const { isKept: _, ...shown } = program;
  return shown;
}

function programOf(context: JsonObject): QuestionProgram | undefined {
  return context["program"] as QuestionProgram | undefined;
}

function toRemembered({ id, context }: Breadcrumb): RememberedApproval {
  const { tool, digest, caller, scope, by, decidedAt, until } = context as unknown as RememberedApproval;
  return { id, tool, digest, caller, scope, by, decidedAt, ...(until !== undefined && { until }) };
}
