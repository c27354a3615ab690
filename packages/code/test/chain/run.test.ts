import { createMemoryRecorder, createRegistry, defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { type Chain, chainFromWorkflow, chainTool, chainToProgram, prepareProgram, runChain } from "../../src/index.ts";

/** Tools that note what they were given; `failures` says how often a note fails first. */
function tools(failures: Record<string, number> = {}) {
  const events: string[] = [];
  const left = { ...failures };
  const calls: unknown[] = [];
  return {
    events,
    calls,
    tools: {
      random: async ({ min = 1 }: { min?: number }) => ({ numbers: [min, min + 1], label: "n" }),
      calculator: async ({ expression }: { expression: string }) => {
        calls.push(expression);
        return { result: expression.split("+").reduce((sum, one) => sum + Number(one), 0) };
      },
      echo: async (input: unknown) => {
        calls.push(input);
        return { echo: input };
      },
      note: async ({ id }: { id: string }) => {
        events.push(`begin ${id}`);
        if ((left[id] ?? 0) > 0) {
          left[id]!--;
          throw Object.assign(new Error(`${id} is down`), { code: "TOOL_FAILED" });
        }
        events.push(`end ${id}`);
        return { id };
      },
    },
  };
}

describe("a chain", () => {
  // row: F17
  it("adds two random numbers with a calculator: the first two steps run at the same time, the sum after them", async () => {
    const running = new Set<number>();
    let release: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    const result = await runChain(
      {
        steps: [
          { id: "a", tool: "random", input: { min: 3 } },
          { id: "b", tool: "random", input: { min: 4 } },
          { id: "sum", tool: "calculator", input: { expression: "${a.numbers[0]} + ${b.numbers[0]}" } },
        ],
        returnStep: "sum",
      },
      {
        tools: {
          // Each waits for the other: one after the other would never end.
          random: async ({ min }: { min: number }) => {
            running.add(min);
            if (running.size === 2) release();
            await both;
            return { numbers: [min] };
          },
          calculator: async ({ expression }: { expression: string }) => ({ expression, ended: running.size }),
        },
      },
    );
    expect(result).toMatchObject({ ok: true, value: { expression: "3 + 4", ended: 2 } });
  });

  it("keeps the type of a value that stands alone, and joins several in a text", async () => {
    const { tools: functions, calls } = tools();
    await runChain(
      {
        steps: [
          { id: "a", tool: "random", input: {} },
          {
            id: "b",
            tool: "echo",
            input: {
              list: "${a.numbers}",
              one: "${a.numbers[1]}",
              dotted: "${a.numbers.0}",
              quoted: '${a["label"]}',
              count: "${a.numbers.length}",
              all: "${a}",
              text: "${a.label}: ${a.numbers} of ${input.who}, ${input.flag}${input.nothing}",
              inside: [{ deep: "${input.who}" }],
              from: "${input}",
            },
          },
        ],
      },
      { tools: functions, input: { who: "Ann", flag: true, nothing: null } },
    );
    expect(calls).toEqual([
      {
        list: [1, 2],
        one: 2,
        dotted: 1,
        quoted: "n",
        count: 2,
        all: { numbers: [1, 2], label: "n" },
        text: "n: [1,2] of Ann, truenull",
        inside: [{ deep: "Ann" }],
        from: { who: "Ann", flag: true, nothing: null },
      },
    ]);
  });

  // row: F18
  it("finds dependencies by itself, in the same order as with dependsOn; an escaped reference is text and no dependency", async () => {
    const steps = (declared: boolean): Chain["steps"] => [
      {
        id: "last",
        tool: "echo",
        input: { a: "${first.echo}", b: "\\${nobody.x} and \\\\${first.echo} for $5" },
        ...(declared && { dependsOn: ["first"] }),
      },
      { id: "first", tool: "echo", input: { c: 1 } },
    ];
    for (const declared of [true, false]) {
      const { tools: functions, calls } = tools();
      expect(await runChain({ steps: steps(declared), returnStep: "last" }, { tools: functions })).toMatchObject({ ok: true });
      expect(calls).toEqual([{ c: 1 }, { a: { c: 1 }, b: '${nobody.x} and \\{"c":1} for $5' }]);
    }
  });

  it("leaves out a property that is an optional input, and refuses a value of a step that is not there", async () => {
    const { tools: functions, calls } = tools();
    await runChain({ steps: [{ id: "a", tool: "echo", input: { x: "${input.x}", y: 1 } }] }, { tools: functions, input: {} });
    expect(calls).toEqual([{ y: 1 }]);
    for (const text of ["${a.numbers[7]}", "${a.none.deeper}", "${a.numbers.map}", "x ${input.x}"]) {
      const result = await runChain(
        {
          steps: [
            { id: "a", tool: "random" },
            { id: "b", tool: "echo", input: { text }, dependsOn: ["a"] },
          ],
        },
        { tools: functions, input: {} },
      );
      expect(result.ok ? "" : result.error.message).toBe(
        `Step "b": ${text.replace("x $", "$")} has no value: there is nothing at this place. Refer to a field that is always there.`,
      );
    }
  });

  it("fails with the step that failed, and starts none after it", async () => {
    const { tools: functions, events } = tools({ a: 1 });
    const result = await runChain(
      {
        steps: [
          { id: "a", tool: "note", input: { id: "a" } },
          { id: "b", tool: "note", input: { id: "b" }, dependsOn: ["a"] },
        ],
      },
      { tools: functions },
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "tool", message: 'Step "a": a is down (from note)' } });
    expect(events).toEqual(["begin a"]);
  });

  it("goes on after a failure where a step says so, and skips what refers to it", async () => {
    const steps: Chain["steps"] = [
      { id: "a", tool: "note", input: { id: "a" }, continueOnError: true },
      { id: "needs", tool: "echo", input: { x: "${a.id}" } },
      { id: "needs_too", tool: "echo", input: { x: "${needs.echo}" } },
      { id: "after", tool: "note", input: { id: "after" }, dependsOn: ["a"] },
    ];
    const { tools: functions, events, calls } = tools({ a: 1 });
    expect(await runChain({ steps }, { tools: functions })).toMatchObject({ ok: true, value: { id: "after" } });
    expect(events).toEqual(["begin a", "begin after", "end after"]);
    expect(calls).toEqual([]);
    const skipped = await runChain({ steps, returnStep: "needs_too" }, { tools: tools({ a: 1 }).tools });
    expect(skipped.ok ? "" : skipped.error.message).toContain('Step "needs_too" was skipped, because it refers to step "needs"');
    const lenient = steps.map((step) => ({ ...step, continueOnError: undefined }));
    expect(await runChain({ steps: lenient, continueOnError: true }, { tools: tools({ a: 1 }).tools })).toMatchObject({ ok: true });
    expect(await runChain({ steps: lenient }, { tools: tools({ a: 1 }).tools })).toMatchObject({ ok: false });
  });

  it("makes a failed call again as often as it may, and never where that cannot help", async () => {
    const step = { id: "a", tool: "note", input: { id: "a" }, retries: 2 };
    const twice = tools({ a: 2 });
    expect(await runChain({ steps: [step] }, { tools: twice.tools })).toMatchObject({ ok: true });
    expect(twice.events).toEqual(["begin a", "begin a", "begin a", "end a"]);
    const always = tools({ a: 9 });
    expect(await runChain({ steps: [step] }, { tools: always.tools })).toMatchObject({ ok: false });
    expect(always.events.length).toBe(3);
    let calls = 0;
    for (const code of ["INPUT_INVALID", "TOOL_NOT_ALLOWED", "APPROVAL_DENIED", "OUTCOME_UNKNOWN"]) {
      const no = (): never => {
        calls++;
        throw Object.assign(new Error("no"), { code });
      };
      expect(await runChain({ steps: [{ id: "a", tool: "no", retries: 3 }] }, { tools: { no } })).toMatchObject({ ok: false });
    }
    expect(calls).toBe(4);
  });

  it("makes a call again that says of itself that it may be, whatever its code", async () => {
    let calls = 0;
    const busy = (): number => {
      if (++calls < 3) throw Object.assign(new Error("busy"), { code: "RATE_LIMITED", retryable: true });
      return calls;
    };
    const steps = [{ id: "a", tool: "busy", retries: 2 }];
    expect(await runChain({ steps }, { tools: { busy } })).toMatchObject({ ok: true, value: 3 });
  });

  it("is refused before anything runs where its form, order or tools are wrong", async () => {
    const { tools: functions, calls } = tools();
    const result = await runChain(
      {
        steps: [
          { id: "a", tool: "echo", input: {} },
          { id: "b", tool: "ecko", input: { x: "${c.y}" } },
        ],
      },
      { tools: functions },
    );
    expect(result.ok ? "" : result.error.message.split("\n")).toEqual([
      'Step "b": ${c.y} refers to "c", which is not a step. The steps are "a", "b"; the chain\'s own input is "input".',
      'Step "b": there is no tool "ecko". Did you mean "echo"?',
    ]);
    expect(calls).toEqual([]);
  });

  it("carries the labels of what a step is given, and those alone", async () => {
    const result = await runChain(
      {
        steps: [
          { id: "secret", tool: "random" },
          { id: "uses", tool: "echo", input: { text: "it is ${secret.numbers[0]}", other: 1 } },
          { id: "clean", tool: "note", input: { id: "x" }, dependsOn: ["uses"], retries: 1 },
        ],
      },
      { tools: tools().tools, labels: { random: ["secret"] }, input: {} },
    );
    expect(result).toMatchObject({ ok: true, labels: [] });
    expect(result.calls.map(({ labels }) => labels)).toEqual([[], ["secret"], []]);
    expect(result.calls[1]!.inputLabels).toEqual({ "/text": ["secret"] });
  });

  it("is a program that the language takes", () => {
    const source = chainToProgram({
      steps: [{ id: "a-b", tool: "x.y/z", input: { constructor: "${input.a}" }, retries: 2, continueOnError: true }],
    });
    expect(prepareProgram(source)).toEqual({ ok: true, diagnostics: [] });
  });

  it("takes the spelling of workflows", async () => {
    const { tools: functions, calls } = tools();
    const workflow = {
      steps: [
        { id: "n", tool: "random", input: { min: 2 } },
        { id: "m", tool: "note", input: { id: "m" }, depends_on: ["n"] },
        { id: "sum", tool: "calculator", input: { expression: "{{n.numbers[0]}} + {{ n.numbers[1] }}" }, dependencies: ["m"] },
      ],
      returnStep: "sum",
      continueOnError: false,
    };
    expect(await runChain(chainFromWorkflow(workflow), { tools: functions })).toMatchObject({ ok: true, value: { result: 5 } });
    expect(calls).toEqual(["2 + 3"]);
  });
});

