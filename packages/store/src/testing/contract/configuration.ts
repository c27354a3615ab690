import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { listAudit } from "../../audit/audit.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { createCallLog, type CallLog } from "../../calls/call-log.ts";
import { createConfigs, type Configs } from "../../config/configs.ts";
import { exportRecords } from "../../files/transfer.ts";
import { createKeys } from "../../secrets/keys.ts";
import { createSecrets, type Secrets } from "../../secrets/secrets.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { openrouterConfig, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

interface Rack {
  readonly registry: Registry;
  readonly configs: Configs;
  readonly secrets: Secrets;
  readonly calls: CallLog;
  close(): Promise<void>;
}

/** A registry whose configuration, secrets and log are in the store. */
async function createRack(store: BreadcrumbStore): Promise<Rack> {
  const configs = await createConfigs(store);
  const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 9) }) });
  const calls = createCallLog(store, { redaction: { values: secrets.seenValues } });
  const registry = createRegistry({ config: configs, secrets, recorder: calls });
  const close = async (): Promise<void> => {
    for (const part of [registry, secrets, configs]) await part.close();
  };
  return { registry, configs, secrets, calls, close };
}

const planted = "sk-or-v1-pl4nted";

export function configurationContract(open: OpenStore): void {
  describe("configuration of tools that are given in code", () => {
    it("M4: is private when it is saved, also where it was not, and is found by its tool and by curators", async () => {
      const store = await open();
      const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter", "subscriber"] });
      written(await store.put({ schema_name: "tool.config.v1", context: { tool: "old", config: { a: 1 } }, visibility: "team" }));
      const configs = await createConfigs(store);
      expect(await configs.get("old")).toEqual({ a: 1 });
      written(await configs.save("old", { a: 2 }));
      written(await configs.save("fresh", { a: 3 }));
      written(await store.put({ schema_name: "tool.config.v1", context: { tool: "direct", config: { a: 4 } } }));
      const other = await createConfigs(store.as({ owner: "local", agent: "second", roles: ["curator"] }));
      for (const [tool, a] of [
        ["old", 2],
        ["fresh", 3],
        ["direct", 4],
      ] as const) {
        expect(await configs.get(tool)).toEqual({ a });
        expect(await other.get(tool)).toEqual({ a });
        expect(await emitter.get(`tool-config-${tool}`)).toBeUndefined();
        expect(await emitter.history(`tool-config-${tool}`)).toEqual([]);
      }
      expect((await emitter.search({ schema_name: "tool.config.v1" })).records).toEqual([]);
      await Promise.all([configs.close(), other.close()]);
    });

    it("M4: refuses a secret itself where a reference is declared, at any depth", async () => {
      const store = await open();
      const configs = await createConfigs(store);
      const key = { type: "string", "x-toolrack-secret": true };
      const configSchema = { type: "object", properties: { key, more: { type: "array", items: { additionalProperties: key } } } };
      for (const values of [{ key: "sk-1" }, { more: [{}, { a: "sk-1" }] }, { key: "secret:" }])
        await expect(configs.save("t", values, { configSchema })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
      written(await configs.save("t", { key: "secret:k", more: [{ a: "secret:k" }] }, { configSchema }));
      await configs.close();
    });

    it("refers to secrets that only the handler sees, and each reading is noted with tool, caller and reason", async () => {
      const store = await open();
      const rack = await createRack(store);
      const { registry, secrets, calls } = rack;
      const seen: unknown[] = [];
      registry.register(
        defineTool({
          name: "openrouter",
          description: "Asks a model",
          inputSchema: { type: "object", properties: { apiKey: { type: "string" }, maxTokens: { type: "number", default: 1 } } },
          metadata: { secrets: ["openrouter-api-key"] },
          handler: (input: object, { config }) => {
            seen.push({ input, config });
            throw new Error(`401 for ${JSON.stringify(config)}`);
          },
        }),
      );
      written(await store.put({ ...openrouterConfig, visibility: "private" }));
      await secrets.set("openrouter-api-key", planted);
      const result = await registry.invoke("openrouter", {}, { caller: { agent: "planner" } });
      const config = openrouterConfig.context["config"] as object;
      expect(seen).toEqual([{ input: { apiKey: planted, maxTokens: 4000 }, config: { ...config, apiKey: planted } }]);
      const [reading] = await listAudit(store, { kinds: ["secret-read"] });
      expect(reading).toMatchObject({
        subject: "openrouter-api-key",
        callId: result.meta.callId,
        body: { tool: "openrouter", caller: { agent: "planner" }, reason: "the configuration of openrouter" },
      });
      const logged = await calls.show(result.meta.callId);
      expect(logged).toMatchObject({
        ok: false,
        error: { type: "execution", severity: "high", retryable: false, stack: expect.stringMatching(/^Error\n {4}at .*configuration/) },
      });
      const everything = [result, logged, await listAudit(store), await exportRecords(store), registry.entries(), await secrets.list()];
      expect(JSON.stringify(everything)).not.toContain(planted);
      expect(JSON.stringify(result)).not.toContain("configuration.ts");
      expect(await verifyAudit(store)).toMatchObject({ ok: true });
      const saved = written(await rack.configs.save("openrouter", { ...config, maxTokens: 10 }));
      expect(saved).toMatchObject({ id: "openrouter", visibility: "private", semantic_version: "v1.0.0", version: 2 });
      await rack.close();
    });

    it("makes a tool wait, and say for what, while a value or a secret is not set; one request is open for each secret", async () => {
      const store = await open();
      const rack = await createRack(store);
      const { registry, configs, secrets } = rack;
      registry.register(
        defineTool({
          name: "ask",
          description: "Asks a model",
          inputSchema: { type: "object" },
          metadata: {
            secrets: ["key-a", "key-b"],
            configSchema: { type: "object", required: ["model"], properties: { model: { type: "string" } } },
          },
          handler: (_, { config }) => config,
        }),
      );
      const requests = async () => {
        const { records } = await store.search({ schema_name: "tool.config.request.v1", tag: "state:open" });
        return records.map(({ id }) => id).sort();
      };
      const refusal = async (): Promise<string> => {
        expect(registry.entries()).toMatchObject([{ state: "needs-configuration" }]);
        expect(registry.list()).toEqual([]);
        const result = await registry.invoke("ask", {});
        expect(result).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
        return result.ok ? "" : result.error;
      };
      for (let times = 0; times < 3; times++) expect(await refusal()).toContain('"key-a" is not set');
      await expect.poll(requests).toEqual(["config-request-secret-key-a"]);
      await secrets.set("key-a", planted);
      for (let times = 0; times < 3; times++) expect(await refusal()).toContain('"key-b" is not set');
      await expect.poll(requests).toEqual(["config-request-secret-key-b"]);
      await secrets.set("key-b", planted);
      expect(await requests()).toEqual([]);
      expect(await refusal()).toBe(
        'Tool "ask" is not configured. The setting "model" is not set. Set it: toolrack config ask model=<value>.',
      );
      written(await configs.save("ask", { model: "small" }));
      expect(registry.entries()).toMatchObject([{ state: "ready" }]);
      expect(await registry.invoke("ask", {})).toMatchObject({ ok: true, data: { model: "small" } });
      await rack.close();
    });
  });
}
