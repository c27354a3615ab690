import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportToFolder, importFromFolder } from "../../src/files/transfer.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "toolrack-bombs-"));
  folder = join(parent, "target");
  mkdirSync(folder);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const record = (more: object = {}): string => JSON.stringify(note("n", more));

describe("files that were made to harm", () => {
  it("S34: a file that is nested too deeply, at any place, is left out alone", async () => {
    const store = createMemoryStore();
    const deep = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);
    put("a.json", deep(200_000, "[", "]"));
    put("b.json", `{"schema_name":"note.v1","context":{"a":${deep(100, "[", "]")}}}`);
    put("c.json", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    put("d.json", record());
    const report = await importFromFolder(store, folder);
    expect(report).toMatchObject({ created: 1 });
    expect(report.problems).toEqual([
      expect.stringMatching(/a\.json .*nested/),
      expect.stringMatching(/b\.json .*nested/),
      expect.stringMatching(/c\.json .*nested/),
    ]);
  });

  it("S34: more bytes, files or records than the limits are not taken in", async () => {
    const store = createMemoryStore();
    put("a.json", record({ context: { text: "x".repeat(5_000) } }));
    put("b.json", JSON.stringify([note("one"), note("two"), note("three")]));
    put("c.json", JSON.stringify([note("four"), note("five")]));
    const report = await importFromFolder(store, folder, { maxFileBytes: 4_000, maxRecords: 4 });
    expect(report).toMatchObject({ created: 3 });
    expect(report.problems).toEqual([
      expect.stringMatching(/^a\.json has \d+ bytes/),
      expect.stringMatching(/^c\.json .*more than 4 records/),
    ]);
    await expect(importFromFolder(store, folder, { maxFiles: 2 })).rejects.toMatchObject({ code: "RECORD_INVALID" });
    put("d.json", record({ context: { text: "x".repeat(2_000_000) } }));
    expect((await importFromFolder(store, folder)).problems).toEqual([expect.stringContaining("d.json")]);
  });

  it("S34: a link and a pipe among the files are not read", async () => {
    const store = createMemoryStore();
    writeFileSync(join(parent, "outside.json"), record({ context: { text: "from outside" } }));
    symlinkSync("../outside.json", join(folder, "a.json"));
    execFileSync("mkfifo", [join(folder, "b.json")]);
    mkdirSync(join(folder, "c.json"));
    const report = await importFromFolder(store, folder);
    expect(report).toMatchObject({ created: 0 });
    expect(report.problems).toEqual([
      expect.stringContaining("a.json is a link"),
      expect.stringContaining("b.json is not an ordinary file"),
      expect.stringContaining("c.json is not an ordinary file"),
    ]);
  });

  it("S34: keys that mean something to JavaScript, and texts that make patterns explode, are data", async () => {
    const store = createMemoryStore();
    put("a.json", '{"schema_name":"note.v1","id":"p","context":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}');
    put("b.json", record({ id: "long", context: { text: `${"\\".repeat(200_000)}"` } }));
    await importFromFolder(store, folder);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await store.get("long"))?.context["text"]).toHaveLength(200_001);
  });

  it("S34: whatever a file holds, the import answers, and goes on with the next", async () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 200, unit: "binary" }),
      fc.json({ maxDepth: 6 }),
      fc.json().map((value) => `{"schema_name":"note.v1","context":${value}}`),
      fc
        .record({ id: fc.string(), schema_name: fc.string(), tags: fc.anything(), context: fc.anything() })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const store = createMemoryStore();
        put("a.json", text);
        put("z.json", record());
        const { problems, created } = await importFromFolder(store, folder);
        expect(problems.every((problem) => problem.length < 5_000)).toBe(true);
        expect(created).toBeGreaterThanOrEqual(1);
        expect(await store.get("n")).toBeDefined();
      }),
      { numRuns: 100 },
    );
    expect(readdirSync(parent)).toEqual(["target"]);
  });

  it("S34: an id cannot name a file outside of the folder, and no link there is written through", async () => {
    const store = createMemoryStore();
    const ids = ["a/../../outside", "a/b", "a..", "c:d", "a/../../../../../../../../tmp/outside"];
    for (const id of ids) written(await store.put(note(id)));
    writeFileSync(join(parent, "victim.txt"), "before");
    symlinkSync("../victim.txt", join(folder, "a%2fb.json"));
    symlinkSync("../victim.txt", join(folder, "a%2fb.json.part"));
    const report = await exportToFolder(store, folder).catch((error: unknown) => error);
    expect(readdirSync(parent).toSorted()).toEqual(["target", "victim.txt"]);
    expect(report).toMatchObject({ written: ids.length });
    expect(readFileSync(join(parent, "victim.txt"), "utf8")).toBe("before");
    expect(existsSync(join(tmpdir(), "outside.json"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toHaveLength(ids.length);
  });
});
