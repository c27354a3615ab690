import { createMemoryConfig, createMemorySecrets, createRegistry, type Registry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { assertTool } from "@toolrack/core/testing";
import { createConfigs, createMemoryStore } from "@toolrack/store";
import type { Loopback } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUtilityTools, type UtilityOptions } from "../../src/index.ts";
import { startChat, type ChatRequest } from "../_servers/chat.ts";

const key = "or-key-0123456789";
const saved = { apiKey: "secret:openrouter-api-key", defaultModel: "google/gemini-2.5-flash", temperature: 0.7, maxTokens: 4000 };
const capabilities = createCapabilities({ overrides: { network: true } });
let server: Loopback;

const toolFrom = (options: UtilityOptions = {}) =>
  createUtilityTools({ openrouter: { baseUrl: `${server.url}/api/v1` }, ...options }).find((tool) => tool.name === "openrouter")!;

function registryWith(config: object, options: UtilityOptions = {}, secret: string = key): Registry {
  const registry = createRegistry({
    capabilities,
    secrets: createMemorySecrets({ "openrouter-api-key": secret }),
    config: createMemoryConfig({ openrouter: config as Record<string, unknown> }),
  });
  registry.register(toolFrom(options));
  return registry;
}

const say = (content: string) => ({ messages: [{ role: "user", content }] });
const lastBody = (): ChatRequest => JSON.parse(server.seen.at(-1)!.body) as ChatRequest;

beforeAll(async () => {
  server = await startChat(key);
});
afterAll(() => server[Symbol.asyncDispose]());

describe("openrouter", () => {
  it("passes the test kit", () =>
    assertTool(toolFrom(), {
      capabilities,
      secrets: createMemorySecrets({ "openrouter-api-key": key }),
      config: createMemoryConfig({ openrouter: saved }),
    }));

  // row: J14
  it("is configured by a stored record, with its key as a reference to a secret", async () => {
    const store = await createMemoryStore();
    const written = await store.put({
      id: "openrouter",
      schema_name: "tool.config.v1",
      semantic_version: "v1.0.0",
      tags: ["tool:config", "tool:config:openrouter"],
      context: { tool: "openrouter", config: saved },
    });
    expect(written.ok).toBe(true);
    const configs = await createConfigs(store);
    const registry = createRegistry({ capabilities, config: configs, secrets: createMemorySecrets({ "openrouter-api-key": key }) });
    registry.register(toolFrom());
    expect(registry.entries()[0]).toMatchObject({ state: "ready" });
    const result = await registry.invoke("openrouter", say("hello"));
    expect(result).toMatchObject({
      ok: true,
      data: { content: "You said: hello", model: "google/gemini-2.5-flash", finish_reason: "stop" },
    });
    expect(lastBody()).toMatchObject({ model: "google/gemini-2.5-flash", temperature: 0.7, max_tokens: 4000 });
    expect(JSON.stringify(result)).not.toContain(key);
    await configs.close();
    await store.close();
  });

  it("lets the call win over what is saved", async () => {
    await registryWith(saved).invoke("openrouter", { ...say("hi"), model: "local/tiny", temperature: 0, max_tokens: 5 });
    expect(lastBody()).toMatchObject({ model: "local/tiny", temperature: 0, max_tokens: 5 });
  });

  // row: J14
  it("estimates the cost from the prices in its settings, and says nothing where it knows none", async () => {
    const priced = { ...saved, prices: { "google/gemini-2.5-flash": { prompt: 0.3, completion: 2.5 } } };
    const result = await registryWith(priced).invoke("openrouter", say("hello"));
    expect(result).toMatchObject({ ok: true, data: { usage: { total_tokens: 1_200 } } });
    expect((result as { data: { cost_estimate: number } }).data.cost_estimate).toBeCloseTo(0.0008, 10);
    const unpriced = (await registryWith(saved).invoke("openrouter", say("hello"))) as { data: object };
    expect(unpriced.data).not.toHaveProperty("cost_estimate");
  });

  it("needs its secret and a model", async () => {
    const registry = createRegistry({ capabilities });
    registry.register(toolFrom());
    expect(registry.entries()[0]).toMatchObject({ state: "needs-configuration", reason: expect.stringContaining("openrouter-api-key") });
    expect(await registryWith({}).invoke("openrouter", say("x"))).toMatchObject({
      ok: false,
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining("defaultModel"),
    });
  });

  it("tells failures of the gateway apart, and what can be tried again", async () => {
    const registry = registryWith(saved);
    expect(await registry.invoke("openrouter", say("fail 429"))).toMatchObject({
      code: "RATE_LIMITED",
      retryable: true,
      retryAfterMs: 7_000,
    });
    expect(await registry.invoke("openrouter", say("fail 503"))).toMatchObject({ code: "TOOL_FAILED", retryable: true });
    expect(await registry.invoke("openrouter", say("fail 400"))).toMatchObject({
      code: "TOOL_FAILED",
      retryable: false,
      error: expect.stringContaining("Provider returned error"),
    });
    expect(await registry.invoke("openrouter", say("odd"))).toMatchObject({
      code: "TOOL_FAILED",
      error: expect.stringContaining("The model is down"),
    });
    const refused = await registryWith(saved, {}, "or-wrong-987654").invoke("openrouter", say("x"));
    expect(refused).toMatchObject({ code: "NEEDS_CONFIGURATION", error: expect.stringContaining("401") });
    expect(JSON.stringify(refused)).not.toContain("or-wrong-987654");
    const unsendable = await registryWith(saved, {}, "or-wrong\r\nx-admin: 1").invoke("openrouter", say("x"));
    expect(unsendable).toMatchObject({ code: "NEEDS_CONFIGURATION", error: expect.stringContaining("cannot be sent") });
  });

  it("ends when the gateway hangs or the caller gives up", async () => {
    const hurried = registryWith(saved, { fetch: { timeoutMs: 100 } });
    expect(await hurried.invoke("openrouter", say("hang"))).toMatchObject({ code: "TIMEOUT", retryable: true });
    const controller = new AbortController();
    const before = server.seen.length;
    const given = registryWith(saved).invoke("openrouter", say("hang"), { signal: controller.signal });
    await until(() => server.seen.length > before);
    controller.abort();
    expect(await given).toMatchObject({ code: "ABORTED" });
  });
});
