import type { UserChannel } from "@toolrack/core";
import { activeRunOf } from "./active-runs.ts";

/**
 * Gives results that are for the person (`deliver: "user"`) to the run that made the call, as its event "shown":
 * `createRegistry({ userChannel: runUserChannel() })`. Results of other calls go to `otherwise`.
 */
export function runUserChannel(otherwise?: UserChannel): UserChannel {
  return {
    async show(shown) {
      const { callId, tool, caller, result } = shown;
      const run = activeRunOf(caller.session);
      run?.emit({ type: "shown", callId, tool, result });
      if (run !== undefined) return;
      if (otherwise === undefined)
        throw new Error(`The call of tool "${tool}" belongs to no run of an agent, so nobody can be shown its result.`);
      await otherwise.show(shown);
    },
  };
}
