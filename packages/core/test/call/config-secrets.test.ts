import { describe, expect, it } from "vitest";
import { createMemoryConfig } from "../../src/call/ports/config.ts";
import { createMemoryRecorder } from "../../src/call/ports/recorder.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeSecrets } from "../../src/testing/fake-secrets.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

const value = "sk-or-v1-0123456789";
/** The published example of a configuration. */
const openrouter = { apiKey: "secret:openrouter-api-key", defaultModel: "google/gemini-2.5-flash", temperature: 0.7, maxTokens: 4000 };

function registryWith(
  tool: Partial<ToolDefinition>,
  options: RegistryOptions & { readonly saved?: Record<string, unknown> } = {},
): Registry {
  const { saved = openrouter, ...rest } = options;
  const registry = createRegistry({
    config: createMemoryConfig({ echo: saved }),
    secrets: createFakeSecrets({ "openrouter-api-key": value }),
    ...rest,
  });
  registry.register(fakeTool({ metadata: { secrets: ["openrouter-api-key"] }, ...tool }));
  return registry;
}

describe("a reference to a secret in saved configuration", () => {
  // row: H16
  it("is the secret's value for the handler, and the port is told who asked and why", async () => {
    const secrets = createFakeSecrets({ "openrouter-api-key": value });
    let seen: unknown;
    const registry = registryWith({ handler: (_, { config }) => ((seen = config), "done") }, { secrets });
    expect(await registry.invoke("echo", {}, { callId: "c-1", caller: { agent: "ada" } })).toMatchObject({ ok: true });
    expect(seen).toEqual({ ...openrouter, apiKey: value });
    expect(secrets.requests).toEqual([
      { name: "openrouter-api-key", tool: "echo", callId: "c-1", caller: { agent: "ada" }, reason: "the configuration of echo" },
    ]);
  });

  it("is resolved to any depth and read once, and nothing else of the configuration changes", async () => {
    const secrets = createFakeSecrets({ "openrouter-api-key": value });
    const client = new Map([["secret:openrouter-api-key", 1]]);
    const loop: Record<string, unknown> = { __proto__: null, key: "secret:openrouter-api-key" };
    loop["self"] = loop;
    const saved = { list: [{ key: "secret:openrouter-api-key" }, "secret:", "not secret:x"], client, loop };
    let seen: Record<string, unknown> = {};
    const registry = registryWith({ handler: (_, { config }) => ((seen = config as typeof seen), "done") }, { secrets, saved });
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true });
    expect(seen["list"]).toEqual([{ key: value }, "secret:", "not secret:x"]);
    expect(seen["client"]).toBe(client);
    expect((seen["loop"] as typeof loop)["self"]).toBe(seen["loop"]);
    expect(saved.list[0]).toEqual({ key: "secret:openrouter-api-key" });
    expect(secrets.requests).toHaveLength(1);
  });

  // row: H16
  it("is refused, with what to do, where the tool does not declare it or it is not set", async () => {
    const handler = (): never => expect.unreachable();
    const undeclared = await registryWith({ metadata: {}, handler }).invoke("echo", {});
    expect(undeclared).toMatchObject({
      code: "SECRET_MISSING",
      error:
        'The configuration of tool "echo" refers to the secret "openrouter-api-key", which the tool does not declare. Add it to metadata.secrets, or change the configuration.',
    });
    const vanished = { has: () => true, get: () => Promise.resolve(undefined) };
    expect(await registryWith({ handler }, { secrets: vanished }).invoke("echo", {})).toMatchObject({
      code: "SECRET_MISSING",
      error: 'The secret "openrouter-api-key" of tool "echo" is not set. Set it, then call again.',
    });
  });

  // Call input goes before saved configuration, that before the schema's default; only what was saved is a reference.
  it.each([
    [{}, openrouter, value],
    [{ apiKey: "mine" }, openrouter, "mine"],
    [{ apiKey: "secret:openrouter-api-key" }, openrouter, "secret:openrouter-api-key"],
    [{}, {}, "none"],
  ])("gives for input %o and saved %o the key %s", async (input, saved, key) => {
    let seen: unknown;
    const inputSchema = { type: "object", properties: { apiKey: { type: "string", default: "none" } } };
    const registry = registryWith({ inputSchema, handler: (given) => ((seen = given), "done") }, { saved });
    expect(await registry.invoke("echo", input)).toMatchObject({ ok: true });
    expect(seen).toEqual({ apiKey: key });
  });

  // row: H16
  it("stays a reference for hooks, approvals and records, and its value leaves neither in results, errors, progress nor logs", async () => {
    const told: unknown[] = [];
    const recorder = createMemoryRecorder();
    const note = (message: string, fields?: unknown): void => void told.push(message, fields);
    const inputSchema = { type: "object", properties: { apiKey: { type: "string" }, fails: { type: "boolean" } } };
    const registry = registryWith(
      {
        inputSchema,
        handler: ({ apiKey, fails }: { apiKey: string; fails?: boolean }, { config, log, progress }) => {
          log.info(`calling with ${apiKey}`, { config });
          progress({ message: `using ${apiKey}` });
          if (fails === true) throw new TypeError(`401 for ${apiKey}`);
          return { apiKey, config };
        },
      },
      {
        recorder,
        log: { debug: note, info: note, warn: note, error: note },
        hooks: { before: [({ input }) => void told.push(input)], after: [(_, { input }) => void told.push(input)] },
      },
    );
    registry.subscribe((event) => void told.push(event));
    for (const fails of [false, true]) told.push(await registry.invoke("echo", { fails }, { onProgress: (update) => told.push(update) }));
    const text = JSON.stringify([told, recorder.calls]);
    expect(text).not.toContain(value);
    expect(text).toContain("calling with [redacted]");
    expect(text).toContain("using [redacted]");
    expect(text).toContain("401 for [redacted]");
    expect(recorder.calls.map(({ input }) => input)).toEqual([false, true].map((fails) => ({ fails, apiKey: openrouter.apiKey })));
  });

  it("SD16: is taken out of the progress of calls that the handler hands its value to, and so are hidden fields", async () => {
    const told: unknown[] = [];
    const note = (message: string): void => void told.push(message);
    const registry = registryWith(
      { handler: async (_, { config, call }) => ((await call("inner", config)).ok ? "done" : "failed") },
      { redaction: { fields: ["password"] }, log: { debug: note, info: note, warn: note, error: note } },
    );
    const inner = fakeTool({
      name: "inner",
      inputSchema: { type: "object" },
      handler({ apiKey }, { progress, log }) {
        progress({ message: `connecting with ${String(apiKey)}, {"password":"hunter22"}` });
        log.info(`connecting with ${String(apiKey)}`);
        return "done";
      },
    });
    registry.register(inner);
    registry.subscribe((event) => void told.push(event));
    expect(await registry.invoke("echo", {}, { onProgress: (update) => void told.push(update) })).toMatchObject({
      ok: true,
      content: "done",
    });
    const text = JSON.stringify(told);
    expect(text).toContain("connecting with [redacted]");
    expect(text).not.toContain(value);
    expect(text).not.toContain("hunter22");
  });

  it("is taken out of the records of calls that the handler hands its value to", async () => {
    const recorder = createMemoryRecorder();
    let seen: unknown;
    const registry = registryWith({ handler: async (_, { config, call }) => (seen = await call("inner", config)) && "done" }, { recorder });
    registry.register(fakeTool({ name: "inner", inputSchema: { type: "object" }, handler: (input) => input }));
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true });
    expect(seen).toMatchObject({ ok: true, data: { apiKey: value } });
    expect(recorder.calls.map(({ tool }) => tool)).toEqual(["inner", "echo"]);
    expect(recorder.calls[0]?.input).toEqual({ ...openrouter, apiKey: "[redacted]" });
    expect(JSON.stringify(recorder.calls)).not.toContain(value);
  });
});
