import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRegistry, defineTool } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { hasPart } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import { publishedSchemas } from "../../src/record/schemas/published.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { definition, openrouterConfig, randomDefinition, take, written } from "../../src/testing/contract/_samples.ts";

const folder = fileURLToPath(new URL("../../contracts/", import.meta.url));
const hasPython = hasPart("python3", spawnSync("python3", ["--version"]).status === 0);

/** What we really say, for each contract. */
async function samples(): Promise<Record<string, unknown[]>> {
  const store = createMemoryStore();
  written(await store.put(randomDefinition));
  written(await store.put(openrouterConfig));
  written(await store.put(definition("short", {}, { ttl: { afterMs: 60_000, reads: 5 }, grants: { a: "read" } })));
  written(await store.remove("tool-def-random"));
  const registry = createRegistry();
  registry.register(
    defineTool({
      name: "t",
      version: "1.0.0",
      description: "t",
      inputSchema: { type: "object", properties: { a: { type: "number" } } },
      handler: () => ({ x: 1 }),
    }),
  );
  const changes = await take(store, 6);
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
  const bySchema = {
    "tool.definition.v1": [randomDefinition.context],
    "tool.config.v1": [openrouterConfig.context],
    "tool.catalog.v1": [(await store.get("tool-catalog"))!.context],
    record: changes.map(({ record }) => record),
    change: changes,
    result: await Promise.all([registry.invoke("t", {}), registry.invoke("t", { a: "x" }), registry.invoke("nobody", {})]),
  };
  return plain(bySchema) as Record<string, unknown[]>;
}

/** One fault for each contract. */
const wrong: Record<string, unknown> = {
  "tool.definition.v1": { name: "two words", description: "x", inputSchema: {} },
  "tool.config.v1": { tool: "x" },
  "tool.catalog.v1": { tools: [], totalTools: -1, lastUpdated: null, hash: "" },
  record: { id: "x" },
  change: { sequence: 0, type: "renamed", record: {} },
  result: { ok: true, meta: { callId: "c", tool: "t", durationMs: 1 } },
};

describe("the published contracts", () => {
  it("are the files in contracts/, word for word", () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .sort(),
    ).toEqual(
      Object.keys(publishedSchemas)
        .map((name) => `${name}.schema.json`)
        .sort(),
    );
    for (const [name, schema] of Object.entries(publishedSchemas)) {
      expect(JSON.parse(readFileSync(`${folder}${name}.schema.json`, "utf8")), name).toEqual(schema);
    }
  });

  it("hold for everything that a store and a registry say", async () => {
    for (const [name, values] of Object.entries(await samples())) {
      for (const value of values) expect(validateValue(publishedSchemas[name], value), name).toMatchObject({ ok: true });
      expect(validateValue(publishedSchemas[name], wrong[name]), name).toMatchObject({ ok: false });
    }
  });

  // row: I19
  it.skipIf(!hasPython)("hold in another language too (skipped where there is no python3)", async () => {
    const validate = (name: string, value: unknown) =>
      spawnSync("python3", [`${folder}sample.py`, `${name}.schema.json`], { input: JSON.stringify(value), encoding: "utf8" });
    for (const [name, values] of Object.entries(await samples())) {
      expect(validate(name, values.at(-1)).stdout.trim(), name).toBe("valid");
      expect(validate(name, wrong[name]).status, name).toBe(1);
    }
  });
});
