import { runnableAgents, workOf } from "./agents.ts";
import type { RackConfig, SourceConfig } from "./config.ts";
import { masked, maskVariable } from "./checks/credentials.ts";
import { shownMember } from "./shown-source.ts";

/** When a change takes effect on a running server: at once, after approval, or after a restart. */
export type ChangeEffect = "immediate" | "approval" | "restart";

/** A part of the configuration that differs. */
export interface ConfigChange {
  /** "sources.github" */
  readonly key: string;
  readonly path: readonly string[];
  readonly effect: ChangeEffect;
  readonly before: unknown;
  readonly after: unknown;
}

type Rule = ChangeEffect | ((before: unknown, after: unknown) => ChangeEffect);

/** By key, "*" for any name. Changes of the policy take effect at once. A key that is not listed needs approval. */
const rules: Readonly<Record<string, Rule>> = {
  "policy.unknownAgents": (_before, after) => (after === "allow" ? "approval" : "immediate"),
  "policy.tools": "immediate",
  "policy.agents": "immediate",
  "policy.channels": "immediate",
  "policy.sandbox": "immediate",
  "policy.subagents": "immediate",
  "policy.phases": "immediate",
  "policy.groups": "immediate",
  "policy.profiles": "immediate",
  // A model is a recipient of data, and instructions are what an agent does with its tools.
  agents: (before, after) => (isSameWork(before, after) ? "immediate" : "approval"),
  bundles: "immediate",
  "tools.disabled": "immediate",
  "tools.actions": "immediate",
  // A program, a host, a header: code that runs here, or a recipient of data. Removing a source is safe.
  "sources.*": (before, after) => (after === undefined || isSwitchedOff(before, after) ? "immediate" : "approval"),
  // A pinned value may be a recipient of data, and an overlay that is gone shows what it hid.
  overlays: "approval",
  // Set up once, at the start.
  server: "restart",
  signIn: "restart",
  store: "restart",
  workspace: "restart",
  limits: "restart",
  search: "restart",
  approvals: "restart",
  jobs: "restart",
  startup: "restart",
  log: "restart",
  redaction: "restart",
  retention: "restart",
  audit: "restart",
  "tools.packs": "restart",
  "tools.modules": "restart",
  "tools.requireModules": "restart",
  "tools.plugins": "restart",
  "tools.records": "restart",
  "tools.outputValidation": "restart",
  "tools.repairInputs": "restart",
  "tools.aliases": "restart",
};

/** Whether the agents that this server runs stay as they are, or are fewer. */
function isSameWork(before: unknown, after: unknown): boolean {
  const [old, next] = [before, after].map((agents) => runnableAgents((agents ?? {}) as RackConfig["agents"]));
  const known = new Set(old!.map((agent) => JSON.stringify([agent.id, workOf(agent)])));
  return next!.every((agent) => known.has(JSON.stringify([agent.id, workOf(agent)])));
}

/** Disabled and otherwise unchanged: else a later switch would start another program than the approved one. */
function isSwitchedOff(before: unknown, after: unknown): boolean {
  return (
    (after as SourceConfig).enabled === false &&
    isMap(before) &&
    JSON.stringify({ ...before, enabled: false }) === JSON.stringify({ ...(after as object), enabled: false })
  );
}

/** Parts whose members are compared one by one. */
const divided: ReadonlySet<string> = new Set(["policy", "sources", "tools"]);

/** What differs between two configurations, part by part. */
export function changesBetween(before: RackConfig, after: RackConfig): readonly ConfigChange[] {
  const paths = namesIn(before, after).flatMap((name) =>
    divided.has(name) ? namesIn(ownOf(before, name), ownOf(after, name)).map((inner) => [name, inner]) : [[name]],
  );
  return paths.flatMap((path): ConfigChange[] => {
    const [old, next] = [before, after].map((config) => path.reduce<unknown>(ownOf, config));
    if (JSON.stringify(old) === JSON.stringify(next)) return [];
    return [{ key: path.join("."), path, effect: effectOf(path, old, next), before: old, after: next }];
  });
}

function effectOf(path: readonly string[], before: unknown, after: unknown): ChangeEffect {
  const key = path.join(".");
  const any = `${path[0]}.*`;
  const rule = Object.hasOwn(rules, key) ? rules[key] : path.length > 1 && Object.hasOwn(rules, any) ? rules[any] : undefined;
  return typeof rule === "function" ? rule(before, after) : (rule ?? "approval");
}

/** One changed value, as it is shown to people. */
export interface ChangedValue {
  /** "sources.github.args" */
  readonly key: string;
  /** Absent if there was or is none. Values of headers are hidden, and credentials in URLs, arguments and variables. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The values that differ inside a part: lists as a whole, objects member by member. */
export function changedValues({ path, before, after }: ConfigChange): readonly ChangedValue[] {
  if (isMap(before ?? after) && isMap(after ?? before)) {
    return namesIn(before, after).flatMap((name) => {
      const [old, next] = [ownOf(before, name), ownOf(after, name)];
      if (JSON.stringify(old) === JSON.stringify(next)) return [];
      return changedValues({ key: "", effect: "approval", path: [...path, name], before: old, after: next });
    });
  }
  const isPrivate = path.some((name, depth) => depth > 0 && name === "headers");
  const isVariable = path[0] === "sources" && path[2] === "env" && path.length === 4;
  const shown = (value: unknown): unknown => {
    if (isPrivate) return masked;
    if (isVariable) return maskVariable(path[3]!, String(value));
    return path[0] === "sources" && path.length > 2 ? shownMember(path[2]!, value, path.slice(3)) : value;
  };
  return [
    {
      key: path.join("."),
      ...(before !== undefined && { before: shown(before) }),
      ...(after !== undefined && { after: shown(after) }),
    },
  ];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function namesIn(...values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => (isMap(value) ? Object.keys(value) : [])))];
}

function ownOf(value: unknown, name: string): unknown {
  return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
