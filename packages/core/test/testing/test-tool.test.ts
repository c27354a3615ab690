import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemoryConfig } from "../../src/call/ports/config.ts";
import { createFakeApprover } from "../../src/testing/fake-approver.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { createFakeSecrets } from "../../src/testing/fake-secrets.ts";
import { mockTool } from "../../src/testing/mock-tool.ts";
import { assertTool, testTool, type TestToolOptions } from "../../src/testing/test-tool.ts";
import type { CallContext } from "../../src/tool/context.ts";
import type { AnyTool } from "../../src/tool/shapes.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

const draft = {
  name: "add",
  description: "Adds two numbers and returns their sum.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number", description: "The first number." }, b: { type: "number", description: "The second number." } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { sum: { type: "number", description: "The sum." } }, required: ["sum"] },
  metadata: { examples: [{ description: "small numbers", input: { a: 1, b: 2 }, output: { sum: 3 }, usage: "result.sum" }] },
  handler: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
} satisfies ToolDefinition;

const add = (change: Partial<ToolDefinition> = {}): ToolDefinition => defineTool({ ...draft, ...change });

async function problems(tool: AnyTool, options?: TestToolOptions): Promise<Record<string, string | undefined>> {
  const { checks } = await testTool(tool, options);
  return Object.fromEntries(checks.filter((check) => !check.ok).map((check) => [check.name, check.problem]));
}

