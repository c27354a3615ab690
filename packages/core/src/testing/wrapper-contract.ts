import { assert } from "#assert";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { wrapRun } from "../call/wrap-run.ts";
import type { Run, Wrapper } from "../call/wrapper.ts";
import { errorStatus } from "../errors.ts";
import type { Caller } from "../tool/context.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type FakeCall, fakeCall, fakeTool } from "./fake-call.ts";
import { settle } from "./fake-clock.ts";
import { deepFreeze } from "../util/deep-freeze.ts";

/** One thing that every wrapper must do. `run` rejects where the wrapper does not. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}

export interface WrapperContractOptions {
  /** A tool that the wrapper applies to. */
  tool?: ToolDefinition;
  /** An input of that tool which the wrapper lets through. */
  input?: JsonObject;
  /** A caller whom the wrapper lets through. */
  caller?: Caller;
}

/** The contract of `Wrapper` as checks for any test runner: `for (const check of wrapperContract(…)) it(check.name, check.run)`. */
export function wrapperContract(name: string, makeWrapper: () => Wrapper, options: WrapperContractOptions = {}): readonly ContractCheck[] {
  const { tool = fakeTool(), input = {}, caller = {} } = options;
  const newCall = (more: { caller?: Caller } = {}): FakeCall =>
    fakeCall({ tool, input: deepFreeze(JSON.parse(JSON.stringify(input)) as JsonObject), caller, ...more });
  const through = (call: FakeCall, run: Run, wrapper = makeWrapper()): Promise<ToolResult> => soon(wrapRun(wrapper, run)(call));

  const checks: Record<string, () => Promise<void> | void> = {
    "has a name that can be printed": () => assert.match(makeWrapper().name, /^[a-z][a-z-]*$/),

    "says of any tool whether it applies, and applies to the tool at hand": () => {
      for (const other of [fakeTool({ inputSchema: {} }), fakeTool({ name: "constructor", metadata: {} })]) {
        assert.ok([true, false, undefined].includes(makeWrapper().appliesTo?.(other)));
      }
      assert.notEqual(makeWrapper().appliesTo?.(tool), false);
    },

    "prepares an input without changing it, and a prepared one not again": () => {
      const { prepare } = makeWrapper();
      const call = newCall();
      const prepared = prepare?.(call.input, call) ?? call.input;
      assert.equal(prepare?.(prepared, call) ?? prepared, prepared);
    },

    "keeps a __proto__ key of the input a plain key": () => {
      const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as JsonObject;
      const prepared = makeWrapper().prepare?.(hostile, newCall()) ?? hostile;
      assert.equal(Object.getPrototypeOf(prepared), Object.prototype);
      assert.equal("polluted" in {}, false);
    },

    "lets an ordinary call through, whether its handler waits or not": async () => {
      const call = newCall();
      assertSuccess(await through(call, () => call.succeed("fine")), "fine");
      const waiting = newCall();
      assertSuccess(await through(waiting, async () => (await settle(), waiting.succeed("fine"))), "fine");
      assertNothingLeft(call, waiting);
    },

    "does not write to a result": async () => {
      const call = newCall();
      const result = deepFreeze(call.succeed("fine", { data: { a: [1] }, blocks: [{ type: "text", text: "fine" }] }));
      assertSuccess(await through(call, () => result), "fine");
    },

    "leaves a failure a failure with its code": async () => {
      for (const code of ["TOOL_FAILED", "INPUT_INVALID", "TIMEOUT", "BLOCKED"] as const) {
        const call = newCall();
        const result = await through(call, () => deepFreeze(call.fail(code, "It did not work.")));
        assert.equal(!result.ok && result.code, code);
        assertNothingLeft(call);
      }
    },

    "answers a call that was aborted before it began": async () => {
      const call = newCall();
      call.abort();
      assertResult(await through(call, () => call.fail("ABORTED", "Cancelled.")));
      assertNothingLeft(call);
    },

    "answers a call that is aborted while it runs": async () => {
      const call = newCall();
      const answer = through(
        call,
        () =>
          new Promise((resolve) =>
            call.signal.addEventListener("abort", () => resolve(call.fail("ABORTED", "Cancelled.")), { once: true }),
          ),
      );
      answer.catch(() => {}); // it is awaited below; until then nobody would have caught it
      await settle();
      call.abort();
      const result = await answer;
      assert.equal(!result.ok && result.code, "ABORTED");
      assertNothingLeft(call);
    },

    "answers every one of a hundred calls at once": async () => {
      const wrapper = makeWrapper();
      const calls = Array.from({ length: 100 }, () => newCall());
      const wrapped = wrapRun(wrapper, async (call) => (await settle(), (call as FakeCall).succeed("fine")));
      for (const result of await Promise.all(calls.map((call) => soon(Promise.resolve(wrapped(call)), 200)))) assertResult(result);
      assertNothingLeft(...calls);
    },

    "takes callers with strange names": async () => {
      for (const strange of ["__proto__", "constructor", "", "\u0000", "x".repeat(10_000)]) {
        const call = newCall({ caller: { ...caller, tenant: strange, sender: strange, session: strange, run: strange } });
        assertSuccess(await through(call, () => call.succeed("fine")), "fine");
      }
    },
  };
  return Object.entries(checks).map(([check, run]) => ({ name: `${name}: ${check}`, run: async () => run() }));
}

/** The answer, if it comes without time passing. */
async function soon(answer: ToolResult | Promise<ToolResult>, turns = 20): Promise<ToolResult> {
  let settled: ToolResult | undefined;
  let failed: { error: unknown } | undefined;
  void Promise.resolve(answer).then(
    (result) => (settled = result),
    (error: unknown) => (failed = { error }),
  );
  for (let turn = 0; turn < turns && !settled && !failed; turn++) await settle();
  if (failed) assert.fail(`a wrapper must not reject, but it rejected with ${String(failed.error)}`);
  return settled ?? assert.fail("the call did not come to an end");
}

function assertResult(result: ToolResult): void {
  assert.equal(typeof result.meta.callId, "string");
  if (result.ok) assert.equal(typeof result.content, "string");
  else assert.ok(Object.hasOwn(errorStatus, result.code) && result.error.length > 0);
}

function assertSuccess(result: ToolResult, content: string): void {
  assertResult(result);
  assert.equal(result.ok ? result.content : result.error, content);
}

function assertNothingLeft(...calls: readonly FakeCall[]): void {
  for (const call of calls) {
    assert.equal(call.clock.pending, 0, "a timer was left behind");
    assert.equal(call.listeners, 0, "an abort listener was left behind");
  }
}
