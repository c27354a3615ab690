import type { Wrapper } from "../wrapper.ts";

/** Refuses tools marked `ownerOnly` to everyone who is not known to be the owner. */
export const ownerOnly: Wrapper = {
  name: "owner-only",
  appliesTo: (tool) => tool.metadata?.ownerOnly === true,
  beforeRun(call) {
    if (call.caller.owner === true) return undefined;
    return call.fail("TOOL_NOT_ALLOWED", `Tool "${call.tool.name}" is for the owner only, and this caller is not known to be the owner.`);
  },
};
