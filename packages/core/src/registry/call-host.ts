import { createCallIds } from "../call/call-ids.ts";
import type { WrapperPosition } from "../call/added-wrappers.ts";
import type { CallHost } from "../call/host.ts";
import { defaultInputKeys } from "../call/input-size.ts";
import { invoke } from "../call/invoke.ts";
import type { CallPlan } from "../call/call-plan.ts";
import { createPlan } from "../call/plan.ts";
import { createRecordOutage } from "../call/record-outage.ts";
import { callHandler } from "../call/run-handler.ts";
import type { Call, Wrapper } from "../call/wrapper.ts";
import type { LateRedaction } from "../call/late-redaction.ts";
import type { SecretsPort } from "../call/ports/secrets.ts";
import type { EventLog } from "../events.ts";
import type { Logger } from "../tool/context.ts";
import type { ToolFailure, ToolResult } from "../tool/result.ts";
import { pinsOf, type ToolDefinition } from "../tool/tool.ts";
import type { Clock } from "../util/clock.ts";
import { contentHash } from "../util/hash.ts";
import { deprecationNotice } from "./availability.ts";
import { createCallServices } from "./call-services.ts";
import { definitionHash } from "./definition-hash.ts";
import { type Entries, type Entry, hashOf } from "./entries.ts";
import { nearestTools } from "./nearest.ts";
import type { RegistryOptions } from "./options.ts";
import type { Permission } from "./permission.ts";
import type { SourceSync } from "./source-sync.ts";

/** What the calls of a registry are made of. */
export interface CallParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventLog;
  readonly secrets: SecretsPort;
  /** Outermost first. */
  readonly wrappers: readonly Wrapper[];
  /** Where those that the registry was given stand. */
  readonly added: ReadonlyMap<Wrapper, WrapperPosition>;
  readonly redaction: LateRedaction | undefined;
  readonly entries: Entries;
  readonly sources: SourceSync;
  readonly permission: Permission;
}

/** Calls as the registry makes them. */
export interface RegistryCalls {
  readonly host: CallHost;
  /** A tool prepared for its calls; composed at the first one. */
  planOf(entry: Entry): CallPlan;
  /** Makes every call from now on follow the policy as it is now. */
  policyChanged(): void;
}

/** Connects calls with the registry: how a call finds its tool, and what the policy says about it. */
export function createCallHost<Services>(options: RegistryOptions<Services>, parts: CallParts): RegistryCalls {
  const { clock, log, events, secrets, wrappers, added, redaction, entries, sources, permission } = parts;
  const { limits = {} } = options;
  const { tools } = entries;
  const services = createCallServices(options);

  const host: CallHost = {
    clock,
    log,
    events,
    config: options.config,
    secrets,
    approver: options.approver,
    approvals: undefined,
    questions: undefined,
    definitionNow,
    recorder: options.recorder,
    recordOutage: createRecordOutage(log),
    userChannel: options.userChannel,
    missingTool: options.missingTool,
    recordsOrCloses: options.recorder !== undefined || services.close !== undefined,
    // Read for each call, because tracing may begin at any time.
    get traceCall() {
      return options.traceCall;
    },
    outputValidation: options.outputValidation ?? "warn",
    repairInputs: options.repairInputs ?? false,
    maxDepth: limits.depth ?? 8,
    inputKeys: limits.inputKeys ?? defaultInputKeys,
    redactProgress: redaction?.redactProgress,
    nextCallId: createCallIds(),
    find(name, caller) {
      const entry = tools.find(name);
      if (entry !== undefined) return planOf(entry);
      const own = permission.callerTool(name, caller);
      return own && planOf(entries.of(own));
    },
    refuse,
    get revision() {
      return tools.revision;
    },
    refuseNow,
    examine: permission.isActive ? examine : undefined,
    pathRules: ({ tool, caller }) => permission.pathCheck(tool, caller),
    nearest: (name, caller) => nearestTools(name, permission.view(caller).tools),
    ...(services.open && { openServices: services.open }),
    ...(services.close && { closeServices: services.close }),
    invoke: (name, input, invokeOptions) => invoke(host, name, input, invokeOptions),
  };

  function planOf(entry: Entry): CallPlan {
    const { tool, extra } = entry;
    return (extra.plan ??= createPlan(tool, {
      wrappers,
      added,
      innermost: callHandler,
      timeoutMs: limits.timeoutMs,
      hasConfig: host.config !== undefined,
      hasServices: host.openServices !== undefined,
      announces: host.recorder?.begin !== undefined,
      examines: host.examine !== undefined,
      isOpen: extra.isPlain && !entries.isDisabled(entry) && host.examine === undefined,
    }));
  }

  /** What is called under this name now: the definition, its source and the identity of that source. A removed tool has the hash "". */
  function definitionNow(called: ToolDefinition): string {
    const entry = entries.ofCaller(called) ?? entries.sameVersion(called);
    if (entry === undefined) return "";
    return contentHash([hashOf(entry), entry.source, sources.identityOf(entry.source) ?? null]);
  }

  function refuse({ tool }: CallPlan, call: Call): ToolResult | undefined {
    const refusal = permission.refusal(tool, call.caller);
    if (refusal !== undefined) return call.fail(refusal.code, refusal.error);
    if (tool.metadata?.deprecated !== undefined) call.warn(deprecationNotice(tool.metadata.deprecated));
    return undefined;
  }

  /** Applies the rules of the policy that look at arguments. */
  function examine(call: Call): ToolResult | undefined | Promise<ToolResult | undefined> {
    const verdict = permission.decideArguments(call.tool, call.input, call.caller);
    if (verdict.outcome === "allow") return undefined;
    return verdict.outcome === "deny"
      ? call.fail("TOOL_NOT_ALLOWED", verdict.reason)
      : import("../call/approval.ts").then(({ approveCall }) => approveCall(call, verdict.reason, verdict.digest, host));
  }

  /** Tools and policy changed while a call waited. What a person agreed to needs no second answer; every other question does. */
  function refuseNow(call: Call, input: unknown): ToolFailure | undefined {
    const { tool, caller } = call;
    const present = entries.sameVersion(tool)?.tool ?? permission.callerTool(tool.name, caller);
    if (present === undefined) return call.fail("TOOL_NOT_FOUND", `Tool "${tool.name}" was removed while the call waited.`);
    const refusal = permission.refusal(present, caller);
    if (refusal !== undefined) return call.fail(refusal.code, refusal.error);
    if (call.hasStarted !== true && differsUnderneath(tool, present))
      return call.fail("TOOL_NOT_ALLOWED", `What is pinned for tool "${tool.name}" changed while the call waited. Call again.`);
    if (!permission.isActive) return undefined;
    const verdict = permission.decideArguments(tool, input, caller, present);
    if (verdict.outcome === "deny") return call.fail("TOOL_NOT_ALLOWED", verdict.reason);
    if (verdict.outcome === "allow" || verdict.digest === call.agreed) return undefined;
    return call.fail("APPROVAL_DENIED", `The policy changed while the call waited. ${verdict.reason} Call again to ask that person.`);
  }

  return {
    host,
    planOf,
    policyChanged() {
      host.examine = permission.isActive ? examine : undefined;
      entries.forgetPlans();
    },
  };
}

/** What a call was checked with may differ from what the tool would be called with now. */
function differsUnderneath(tool: ToolDefinition, present: ToolDefinition): boolean {
  if (tool === present || (pinsOf(tool) ?? pinsOf(present)) === undefined) return false;
  return definitionHash(tool) !== definitionHash(present);
}
