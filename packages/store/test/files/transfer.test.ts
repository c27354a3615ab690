import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createKeys } from "../../src/secrets/keys.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { exportToFolder, importFromFolder } from "../../src/files/transfer.ts";
import { definition, note, randomDefinition, written } from "../../src/testing/contract/_samples.ts";

const folders: string[] = [];
const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-files-"));
  folders.push(folder);
  return folder;
};
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe("files", () => {
  it("carry everything to an empty store with the same hashes, and the same bytes again", async () => {
    const store = createMemoryStore();
    written(await store.put(randomDefinition));
    written(await store.put(definition("other", {}, { visibility: "public", ttl: { afterMs: 9e9 } })));
    written(
      await store.put({ schema_name: "tool.config.v1", context: { tool: "random", config: { a: 1 } }, tags: ["tool:config:random"] }),
    );
    const folder = freshFolder();
    expect(await exportToFolder(store, folder)).toEqual({ written: 3, withheld: 0 });
    expect(readdirSync(folder)).toEqual(["tool-config-random.json", "tool-def-other.json", "tool-def-random.json"]);
    const copy = createMemoryStore();
    const approve = { reason: "The same team." };
    expect(await importFromFolder(copy, folder, { approve })).toEqual({ created: 3, updated: 0, unchanged: 0, problems: [] });
    const hashOf = async (of: typeof store): Promise<unknown> => (await of.get("tool-catalog"))?.context["hash"];
    expect(await hashOf(copy)).toBe(await hashOf(store));
    expect((await copy.get("tool-def-random"))?.checksum).toBe((await store.get("tool-def-random"))?.checksum);
    const second = freshFolder();
    await exportToFolder(copy, second);
    const withoutDecision = (path: string): string =>
      JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), decision: 0 });
    for (const name of readdirSync(folder)) expect(withoutDecision(join(second, name))).toBe(withoutDecision(join(folder, name)));
    expect(await importFromFolder(copy, folder, { approve })).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });

  it("change nothing the second time, and only what differs the third", async () => {
    const store = createMemoryStore();
    const folder = freshFolder();
    writeFileSync(join(folder, "all.json"), JSON.stringify([randomDefinition, definition("b")]));
    await importFromFolder(store, folder);
    const before = await store.sequence();
    expect(await importFromFolder(store, folder)).toEqual({ created: 0, updated: 0, unchanged: 2, problems: [] });
    expect(await store.sequence()).toBe(before);
    writeFileSync(join(folder, "all.json"), JSON.stringify([{ ...randomDefinition, title: "New" }, definition("b")]));
    expect(await importFromFolder(store, folder)).toMatchObject({ updated: 1, unchanged: 1 });
  });

  it("change nothing the second time where records have no id", async () => {
    const store = createMemoryStore();
    const folder = freshFolder();
    const notes = [
      { schema_name: "note.v1", title: "A", context: { n: 1 } },
      { schema_name: "note.v1", title: "B", context: { n: 1 } },
    ];
    writeFileSync(join(folder, "notes.json"), JSON.stringify(notes));
    expect(await importFromFolder(store, folder, { existing: "keep" })).toMatchObject({ created: 2 });
    expect(await importFromFolder(store, folder, { existing: "keep" })).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
      kept: 0,
      problems: [],
    });
    expect(await importFromFolder(store, folder)).toMatchObject({ created: 0, unchanged: 2 });
  });

  it("approve nothing that is wrong or cannot run: the record is left out, with the reason", async () => {
    const store = createMemoryStore();
    const { problemOf } = recordSource(store, { handlers: { random: () => 1 } });
    const folder = freshFolder();
    const wrong = definition("wrong", { examples: [{ description: "A wrong one", input: { min: "one" } }], metadata: { ownerOnly: true } });
    writeFileSync(join(folder, "all.json"), JSON.stringify([definition("random"), definition("other"), wrong]));
    const report = await importFromFolder(store, folder, { approve: { reason: "Ours.", which: "all", problemOf } });
    expect(report).toMatchObject({ created: 1 });
    expect(report.problems).toEqual([
      expect.stringMatching(/all\.json\[1\].*It cannot be approved: Tool "other": no handler "other"/),
      expect.stringMatching(/all\.json\[2\].*metadata.ownerOnly has no effect/),
    ]);
    expect(await store.get("tool-def-other")).toBeUndefined();
  });

  it("read the published examples, the text version included", async () => {
    const store = createMemoryStore();
    const folder = freshFolder();
    const config = {
      id: "openrouter",
      schema_name: "tool.config.v1",
      version: "v1.0.0",
      tags: ["tool:config", "tool:config:openrouter"],
      context: { tool: "openrouter", config: { apiKey: "secret:openrouter-api-key" } },
    };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    writeFileSync(
      join(folder, "catalog.json"),
      JSON.stringify({ schema_name: "tool.catalog.v1", title: "Tool Catalog", context: { tools: [] } }),
    );
    expect(await importFromFolder(store, folder)).toEqual({ created: 1, updated: 0, unchanged: 0, problems: [] });
    expect(await store.get("openrouter")).toMatchObject({ version: 1, semantic_version: "v1.0.0" });
  });

  it("leave wrong ones out alone, and say why", async () => {
    const store = createMemoryStore();
    const folder = freshFolder();
    const wrong: Record<string, string> = {
      "a.json": "{ not json",
      "b.json": '{"schema_name":"note.v1","context":{"a":1,"a":2}}',
      "c.json": '{"schema_name":"note.v1","context":{"big":9223372036854775807}}',
      "d.json": '{"schema_name":"tool.definition.v1","context":{"name":"x"}}',
      "e.json": "[1]",
    };
    for (const [name, text] of Object.entries(wrong)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "z.json"), JSON.stringify(note("good")));
    const report = await importFromFolder(store, folder);
    expect(report).toMatchObject({ created: 1 });
    expect(report.problems.map((problem) => problem.slice(0, 6))).toEqual(["a.json", "b.json", "c.json", "d.json", "e.json"]);
    expect(report.problems[1]).toContain("twice");
    expect(report.problems[2]).toContain("cannot be represented exactly");
  });

  // row: H10
  it("never hold secrets, nor bodies of that sensitivity", async () => {
    const store = createMemoryStore();
    const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 9) }) });
    await secrets.set("key", "pl4nted-value");
    written(await store.put(note("hidden", { sensitivity: "secret", context: { text: "pl4nted-body" } })));
    written(await store.put(note("open")));
    const folder = freshFolder();
    expect(await exportToFolder(store, folder)).toEqual({ written: 1, withheld: 2 });
    expect(readdirSync(folder)).toEqual(["open.json"]);
    await secrets.close();
  });
});
