import { describe, expect, it } from "vitest";
import { parameterRows } from "../../src/commands/_parameters.ts";
import { Refusal, runScripted, type Script } from "../_scripted.ts";

const well: Script = {
  "GET /tools": { tools: [] },
  "GET /sources": { sources: [] },
  "GET /secrets": { wanted: [] },
  "GET /settings": { problems: [] },
  "GET /lint": { findings: [] },
  "GET /policy": { warnings: [], settings: [] },
  "GET /health": { programs: "bubblewrap" },
  "GET /status": { servers: [], waiting: {}, store: { kind: "sqlite" } },
  "GET /config/pending": { restart: [] },
  "GET /approvals": { definitions: [] },
  "GET /schedules": { schedules: [] },
  "GET /triggers": { triggers: [] },
  "GET /webhooks": { webhooks: [] },
  "GET /jobs": { jobs: [] },
};

interface Report {
  readonly problems: readonly { readonly about: string; readonly problem: string; readonly remedy: string }[];
}

async function problemsOf(script: Script): Promise<Report["problems"]> {
  const ended = await runScripted(["doctor", "--json"], { ...well, ...script });
  const { problems } = ended.json() as Report;
  expect(ended.code).toBe(problems.length === 0 ? 0 : 1);
  return problems;
}

describe("the doctor", () => {
  it("says which part of a tool is off for a secret that is missing", async () => {
    const wanted = [{ name: "slack-token", tools: ["message"], uses: ['the channel "team" of message'] }];
    const { output } = await runScripted(["doctor"], { ...well, "GET /secrets": { wanted } });
    expect(output).toContain('the channel "team" of message');
    expect(output).toContain("toolrack secrets set slack-token");
  });

  it("lists the names of overlays that no admin has confirmed, with the command that does", async () => {
    const fact = 'The overlay of "calculator" (record overlay-1 v3, by cura) gives a name or groups that no admin has confirmed.';
    const problem = `${fact} Look at it, then, as an admin: toolrack overlay confirm calculator`;
    expect(await problemsOf({ "GET /settings": { problems: [problem] } })).toEqual([
      { about: "configuration", problem: fact, remedy: "toolrack overlay confirm calculator" },
    ]);
  });

  it("finds nothing where all is well, and says how programs are run", async () => {
    expect(await problemsOf({})).toEqual([]);
    expect((await runScripted(["doctor"], well)).errors.split("\n").slice(0, 5)).toEqual([
      "Checking tools …",
      "Checking sources …",
      "Checking secrets and settings …",
      "Checking definitions …",
      "Checking schedules, triggers and webhooks …",
    ]);
    for (const [programs, sentence] of [
      ["bubblewrap", "isolated by bubblewrap"],
      ["unshare", "isolated by unshare"],
      ["unconfined", "are not isolated"],
      ["off", "No built-in tool starts programs of a caller's choice"],
      ["refused", "Tools cannot start programs"],
      ["other", "Programs that tools start: other."],
    ] as const) {
      const { output } = await runScripted(["doctor"], { ...well, "GET /health": { programs } });
      expect(output).toContain(sentence);
    }
    const program = { id: "memory", kind: "mcp-stdio", state: "ready", tools: [], problems: [], origin: "x" };
    const sources = [program, { ...program, id: "off", state: "disabled" }, { ...program, id: "web", kind: "mcp-http" }];
    const { output } = await runScripted(["doctor"], { ...well, "GET /sources": { sources } });
    expect(output).toContain("Sources that run a program, with the rights of the server: memory.");
  });

  it("names what is wrong with the file, the server, the policy, sources, secrets, tools and definitions, each with its remedy", async () => {
    const pending = { message: "A change waits.", digest: "sha256:f", waiting: [] };
    expect(
      await problemsOf({
        "GET /settings": { problems: ["A fault.", "A change waits. Look.", 'Tool "x" is held. A person looks first: toolrack approve x'] },
        "GET /config/pending": { pending, restart: ["store", "tls"] },
      }),
    ).toEqual([
      { about: "configuration", problem: "A fault.", remedy: "Correct toolrack.config.yaml; see: toolrack config status" },
      { about: "configuration", problem: 'Tool "x" is held.', remedy: "toolrack approve x" },
      { about: "configuration", problem: "A change waits.", remedy: expect.stringMatching(/^toolrack --url .* config approve sha256:f$/) },
      { about: "configuration", problem: "Changed, but takes effect only after a restart: store, tls.", remedy: "Restart the server" },
    ]);
    expect(
      await problemsOf({
        "GET /health": { programs: "off", problems: ["The disk is full. Make room on it.", "Odd.", "Sources failed: x."] },
      }),
    ).toEqual([
      { about: "server", problem: "The disk is full.", remedy: "Make room on it." },
      { about: "server", problem: "Odd.", remedy: "toolrack status" },
    ]);
    const source = { id: "s", state: "failed", error: "It broke.", problems: ["x is no tool"] };
    expect(await problemsOf({ "GET /sources": { sources: [source, { id: "w", state: "waiting-for-approval", problems: [] }] } })).toEqual([
      { about: "s", problem: "It broke.", remedy: "Fix it, then run: toolrack sources refresh s" },
      { about: "s", problem: "x is no tool", remedy: "Fix or remove that definition" },
      { about: "w", problem: "it is waiting-for-approval", remedy: "toolrack sources approve w" },
    ]);
    expect(await problemsOf({ "GET /secrets": { wanted: [{ name: "key", tools: ["a", "b"] }] } })).toEqual([
      { about: "a, b", problem: 'the secret "key" is not set', remedy: "toolrack secrets set key" },
    ]);
    const findings = [
      { severity: "error", tool: "a", message: "Wrong.", fix: "Mend it." },
      { severity: "warning", tool: "b", message: "Vague.", fix: "Say more." },
    ];
    expect(await problemsOf({ "GET /lint": { findings } })).toEqual([{ about: "a", problem: "Wrong.", remedy: "Mend it." }]);
  });

  it("names definitions that wait for a person: as problems where the tool is held, else as a note", async () => {
    const held = { tool: "shop__ship", source: "mcp:shop", reason: "new", effect: "held" };
    expect(await problemsOf({ "GET /approvals": { definitions: [held, { ...held, tool: "b", reason: "changed" }] } })).toEqual([
      {
        about: "shop__ship",
        problem: "its definition is new at the source mcp:shop, and waits for a person",
        remedy: "toolrack approve shop__ship",
      },
      { about: "b", problem: "its definition has changed at the source mcp:shop, and waits for a person", remedy: "toolrack approve b" },
    ]);
    const served = await runScripted(["doctor"], { ...well, "GET /approvals": { definitions: [{ ...held, effect: "old-text" }] } });
    expect(served).toMatchObject({ code: 0 });
    expect(served.output).toContain("1 changed definition waits for a person; the tools are served meanwhile: toolrack approvals");
    expect(await problemsOf({ "GET /approvals": new Refusal(403, { detail: "no" }) })).toEqual([]);
  });

  it("names what runs by itself and was paused by the server, and webhooks whose messages do not arrive", async () => {
    const health = { state: "healthy" };
    const stopped = { pausedBy: "server", reason: "Its key has ended.", health };
    const all = (id: string) => [
      { id: "well", health },
      { id: "by hand", pausedBy: "caller", reason: "Paused by anna.", health: { state: "failing" } },
      { id, ...stopped },
    ];
    const failing = [
      { id: "lost", health: { state: "failing", lastError: "It answered 500." } },
      { id: "odd", health: { state: "failing" } },
    ];
    expect(
      await problemsOf({
        "GET /schedules": { schedules: all("daily") },
        "GET /triggers": { triggers: all("on $") },
        "GET /webhooks": { webhooks: [...all("crm"), ...failing] },
      }),
    ).toEqual([
      {
        about: "schedule daily",
        problem: "it is paused: Its key has ended.",
        remedy: "Fix it, then run: toolrack schedules resume daily. Or remove it: toolrack schedules remove daily",
      },
      {
        about: "trigger on $",
        problem: "it is paused: Its key has ended.",
        remedy: "Fix it, then run: toolrack triggers resume 'on $'. Or remove it: toolrack triggers remove 'on $'",
      },
      {
        about: "webhook crm",
        problem: "it is paused: Its key has ended.",
        remedy: "Fix it, then run: toolrack hooks resume crm. Or remove it: toolrack hooks remove crm",
      },
      { about: "webhook lost", problem: "its messages do not arrive: It answered 500.", remedy: "toolrack hooks deliveries lost" },
      { about: "webhook odd", problem: "its messages do not arrive: they fail", remedy: "toolrack hooks deliveries odd" },
    ]);
    const refusal = new Refusal(403, { detail: "no" });
    const parts = ["GET /schedules", "GET /triggers", "GET /webhooks", "GET /jobs"];
    expect(await problemsOf(Object.fromEntries(parts.map((part) => [part, refusal])))).toEqual([]);
  });

  it("notes dead jobs, which are no problem of the server", async () => {
    const toldOf = async (count: number) => {
      const ended = await runScripted(["doctor"], { ...well, "GET /jobs": { jobs: Array.from({ length: count }, () => ({ id: "j" })) } });
      expect(ended).toMatchObject({ code: 0, asked: expect.arrayContaining(["GET /jobs?state=dead&limit=100"]) });
      return ended.output.split("\n").find((line) => line.includes("dead"));
    };
    expect(await toldOf(0)).toBeUndefined();
    expect(await toldOf(1)).toBe("1 job is dead, all tries failed: toolrack jobs dead");
    expect(await toldOf(99)).toBe("99 jobs are dead, all tries failed: toolrack jobs dead");
    expect(await toldOf(100)).toBe("100 jobs or more are dead, all tries failed: toolrack jobs dead");
  });

  it("leaves the file to those who may read it, and hands on every other failure", async () => {
    expect(await problemsOf({ "GET /config/pending": new Refusal(403, { detail: "no" }) })).toEqual([]);
    const broken = await runScripted(["doctor"], { ...well, "GET /config/pending": new Refusal(500, { detail: "Broken." }) });
    expect(broken).toMatchObject({ code: 1, errors: expect.stringContaining("Broken.") });
  });
});

