import { createChain } from "../call/chain.ts";
import { createProgressRedaction } from "../call/wrappers/redact.ts";
import type { CallHost, InvokeOptions } from "../call/host.ts";
import { createIdempotentCalls } from "../call/idempotency.ts";
import { approveCall, createPendingQuestions } from "../call/approval.ts";
import { createCallIds } from "../call/call-ids.ts";
import { invoke } from "../call/invoke.ts";
import { type CallPlan, createPlan, type PlanOptions } from "../call/plan.ts";
import { callHandler } from "../call/run-handler.ts";
import type { Call } from "../call/wrapper.ts";
import { createMemorySecrets } from "../call/ports/secrets.ts";
import { ToolError } from "../errors.ts";
import { createEventLog } from "../events/events.ts";
import { createApprovalMemory } from "../policy/approvals.ts";
import { type ConfiguredPolicy, readPolicyConfig } from "../policy/config.ts";
import type { PolicyConfig } from "../policy/config-shape.ts";
import { type CallDecision, decideCall } from "../policy/decide-call.ts";
import { createPathCheck } from "../policy/path-rules-check.ts";
import { createPathResolver } from "../policy/resolve-path.ts";
import { toolCallGrammarWithReport } from "../grammar/tool-call.ts";
import { toolSection } from "../prompt/section.ts";
import type { JsonSchema } from "../schema/schema.ts";
import type { Caller } from "../tool/context.ts";
import { silentLogger } from "../tool/logger.ts";
import { standardCategories } from "../tool/metadata.ts";
import { describeThrown, failure, type ToolFailure, type ToolResult } from "../tool/result.ts";
import { readTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { systemClock } from "../util/clock.ts";
import { createDeadlines } from "../util/deadlines.ts";
import { contentHash } from "../util/hash.ts";
import { createCapabilities } from "./capabilities.ts";
import { definitionHash } from "./definition-hash.ts";
import { exportView } from "./export.ts";
import { keptPerList } from "./kept-per-list.ts";
import { nearestTools } from "./nearest.ts";
import type { RegistryOptions } from "./options.ts";
import { createPermission } from "./permission.ts";
import type { Registry, RegistryEntry } from "./registry.ts";
import { createCallServices } from "./call-services.ts";
import { type ConflictMode, createToolMap, type PutOutcome, type ToolMapEntry } from "./tool-map.ts";
import { createSourceSync } from "./source-sync.ts";
import { deprecationNotice, isOffered, reasonOf, type Availability, availabilityOf } from "./availability.ts";
import { createToolSearch } from "./tool-search.ts";

/** What the registry keeps with each tool. */
interface Kept {
  /** Why it is switched off. */
  disabled: string | undefined;
  /** Made ready at the first call. */
  plan: CallPlan | undefined;
  hash: string | undefined;
  /** Nothing about the tool can stand in the way of a call, whoever makes it. */
  readonly isPlain: boolean;
}

type Entry = ToolMapEntry<Kept>;

/** The source of tools that are registered by hand. */
const codeSourceId = "code";

export function createRegistry<Services = unknown>(options: RegistryOptions<Services> = {}): Registry {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLogger;
  const limits = options.limits ?? {};
  const capabilities = options.capabilities ?? createCapabilities();
  const secrets = options.secrets ?? createMemorySecrets();
  const events = createEventLog({
    now: () => clock.now(),
    onListenerError: (error, event) => log.error("An event listener threw.", { event: event.type, error: describeThrown(error) }),
  });
  const { wrappers, breaker } = createChain({
    limits,
    before: options.hooks?.before ?? [],
    after: options.hooks?.after ?? [],
    deadlines: createDeadlines(clock),
    ...(options.workspace && { workspace: options.workspace }),
    ...(options.redaction && { redaction: options.redaction }),
  });
  const toolMap = createToolMap<Kept>();
  const services = createCallServices(options);
  const idempotent = createIdempotentCalls();
  const permission = createPermission({
    revision: () => toolMap.revision,
    tools: () => toolMap.tools(),
    toolsFor: (caller) => sources.toolsFor(caller).filter((tool) => toolMap.find(tool.name) === undefined),
    availability: (tool) => availability(toolMap.entryOf(tool) ?? callerEntry(tool)),
  });
  permission.setPolicy(options.policy && readPolicy(options.policy));
  const resolvePath = createPathResolver(options.workspace);
  const nextCallId = createCallIds();
  const sectionOf = keptPerList(toolSection);
  const grammarOf = keptPerList(toolCallGrammarWithReport);
  const searchTools = createToolSearch({
    tools: () => toolMap.tools(),
    view: (caller) => permission.view(caller).tools,
    sourceOf(tool) {
      const source = toolMap.entryOf(tool)?.source;
      return source === codeSourceId ? undefined : source;
    },
  });
  const find = (query: string, caller: Caller): ToolDefinition[] => searchTools(query, { caller, limit: Infinity }).map(({ tool }) => tool);
  let callerEntries = new WeakMap<ToolDefinition, Entry>();

  const availability = (entry: Entry): Availability =>
    availabilityOf(entry.tool, entry.extra.disabled, { capabilities, secrets, config: options.config, breaker });
  const isOnOffer = (entry: Entry): boolean =>
    (entry.extra.isPlain && entry.extra.disabled === undefined) || isOffered(availability(entry).state);

  const sources = createSourceSync({
    put: (tool, source) => putFromSource(tool, source),
    take: (tool, source) => takeOff(tool.name, (entry) => entry.source === source && entry.tool === tool),
    now: () => clock.now(),
    onStatus({ id, state, error }) {
      if (events.hasListeners)
        events.emit({ type: state === "ready" ? "source-ready" : "source-failed", source: id, ...(error !== undefined && { error }) });
    },
    onRemoved: (source) => events.emit({ type: "source-removed", source }),
    onProblem: (source, error) => log.warn("A source failed to list the tools of a caller.", { source, error }),
  });

  const host: CallHost = {
    clock,
    log,
    events,
    config: options.config,
    secrets,
    approver: options.approver,
    approvals: createApprovalMemory({ clock }),
    questions: createPendingQuestions(),
    definitionNow,
    recorder: options.recorder,
    keeps: options.recorder !== undefined || services.close !== undefined,
    outputValidation: options.outputValidation ?? "warn",
    repairInputs: options.repairInputs ?? false,
    maxDepth: limits.depth ?? 8,
    redactProgress: options.redaction && createProgressRedaction(options.redaction),
    nextCallId,
    find: (name, caller) => {
      const entry = toolMap.find(name);
      if (entry !== undefined) return planOf(entry);
      const own = permission.callerTool(name, caller);
      return own && planOf(callerEntry(own));
    },
    refuse,
    get revision() {
      return toolMap.revision;
    },
    refuseNow,
    examine: permission.isActive ? examine : undefined,
    pathRules(call) {
      const rules = permission.rules(call.caller);
      return rules && createPathCheck(call.tool, rules, resolvePath);
    },
    nearest: (name, caller) => nearestTools(name, permission.view(caller).tools),
    ...(services.open && { openServices: services.open }),
    ...(services.close && { closeServices: services.close }),
    invoke: (name, input, invokeOptions) => invoke(host, name, input, invokeOptions),
  };

  function planOf(entry: Entry): CallPlan {
    return (entry.extra.plan ??= createPlan(entry.tool, planOptions(entry)));
  }

  function planOptions({ extra }: Entry): PlanOptions {
    const { timeoutMs } = limits;
    return {
      wrappers,
      innermost: callHandler,
      timeoutMs,
      hasConfig: host.config !== undefined,
      hasServices: host.openServices !== undefined,
      announces: host.recorder?.begin !== undefined,
      examines: host.examine !== undefined,
      isOpen: extra.isPlain && extra.disabled === undefined && host.examine === undefined,
    };
  }

  /** Tools of one caller hang nowhere; what is kept with them lives as long as they do. */
  function callerEntry(tool: ToolDefinition): Entry {
    let entry = callerEntries.get(tool);
    if (entry === undefined) {
      entry = { tool, source: "caller", extra: { disabled: undefined, plan: undefined, hash: undefined, isPlain: false } };
      callerEntries.set(tool, entry);
    }
    return entry;
  }

  /** What is called under this name now: the definition, its source and what stands behind that. A tool that is gone has the hash of nothing. */
  function definitionNow(called: ToolDefinition): string {
    const hanging = callerEntries.get(called) ?? toolMap.versionsOf(called.name).find(({ tool }) => tool.version === called.version);
    if (hanging === undefined) return "";
    const { source, extra, tool } = hanging;
    return contentHash([(extra.hash ??= definitionHash(tool)), source, sources.identityOf(source) ?? null]);
  }

  function refuse(plan: CallPlan, call: Call): ToolResult | undefined {
    const { tool } = plan;
    const refusal = permission.refusal(tool, call.caller);
    if (refusal !== undefined) return call.fail(refusal.code, refusal.error);
    if (tool.metadata?.deprecated !== undefined) call.warn(deprecationNotice(tool.metadata.deprecated));
    return undefined;
  }

  /** What the policy says about the arguments, where it says anything. */
  function examine(call: Call): ToolResult | undefined | Promise<ToolResult | undefined> {
    const verdict = decideArguments(call, call.input);
    if (verdict.outcome === "allow") return undefined;
    return verdict.outcome === "deny"
      ? call.fail("TOOL_NOT_ALLOWED", verdict.reason)
      : approveCall(call, verdict.reason, verdict.digest, host);
  }

  function decideArguments({ tool, caller }: Call, input: unknown): CallDecision {
    const decision = permission.decision(tool.name, caller);
    const rules = permission.rules(caller);
    return decideCall({ tool, input, caller, resolvePath, ...(decision && { decision }), ...(rules && { rules }) });
  }

  /** Tools and policy changed while a call waited. What a person agreed to needs no second answer; every other question does. */
  function refuseNow(call: Call, input: unknown): ToolFailure | undefined {
    const { tool, caller } = call;
    const present = sameVersion(tool)?.tool ?? permission.callerTool(tool.name, caller);
    if (present === undefined) return call.fail("TOOL_NOT_FOUND", `Tool "${tool.name}" was removed while the call waited.`);
    const refusal = permission.refusal(present, caller);
    if (refusal !== undefined) return call.fail(refusal.code, refusal.error);
    if (!permission.isActive) return undefined;
    const verdict = decideArguments(call, input);
    if (verdict.outcome === "deny") return call.fail("TOOL_NOT_ALLOWED", verdict.reason);
    if (verdict.outcome === "allow" || verdict.digest === call.agreed) return undefined;
    return call.fail("APPROVAL_DENIED", `The policy changed while the call waited. ${verdict.reason} Call again to ask that person.`);
  }

  /** A tool that takes another's place stays switched off where that was. */
  function put(tool: ToolDefinition, source: string, onConflict: ConflictMode, disabled = sameVersion(tool)?.extra.disabled): PutOutcome {
    requireKnownCapabilities(tool);
    const entry: Entry = {
      tool,
      source,
      extra: { disabled, plan: undefined, hash: undefined, isPlain: tool.metadata === undefined && breaker === undefined },
    };
    const outcome = toolMap.put(entry, onConflict);
    if (outcome !== "kept" && events.hasListeners) tell(outcome === "added" ? "tool-added" : "tool-changed", entry);
    return outcome;
  }

  function requireKnownCapabilities(tool: ToolDefinition): void {
    for (const name of tool.metadata?.requiresCapabilities ?? []) if (!capabilities.knows(name)) throw unknownCapability(tool, name);
  }

  function unknownCapability(tool: ToolDefinition, name: string): ToolError {
    const known = capabilities.names().join(", ");
    return new ToolError(
      "CAPABILITY_UNKNOWN",
      `Tool "${tool.name}" requires the capability "${name}", and no check for it exists. Known are ${known}, binary:<program> and env:<NAME>.`,
    );
  }

  /** A source may change its own tools, never those of another. */
  function putFromSource(tool: ToolDefinition, source: string): void {
    const other = toolMap.versionsOf(tool.name).find((entry) => entry.source !== source);
    if (other !== undefined) throw new ToolError("NAME_TAKEN", `A tool "${tool.name}" is already there from "${other.source}".`);
    put(tool, source, "replace");
  }

  function takeOff(name: string, isMeant?: (entry: Entry) => boolean): void {
    const taken = toolMap.remove(name, isMeant);
    if (events.hasListeners) for (const entry of taken) tell("tool-removed", entry);
  }

  function tell(type: "tool-added" | "tool-changed" | "tool-removed", { tool, source }: Entry): void {
    events.emit({ type, tool: tool.name, source, ...(tool.version !== undefined && { version: tool.version }) });
  }

  function known(name: string): Entry {
    const entry = toolMap.find(name);
    if (entry !== undefined) return entry;
    const near = nearestTools(
      name,
      toolMap.current().map(({ tool }) => tool),
    );
    throw new ToolError("TOOL_NOT_FOUND", `There is no tool "${name}".${near.length === 0 ? "" : ` Did you mean "${near[0]}"?`}`);
  }

  function toEntry(entry: Entry): RegistryEntry {
    const now = availability(entry);
    const reason = reasonOf(now);
    const hash = (entry.extra.hash ??= definitionHash(entry.tool));
    return { tool: entry.tool, source: entry.source, state: now.state, ...(reason !== undefined && { reason }), hash };
  }

  const list = (): readonly ToolDefinition[] =>
    toolMap
      .current()
      .filter(isOnOffer)
      .map((entry) => entry.tool);

  const registry: Registry = {
    get revision() {
      return toolMap.revision;
    },
    get count() {
      return toolMap.size;
    },
    register(shape, { onConflict = "error" } = {}) {
      const tool = readTool(shape);
      return put(tool, codeSourceId, onConflict) === "kept" ? sameVersion(tool)!.tool : tool;
    },
    unregister(name) {
      const entry = known(name);
      takeOff(entry.tool.name, name.includes("@") ? (other) => other === entry : undefined);
    },
    has: (name) => toolMap.find(name) !== undefined,
    get: (name) => toolMap.find(name)?.tool,
    list,
    listByCategory: (category) => list().filter((tool) => tool.metadata?.category === category),
    listByOptionality: (optionality) => list().filter((tool) => tool.metadata?.optionality === optionality),
    categories() {
      const counts = new Map<string, number>(standardCategories.map(({ name }) => [name, 0]));
      for (const { metadata } of list())
        if (metadata?.category !== undefined) counts.set(metadata.category, (counts.get(metadata.category) ?? 0) + 1);
      const descriptions = new Map(standardCategories.map(({ name, description }) => [name, description]));
      return [...counts].map(([name, tools]) => ({ name, ...(descriptions.has(name) && { description: descriptions.get(name)! }), tools }));
    },
    entries: () => toolMap.entries().map(toEntry),
    describe: () => list().map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    schemas() {
      const schemas: Record<string, JsonSchema> = Object.create(null);
      for (const { name, inputSchema } of list()) schemas[name] = inputSchema;
      return schemas;
    },
    view: (caller) => permission.view(caller),
    explain: (name, caller) => permission.explain(name, caller),
    exportTools: (target, exportOptions = {}) => exportView({ view: (caller) => permission.view(caller), find }, target, exportOptions),
    search: (query, searchOptions) => searchTools(query, searchOptions),
    promptSection: ({ caller = {}, ...promptOptions } = {}) => sectionOf(permission.view(caller).tools, promptOptions),
    toolCallGrammar: ({ caller = {}, ...grammarOptions } = {}) => grammarOf(permission.view(caller).tools, grammarOptions),
    setPolicy(policy) {
      permission.setPolicy(policy && readPolicy(policy));
      host.examine = permission.isActive ? examine : undefined;
      for (const entry of toolMap.entries()) entry.extra.plan = undefined;
      callerEntries = new WeakMap();
      toolMap.touch();
    },
    disable(name, reason = "It was switched off by an operator.") {
      const { tool, extra } = known(name);
      if (extra.disabled === reason) return;
      extra.disabled = reason;
      extra.plan = undefined;
      toolMap.touch();
      events.emit({ type: "tool-disabled", tool: tool.name, reason });
    },
    enable(name) {
      const { tool, extra } = known(name);
      if (extra.disabled === undefined) return;
      extra.disabled = undefined;
      extra.plan = undefined;
      toolMap.touch();
      events.emit({ type: "tool-enabled", tool: tool.name });
    },
    applyBundle(bundle) {
      const onOffer = new Map(list().map((tool) => [tool.name, tool]));
      const found = (names: readonly string[]): ToolDefinition[] => names.flatMap((name) => onOffer.get(name) ?? []);
      return {
        tools: found([...new Set([...bundle.required, ...bundle.optional])]),
        missing: bundle.required.filter((name) => !onOffer.has(name)),
      };
    },
    addSource: (source) => sources.add(source),
    refreshSource: (id) => sources.refresh(id),
    removeSource: (id) => sources.remove(id),
    sources: () => sources.statuses(),
    subscribe: (listener) => events.subscribe(listener),
    unsubscribe: (listener) => events.unsubscribe(listener),
    invoke(name, input, invokeOptions = noOptions) {
      if (invokeOptions.idempotencyKey === undefined) return invoke(host, name, input, invokeOptions);
      // The policy decides first: what it hides by now is refused by the call itself, and no kept answer is given again.
      const { caller = {} } = invokeOptions;
      const plan = host.find(name, caller);
      if (plan === undefined || permission.decision(plan.tool.name, caller)?.allowed !== true)
        return Promise.resolve(invoke(host, name, input, invokeOptions));
      const refused = (error: string): ToolResult =>
        failure("INPUT_INVALID", error, { callId: host.nextCallId(), tool: name, durationMs: 0 });
      return idempotent.once(name, input, invokeOptions, () => invoke(host, name, input, invokeOptions), refused);
    },
    callAll(requests, invokeOptions = noOptions) {
      const { callId: _, idempotencyKey, ...shared } = invokeOptions;
      // Each call of the reply is one of its own: under its own id, and its own part of the key.
      const optionsOf = (callId: string | undefined, index: number): InvokeOptions => ({
        ...shared,
        ...(callId !== undefined && { callId }),
        ...(idempotencyKey !== undefined && { idempotencyKey: `${idempotencyKey}/${index}` }),
      });
      return Promise.all(requests.map(({ name, input, callId }, index) => registry.invoke(name, input, optionsOf(callId, index))));
    },
    wrappers: (name) => planOf(known(name)).wrappers,
    clone() {
      const copy = createRegistry(options);
      copy.merge(registry);
      return copy;
    },
    merge(other, { onConflict = "error" } = {}) {
      const entries = other.entries();
      const conflicts = [...new Set(entries.filter(({ tool }) => sameVersion(tool) !== undefined).map(({ tool }) => tool.name))];
      if (onConflict === "error" && conflicts.length > 0) return { added: [], replaced: [], conflicts };
      for (const { tool } of entries) requireKnownCapabilities(tool);
      const outcomes = entries.map(({ tool, source, state, reason }) => {
        return [tool.name, put(tool, source, onConflict, state === "disabled" ? reason : undefined)] as const;
      });
      const named = (wanted: PutOutcome): string[] => outcomes.filter(([, outcome]) => outcome === wanted).map(([name]) => name);
      return { added: named("added"), replaced: named("replaced"), conflicts };
    },
    close: () => sources.close(),
  };

  function sameVersion(tool: ToolDefinition): Entry | undefined {
    return toolMap.versionsOf(tool.name).find((entry) => entry.tool.version === tool.version);
  }

  return registry;
}

function readPolicy(policy: PolicyConfig | ConfiguredPolicy): ConfiguredPolicy {
  return "for" in policy && typeof policy.for === "function" ? policy : readPolicyConfig(policy as PolicyConfig);
}

const noOptions: InvokeOptions = Object.freeze({});
