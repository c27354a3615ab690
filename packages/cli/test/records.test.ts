import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

const note = (id: string, text = id): object => ({ id, schema_name: "note.v1", title: id, tags: [], context: { text } });
const definition = {
  schema_name: "tool.definition.v1",
  title: "Weather",
  tags: ["tool"],
  context: {
    name: "weather",
    description: "Tells the weather of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    implementation: { kind: "http", endpoint: "https://weather.example.com/now", method: "POST" },
  },
};

/** Without tools that need a secret, for which the server would write a record of its own. */
const projectFolder = (): string => temporaryFolder({ "toolrack.config.yaml": "tools: { packs: { utility: false, sessions: false } }\n" });

/** A folder of record files, as a person would keep it in a repository. */
function recordFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value, null, 2));
  return folder;
}

const hashes = async (folder: string): Promise<unknown> => {
  const { tools } = (await run(["list", "--all", "--source", "records", "--json"], { folder })).json() as {
    tools: { name: string; hash: string; state: string }[];
  };
  return tools.map(({ name, hash, state }) => [name, hash, state]);
};

describe("H25: toolrack records", () => {
  // row: H25
  it("export, wipe, import: the records and the hashes of the tools are the same, and so are the files of a second export", async () => {
    const first = projectFolder();
    const source = recordFolder({ "a.json": [note("one"), note("two")], "weather.json": definition });
    expect((await run(["bootstrap", source], { folder: first })).code).toBe(0);
    const files = join(first, "exported");
    const exported = await run(["records", "export", files, "--json"], { folder: first });
    expect([exported.code, exported.json()]).toMatchObject([0, { written: 3, withheld: 0 }]);
    expect(readdirSync(files).sort()).toEqual(["one.json", "tool-def-weather.json", "two.json"]);

    const second = projectFolder();
    const imported = await run(["records", "import", files, "--approve", "Moved to another machine", "--json"], { folder: second });
    expect([imported.code, imported.json()]).toMatchObject([0, { created: 3, updated: 0, problems: [] }]);
    expect(await hashes(second)).toEqual(await hashes(first));
    expect(await hashes(second)).toMatchObject([["weather", expect.any(String), "ready"]]);
    const again = join(second, "again");
    await run(["records", "export", again], { folder: second });
    const withoutDecision = (path: string): object => ({ ...(JSON.parse(readFileSync(path, "utf8")) as object), decision: 0 });
    for (const name of readdirSync(files)) expect(withoutDecision(join(again, name))).toEqual(withoutDecision(join(files, name)));
    const repeated = await run(["records", "import", files], { folder: second });
    expect(repeated.output).toContain("0 created, 0 updated, 3 unchanged");
  });

  it("an import without --approve leaves definitions as drafts, and says so", async () => {
    const folder = projectFolder();
    const { code, output } = await run(["records", "import", recordFolder({ "weather.json": definition })], { folder });
    expect(code).toBe(0);
    expect(output).toContain("--approve");
    expect(await hashes(folder)).toEqual([]);
  });

  it("an export refuses a folder that is not empty, and writes nothing", async () => {
    const folder = projectFolder();
    const target = recordFolder({ "old.json": note("old") });
    const ended = await run(["records", "export", target], { folder });
    expect([ended.code, readdirSync(target)]).toEqual([exitCodes.usage.code, ["old.json"]]);
    expect(ended.errors).toContain("is not empty");
  });

  it("hostile and wrong files are refused with file and line, each alone", async () => {
    const folder = projectFolder();
    const source = recordFolder({
      "a-good.json": note("good"),
      "b-syntax.json": '{\n  "schema_name": "note.v1",\n  "context": {,}\n}',
      "c-twice.json": '{\n  "schema_name": "note.v1",\n  "context": { "a": 1,\n    "a": 2 }\n}',
      "d-number.json": '{\n\n  "schema_name": "note.v1", "context": { "n": 90071992547409931 } }',
      "e-deep.json": `{ "schema_name": "note.v1",\n "context": { "x": ${"[".repeat(5_000)}${"]".repeat(5_000)} } }`,
      "f-list.json":
        '[\n  { "id": "fine", "schema_name": "note.v1", "context": {} },\n  { "context": {} },\n  { "schema_name": "tool.secret.v1",\n    "context": { "name": "x" } }\n]',
      "h-cut.json": '{\n  "schema_name": "note.v1",\n  "context": {',
    });
    writeFileSync(
      join(source, "g-bytes.json"),
      Buffer.concat([Buffer.from('{\n"schema_name": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    );
    mkdirSync(join(source, "i-folder.json"));
    symlinkSync("/etc/hostname", join(source, "j-link.json"));
    const ended = await run(["records", "import", source, "--json"], { folder });
    const { created, problems } = ended.json() as { created: number; problems: string[] };
    expect([ended.code, created]).toEqual([exitCodes.failed.code, 2]);
    expect(problems.map((problem) => /^[\w.[\]-]+(?: \(line \d+\))?/.exec(problem)?.[0]).sort()).toEqual([
      "b-syntax.json (line 3)",
      "c-twice.json (line 4)",
      "d-number.json (line 3)",
      "e-deep.json (line 2)",
      "f-list.json[1] (line 3)",
      "f-list.json[2] (line 4)",
      "g-bytes.json (line 2)",
      "h-cut.json (line 3)",
      "i-folder.json",
      "j-link.json",
    ]);
    const text = await run(["records", "import", source], { folder });
    expect(text.code).toBe(exitCodes.failed.code);
    expect(text.output).toContain("f-list.json[1] (line 3): A record is an object with a schema_name.");
  });

  it("more records than one request takes, and records that are large, all arrive", async () => {
    const folder = projectFolder();
    const many = Array.from({ length: 110 }, (_, index) => note(`n${index}`));
    const large = Array.from({ length: 3 }, (_, index) => note(`large${index}`, "x".repeat(900_000)));
    const ended = await run(["records", "import", recordFolder({ "many.json": many, "large.json": large }), "--json"], { folder });
    expect([ended.code, ended.json()]).toMatchObject([0, { created: 113, problems: [] }]);
    const files = join(folder, "out");
    expect((await run(["records", "export", files, "--json"], { folder })).json()).toMatchObject({ written: 113 });
    expect(readdirSync(files)).toHaveLength(113);
  });

  it("a path that does not exist is a mistake of the caller", async () => {
    const folder = projectFolder();
    for (const words of [["records", "import"], ["bootstrap"]]) {
      const ended = await run([...words, "nowhere"], { folder });
      expect([ended.code, ended.errors]).toEqual([exitCodes.usage.code, expect.stringContaining("nowhere")]);
    }
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});

describe("H24: toolrack bootstrap", () => {
  // row: H24
  it("creates and approves what the files have, keeps what was changed here, and changes nothing the second time", async () => {
    const folder = projectFolder();
    const source = recordFolder({ "notes.json": [note("one"), note("two")], "weather.json": definition });
    const first = await run(["bootstrap", source], { folder });
    expect([first.code, first.output]).toEqual([0, expect.stringContaining("3 created")]);
    expect(await hashes(folder)).toMatchObject([["weather", expect.any(String), "ready"]]);
    const history = async (id: string): Promise<string> => (await run(["history", id, "--json"], { folder })).output;
    const before = new Map([
      ["one", await history("one")],
      ["tool-def-weather", await history("tool-def-weather")],
    ]);
    writeFileSync(join(source, "notes.json"), JSON.stringify([note("one", "changed in the file"), note("two")]));
    const second = await run(["bootstrap", source, "--json"], { folder });
    expect([second.code, second.json()]).toMatchObject([0, { created: 0, updated: 0, unchanged: 2, kept: 1 }]);
    for (const id of ["one", "tool-def-weather"]) expect(await history(id)).toBe(before.get(id));
  });
});