describe("chainTool", () => {
  const inputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
  const double = defineTool({
    name: "double",
    description: "Doubles a number.",
    inputSchema: { ...inputSchema, additionalProperties: false },
    outputSchema: inputSchema,
    handler: ({ n }) => ({ n: n * 2 }),
  });
  const hidden = defineTool({
    name: "hidden",
    description: "Doubles a number.",
    inputSchema,
    metadata: { ownerOnly: true },
    handler: ({ n }) => ({ n: n * 2 }),
  });
  const quadruple = (second: string) =>
    chainTool(
      {
        steps: [
          { id: "a", tool: "double", input: { n: "${input.n}" } },
          { id: "b", tool: second, input: { n: "${a.n}" } },
        ],
      },
      { name: "quadruple", description: "Doubles a number twice.", inputSchema },
    );

  // row: F16
  it("calls its tools as its caller, under the same policy, as one trace", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder });
    for (const tool of [double, quadruple("double")]) registry.register(tool);
    expect(await registry.invoke("quadruple", { n: 3 }, { callId: "q" })).toMatchObject({ ok: true, data: { n: 12 } });
    expect(recorder.calls.filter(({ parentCallId }) => parentCallId === "q").map(({ tool }) => tool)).toEqual(["double", "double"]);
    const guarded = createRegistry();
    for (const tool of [double, hidden, quadruple("hidden")]) guarded.register(tool);
    const refused = await guarded.invoke("quadruple", { n: 3 });
    expect(refused).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringContaining('Step "b": ') });
    expect(await guarded.invoke("quadruple", { n: 3 }, { caller: { owner: true } })).toMatchObject({ ok: true, data: { n: 12 } });
  });

  it("stops at the depth limit where it calls itself", async () => {
    const registry = createRegistry({ limits: { depth: 3 } });
    const options = { name: "loop", description: "Calls itself.", inputSchema: { type: "object" } } as const;
    registry.register(chainTool({ steps: [{ id: "a", tool: "loop" }] }, options));
    expect(await registry.invoke("loop", {})).toMatchObject({ ok: false, error: expect.stringMatching(/deep|depth/) });
  });

  it("cannot be defined with a chain that could not run", () => {
    const options = { name: "x", description: "A test.", inputSchema };
    expect(() => chainTool({ steps: [{ id: "a", tool: "double", input: { n: "${b.n}" } }] }, options)).toThrow(
      'Tool "x": Step "a": ${b.n} refers to "b"',
    );
    expect(() => chainTool({ steps: [{ id: "a", tool: "double", input: { n: "${input.m}" } }] }, options)).toThrow(
      'the input of the chain has no field "m"',
    );
  });
});
