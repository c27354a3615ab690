import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

const folder = temporaryFolder();
const note = defineTool({ name: "note", description: "Notes.", inputSchema: { type: "object" }, handler: ({ title }) => `noted ${title}` });
let server: Awaited<ReturnType<typeof openServer>>;

beforeAll(async () => {
  const config = { store: { memory: true }, policy: { unknownAgents: "allow" } } as const;
  server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent", config, tools: [note] });
  for (let index = 0; index < 130; index++)
    await server.rack.registry.invoke("note", { title: `${index}\u001b[31m` }, { caller: { agent: "=ann" } });
});
afterAll(() => server.close());

const run = (words: readonly string[], isTerminal = false): Promise<Ended> =>
  runCommand(words, { folder, environment: { TOOLRACK_URL: server.url, TOOLRACK_KEY: server.rack.ownerToken.text }, isTerminal });

describe("toolrack calls and audit list", () => {
  it("print all of it as lines of JSON or CSV, of a range of time, over a socket", async () => {
    const lines = (await run(["calls", "--format", "ndjson", "--tool", "note"])).output.trimEnd().split("\n");
    expect(lines).toHaveLength(130);
    expect(JSON.parse(lines[0]!)).toMatchObject({ tool: "note", input: { title: "129\u001b[31m" } });
    const table = (await run(["calls", "--since", "1h", "--format", "csv"])).output.split("\r\n");
    expect(table).toHaveLength(132);
    expect(table[1]).toContain(`"'=ann"`);
    expect((await run(["calls", "--until", "1h", "--format", "csv"])).output.split("\r\n")).toHaveLength(2);
    expect((await run(["calls", "--format", "ndjson", "--limit", "3"])).output.trimEnd().split("\n")).toHaveLength(3);
    const audit = (await run(["audit", "list", "--kind", "call", "--since", "2h", "--format", "ndjson"])).output;
    expect(audit.trimEnd().split("\n")).toHaveLength(130);
    expect((await run(["calls", "--until", "1h"])).output).toContain("No calls match.");
    expect((await run(["audit", "list", "--until", "1h"])).output).toContain("no line in this range of time");
    expect((await run(["calls", "--since", "1h"])).output.trimEnd().split("\n")).toHaveLength(22);
  });

  it("print nothing that a terminal would obey", async () => {
    const shown = (await run(["calls", "--format", "csv", "--limit", "2"], true)).output;
    expect(shown).toContain("note");
    expect(shown).not.toContain("\u001b");
  });

  it("fail, and say so, where the answer breaks off", async () => {
    const { calls } = server.rack;
    const { list } = calls;
    const broken = vi
      .spyOn(calls, "list")
      .mockImplementationOnce((query) => list(query))
      .mockRejectedValueOnce(new Error("The disk is gone."));
    const ended = await run(["calls", "--format", "ndjson"]);
    broken.mockRestore();
    expect([ended.code === 0, ended.errors]).toEqual([false, expect.stringContaining("broke while it answered")]);
  });

  it.each([
    [["calls", "--format", "xml"], "--format must be csv or ndjson"],
    [["calls", "--format", "csv", "--json"], "exclude each other"],
    [["calls", "c1", "--format", "csv"], "--format is for lists"],
    [["calls", "--since", "yesterday"], 'since is "yesterday". Write a time with its offset'],
    [["audit", "list", "--until", "tomorrow", "--format", "csv"], 'until is "tomorrow"'],
  ])("refuse %j", async (words, sentence) => {
    const ended = await run(words);
    expect([ended.code, ended.output + ended.errors]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
