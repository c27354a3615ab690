import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemoryConfig } from "../../src/call/ports/config.ts";
import type { CallRecord } from "../../src/call/ports/recorder.ts";
import { createCelEngine } from "../../src/policy/conditions/cel.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeApprover } from "../../src/testing/fake-approver.ts";
import { changeTool, defineTool, type ToolDefinition, withPins } from "../../src/tool/tool.ts";

const copy = defineTool({
  name: "copy",
  description: "Copies a file.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      to: { type: "string", default: "out" },
      save_mode: { enum: ["fast", "safe"] },
      files: { type: "integer", maximum: 3 },
    },
    required: ["path"],
    additionalProperties: false,
  },
  metadata: { aliases: { file: "path" } },
  handler: (input) => input,
}) as ToolDefinition;

/** The tool with `path` pinned and `save_mode` hidden. */
function pinned(path: string, own: ToolDefinition = copy): ToolDefinition {
  const { path: _, save_mode: _hidden, ...properties } = own.inputSchema["properties"] as Record<string, object>;
  const shown = defineTool({ ...own, inputSchema: { ...own.inputSchema, properties, required: [] }, metadata: {} });
  return withPins(shown as ToolDefinition, { own, values: { path }, withheld: new Set(["path", "save_mode"]) });
}

function registryWith(tool: ToolDefinition, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(tool);
  return registry;
}

const policy = (tools: object) => readPolicyConfig({ tools } as never, { engine: createCelEngine() });
const always = { action: "accept", value: { scope: "always" } } as const;

