import { beforeAll, describe, expect, it } from "vitest";
import { runScripted } from "../_scripted.ts";

const explanation = { sentences: ["Nothing hides it."] };

describe("toolrack show", () => {
  const tool = { name: "lamp", description: "Sets a lamp.", state: "ready", source: "tools", inputSchema: { type: "object" }, explanation };
  const shown = async (more: object): Promise<readonly string[]> =>
    (await runScripted(["show", "lamp"], { "GET /tools/lamp": { ...tool, ...more } })).output.split("\n");

  it("prints what there is to say of a bare tool, and no title over nothing", async () => {
    expect(await shown({ wrappers: [], metadata: {}, needs: { status: "declared, not enforced" } })).toEqual([
      "lamp  ready",
      "Sets a lamp.",
      "from tools",
      "",
      "No parameters.",
      "",
      "Nothing hides it.",
      "",
    ]);
  });

  it("prints every part of a tool that has all of them, in this order", async () => {
    const whole = {
      version: "1.2.0",
      category: "home",
      tags: ["light", "dim"],
      state: "unavailable",
      reason: "It needs a bulb.",
      inputSchema: { type: "object", properties: { level: { type: "integer", description: "How bright." } }, required: ["level"] },
      metadata: {
        examples: [{ description: "It's on", input: { who: "it's" }, output: { ok: true }, usage: "result.ok" }, { input: { level: 1 } }],
        limits: { timeoutMs: 1_500, concurrency: 2, maxResultBytes: 10 },
      },
      needs: {
        status: "declared, not enforced",
        memoryMb: 5,
        hosts: ["a.example", "b.example"],
        files: { read: ["in"], write: ["out"] },
        programs: ["git"],
        permissions: ["lamp.write"],
      },
      wrappers: ["timeout", "retry"],
    };
    expect(await shown(whole)).toEqual([
      "lamp 1.2.0  unavailable",
      "Sets a lamp.",
      "It needs a bulb.",
      "home · from tools · light · dim",
      "",
      "PARAMETER  TYPE               DESCRIPTION",
      "level      integer  required  How bright.",
      "",
      "EXAMPLES",
      "  It's on",
      `  toolrack call lamp '{"who":"it'\\''s"}'`,
      '    gives      {"ok":true}',
      "    read with  result.ok",
      "  ",
      `  toolrack call lamp '{"level":1}'`,
      "",
      "LIMITS (enforced)",
      "  timeout           1.50 s",
      "  concurrent calls  2",
      "  result size       10 bytes",
      "",
      "NEEDS (declared, not enforced)",
      "  memory        5 MB",
      "  hosts         a.example, b.example",
      "  reads files   in",
      "  writes files  out",
      "  programs      git",
      "  permissions   lamp.write",
      "",
      "WRAPPERS timeout › retry",
      "",
      "Nothing hides it.",
      "",
    ]);
    expect(await shown({ metadata: { limits: { timeoutMs: false } } })).toContain("  timeout  none");
  });

  it("asks as the caller that is named, and says that an unknown agent sees nothing", async () => {
    const warnings = [
      { kind: "unknown-agent", message: "No agent is named adda." },
      { kind: "other", message: "Something else." },
    ];
    const script = { "GET /tools/lamp": tool, "GET /policy/view": { warnings } };
    const facts = ["--agent", "adda", "--provider", "p", "--model", "m", "--channel", "c", "--group", "g", "--sender", "s"];
    const asked = await runScripted(["show", "lamp", ...facts], script);
    const caller = { agent: "adda", provider: "p", model: "m", channel: "c", group: "g", sender: "s" };
    const whole = JSON.stringify(caller);
    expect(asked.asked).toEqual([`GET /policy/view?caller=${whole}`, `GET /tools/lamp?runAs=${whole}`]);
    expect(asked.errors).toBe("No agent is named adda.\n");
    const forProgram = await runScripted(["show", "lamp", "--agent", "adda", "--json"], script);
    expect([forProgram.asked, forProgram.errors]).toEqual([['GET /tools/lamp?runAs={"agent":"adda"}'], ""]);
  });
});

