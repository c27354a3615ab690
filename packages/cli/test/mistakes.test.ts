import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openServer, starterConfig } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Ended, run } from "./_run.ts";
import { runScripted } from "./_scripted.ts";

async function folderWith(config: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ "toolrack.config.yaml": config, ...files })) await writeFile(join(folder, name), text);
  return folder;
}

const plain = "agents: { support: {}, other: {} }\nbundles: { research: { description: Reads, required: [echo, web_search] } }\n";

describe("a mistake in the words", () => {
  it.each([
    [["call", "random", "--timeout", "abc"], '--timeout must be a whole number of milliseconds, from 1 to 3600000, but it is "abc".'],
    [["call", "random", "--timeout", "1.5"], '--timeout must be a whole number of milliseconds, from 1 to 3600000, but it is "1.5".'],
    [["calls", "--limit", "many"], '--limit must be a whole number, from 1 to 500, but it is "many".'],
    [["calls", "--before", "-1"], '--before must be a whole number, at least 1, but it is "-1".'],
    [["audit", "--limit", ""], '--limit must be a whole number, from 1 to 1000, but it is "".'],
    [["stats", "--hours", "x"], '--hours must be a number of hours, from 0 to 100000, but it is "x".'],
    [["keys", "create", "support", "--days", "soon"], '--days must be a number, from 0.001 to 36500, but it is "soon".'],
    [["search", "dice", "--limit", "0"], '--limit must be a whole number, from 1 to 100, but it is "0".'],
    [["restore", "greet", "latest"], 'The version must be a whole number, at least 1, but it is "latest".'],
    [["diff", "greet", "one", "two"], 'The first version must be a whole number, at least 1, but it is "one".'],
    [["history", "greet", "--limit", "x"], '--limit must be a whole number, from 1 to 1000, but it is "x".'],
    [["approvals", "--limit", "500"], '--limit must be a whole number, from 1 to 200, but it is "500".'],
  ])("%j: the number is named, and nothing is asked", async (words, sentence) => {
    const ended = await runScripted(words, {});
    expect(ended).toMatchObject({ code: 2, asked: [], errors: `${sentence}\n` });
  });

  it.each([
    [["policy", "expain", "random"], 'There is no command "toolrack policy expain". Did you mean "toolrack policy explain"?'],
    [["keys", "creat", "support"], 'Did you mean "toolrack keys create"?'],
    [["approvals", "aprove", "x"], 'Did you mean "toolrack approvals approve"?'],
    [["sources", "lst"], 'Did you mean "toolrack sources list"?'],
    [["secrets", "nonsense"], "The commands of secrets are list, set, remove, rewrap; see: toolrack secrets --help"],
    [["lst"], "Did you mean list?"],
    [["call", "random", "--agnet", "x"], "Did you mean --agent?"],
    [["list", "--al"], "Did you mean --all?"],
  ])("%j: the nearest command or flag is suggested", async (words, sentence) => {
    const ended = await runScripted(words, {});
    expect(ended).toMatchObject({ code: 2, asked: [], output: "", errors: expect.stringContaining(sentence) });
  });

  it("in the name of the configuration file is told as that, with the nearest file", async () => {
    const folder = await folderWith(plain);
    for (const words of [["list"], ["doctor"], ["serve", "--port", "0"]]) {
      const ended = await run(["--config", "toolrack.confg.yaml", ...words], { folder });
      expect(ended.code).toBe(2);
      expect(ended.errors).toMatch(/^There is no configuration file .*toolrack\.confg\.yaml\. Did you mean "toolrack\.config\.yaml"\? /);
      expect(ended.errors).not.toContain("ENOENT");
    }
    const other = await run(["--config", "nosuch.yaml", "list"], { folder });
    expect(other.errors).toMatch(/nosuch\.yaml\. Check the name, or create the file with: toolrack --config nosuch\.yaml init\n$/);
  });
});

