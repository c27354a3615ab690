import type { ToolResult } from "../../tool/result.ts";
import { withCause } from "../../tool/with-cause.ts";
import type { StepOutcome } from "../call-plan.ts";
import { missingService } from "../../tool/needed-services.ts";
import type { CallState } from "../context.ts";

let secretsOfConfig: typeof import("../config-secrets.ts") | undefined;

/** Replaces references in the configuration by secrets. What does that is loaded for the first call with a configuration. */
export function resolveConfigSecrets(call: CallState): StepOutcome | Promise<StepOutcome> {
  if (call.config === undefined) return undefined;
  if (secretsOfConfig !== undefined) return secretsOfConfig.resolveConfig(call);
  return import("../config-secrets.ts").then((loaded) => (secretsOfConfig = loaded).resolveConfig(call));
}

/** Tells the recorder before the handler runs. A call whose start cannot be recorded does not run. */
export function recordStart(call: CallState): StepOutcome | Promise<StepOutcome> {
  const { host, callId, caller, startedAt, options, tool } = call;
  if (host.recorder?.begin === undefined) return;
  const parent = options.parent === undefined ? {} : { parentCallId: options.parent.callId };
  try {
    const input = call.withoutSecrets(call.extras?.shownInput ?? call.input);
    const begun = host.recorder.begin({ callId, tool: tool.name, input, caller, startedAt, ...parent });
    if (begun !== undefined)
      return begun.then(
        () => host.recordOutage.worked() as undefined,
        (error: unknown) => startNotRecorded(call, error),
      );
    host.recordOutage.worked();
  } catch (error) {
    return startNotRecorded(call, error);
  }
}

/** The reason goes to the log only, and once for an outage: it may contain an address or a path. */
function startNotRecorded(call: CallState, error: unknown): ToolResult {
  const { name } = call.tool;
  call.isNotBegun = true;
  call.host.recordOutage.failed("The start of a call could not be recorded, so it did not run.", {
    tool: name,
    callId: call.callId,
    error: withCause(error),
  });
  const fact = `The start of the call could not be recorded, so tool "${name}" did not run.`;
  return call.fail("CALL_NOT_RECORDED", `${fact} Call again later; if that does not help, the log of the server says why.`, {
    retryable: true,
    retryAfterMs: 1_000,
  });
}

/** Opens what the host gives the handler as `context.services`. */
export function openServices(call: CallState): void | Promise<void> {
  const services = call.host.openServices?.(call);
  if (services === undefined) return;
  if (services instanceof Promise)
    return services.then((opened: unknown) => {
      call.services = opened;
      // The call did not wait so long.
      if (call.isOver) void call.host.closeServices?.(opened, call.result!);
    });
  call.services = services;
}

/** Refuses a call whose services lack one that the tool declares. */
export function requireServices(call: CallState): StepOutcome {
  const missing = missingService(call.tool, call.services, "this call");
  if (missing !== undefined) return call.fail("SERVICE_MISSING", `${missing} Add it to the services of createRegistry.`);
}
