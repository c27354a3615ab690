import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type ToolDefinition, type ToolMetadata } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

const config = `
store: { sqlite: rack.db }
tools:
  packs: { files: false, runtime: false, utility: false, sessions: false }
policy:
  agents:
    support:
      tools: { deny: [lamp], ask: [siren] }
agents:
  support: {}
  other: {}
`;

function toolOf(name: string, metadata: ToolMetadata, properties: Record<string, object> = {}): ToolDefinition {
  return defineTool({
    name,
    description: `Works the ${name}.`,
    inputSchema: { type: "object", properties },
    metadata,
    handler: () => name,
  });
}

const tools = [
  toolOf(
    "lamp",
    {
      category: "utility",
      examples: [{ description: "Brighter", input: { level: 7 }, output: { levels: [7] }, usage: "result.levels[0]" }],
      limits: { timeoutMs: 1_000, concurrency: 2 },
    },
    { level: { type: "integer", description: "How bright." } },
  ),
  toolOf("siren", { category: "communication" }),
  toolOf(
    "broken",
    { examples: [{ description: "Wrong", input: { level: "high" } }] },
    { level: { type: "integer", description: "How high." } },
  ),
  toolOf("hungry", {
    limits: { timeoutMs: 1_500, concurrency: 2, maxResultBytes: 2_000 },
    needs: {
      memoryMb: 256,
      hosts: ["api.example.com", "*.example.org"],
      files: { read: ["data"], write: ["out/\u001b[2J"] },
      programs: ["git"],
      permissions: ["calendar.write"],
    },
  }),
  toolOf("stuck", { requiresCapabilities: ["env:TOOLRACK_TEST_NEVER_SET"] }),
  toolOf("locked", { secrets: ["lamp-key"] }),
  toolOf("dimmer", { configSchema: { type: "object", properties: { brightness: { type: "integer" }, room: { type: "string" } } } }),
  toolOf("picky", {}, { code: { type: "string", not: { enum: ["none"] }, description: "A code." } }),
];