describe("testTool", () => {
  // row: I17
  it("names every check, and all pass for a sound tool", async () => {
    const report = await testTool(add());
    expect(report.tool).toBe("add");
    expect(report.ok).toBe(true);
    expect(report.checks.map((check) => check.name)).toEqual([
      "the definition is accepted",
      "the schemas can be applied",
      "lint finds no errors",
      'example "small numbers": its input matches the schema',
      'example "small numbers": the output it shows matches the output schema',
      "wrong input never reaches the handler",
      "it has an example that can be run",
      'example "small numbers": it runs',
      'example "small numbers": what comes out matches the output schema',
      'example "small numbers": what comes out is what it shows',
      'example "small numbers": its usage leads to a part of what comes out',
      "it ends in a readable result when what it relies on fails",
      "it ends when its signal is aborted before it starts",
      "it ends when its signal is aborted while it runs",
    ]);
  });

  it("reports a definition that is refused, instead of throwing", async () => {
    expect(await problems({ ...draft, name: "not a name" })).toEqual({
      "the definition is accepted": expect.stringContaining("cannot name a tool"),
    });
    expect(await problems(undefined as unknown as AnyTool)).toHaveProperty("the definition is accepted");
  });

  it("finds a reference that leads nowhere", async () => {
    const found = await problems(add({ inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/missing" } } } }));
    expect(found).toHaveProperty("the schemas can be applied");
  });

  it("finds errors of lint, with the rule and the fix", async () => {
    const inputSchema = { ...draft.inputSchema, required: ["a", "b", "c"] };
    expect((await problems(add({ inputSchema })))["lint finds no errors"]).toContain("required-not-in-properties");
  });

  it("finds an example whose input or shown output does not match", async () => {
    const metadata = { examples: [{ description: "wrong", input: { a: "one", b: 2 }, output: { total: 3 } }] };
    const found = await problems(add({ metadata }), { runExamples: false });
    expect(found['example "wrong": its input matches the schema']).toContain("a must be a number");
    expect(found['example "wrong": the output it shows matches the output schema']).toContain("sum");
  });

  it("finds an output that breaks the schema, differs from the example, or lacks what its usage names", async () => {
    const found = await problems(add({ handler: () => ({ total: 3 }) }));
    expect(found['example "small numbers": what comes out matches the output schema']).toContain("sum");
    expect(found['example "small numbers": what comes out is what it shows']).toBe('It shows {"sum":3}, but {"total":3} came out.');
    expect(found['example "small numbers": its usage leads to a part of what comes out']).toContain("result.sum");
  });

  it("does not compare outputs that differ each time, if told so", async () => {
    const random = add({ handler: () => ({ sum: Math.random() }) });
    expect(Object.keys(await problems(random))).toEqual(['example "small numbers": what comes out is what it shows']);
    expect(await problems(random, { compareOutputs: false })).toEqual({});
  });

  it("compares text as text", async () => {
    const { outputSchema: _, ...rest } = draft;
    const text = defineTool({
      ...rest,
      metadata: { examples: [{ description: "text", input: { a: 1, b: 2 }, output: "3" }] },
      handler: () => "3",
    });
    expect(await problems(text)).toEqual({});
  });

  it("finds an example that fails, with the code and the error", async () => {
    const handler = (): never => {
      throw new Error("The abacus is broken.");
    };
    expect((await problems(add({ handler })))['example "small numbers": it runs']).toBe("It answered TOOL_FAILED: The abacus is broken.");
  });

  it("wants an example, unless examples are not to be run", async () => {
    expect(await problems(add({ metadata: {} }))).toEqual({
      "it has an example that can be run": expect.stringContaining("metadata.examples"),
    });
    expect(await problems(add({ metadata: {} }), { runExamples: false })).toEqual({});
  });

  it("does not run the handler when examples are not to be run", async () => {
    let runs = 0;
    await testTool(add({ handler: () => void runs++ }), { runExamples: false });
    expect(runs).toBe(0);
    await testTool(add({ handler: () => void runs++ }));
    expect(runs).toBe(4);
  });

  it("hands in services, secrets, configuration, other tools and an approver", async () => {
    const other = mockTool("round", { result: "3" });
    const tool = add({
      metadata: { ...draft.metadata, secrets: ["KEY"], ownerOnly: true },
      async handler(input: { a: number; b: number }, context: CallContext) {
        const { sum } = context.services as { sum(a: number, b: number): number };
        const { action } = await context.ask({ message: "Add?" });
        await context.call("round", {});
        if ((await context.secret("KEY")) !== "key" || action !== "accept" || (context.config as { on: boolean }).on !== true)
          return { sum: 0 };
        return { sum: sum(input.a, input.b) };
      },
    });
    const options: TestToolOptions = {
      services: { sum: (a: number, b: number) => a + b },
      secrets: createFakeSecrets({ KEY: "key" }),
      config: createMemoryConfig({ add: { on: true } }),
      approver: createFakeApprover(),
      tools: [other],
    };
    expect(await problems(tool, options)).toEqual({});
    expect(other.calls.length).toBeGreaterThan(0);
    expect(Object.keys(await problems(tool, { ...options, secrets: createFakeSecrets() }))).toContain('example "small numbers": it runs');
  });

  it("finds an error that nobody can read", async () => {
    const name = "it ends in a readable result when what it relies on fails";
    const tool = (thrown: (error: unknown) => unknown): ToolDefinition =>
      add({
        handler(input: { a: number; b: number }, context: CallContext) {
          try {
            return (context.services as { sum(a: number, b: number): unknown }).sum(input.a, input.b);
          } catch (error) {
            throw thrown(error);
          }
        },
      });
    const options: TestToolOptions = { services: { sum: (a: number, b: number) => ({ sum: a + b }) } };
    expect(
      await problems(
        tool((error) => error),
        options,
      ),
    ).toEqual({});
    expect(
      await problems(
        tool((error) => `${{ error }}`),
        options,
      ),
    ).toEqual({ [name]: expect.stringContaining("[object Object]") });
    expect(
      await problems(
        tool(() => ({ message: " " })),
        options,
      ),
    ).toEqual({ [name]: expect.stringContaining("Throw an Error") });
  });

  it("finds a handler that goes on for ever once its signal is aborted", async () => {
    // Time passes only while a handler goes on for ever.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stubborn = add({
      handler: (input: { a: number; b: number }, { signal }: CallContext) =>
        new Promise((resolve) => {
          void turns().then(() => (signal.aborted ? vi.advanceTimersByTime(1_000) : resolve({ sum: input.a + input.b })));
        }),
    });
    const found = await problems(stubborn, { timeoutMs: 1_000 });
    expect(Object.keys(found)).toEqual([
      "it ends when its signal is aborted before it starts",
      "it ends when its signal is aborted while it runs",
    ]);
    expect(Object.values(found)[0]).toBe("The handler did not end within 1000 ms. Listen to context.signal.");
  });

  it("does not wait for a clock that stands still", async () => {
    const hanging = add({ handler: () => new Promise(() => {}) });
    const found = await problems(hanging, { clock: createFakeClock(), timeoutMs: 20 });
    expect(found['example "small numbers": it runs']).toBe("The handler did not end within 20 ms.");
  });

  it("tells a capability that no check knows as a failed run", async () => {
    const tool = add({ metadata: { ...draft.metadata, requiresCapabilities: ["telepathy"] } });
    expect((await problems(tool))['example "small numbers": it runs']).toContain("CAPABILITY_UNKNOWN");
  });
});

describe("assertTool", () => {
  it("is silent about a sound tool, and lists every problem of another in one error", async () => {
    await expect(assertTool(add())).resolves.toBeUndefined();
    const broken = add({ handler: () => ({ total: 3 }) });
    const error = (await assertTool(broken).catch((thrown: unknown) => thrown)) as Error;
    expect(error.name).toBe("AssertionError");
    expect(error.message.split("\n")).toHaveLength(4);
    expect(error.message).toContain(
      'Tool "add" fails 3 of 14 checks:\n- example "small numbers": what comes out matches the output schema: ',
    );
  });
});
