import type { Call } from "../call/wrapper.ts";
import { ToolError } from "../errors.ts";
import type { ToolResult } from "../tool/result.ts";
import type { RegistryOptions } from "./options.ts";

export interface CallServices {
  /** Absent where there are no services. */
  open?(call: Call): unknown;
  close?(services: unknown, result: ToolResult): void | Promise<void>;
}

/** How calls come by their services: one value for all, or one opened and closed for each. */
export function createCallServices<Services>(options: Pick<RegistryOptions<Services>, "services" | "closeServices">): CallServices {
  const { services, closeServices } = options;
  if (closeServices !== undefined && services === undefined)
    throw new ToolError("CONFIG_INVALID", "closeServices closes what services opens: make services a function.");
  if (services === undefined) return {};
  if (typeof services !== "function") return { open: () => services };
  const open = services as (request: { callId: string; tool: string; caller: Call["caller"] }) => unknown;
  return {
    open: (call) => open({ callId: call.callId, tool: call.tool.name, caller: call.caller }),
    close: (opened, result) => (closeServices === undefined ? dispose(opened) : closeServices(opened as Services, result)),
  };
}

function dispose(services: unknown): void | Promise<void> {
  if (typeof services !== "object" || services === null) return;
  const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = services as Partial<AsyncDisposable & Disposable>;
  if (later !== undefined) return Promise.resolve(later.call(services));
  now?.call(services);
}