describe("toolrack stats", () => {
  it("prints shares that are never rounded to none or all", async () => {
    const row = {
      calls: 1_000,
      errors: 1,
      refused: 4,
      invalid: 3,
      denied: 2,
      p50Ms: 5,
      p95Ms: 1_500,
      lastUsed: "2026-11-15T06:00:00.000Z",
    };
    const rates = [0, 0.001, 0.333, 0.999, 1];
    const tools = rates.map((errorRate, index) => ({ ...row, tool: `t${index}`, errorRate, errors: index }));
    const { output } = await runScripted(["stats"], { "GET /usage": { tools } });
    expect(output.split("\n").slice(0, 6)).toEqual([
      "TOOL  CALLS  ERRORS  ERROR RATE  REFUSED  INVALID  DENIED  P50     P95     LAST USED",
      "t0    1000   0       0 %         4        3        2       5.0 ms  1.50 s  2026-11-15 06:00:00",
      "t1    1000   1       <1 %        4        3        2       5.0 ms  1.50 s  2026-11-15 06:00:00",
      "t2    1000   2       33 %        4        3        2       5.0 ms  1.50 s  2026-11-15 06:00:00",
      "t3    1000   3       >99 %       4        3        2       5.0 ms  1.50 s  2026-11-15 06:00:00",
      "t4    1000   4       100 %       4        3        2       5.0 ms  1.50 s  2026-11-15 06:00:00",
    ]);
  });
});

describe("toolrack assemble --trace", () => {
  it("prints what each stage did, and why", async () => {
    const stage = { added: [], removed: [], refused: [], wrapped: [] };
    const stages = [
      { ...stage, stage: "sources", count: 2, added: ["a", "b"], refused: [{ reason: "It has no name." }] },
      { ...stage, stage: "policy", count: 1, removed: [{ name: "b", reason: "It is denied." }], wrapped: ["a"] },
      { ...stage, stage: "limits", count: 1 },
    ];
    const exported = { text: "12345", names: { a: "a" }, losses: [], diagnostics: [] };
    const { output } = await runScripted(["assemble", "--trace"], { "GET /exports/openai-chat": exported, "GET /assembly": { stages } });
    expect(output.split("\n")).toEqual([
      "STAGE    TOOLS  CHANGE",
      "sources  2      2 added, 1 refused",
      "policy   1      1 removed, 1 wrapped, 1/2 allowed",
      "limits   1",
      "  sources refuses a tool: It has no name.",
      "  policy removes b: It is denied.",
      "",
      "1 tool for openai-chat, about 2 tokens:",
      "  a",
      "",
    ]);
  });
});

describe("toolrack serve", () => {
  // The command loads all of the server, which may take longer than a test.
  beforeAll(() => import("@toolrack/server"));

  it.each([
    [["--socket", "t.sock", "--host", "127.0.0.1"], "--socket replaces --host and --port. Use one or the other."],
    [["--socket", "t.sock", "--port", "0"], "--socket replaces --host and --port. Use one or the other."],
    [["--port", "65536"], '"65536" is not a port. Use a number from 0 to 65535.'],
    [["--port", "1.5"], '"1.5" is not a port. Use a number from 0 to 65535.'],
    [["--port", "-1"], '"-1" is not a port. Use a number from 0 to 65535.'],
  ])("does not begin with %j", async (words, message) => {
    const { code, errors } = await runScripted(["serve", ...words], {});
    expect([code, errors]).toEqual([2, `${message}\n`]);
  });

  it.each(["0.0.0.0", "192.168.1.5", "tools.example.com", "127.0.0.1.evil.example"])("--follow of dev is not for %s", async (host) => {
    const { code, errors } = await runScripted(["dev", "--host", host], {});
    expect([code, errors]).toEqual([2, expect.stringContaining(`"${host}" can be reached from other machines`)]);
  });
});

describe("toolrack export openapi", () => {
  const operation = "GET /agents/ann/openapi.json";
  const document = (count: number, url: string): object => ({
    openapi: "3.1.0",
    servers: [{ url }],
    paths: Object.fromEntries(Array.from({ length: count }, (_, index) => [`/tools/t${index}/call`, {}])),
  });

  it("prints the document of the agent, and notes what platforms refuse", async () => {
    const few = await runScripted(["export", "openapi", "--agent", "ann", "--bundle", "desk"], {
      [operation]: document(2, "https://a.example"),
    });
    expect(few.code).toBe(0);
    expect(few.asked).toContain(`${operation}?bundle=desk`);
    expect(JSON.parse(few.output)).toEqual(document(2, "https://a.example"));
    expect(few.errors).not.toContain("operations");
    const many = await runScripted(["export", "openapi", "--agent", "ann"], { [operation]: document(31, "http://127.0.0.1:7333") });
    expect(many.errors).toContain("has 31 operations; ChatGPT takes 30");
    expect(many.errors).toContain("HTTPS");
  });

  it("asks for the agent", async () => {
    expect(await runScripted(["export", "openapi"], {})).toMatchObject({ code: 2, asked: [] });
  });
});
