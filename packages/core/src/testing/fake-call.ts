import type { JsonObject } from "@toolrack/json-schema/internal";
import { abortListeners } from "#platform";
import type { Call } from "../call/wrapper.ts";
import { type CallMeta, failure, type ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

/** A call as wrappers see it, with everything it was told laid open. */
export interface FakeCall extends Call {
  readonly clock: FakeClock;
  readonly warnings: readonly string[];
  abort(reason?: unknown): void;
  /** How many listen for the call's abort; 0 once the call is over, and where the runtime does not tell. */
  readonly listeners: number;
  /** A success of this call. */
  succeed(content: string, more?: Partial<Extract<ToolResult, { ok: true }>>): ToolResult;
}

export type FakeCallOverrides = Partial<Pick<FakeCall, "callId" | "tool" | "caller" | "input" | "clock" | "callerSignal" | "timeoutMs">>;

export function fakeCall(overrides: FakeCallOverrides = {}): FakeCall {
  const { callId = "call-1", tool = fakeTool(), caller = {}, input = {}, clock = createFakeClock() } = overrides;
  const controller = new AbortController();
  const warnings: string[] = [];
  const meta: CallMeta = Object.freeze({ callId, tool: tool.name, durationMs: 0 });
  return {
    callId,
    tool,
    caller,
    parents: [],
    input,
    clock,
    get runsSince() {
      return clock.now();
    },
    callerSignal: overrides.callerSignal,
    timeoutMs: overrides.timeoutMs,
    approval: undefined,
    cancel: (reason) => controller.abort(reason),
    replaceInput(next) {
      this.input = next as JsonObject;
      return undefined;
    },
    attempts: 0,
    signal: controller.signal,
    warnings,
    warn: (text) => void warnings.push(text),
    fail: (code, error, more) => failure(code, error, meta, more),
    succeed: (content, more) => ({ ok: true, content, ...more, meta }),
    abort: (reason) => controller.abort(reason),
    get listeners() {
      return abortListeners(controller.signal);
    },
  };
}

/** A tool called "echo" with one text parameter, changed where a test cares. */
export function fakeTool(overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return Object.freeze({
    name: "echo",
    description: "Gives its text back.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    handler: (input: { text?: string }) => input.text ?? "",
    ...overrides,
  });
}
