import { ToolError } from "../errors.ts";
import type { CallContext } from "./context.ts";
import { silentLogger } from "./logger.ts";
import { failure } from "./result.ts";

let calls = 0;

/** The context of a call outside any registry: no approver, no configuration, no other tools. */
export function isolatedContext(signal: AbortSignal): CallContext<undefined> {
  const callId = `call-${++calls}`;
  return {
    callId,
    caller: {},
    signal,
    services: undefined,
    config: undefined,
    secret: (name) =>
      Promise.reject(
        new ToolError("SECRET_MISSING", `There is no secret "${name}" here: call the tool through a registry that has secrets.`),
      ),
    call: (tool) => {
      const meta = { callId, tool, durationMs: 0 };
      return Promise.resolve(
        failure("TOOL_NOT_FOUND", `There is no tool "${tool}" here: call through a registry to let tools call tools.`, meta),
      );
    },
    ask: () =>
      Promise.reject(new ToolError("ANSWER_UNAVAILABLE", "No one can be asked here: call the tool through a registry with an approver.")),
    progress: () => {},
    log: silentLogger,
  };
}
