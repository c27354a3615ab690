import type { EventLog } from "../events.ts";
import { ToolError } from "../errors.ts";
import type { ConfiguredPolicy } from "../policy/config/config.ts";
import { checkCaller } from "../tool/check-caller.ts";
import { readTool } from "../tool/shapes.ts";
import { checkArgument, method } from "../util/check-fields.ts";
import type { RegistryCalls } from "./call-host.ts";
import { createCallMethods } from "./call-methods.ts";
import { codeSourceId, type Entries } from "./entries.ts";
import { createListMethods } from "./list-methods.ts";
import { mergeEntries } from "./merge.ts";
import { checkRegisterOptions, registryArguments } from "./option-fields.ts";
import type { Permission } from "./permission.ts";
import type { Registry } from "./registry.ts";
import type { SourceSync } from "./source-sync.ts";

/** The parts that the methods of a registry work on. */
export interface RegistryParts {
  readonly events: EventLog;
  readonly entries: Entries;
  readonly sources: SourceSync;
  readonly permission: Permission;
  readonly calls: RegistryCalls;
  /** Another registry with the same options, without tools. */
  createEmpty(): Registry;
}

/** The public methods of a registry. Each calls the part that does the work. */
export function createMethods({ events, entries, sources, permission, calls, createEmpty }: RegistryParts): Registry {
  const { tools } = entries;
  const registry: Registry = {
    get revision() {
      return tools.revision;
    },
    get count() {
      return tools.size;
    },
    register(shape, options) {
      checkRegisterOptions(options, "register");
      const { onConflict = "error" } = options ?? {};
      const tool = readTool(shape);
      return entries.put(tool, codeSourceId, onConflict) === "kept" ? entries.sameVersion(tool)!.tool : tool;
    },
    unregister(name) {
      const entry = entries.require(name);
      entries.remove(entry.tool.name, name.includes("@") ? (other) => other === entry : undefined);
    },
    has: (name) => tools.find(name) !== undefined,
    get: (name) => tools.find(name)?.tool,
    ...createListMethods(() => entries.offered()),
    entries: () => tools.entries().map((entry) => entries.describe(entry)),
    view(caller) {
      checkCaller(caller);
      return permission.view(caller);
    },
    explain(name, caller) {
      checkCaller(caller);
      return permission.explain(name, caller);
    },
    setPolicy(policy) {
      permission.setPolicy(requireRead(policy));
      calls.policyChanged();
    },
    disable: (name, reason = "It was switched off by an operator.") => entries.disable(name, reason),
    enable: (name) => entries.enable(name),
    setDisabled(disabled) {
      checkArgument(disabled, registryArguments.disabled, "setDisabled");
      entries.setDisabled(disabled);
    },
    addSource(source) {
      checkArgument(source, registryArguments.source, "addSource");
      return sources.add(source);
    },
    refreshSource: (id) => sources.refresh(id),
    removeSource: (id) => sources.remove(id),
    sources: () => sources.statuses(),
    subscribe(listener) {
      checkArgument(listener, method, "subscribe");
      events.subscribe(listener);
    },
    unsubscribe: (listener) => events.unsubscribe(listener),
    ...createCallMethods(calls.host, permission),
    wrappers: (name) => calls.planOf(entries.require(name)).wrappers,
    clone() {
      const copy = createEmpty();
      copy.setPolicy(permission.policy);
      copy.merge(registry);
      return copy;
    },
    merge(other, options) {
      checkArgument(other, registryArguments.registry, "merge");
      checkRegisterOptions(options, "merge");
      return mergeEntries(entries, other.entries(), options?.onConflict ?? "error");
    },
    close: () => sources.close(),
  };
  return registry;
}

/** A raw configuration, which `readPolicyConfig` has not read, would restrict nothing. */
export function requireRead(policy: ConfiguredPolicy | undefined): ConfiguredPolicy | undefined {
  if (policy === undefined || (typeof policy?.for === "function" && policy.evaluator?.parts !== undefined)) return policy;
  throw new ToolError(
    "CONFIG_INVALID",
    "Read the policy first: createRegistry({ policy: readPolicyConfig(config) }), with @toolrack/core/policy.",
  );
}