describe("toolrack policy list", () => {
  it("prints rules, warnings and what each agent may use", async () => {
    const listed = await runScripted(["policy", "list"], {
      "GET /policy": {
        settings: [{ key: "policy.tools", origin: "file", value: { deny: ["x"] } }],
        warnings: [{ message: "Nothing matches x." }],
      },
      "GET /policy/matrix": { tools: ["a", "b", "c", "d"], rows: [{ agent: "ada", cells: "aa?-" }, { cells: "x---" }] },
    });
    expect(listed.output).toMatch(/policy\.tools +file +\{"deny":\["x"\]\}/);
    expect(listed.output).toContain("Nothing matches x.");
    expect(listed.output).toMatch(/^ada +2 +1 +1 +0$/m);
    expect(listed.output).toMatch(/^\(unknown\) +0 +0 +3 +1$/m);
    const none = await runScripted(["policy", "list"], {
      "GET /policy": { settings: [], warnings: [] },
      "GET /policy/matrix": { tools: [], rows: [] },
    });
    expect(none.output).toContain("No rules: every caller may use every tool.");
  });
});

describe("toolrack assemble", () => {
  it("prints what was lost and what could not be exported, and fails for the latter", async () => {
    const exported = {
      text: "x".repeat(9),
      names: { a: "a", b: "b" },
      losses: [{ tool: "a", path: "/x", note: "lost" }],
      diagnostics: [{ tool: "b", message: "broken", severity: "error" }],
    };
    const failed = await runScripted(["assemble", "--target", "anthropic", "--agent", "ada", "--json"], {
      "GET /exports/anthropic": exported,
    });
    expect(failed).toMatchObject({ code: 1, asked: ['GET /exports/anthropic?runAs={"agent":"ada"}'] });
    expect(failed.json()).toMatchObject({ target: "anthropic", tools: ["a", "b"], characters: 9, tokens: 3 });
    const shown = await runScripted(["assemble"], { "GET /exports/openai-chat": { ...exported, diagnostics: [] } });
    expect(shown.code).toBe(0);
    expect(shown.output).toContain("a/x: lost");
    expect((await runScripted(["assemble"], { "GET /exports/openai-chat": exported })).output).toContain("b: broken");
  });
});

