import { createMemoryRecorder, createRegistry, defineTool } from "@toolrack/core";
import { expect, it } from "vitest";

const inner = (seen: unknown[]) =>
  defineTool({
    name: "inner",
    description: "Keeps its trace.",
    inputSchema: { type: "object", properties: {} },
    handler: (_, { trace }) => void seen.push(trace),
  });
const outer = defineTool({
  name: "outer",
  description: "Calls another.",
  inputSchema: { type: "object", properties: {} },
  handler: async (_, { call }) => (await call("inner", {})).ok,
});

it("a handler sees the trace that its call was made with, and so does the call that it makes", async () => {
  const seen: unknown[] = [];
  const registry = createRegistry();
  registry.register(outer);
  registry.register(inner(seen));
  const trace = { traceparent: "00-1" };
  await registry.invoke("outer", {}, { trace });
  await registry.invoke("inner", {});
  expect(seen).toEqual([trace, undefined]);
});

it("traceCall gives each call a trace of its own, below that of the call that made it", async () => {
  const seen: unknown[] = [];
  const recorder = createMemoryRecorder();
  const registry = createRegistry({ recorder, traceCall: ({ tool, trace }) => [...((trace as string[] | undefined) ?? []), tool] });
  registry.register(outer);
  registry.register(inner(seen));
  const events: unknown[] = [];
  registry.subscribe((event) => void (event.type === "call-end" && events.push(event.trace)));
  await registry.invoke("outer", {}, { trace: ["request"] });
  expect(seen).toEqual([["request", "outer", "inner"]]);
  expect(events).toEqual([
    ["request", "outer", "inner"],
    ["request", "outer"],
  ]);
  expect(recorder.calls.map(({ trace }) => trace)).toEqual(events);
});

it("a traceCall that throws, or returns nothing, changes nothing", async () => {
  const seen: unknown[] = [];
  const answers = [
    () => undefined,
    () => {
      throw new Error("The tracer is broken.");
    },
  ];
  const registry = createRegistry({ traceCall: () => answers.shift()!() });
  registry.register(inner(seen));
  expect(await registry.invoke("inner", {}, { trace: "a" })).toMatchObject({ ok: true });
  expect(await registry.invoke("inner", {}, { trace: "b" })).toMatchObject({ ok: true });
  expect(seen).toEqual(["a", "b"]);
});
