import type { StepOutcome } from "../call-plan.ts";
import type { CallState } from "../context.ts";

/** Finds the tool and its plan; refuses calls of tools by tools that go too deep. */
export function findTool(call: CallState): StepOutcome {
  const { host, name } = call;
  if (call.options.parent !== undefined && call.depth > host.maxDepth) {
    const error = `Tool "${name}" was called ${call.depth} levels deep; at most ${host.maxDepth} are allowed. A tool may be calling itself.`;
    return call.fail("DEPTH_EXCEEDED", error);
  }
  call.plan = host.find(name, call.caller);
  if (call.plan !== undefined) return;
  const missing = host.missingTool?.(name, call.caller);
  if (missing !== undefined) {
    const { code, error, retryAfterMs } = missing;
    return call.fail(code, error, retryAfterMs === undefined ? undefined : { retryable: true, retryAfterMs });
  }
  const near = host.nearest(name, call.caller);
  const hint =
    near.length === 0 ? "List the tools to see what there is." : `Did you mean ${near.map((other) => `"${other}"`).join(" or ")}?`;
  return call.fail("TOOL_NOT_FOUND", `Tool "${name.length > 140 ? `${name.slice(0, 140)}…` : name}" was not found. ${hint}`);
}