describe("a name that nothing has", () => {
  async function place(): Promise<(...words: string[]) => Promise<Ended>> {
    const folder = await folderWith(plain);
    return (...words) => run(words, { folder });
  }

  it("of a source, a category, a state or a bundle is refused, instead of an empty list", async () => {
    const command = await place();
    expect(await command("list", "--source", "everything")).toMatchObject({
      code: 4,
      output: "",
      errors: expect.stringMatching(/^There is no source "everything"\. Known are .*packs.*List them with: toolrack sources list\n$/),
    });
    expect((await command("list", "--source", "pack")).errors).toContain('Did you mean "packs"?');
    expect((await command("list", "--category", "utilty")).errors).toContain('There is no category "utilty". Did you mean "utility"?');
    expect((await command("list", "--state", "redy")).errors).toContain('There is no state "redy". Did you mean "ready"?');
    for (const words of [
      ["list", "--bundle", "reserch"],
      ["bundles", "reserch"],
    ])
      expect(await command(...words)).toMatchObject({
        code: 4,
        errors: 'There is no bundle "reserch". Did you mean "research"? List them with: toolrack bundles\n',
      });
    // A state that no tool is in is no mistake.
    expect((await command("list", "--state", "deprecated")).code).toBe(0);
  });

  it("of a tool or an agent: the nearest is suggested", async () => {
    const command = await place();
    for (const words of [
      ["show", "randm"],
      ["disable", "randm"],
      ["lint", "randm"],
      ["config", "randm"],
    ])
      expect(await command(...words)).toMatchObject({
        code: 4,
        errors: expect.stringContaining('There is no tool "randm". Did you mean "random"?'),
      });
    expect((await command("config", "staus")).errors).toBe('There is no tool "staus". Did you mean "toolrack config status"?\n');
    expect((await command("call", "randm")).output).toContain('Did you mean "random"?');
    expect((await command("policy", "explain", "randm")).output).toContain("Did you mean `random`?");
    expect((await command("calls", "--tool", "randoms")).errors).toContain('There is no tool "randoms" now. Did you mean "random"?');
    expect((await command("calls", "--agent", "suport")).errors).toContain('There is no agent "suport" now. Did you mean "support"?');
    for (const words of [["list"], ["search", "dice"], ["show", "random"], ["export", "anthropic"]])
      expect((await command(...words, "--agent", "suport")).errors).toContain('Did you mean "support"?');
    expect((await command("call", "random", "--agent", "suport")).output).toContain('Did you mean "support"?');
    expect((await command("keys", "create", "suport")).errors).toContain('Did you mean "support"?');
  });

  it("of a record or a version of it is told as what it is", async () => {
    const folder = await folderWith(plain);
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const command = (...words: string[]): Promise<Ended> => run(words, { folder, environment: { TOOLRACK_URL: server.url } });
    expect(await command("restore", "x", "99")).toMatchObject({
      code: 4,
      errors: 'There is no stored tool or record "x". Tools defined in code have no revisions.\n',
    });
    const context = { name: "greet", description: "Greets.", inputSchema: { type: "object" } };
    await server.rack.store.put({ id: "tool-def-greet", schema_name: "tool.definition.v1", title: "Greet", context } as never);
    expect((await command("restore", "greett", "99")).errors).toContain('Did you mean "greet"?');
    expect(await command("restore", "greet", "99")).toMatchObject({
      code: 4,
      errors: '"greet" has no version 99: it has only version 1. List them with: toolrack history greet\n',
    });
  });
});

describe("a list of a bundle", () => {
  it("says how many of its tools are missing, and how to see which", async () => {
    const ended = await run(["list", "--bundle", "research"], { folder: await folderWith(plain) });
    expect(ended.output).toMatch(/^echo\s/m);
    expect(ended.errors).toContain("1 tool of the bundle is not available. To see which: toolrack bundles research");
  });
});

describe("a pack that is on, and brings no tool since it is not set up", () => {
  it.each(["true", "{}", "{ channels: {} }"])("is named by the doctor with the setting that mends it: messages: %s", async (options) => {
    const folder = await folderWith(`store: { sqlite: rack.db }\ntools: { packs: { messages: ${options}, publish: true } }\n`);
    const ended = await run(["doctor", "--json"], { folder });
    expect(ended.code).toBe(1);
    expect((ended.json() as { problems: unknown }).problems).toEqual([
      {
        about: "configuration",
        problem: 'The pack "messages" is on, but brings no tool: it is not set up.',
        remedy: "Set tools.packs.messages.channels in toolrack.config.yaml, and restart the server.",
      },
    ]);
  });
});