describe("the parameters of a tool", () => {
  it("are shown with the types that they may have", () => {
    const rows = parameterRows({
      type: "object",
      properties: {
        a: { anyOf: [{ type: "string" }, { type: "number" }] },
        b: { oneOf: [{ type: "boolean" }, { type: "null" }] },
        c: { type: ["string", "null"] },
        d: { type: "array", items: { type: "string" }, default: [] },
        e: { type: "array" },
        f: { enum: ["1", "2", "3", "4", "5", "6", "7"] },
        g: { const: "x" },
        h: {},
      },
      required: ["a"],
    });
    expect(rows.map(([name]) => name)).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
    expect(rows.slice(3).map(([, type]) => type)).toEqual(["string[]", "any[]", "1|2|3|4|5|6|…", '"x"', "any"]);
    expect(rows.map(([, , need]) => need)).toEqual(["required", "", "", "= []", "", "", "", ""]);
    expect(rows[0]![1]).toMatch(/string.*number/);
    expect(rows[1]![1]).toMatch(/boolean.*null/);
    expect(rows[2]![1]).toMatch(/string.*null/);
  });
});

describe("the doctor of a cluster", () => {
  const server = {
    name: "one-abcdef",
    status: "active",
    config: "same",
    differs: [],
    configDigest: "3f9a0c51",
    sources: { states: { ready: 2 }, down: [] },
  };
  const pools = [{ source: "gpu", workers: 2, slots: 16, running: 3 }];
  const status = {
    servers: [
      { ...server, pools },
      { ...server, name: "two-ghijkl", configDigest: "8ab1120c" },
    ],
    jobs: { waiting: 3, running: 1, done: 0, dead: 0, cancelled: 0 },
    waiting: { oldestJobMs: 250_000 },
    store: { kind: "postgres", bytes: 2_500_000_000 },
  };

  it("says in two lines what all servers have: configurations, jobs that wait, the store, workers", async () => {
    const { output, code } = await runScripted(["doctor"], { ...well, "GET /status": status });
    expect(code).toBe(0);
    expect(output).toContain(
      "2 servers with 2 different configurations, 3 jobs waiting (the oldest has been due for 4m), a store of 2.5 GB: toolrack status\n" +
        "Workers of gpu: 2, with 3 of 16 slots in use (seen by abcdef)\n",
    );
    const ended = await runScripted(["doctor", "--json"], { ...well, "GET /status": status });
    expect(ended.json()).toMatchObject({
      cluster: { servers: [{ name: "one-abcdef" }, { name: "two-ghijkl" }], storeBytes: 2_500_000_000 },
    });
  });

  it("is left out for those who may not see it", async () => {
    const refused = new Refusal(403, { detail: "no" });
    const ended = await runScripted(["doctor", "--json"], { ...well, "GET /status": refused });
    expect(ended.code).toBe(0);
    expect(ended.json()).not.toHaveProperty("cluster");
  });
});
