import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ImportLimits, readRecordFiles, writeRecordFiles } from "../../src/files/folder.ts";
import { readPlainFile } from "../../src/files/read-plain-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolrack-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(path: string, limits?: ImportLimits): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const file of readRecordFiles(path, limits)) found.push("problem" in file ? file.problem : file.values.length);
  return found;
}

describe("a folder of records", () => {
  it("is made where it is missing, and has a file for each, the same bytes for the same record", async () => {
    const inner = join(folder, "a", "b");
    const record = { id: "x/y z", title: "T", context: { b: 1, a: [] } } as never;
    await writeRecordFiles([record], inner);
    await writeRecordFiles([record], inner);
    expect(readdirSync(inner)).toEqual(["x%2fy%20z.json"]);
    expect(readFileSync(join(inner, "x%2fy%20z.json"), "utf8")).toBe(
      '{\n  "context": {\n    "a": [],\n    "b": 1\n  },\n  "id": "x/y z",\n  "title": "T"\n}\n',
    );
  });

  it("is read by the names of its files, each with what it holds or why it is left out", async () => {
    writeFileSync(join(folder, "b.json"), "[{}, {}]");
    writeFileSync(join(folder, "a.json"), "{}");
    writeFileSync(join(folder, "c.txt"), "{}");
    symlinkSync(join(folder, "a.json"), join(folder, "d.json"));
    mkdirSync(join(folder, "e.json"));
    expect(await read(folder)).toEqual([1, 2, "d.json is a link, and links are not followed.", "e.json is not an ordinary file."]);
    expect([await read(join(folder, "b.json")), await read(join(folder, "c.txt"))]).toEqual([[2], [1]]);
  });

  it("is read within its limits: files, bytes of one, records of all", async () => {
    writeFileSync(join(folder, "a.json"), "[{}, {}]");
    writeFileSync(join(folder, "b.json"), "[{}]");
    expect(await read(folder, { maxFiles: 2, maxFileBytes: 8, maxRecords: 3 })).toEqual([2, 1]);
    await expect(read(folder, { maxFiles: 1 })).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message: "The folder has 2 files, and 1 are imported at once. Import a part of them.",
    });
    expect(await read(folder, { maxFileBytes: 7 })).toEqual(["a.json has 8 bytes, and at most 7 are read. Split it.", 1]);
    expect(await read(folder, { maxRecords: 2 })).toEqual([
      2,
      "b.json is left out: with it there would be more than 2 records. Import it alone.",
    ]);
    expect(await read(folder, { maxRecords: 1 })).toEqual([
      "a.json is left out: with it there would be more than 1 records. Import it alone.",
      1,
    ]);
  });

  it("says on which line a file is no UTF-8", async () => {
    writeFileSync(join(folder, "a.json"), Buffer.from([0x7b, 0x0a, 0xff, 0x0a, 0x7d]));
    writeFileSync(join(folder, "b.json"), Buffer.from([0x7b, 0x0a, 0x7d, 0x0a, 0xff]));
    const [first, last] = (await read(folder)) as string[];
    expect([first, last]).toEqual([expect.stringMatching(/\b2\b/), expect.stringMatching(/\b3\b/)]);
  });
});

describe("a plain file", () => {
  it("is read whole up to its limit, and refused with the reason", async () => {
    const path = join(folder, "f");
    writeFileSync(path, "12345");
    expect(Buffer.from(await readPlainFile(path, 5, "F")).toString()).toBe("12345");
    for (const [act, code, message] of [
      [() => readPlainFile(path, 4, "F"), "RECORD_TOO_LARGE", "F has 5 bytes, and at most 4 are read. Split it."],
      [() => readPlainFile(join(folder, "none"), 4, "F"), "RECORD_INVALID", "F cannot be read: ENOENT."],
      [() => readPlainFile(folder, 4, "F"), "RECORD_INVALID", "F is not an ordinary file."],
    ] as const)
      await expect(act()).rejects.toMatchObject({ code, message });
  });
});