/** One server for all: no test here changes what another one looks at. */
describe("what commands tell", () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let run: (...words: string[]) => Promise<Ended>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolrack-tell-"));
    await writeFile(join(folder, "toolrack.config.yaml"), config);
    server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    const { registry, calls } = server.rack;
    await registry.addSource({ id: "house", list: () => tools });
    for (const [index, durationMs] of [250, 250, 250, 900].entries()) {
      const meta = { callId: `kept-${index}`, tool: "lamp", durationMs };
      const caller = { agent: index === 3 ? "support" : "other" };
      await calls.record({ ...meta, input: {}, caller, startedAt: Date.now(), result: { ok: true, content: "on", meta } });
    }
    for (const index of [0, 1, 2]) {
      const meta = { callId: `siren-${index}`, tool: "siren", durationMs: 10 };
      const result =
        index === 0
          ? ({ ok: false, error: "It broke.", code: "TOOL_FAILED", status: 500, retryable: false, meta } as const)
          : ({ ok: true, content: "on", meta } as const);
      await calls.record({ ...meta, input: {}, caller: { agent: "other" }, startedAt: Date.now() - 60_000, result });
    }
    run = (...words) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });
  });
  afterAll(async () => {
    await server.close({ graceMs: 0 });
    await rm(folder, { recursive: true, force: true });
  });

  it("lint names the tool, what is wrong with it and the fix, and fails for an error", async () => {
    const { code, output } = await run("lint", "broken");
    expect(code).toBe(1);
    expect(output).toMatch(/^broken {2}error {2}.*example/im);
    const { findings } = (await run("lint", "--json")).json() as { findings: { tool: string; path: string; fix: string }[] };
    const found = findings.find(({ tool }) => tool === "broken");
    expect(found?.path).toContain("examples");
    expect(found?.fix).toMatch(/\w/);
  });

  // row: C19
  it("the doctor finds what is missing and what is wrong, with the remedy of each", async () => {
    const { code, output } = await run("doctor");
    expect(code).toBe(1);
    expect(output).toMatch(/^stuck\s.*needs "env:TOOLRACK_TEST_NEVER_SET"[^]*Set the environment variable/m);
    expect(output).toMatch(/^locked\s.*the secret "lamp-key" is not set[^]*toolrack secrets set lamp-key/m);
    expect(output).toMatch(/^broken\s/m);
    const { problems } = (await run("doctor", "--json")).json() as { problems: { about: string; remedy: string }[] };
    expect(problems.map(({ about }) => about)).toEqual(expect.arrayContaining(["stuck", "locked", "broken"]));
    for (const { remedy } of problems) expect(remedy).toMatch(/\w/);
  });

  // row: F10, A11
  it("show prints the examples as commands, with their output and how to read it, and the wrappers", async () => {
    const { output } = await run("show", "lamp");
    expect(output).toMatch(/EXAMPLES\n\s+Brighter\n\s+toolrack call lamp '\{"level":7\}'/);
    expect(output).toMatch(/gives +\{"levels":\[7\]\}\n +read with +result\.levels\[0\]/);
    expect(output).toMatch(/WRAPPERS .*concurrency/);
  });

  // row: A18
  it("show prints the limits as enforced, and what the tool declares to need as declared, not enforced", async () => {
    const { output } = await run("show", "hungry");
    expect(output).toMatch(/^LIMITS \(enforced\)\n {2}timeout +1\.50 s\n {2}concurrent calls +2\n {2}result size +2000 bytes$/m);
    expect(output).toMatch(
      /^NEEDS \(declared, not enforced\)\n {2}memory +256 MB\n {2}hosts +api\.example\.com, \*\.example\.org\n {2}reads files +data\n {2}writes files +out\/.*\n {2}programs +git\n {2}permissions +calendar\.write$/m,
    );
    expect(output).not.toContain("\u001b[2J");
    expect((await run("show", "siren")).output).not.toMatch(/NEEDS|LIMITS/);
    expect((await run("show", "hungry", "--json")).json()).toMatchObject({
      needs: { status: "declared, not enforced", memoryMb: 256, files: { read: ["data"] } },
    });
  });

  it("stats prints typical durations, for the hours that are asked for", async () => {
    expect((await run("stats")).output).toMatch(/^lamp\s+4\s+0\s+0 %\s+0\s+0\s+0\s+250 ms\s+900 ms\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
    expect((await run("stats", "--hours", "1")).output).toMatch(/^lamp\s+4\s/m);
    expect((await run("stats", "--hours", "0")).output).toContain("No calls in this period.");
  });

  // row: F28
  it("stats prints the share of failed calls and the time of the last one, as the log of calls has them", async () => {
    const { tools } = (await run("stats", "--json")).json() as { tools: { tool: string; errorRate: number; lastUsed: string }[] };
    const siren = tools.find(({ tool }) => tool === "siren")!;
    const { calls } = (await run("calls", "--tool", "siren", "--json")).json() as { calls: { ok: boolean; startedAt: number }[] };
    expect(siren.errorRate).toBeCloseTo(calls.filter(({ ok }) => !ok).length / calls.length);
    expect(Date.parse(siren.lastUsed)).toBeGreaterThanOrEqual(Math.max(...calls.map(({ startedAt }) => startedAt)));
    const shown = siren.lastUsed.slice(0, 19).replace("T", " ");
    expect((await run("stats")).output).toMatch(new RegExp(`^siren\\s+3\\s+1\\s+33 %.*\\s${shown}$`, "m"));
  });

  // row: F20
  it("calls prints who called, and how long it took", async () => {
    const { output } = await run("calls");
    expect(output).toMatch(/lamp\s+support\s+ok\s+900 ms\s+kept-3/);
    expect(output).toMatch(/lamp\s+other\s+ok\s+250 ms\s+kept-0/);
    expect((await run("calls", "--agent", "support")).output).not.toContain("kept-0");
    expect((await run("calls", "kept-3")).output).toMatch(/lamp\s+support\s+ok\s+900 ms/);
  });

  it("assemble shows what this caller is given, and no other", async () => {
    const of = async (agent: string): Promise<string> => (await run("assemble", "--agent", agent)).output;
    expect(await of("other")).toMatch(/^ {2}lamp$/m);
    expect(await of("support")).not.toMatch(/^ {2}lamp$/m);
    expect(await of("support")).toMatch(/^ {2}siren$/m);
  });

  // row: I12
  it("assemble --trace prints the seven stages with the number of tools after each, and why tools were removed", async () => {
    const { output, code } = await run("assemble", "--agent", "support", "--model", "gpt-5", "--trace");
    expect(code).toBe(0);
    const rows = [...output.matchAll(/^(base|runtime|model|own|channel|policy|wrappers) +(\d+)/gm)];
    expect(rows.map(([, stage]) => stage)).toEqual(["base", "runtime", "model", "own", "channel", "policy", "wrappers"]);
    const shown = [...output.matchAll(/^ {2}[a-z_]+$/gm)].length;
    expect(rows.slice(-2).map(([, , count]) => Number(count))).toEqual([shown, shown]);
    expect(output).toMatch(/^ {2}policy removes lamp: .*agents\.support\.tools\.deny/m);
    const { trace } = (await run("assemble", "--agent", "support", "--trace", "--json")).json() as {
      trace: { stage: string; count: number }[];
    };
    expect(trace.map(({ stage }) => stage)).toEqual(rows.map(([, stage]) => stage));
    expect((await run("assemble", "--agent", "support", "--json")).json()).not.toHaveProperty("trace");
  });

  // row: G6
  it("export tells on the error stream how many constraints were lost", async () => {
    const { errors, output } = await run("export", "gemini");
    expect(errors).toMatch(/[1-9]\d* schema constraints? could not be exported; --json lists them\./);
    expect(output).not.toContain("could not be exported");
    const { losses } = (await run("export", "gemini", "--json")).json() as { losses: { tool: string }[] };
    expect(losses.map(({ tool }) => tool)).toContain("picky");
  });

  it("audit list shows one kind of entry where one is asked for", async () => {
    await server.rack.audit({ kind: "secret-read", subject: "lamp-key", by: "test", body: {} } as never);
    const kindsOf = async (...words: string[]): Promise<Set<string>> => {
      const { lines } = (await run("audit", "list", "--json", ...words)).json() as { lines: { kind: string }[] };
      return new Set(lines.map(({ kind }) => kind));
    };
    expect(await kindsOf()).toContain("call");
    expect([...(await kindsOf("--kind", "secret-read"))]).toEqual(["secret-read"]);
    expect([...(await kindsOf("--kind", "call"))]).toEqual(["call"]);
  });

  it("list shows one category, one source, one state", async () => {
    const namesOf = async (...words: string[]): Promise<string[]> =>
      ((await run("list", "--json", ...words)).json() as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(await namesOf("--category", "communication")).toEqual(["siren"]);
    expect(await namesOf("--all", "--source", "house", "--state", "unavailable")).toEqual(["stuck"]);
    expect(await namesOf("--all", "--source", "house", "--state", "needs-configuration")).toEqual(["locked"]);
    expect(await namesOf("--all", "--source", "house")).toEqual(tools.map(({ name }) => name));
  });

  it("policy list counts what each agent may use, asks for, is denied and lacks", async () => {
    const { output } = await run("policy", "list");
    const matrix = (await run("policy", "matrix", "--json")).json() as { rows: { agent?: string; cells: string }[] };
    const { cells } = matrix.rows.find(({ agent }) => agent === "support")!;
    const counts = ["a", "?", "-", "x"].map((letter) => cells.split(letter).length - 1);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(output).toMatch(new RegExp(`^support\\s+${counts.join("\\s+")}$`, "m"));
  });

  it("config saves what it is given, beside what was saved before", async () => {
    expect((await run("config", "dimmer", "brightness=5")).output).toMatch(/^brightness\s+5$/m);
    await run("config", "dimmer", "room=hall");
    expect((await run("config", "dimmer", "--json")).json()).toMatchObject({ values: { brightness: 5, room: "hall" } });
    expect(await server.rack.configs.get("dimmer")).toMatchObject({ brightness: 5, room: "hall" });
    expect((await run("config", "dimmer", '{"room":"attic"}', "--json")).json()).toMatchObject({ values: { room: "attic" } });
    await run("config", "dimmer", "--remove");
    expect((await run("config", "dimmer", "--json")).json()).toMatchObject({ values: {} });
  });
});