describe("the whole input of a tool with pins", () => {
  it("is what the handler gets: what was given, what is pinned and the tool's own defaults", async () => {
    expect(await registryWith(pinned("/a")).invoke("copy", { files: 2 })).toMatchObject({
      data: { path: "/a", to: "out", files: 2 },
    });
  });

  it.each([
    ["path", { path: "/b" }],
    ["save_mode", { save_mode: "fast" }],
    ["saveMode", { saveMode: "fast" }],
    ["file", { file: "/b" }],
    ["path", { path: undefined }],
  ])("has no %s of a caller: the answer names it, and no value", async (name, input) => {
    const open = pinned("/secret-place", changeTool(copy, { inputSchema: { ...copy.inputSchema, additionalProperties: true } as never }));
    for (const tool of [pinned("/secret-place"), open]) {
      const result = await registryWith(tool).invoke("copy", input);
      expect(result).toMatchObject({
        ok: false,
        code: "INPUT_INVALID",
        error: expect.stringContaining(`${name} is not a parameter`) as string,
      });
      expect(JSON.stringify(result)).not.toContain("secret-place");
    }
  });

  it("has no parameter that a repair would bring in", async () => {
    const registry = registryWith(pinned("/a"), { repairInputs: true });
    expect(await registry.invoke("copy", '{"files": "2"}')).toMatchObject({ ok: true, data: { path: "/a", files: 2 } });
    expect(await registry.invoke("copy", '{"files": "2", "save_mode": "fast"}')).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("is valid twice over: as it is shown, and as the tool underneath takes it", async () => {
    const own = defineTool({
      name: "copy",
      description: "Copies.",
      inputSchema: z.object({ path: z.string(), to: z.string() }).refine(({ path, to }) => path !== to, "they are the same"),
      handler: (input) => input,
    }) as ToolDefinition;
    const shown = defineTool({ ...own, inputSchema: { type: "object", properties: { to: { type: "string", maxLength: 2 } } } });
    const registry = registryWith(withPins(shown as ToolDefinition, { own, values: { path: "/a" }, withheld: new Set(["path"]) }));
    expect(await registry.invoke("copy", { to: "/b" })).toMatchObject({ ok: true, data: { path: "/a", to: "/b" } });
    expect(await registry.invoke("copy", { to: "/a" })).toMatchObject({ ok: false, error: expect.stringContaining("the same") as string });
    expect(await registry.invoke("copy", { to: "/too-long" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("has the saved configuration, also for what is hidden, but not in place of a pin", async () => {
    const config = createMemoryConfig({ copy: { path: "/saved", save_mode: "safe", to: "there" } });
    const registry = registryWith(pinned("/a"), { config });
    expect(await registry.invoke("copy", {})).toMatchObject({ data: { path: "/a", save_mode: "safe", to: "there" } });
    expect(await registry.invoke("copy", { to: "here" })).toMatchObject({ data: { to: "here", save_mode: "safe" } });
  });

  it("is refused without showing a value where what is set here is not valid", async () => {
    const config = createMemoryConfig({ copy: { save_mode: "reckless" } });
    const result = await registryWith(pinned("/a"), { config }).invoke("copy", {});
    expect(result).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("The operator has to change") as string,
    });
    expect(JSON.stringify(result)).not.toMatch(/reckless|save_mode/);
  });

  it("is what hooks see, who cannot change a pin either", async () => {
    const seen: unknown[] = [];
    const before = [
      ({ input }: { readonly input: object }) => {
        seen.push(input);
        return { input: { ...input, path: "/b", to: "there" } };
      },
    ];
    const registry = registryWith(pinned("/a"), { hooks: { before } });
    expect(await registry.invoke("copy", {})).toMatchObject({ data: { path: "/a", to: "there" } });
    expect(seen).toEqual([{ path: "/a", to: "out" }]);
  });

  it("is what is recorded", async () => {
    const records: CallRecord[] = [];
    const recorder = { record: (record: CallRecord): void => void records.push(record) };
    await registryWith(pinned("/a"), { recorder }).invoke("copy", {});
    expect(records).toMatchObject([{ input: { path: "/a", to: "out" } }]);
  });

  it("keeps its pins from a handler that changes its input", async () => {
    const own = changeTool(copy, {
      handler: (input: { path: { at: string } }) => {
        const { at } = input.path;
        input.path.at = "changed";
        return at;
      },
      inputSchema: { type: "object", properties: { path: { type: "object" } } } as never,
    });
    const shown = defineTool({ ...own, inputSchema: { type: "object" }, metadata: {} }) as ToolDefinition;
    const registry = registryWith(withPins(shown, { own, values: { path: { at: "/a" } }, withheld: new Set(["path"]) }));
    await registry.invoke("copy", {});
    expect(await registry.invoke("copy", {})).toMatchObject({ content: "/a" });
  });
});

describe("rules over arguments", () => {
  it("TD3: conditions see a value that is pinned", async () => {
    const rules = policy({ conditions: [{ tool: "copy", deny: 'path.startsWith("/etc")' }] });
    expect(await registryWith(pinned("/etc/passwd"), { policy: rules }).invoke("copy", {})).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    expect(await registryWith(pinned("/a"), { policy: rules }).invoke("copy", {})).toMatchObject({ ok: true });
  });

  it("TD3: path rules and the workspace see a path that is pinned", async () => {
    const rules = policy({ paths: [{ tool: "copy", deny: ["/etc"] }] });
    expect(await registryWith(pinned("/etc/passwd"), { policy: rules }).invoke("copy", {})).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    const workspace = { root: process.cwd() };
    const outside = await registryWith(pinned("/etc/passwd"), { workspace }).invoke("copy", {});
    expect(outside).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    expect(await registryWith(pinned("a"), { workspace }).invoke("copy", {})).toMatchObject({ ok: true });
  });
});

describe("a person's approval of a tool with pins", () => {
  const asking = { policy: policy({ ask: ["copy"] }) };

  it("TD3: is about the whole input", async () => {
    const approver = createFakeApprover();
    await registryWith(pinned("/a"), { ...asking, approver }).invoke("copy", {});
    expect(approver.requests).toMatchObject([{ input: { path: "/a", to: "out" } }]);
  });

  it.each<[string, () => ToolDefinition]>([
    ["another value is pinned", () => pinned("/b")],
    ["nothing is pinned any more", () => copy],
    ["the tool underneath changes", () => pinned("/a", changeTool(copy, { metadata: { paths: ["path"] } }))],
  ])("TD3: that was given for always ends when %s", async (_, next) => {
    const approver = createFakeApprover(always);
    const registry = registryWith(pinned("/a"), { ...asking, approver });
    const call = (): Promise<unknown> =>
      registry.invoke("copy", registry.get("copy") === copy ? { path: "/a" } : {}, { caller: { agent: "a" } });
    await call();
    await call();
    expect(approver.requests).toHaveLength(1);
    registry.register(next(), { onConflict: "replace" });
    await call();
    expect(approver.requests).toHaveLength(2);
    registry.register(pinned("/a"), { onConflict: "replace" });
    await call();
    expect(approver.requests).toHaveLength(2);
  });

  it("TD3: does not count for a pin that changed while the question was open", async () => {
    const ran: unknown[] = [];
    const own = changeTool(copy, { handler: (input: unknown) => void ran.push(input) });
    const registry: Registry = registryWith(pinned("/a", own), {
      ...asking,
      approver: {
        ask: async () => {
          registry.register(pinned("/b", own), { onConflict: "replace" });
          return { action: "accept" };
        },
      },
    });
    expect(await registry.invoke("copy", {})).toMatchObject({ ok: false, code: "APPROVAL_DENIED" });
    expect(ran).toEqual([]);
  });

  it("TD3: that a call brings along is for the value that was pinned then", async () => {
    const registry = registryWith(pinned("/a"), asking);
    const first = await registry.invoke("copy", {});
    if (first.ok || first.approval === undefined) throw new Error("it was not asked about");
    registry.register(pinned("/b"), { onConflict: "replace" });
    const approval = { digest: first.approval.digest, answer: { action: "accept" } } as const;
    expect(await registry.invoke("copy", {}, { approval })).toMatchObject({ ok: false, code: "APPROVAL_REQUIRED" });
  });
});

describe("a pin that changes", () => {
  it("TD3: ends a call that waits for something else than a person", async () => {
    const ran: unknown[] = [];
    const own = changeTool(copy, { handler: (input: unknown) => void ran.push(input) });
    const registry: Registry = registryWith(pinned("/a", own), {
      hooks: { before: [async () => void registry.register(pinned("/b", own), { onConflict: "replace" })] },
    });
    expect(await registry.invoke("copy", {})).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(ran).toEqual([]);
  });

  it("does not end a call when only the list is read again", async () => {
    const registry: Registry = registryWith(pinned("/a"), {
      hooks: { before: [async () => void registry.register(pinned("/a"), { onConflict: "replace" })] },
    });
    expect(await registry.invoke("copy", {})).toMatchObject({ ok: true });
  });

  it("TD3: gives no answer again that was kept under an idempotency key", async () => {
    const registry = registryWith(pinned("/a"));
    const call = () => registry.invoke("copy", {}, { idempotencyKey: "k" });
    await call();
    expect(await call()).toMatchObject({ ok: true, data: { path: "/a" } });
    registry.register(pinned("/b"), { onConflict: "replace" });
    expect(await call()).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("other arguments") as string });
  });

  it("changes the hash of the tool, and nothing that is listed of it", () => {
    const [one, other] = [registryWith(pinned("/a")), registryWith(pinned("/b"))];
    expect(one.entries()[0]!.hash).not.toBe(other.entries()[0]!.hash);
    expect(one.describe()).toEqual(other.describe());
    expect(JSON.stringify(one.describe())).not.toMatch(/path|save_mode/);
  });
});

describe("a copy of a tool with pins", () => {
  it("has them as well", async () => {
    for (const tool of [changeTool(pinned("/a"), { name: "copy" }), defineTool({ ...pinned("/a") })])
      expect(await registryWith(tool).invoke("copy", {})).toMatchObject({ data: { path: "/a" } });
    expect(await registryWith(pinned("/a")).clone().invoke("copy", {})).toMatchObject({ data: { path: "/a" } });
  });
});
