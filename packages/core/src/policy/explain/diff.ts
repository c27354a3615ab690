import type { Caller } from "../../tool/context.ts";
import type { PolicyConfig } from "../config/shape.ts";
import { readPolicyConfig } from "../config/config.ts";
import { type DecideToolsInput, decideTools } from "../decide/decide.ts";
import type { Decision, PolicyTool } from "../policy.ts";

/** Returns the steps for a caller; `readPolicyConfig` creates one from a configuration. */
export interface PolicyForCallers {
  for(caller: Caller): Pick<DecideToolsInput, "steps" | "groups" | "rules">;
}

/** What changes for one caller. Callers for whom nothing changes are included, with empty lists. */
export interface PolicyDifference {
  readonly caller: Caller;
  readonly gained: readonly ChangedTool[];
  readonly lost: readonly ChangedTool[];
  /** Allowed before and after, but calls now need approval, or no longer do. */
  readonly askChanged: readonly ChangedTool[];
}

export interface ChangedTool {
  readonly name: string;
  readonly before: Decision;
  readonly after: Decision;
}

/** Who gains and who loses which tools, before a policy takes effect. */
export function diffPolicies(
  before: PolicyForCallers | PolicyConfig,
  after: PolicyForCallers | PolicyConfig,
  tools: readonly PolicyTool[],
  callers: readonly Caller[],
  options?: Pick<DecideToolsInput, "availabilityOf">,
): PolicyDifference[] {
  const policies = [before, after].map(toPolicy);
  return callers.map((caller) => {
    const [old, next] = policies.map((policy) => decideTools({ ...options, ...policy.for(caller), tools, caller }).decisions);
    const changes = [...old!].map(([name, decision]): ChangedTool => ({ name, before: decision, after: next!.get(name)! }));
    return {
      caller,
      gained: changes.filter((change) => !change.before.allowed && change.after.allowed),
      lost: changes.filter((change) => change.before.allowed && !change.after.allowed),
      askChanged: changes.filter(
        (change) => change.before.allowed && change.after.allowed && (change.before.ask === undefined) !== (change.after.ask === undefined),
      ),
    };
  });
}

function toPolicy(policy: PolicyForCallers | PolicyConfig): PolicyForCallers {
  return "for" in policy && typeof policy.for === "function" ? policy : readPolicyConfig(policy as PolicyConfig);
}
