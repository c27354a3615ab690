import { decideTools } from "../decide/decide.ts";
import type { ListName, PolicyTool, PolicyWarning, StepId, ToolPolicy, ToolPolicyStep } from "../policy.ts";
import { toStep } from "../steps/steps.ts";
import { showPath } from "./_fields.ts";
import {
  readConfig,
  type ReadOptions,
  type ReadPolicy,
  type ReadPolicyConfig,
  type ReadSandbox,
  type ReadSenders,
  type ReadTools,
} from "./_read.ts";
import type { PolicyConfig } from "./shape.ts";

/**
 * Warns of names that no tool has, in the lists that apply only sometimes: for a provider, a channel, a phase, in a sandbox, to spawned agents;
 * and in groups and profiles. The warnings of a caller are about the lists that apply to it.
 */
export function findUnknownNames(config: PolicyConfig, tools: readonly PolicyTool[], options: ReadOptions = {}): readonly PolicyWarning[] {
  const read = readConfig(config, options);
  const steps = listsOf(read).flatMap(({ id, list }) => toAnalysedStep(id, list) ?? []);
  if (steps.length === 0) return [];
  const { warnings } = decideTools({ tools, steps, groups: read.groups ?? new Map(), gates: [] });
  return warnings.filter(({ kind }) => kind === "unknown-allow" || kind === "unknown-deny" || kind === "unknown-ask");
}

interface SometimesList {
  readonly id: StepId;
  readonly list: ReadPolicy;
}

function listsOf({ tools, agents, channels, sandbox, subagents, phases, groups, profiles }: ReadPolicyConfig): readonly SometimesList[] {
  const all = (id: StepId, lists: Iterable<ReadPolicy | undefined>): SometimesList[] =>
    [...lists].flatMap((list) => (list === undefined ? [] : [{ id, list }]));
  const agentList = [...(agents?.values() ?? [])];
  return [
    ...all("profile", profiles?.values() ?? []),
    ...all("globalProvider", providersOf(tools)),
    ...all(
      "agentProvider",
      agentList.flatMap((agent) => providersOf(agent.tools)),
    ),
    ...all(
      "group",
      [...(channels?.values() ?? [])].flatMap((channel) => [channel, ...(channel.groups?.values() ?? [])].flatMap(sendersOf)),
    ),
    ...all("phase", [...(phases?.values() ?? [])].flat()),
    ...all(
      "sandbox",
      [sandbox, ...agentList.map((agent): ReadSandbox | undefined => agent.sandbox)].map((one) => one?.tools),
    ),
    ...all("subagent", [subagents?.tools]),
    ...all(
      "global",
      [...(groups ?? [])].map(([name, allow]) => ({ path: ["groups", name.replace(/^group:/, "")], policy: { allow }, isList: true })),
    ),
  ];
}

function providersOf(tools: ReadTools | undefined): readonly ReadPolicy[] {
  return [...(tools?.byProvider?.values() ?? [])];
}

function sendersOf({ tools, toolsBySender }: ReadSenders): readonly (ReadPolicy | undefined)[] {
  return [tools, ...(toolsBySender?.values() ?? [])];
}

function toAnalysedStep(id: StepId, { path, policy, isList }: ReadPolicy): ToolPolicyStep | undefined {
  const { allow, alsoAllow, deny, ask }: ToolPolicy = policy;
  const locationOf = (list: ListName): { readonly label: string } => ({ label: showPath(isList ? path : [...path, list]) });
  const lists = { ...(allow && { allow }), ...(alsoAllow && { alsoAllow }), ...(deny && { deny }), ...(ask && { ask }) };
  return toStep(id, showPath(path), lists, { strict: true, locationOf });
}
