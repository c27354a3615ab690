import { describe, expect, it } from "vitest";
import { type CallRecord, createRegistry, defineTool, type Recorder, type Registry, type RegistryOptions } from "../../src/index.ts";
import { readPolicyConfig } from "../../src/exports/policy.ts";
import { hasMoreKeys, inBrief } from "../../src/call/input-size.ts";

const take = defineTool({
  name: "take",
  description: "Takes anything.",
  inputSchema: { type: "object" },
  handler: (input: object) => `${Object.keys(input).length} keys`,
});

function openRegistry(options: RegistryOptions = {}): { readonly registry: Registry; readonly records: CallRecord[] } {
  const records: CallRecord[] = [];
  const recorder: Recorder = { record: async (record) => void records.push(record) };
  const registry = createRegistry({ ...options, recorder });
  registry.register(take);
  return { registry, records };
}

/** An input that counts how often one of its values is read. */
function countedInput(keys: number): { readonly input: object; reads(): number } {
  let reads = 0;
  const input = {};
  for (let index = 0; index < keys; index++)
    Object.defineProperty(input, `key${index}`, { enumerable: true, configurable: true, get: () => (reads++, index) });
  return { input, reads: () => reads };
}

describe("a call with a large input", () => {
  it("TD11: of a tool that does not exist looks at the beginning of its input alone, and records that", async () => {
    const { registry, records } = openRegistry();
    const { input, reads } = countedInput(30_000);
    expect(await registry.invoke("nothing", input)).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(reads()).toBeLessThan(2_000);
    const beginning = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, index]));
    expect(records.map((record) => record.input)).toEqual([{ truncated: true, keys: 30_000, beginning }]);
  });

  it("TD11: of a tool that the caller may not use looks at no more of it, also with an idempotency key", async () => {
    const { registry, records } = openRegistry({ policy: readPolicyConfig({ tools: { deny: ["take"] } }) });
    for (const options of [{}, { idempotencyKey: "once" }]) {
      const { input, reads } = countedInput(30_000);
      expect(await registry.invoke("take", input, options)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
      expect(reads()).toBeLessThan(2_000);
    }
    expect(records.map((record) => record.input)).toEqual([
      expect.objectContaining({ truncated: true, keys: 30_000 }),
      expect.objectContaining({ truncated: true, keys: 30_000 }),
    ]);
  });

  it("TD11: is refused before it is copied, checked and hashed where it has too many keys", async () => {
    const { registry, records } = openRegistry({ policy: readPolicyConfig({ tools: { allow: ["take"] } }) });
    for (const [options, mostReads] of [
      [{}, 23_000],
      [{ idempotencyKey: "once" }, 45_000],
    ] as const) {
      const { input, reads } = countedInput(30_000);
      const refused = await registry.invoke("take", input, options);
      expect(refused).toMatchObject({
        ok: false,
        code: "INPUT_INVALID",
        error: 'The input of tool "take" has more than 20,000 keys. Split it over several calls, or raise limits.inputKeys.',
      });
      expect(reads()).toBeLessThan(mostReads);
    }
    expect(records[0]!.input).toMatchObject({ truncated: true, keys: 30_000 });
  });

  it("runs with as many keys as allowed, and is recorded whole", async () => {
    const { registry, records } = openRegistry({ limits: { inputKeys: 3_000 } });
    const allowed = { rows: Array.from({ length: 1_000 }, (_, a) => ({ a, b: a })), c: 1 };
    expect(await registry.invoke("take", { ...allowed, list: allowed.rows[0] })).toMatchObject({ ok: true });
    expect(records[0]!.input).toEqual({ ...allowed, list: allowed.rows[0] });
    const large = { rows: Array.from({ length: 1_500 }, (_, a) => ({ a, b: a })) };
    expect(await registry.invoke("take", large)).toMatchObject({ ok: false, error: expect.stringContaining("more than 3,000 keys") });
  });
});

describe("the keys of an input", () => {
  it("are counted in all its objects, and values of lists are not", () => {
    expect(hasMoreKeys({ a: [{ b: 1 }, { c: { d: 1 } }] }, 4)).toBe(false);
    expect(hasMoreKeys({ a: [{ b: 1 }, { c: { d: 1 } }] }, 3)).toBe(true);
    expect(hasMoreKeys({ list: Array.from({ length: 90_000 }, (_, index) => index) }, 1)).toBe(false);
    expect(hasMoreKeys({ text: "x".repeat(4_000_000), bytes: new Uint8Array(90_000) }, 2)).toBe(false);
    for (const input of [undefined, null, "text", 5, []]) expect(hasMoreKeys(input, 0)).toBe(false);
  });

  it("are counted once where an object is met again, which also ends a circle", () => {
    const row: Record<string, unknown> = { a: 1 };
    row["again"] = [row, row, row];
    expect(hasMoreKeys(row, 2)).toBe(false);
    let deep: unknown = {};
    for (let level = 0; level < 50_000; level++) deep = [deep, deep];
    expect(hasMoreKeys(deep, 5)).toBe(false);
  });
});

describe("an input in brief", () => {
  it("is the input itself where it is small", () => {
    for (const input of [{ a: [1, { b: "text" }] }, { text: "x".repeat(60_000) }, undefined, 5]) expect(inBrief(input)).toBe(input);
  });

  it("has the lengths of long texts instead of their beginnings, and ends in a circle", () => {
    const input: Record<string, unknown> = { text: "x".repeat(70_000), [`k${"e".repeat(300)}y`]: 1, rows: [[1], { b: 2 }] };
    const beginning = { text: "[70000 characters]", "[302 characters]": 1, rows: [[1], { b: 2 }] };
    expect(inBrief(input)).toEqual({ truncated: true, keys: 3, beginning });
    input["self"] = input;
    expect(JSON.stringify(inBrief(input)).length).toBeLessThan(5_000);
    expect(inBrief("x".repeat(70_000))).toEqual({ truncated: true, keys: 0, beginning: "[70000 characters]" });
  });

  it("keeps a key of that name its own", () => {
    const input = JSON.parse(`{"__proto__":{"a":1},"text":"${"x".repeat(70_000)}"}`) as unknown;
    expect(Object.keys((inBrief(input) as { beginning: object }).beginning)).toEqual(["__proto__", "text"]);
  });
});