describe("an untouched starter file", () => {
  it("has nothing wrong with it: the doctor ends well, and says what built-in tools need to be used", async () => {
    const folder = await folderWith(starterConfig());
    const ended = await run(["doctor"], { folder });
    expect(ended).toMatchObject({ code: 0, output: expect.stringContaining("no problems found") });
    expect(ended.output).toContain(
      'To use openrouter: the secret "openrouter-api-key" is not set. toolrack secrets set openrouter-api-key',
    );
    const { problems, optional } = (await run(["doctor", "--json"], { folder })).json() as {
      problems: unknown[];
      optional: { about: string }[];
    };
    expect(problems).toEqual([]);
    expect(optional.map(({ about }) => about)).toEqual(["openrouter"]);
  });

  it("has nothing to lint: built-in tools are checked where one is named, or with --all", async () => {
    const folder = await folderWith(starterConfig());
    expect(await run(["lint", "--run-examples"], { folder })).toMatchObject({ code: 0, output: "0 tools, no findings.\n" });
    expect((await run(["lint", "random"], { folder })).output).toMatch(/^1 tool/);
    expect((await run(["lint", "--all"], { folder })).output).toMatch(/\d\d tools, \d+ findings/);
  });
});

describe("what serve prints", () => {
  async function bannerIn(folder: string): Promise<Ended> {
    const ending = new AbortController();
    return run(["serve", "--port", "0", "--log-level", "silent"], {
      folder,
      signal: ending.signal,
      onOutput: (text) => text.includes("Ctrl-C") && ending.abort(),
    });
  }

  const tool = (name: string, more = ""): string =>
    `{ name: "${name}", description: "Says ${name}.", inputSchema: { type: "object", properties: {} }, ${more} handler: () => "${name}" }`;

  it("tells one's own tools from the built-in ones, and how to try what there is", async () => {
    const config = "tools: { modules: [./mine.mjs], packs: { files: false } }\n";
    const { output } = await bannerIn(await folderWith(config, { "mine.mjs": `export default [${tool("add")}, ${tool("greet")}];` }));
    expect(output).toMatch(/^Toolrack is serving 2 tools of yours \(add, greet\) and \d+ built-in tools\.$/m);
    expect(output).toMatch(/call random min=1 max=6$/m);
    const alone = "tools: { modules: [./mine.mjs], packs: { files: false, utility: false, sessions: false } }\n";
    const without = await bannerIn(await folderWith(alone, { "mine.mjs": `export default [${tool("add")}];` }));
    expect(without.output).toMatch(/^Toolrack is serving 1 tool of yours \(add\)/m);
    expect(without.output).not.toContain("call random");
    expect(without.output).toMatch(/show add$/m);
  });

  it("names the tools of a module that were left out, and why", async () => {
    const config = "tools: { modules: [./mine.mjs], packs: { files: false } }\n";
    const mine = `export default [${tool("add")}, { name: "broken tool", description: "x", inputSchema: { type: "object" } }];`;
    const { output, errors } = await bannerIn(await folderWith(config, { "mine.mjs": mine }));
    expect(output + errors).toContain("Not everything is served; see: toolrack doctor");
    expect(output + errors).toMatch(/mine\.mjs.*broken tool/);
  });
});

describe("explain", () => {
  it("does not say that no rule restricts a tool whose calls a rule holds up", async () => {
    const folder = await folderWith("policy: { tools: { ask: [random] } }\nagents: { support: {} }\n");
    const { output } = await run(["policy", "explain", "random", "--agent", "support"], { folder });
    expect(output).toMatch(/^random {2}asks\n`random` is allowed; each call needs a person's approval because of `random` in tools\.ask/);
    expect(output).not.toContain("no rule restricts it");
    expect((await run(["policy", "explain", "echo", "--agent", "support"], { folder })).output).toBe(
      "echo  allowed\n`echo` is allowed: no rule restricts it.\n",
    );
  });
});

describe("progress of a call", () => {
  it("keeps its text while only the numbers change, and names the tool", async () => {
    const frames = [
      ["progress", { message: "Reading files", progress: 1, total: 3 }],
      ["progress", { progress: 2, total: 3 }],
      ["result", { ok: true, content: "done", meta: { durationMs: 1, callId: "c1" } }],
    ] as const;
    const stream = frames.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    const { errors } = await runScripted(["call", "slow"], { "POST /tools/slow/call": stream });
    expect(errors.split("\n").slice(0, 2)).toEqual(["slow: 1/3 Reading files", "slow: 2/3 Reading files"]);
  });
});

describe("the answer of a call", () => {
  const result = (content: string) =>
    `event: result\ndata: ${JSON.stringify({ ok: true, content, meta: { durationMs: 1, callId: "c1" } })}\n\n`;

  it("is laid out in a terminal if it is JSON, and comes as it is in a pipe", async () => {
    const script = { "POST /tools/t/call": result('{"a":[1,2]}') };
    expect((await runScripted(["call", "t"], script)).output).toBe('{"a":[1,2]}\n');
    const shown = await runScripted(["call", "t"], script, { isTerminal: true, environment: { NO_COLOR: "1" } });
    expect(shown.output).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}\n');
    expect((await runScripted(["call", "t"], script, { isTerminal: true })).output).toContain("\u001b[");
    expect((await runScripted(["call", "t"], script, { environment: { FORCE_COLOR: "1" } })).output).toBe('{"a":[1,2]}\n');
  });

  it("S6: has no control sequences of the tool, in a terminal and in a pipe", async () => {
    for (const content of ["\u001b[2Jtext\u009b", '{"a":"\u009b31m\u202e"}'])
      for (const isTerminal of [true, false]) {
        const { output } = await runScripted(
          ["call", "t"],
          { "POST /tools/t/call": result(content) },
          { isTerminal, environment: { NO_COLOR: "1" } },
        );
        expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      }
  });
});

describe("the rate of errors in stats", () => {
  it.each([
    [0, "0 %"],
    [0.001, "<1 %"],
    [0.004_9, "<1 %"],
    [0.005, "1 %"],
    [0.333, "33 %"],
    [0.995, ">99 %"],
    [0.999_9, ">99 %"],
    [1, "100 %"],
  ])("%d is shown as %s: what is neither none nor all is never shown as such", async (errorRate, shown) => {
    const row = { tool: "lamp", calls: 1_000, errors: 1, errorRate, p50Ms: 1, p95Ms: 2, lastUsed: "2026-01-02T03:04:05.000Z" };
    const { output } = await runScripted(["stats"], { "GET /usage": { tools: [row] } });
    expect(output.split("\n")[1]!.split(/\s{2,}/)[3]).toBe(shown);
  });
});

describe("a name in the policy that no tool has", () => {
  it("is told by the doctor also where it applies only sometimes, with the nearest name", async () => {
    const lines = [
      "policy:",
      "  phases: { deliver: [echo, rnadom] }",
      "  sandbox: { tools: { deny: [ehco] } }",
      "agents: { support: {} }",
      "",
    ];
    const { output, code } = await run(["doctor", "--json"], { folder: await folderWith(lines.join("\n")) });
    expect(code).toBe(1);
    const { problems } = JSON.parse(output) as { problems: { about: string; problem: string }[] };
    expect(problems).toMatchObject([
      { about: "policy: phases.deliver", problem: expect.stringMatching(/"rnadom" \(did you mean "random"\?\)/i) as string },
      { about: "policy: sandbox.tools.deny", problem: expect.stringMatching(/"ehco" \(did you mean "echo"\?\)/i) as string },
    ]);
  });
});

describe("which server is used", () => {
  async function serve(): Promise<{ readonly folder: string; readonly url: string }> {
    const folder = await folderWith(plain);
    const ending = new AbortController();
    let url = "";
    const served = run(["serve", "--port", "0", "--json", "--log-level", "silent"], {
      folder,
      signal: ending.signal,
      onOutput: (text) => (url = (JSON.parse(text) as { url: string }).url),
    });
    onTestFinished(async () => {
      ending.abort();
      await served;
    });
    await until(() => url !== "");
    return { folder, url };
  }

  it("is said in a terminal where none was named: the one of this folder, or that one runs elsewhere", async () => {
    const { folder, url } = await serve();
    const isTerminal = true;
    const own = await run(["list"], { folder, isTerminal });
    expect(own.errors).toContain(`Using the server at ${url}, which runs with ${join(folder, "toolrack.config.yaml")}.`);
    expect(own.errors.split("Using the server")).toHaveLength(2);
    const records = await run(["calls"], { folder, isTerminal });
    expect(records.errors).toContain(`Using the server at ${url}`);
    const elsewhere = await run(["list"], { folder: temporaryFolder(), isTerminal });
    expect(elsewhere.errors).toContain("No server runs for this folder, so its own store is used.");
    expect(elsewhere.errors).toContain(`A server runs at ${url} with ${join(folder, "toolrack.config.yaml")}; to use it: --url ${url}`);
    const named = await run(["--url", url, "list"], { folder, isTerminal });
    expect(named.errors).not.toMatch(/Using the server|runs at/);
  });

  it("is not said in a pipe, unless --verbose asks for it", async () => {
    const { folder, url } = await serve();
    expect((await run(["list"], { folder })).errors).toBe("");
    expect((await run(["list", "--json"], { folder, isTerminal: true })).errors).toBe("");
    expect((await run(["--verbose", "list", "--json"], { folder })).errors).toContain(`Using the server at ${url}`);
  });
});
