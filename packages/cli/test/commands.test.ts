import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "../src/commands.ts";
import { exitCodes } from "../src/errors.ts";
import { type Ended, run, type RunOptions } from "./_run.ts";

const config = `
store: { sqlite: rack.db }
tools:
  packs: { files: false, runtime: false }
policy:
  agents:
    support:
      tools: { deny: [echo] }
agents:
  support: { description: Answers customers }
  other: {}
  boss: {}
bundles:
  small: { description: Talks, required: [echo], optional: [nothing_of_this_name] }
`;

interface Place {
  /** Absent on a local store. */
  readonly environment?: Readonly<Record<string, string>>;
  run(words: readonly string[], options?: Partial<RunOptions>): Promise<Ended>;
}

async function configuredFolder(): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "toolrack.config.yaml"), config);
  return folder;
}

async function localPlace(): Promise<Place> {
  const folder = await configuredFolder();
  return { run: (words, options = {}) => run(words, { folder, ...options }) };
}

async function servedPlace(): Promise<Place> {
  const server = await openServer({ folder: await configuredFolder(), port: 0, consoleFolder: false });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const environment = { TOOLRACK_URL: server.url };
  const elsewhere = temporaryFolder();
  return { environment, run: (words, options = {}) => run(words, { folder: elsewhere, environment, ...options }) };
}

/** What a person writes into the store before it is looked at. */
const definition = {
  name: "dice",
  description: "Rolls a die.",
  inputSchema: { type: "object", properties: {} },
};

describe.each([
  ["a local store", localPlace],
  ["a running server", servedPlace],
  // row: I5
])("on %s", (_where, open) => {
  it("lists tools with their state and source, as a table and as JSON", async () => {
    const place = await open();
    const table = await place.run(["list"]);
    expect(table.code).toBe(0);
    expect(table.output).toMatch(/^TOOL\s+STATE\s+CATEGORY\s+SOURCE/);
    expect(table.output).toMatch(/^echo\s+ready\s/m);
    expect((await place.run(["list", "--json"])).json()).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "echo", state: "ready" })]),
    });
  });

  it("lists what one agent sees", async () => {
    const place = await open();
    const { output } = await place.run(["list", "--agent", "support"]);
    expect(output).not.toMatch(/^echo\s/m);
  });

  it("shows a tool with its parameters, and exits with 4 for one that does not exist", async () => {
    const place = await open();
    expect((await place.run(["show", "echo"])).output).toMatch(/message\s+string\s+required/);
    expect(await place.run(["show", "nowhere"])).toMatchObject({
      code: exitCodes.notFound.code,
      errors: expect.stringContaining('"nowhere"'),
    });
  });

  it("finds a tool by what is to be done, among those that the caller may use", async () => {
    const place = await open();
    const found = (await place.run(["search", "say", "something", "back", "--json"])).json() as { hits: { tool: string }[] };
    expect(found.hits.map(({ tool }) => tool)).toContain("echo");
    const hidden = (await place.run(["search", "echo", "--agent", "support", "--json"])).json() as typeof found;
    expect(hidden.hits.map(({ tool }) => tool)).not.toContain("echo");
  });

  it("calls a tool with pairs, with JSON, and with JSON from standard input", async () => {
    const place = await open();
    for (const [words, input] of [
      [["message=hello there"], ""],
      [['{"message":"hello there"}'], ""],
      [["-"], '{"message":"hello there"}'],
    ] as const) {
      expect(await place.run(["call", "echo", ...words], { input })).toMatchObject({
        code: 0,
        output: expect.stringContaining("hello there"),
      });
    }
  });

  it("says what is wrong with the input of a call, and exits with 1", async () => {
    const place = await open();
    const refused = await place.run(["call", "echo"]);
    expect(refused.code).toBe(exitCodes.failed.code);
    expect(refused.output + refused.errors).toContain("message is required");
    expect((await place.run(["call", "echo", "message"])).code).toBe(exitCodes.usage.code);
  });

  // row: E14
  it("refuses a call that the policy hides with 3, and explains it with the line of the file", async () => {
    const place = await open();
    expect((await place.run(["call", "echo", "message=x", "--agent", "support"])).code).toBe(exitCodes.refused.code);
    const explained = await place.run(["policy", "explain", "echo", "--agent", "support"]);
    expect(explained.code).toBe(exitCodes.refused.code);
    expect(explained.output).toContain("denied");
    expect(explained.output).toContain("toolrack.config.yaml:8");
    expect(explained.output).toContain("echo");
    expect((await place.run(["policy", "explain", "echo", "--agent", "other"])).code).toBe(0);
  });

  it("lists the policy with origins, simulates a change, and draws the matrix", async () => {
    const place = await open();
    expect((await place.run(["policy", "list"])).output).toMatch(/policy\.agents\.support\s+toolrack\.config\.yaml:\d+/);
    const changes = JSON.stringify({ "policy.agents.support": { tools: {} } });
    expect((await place.run(["policy", "simulate", changes])).output).toMatch(/support\s+echo/);
    expect((await place.run(["policy", "matrix"])).output).toMatch(/^echo\s.*deny/m);
    expect((await place.run(["policy", "simulate", "{"])).code).toBe(exitCodes.usage.code);
  });

  it("switches a tool off and on again", async () => {
    const place = await open();
    await place.run(["disable", "echo", "--reason", "It is being mended."]);
    expect(await place.run(["call", "echo", "message=x"])).toMatchObject({
      code: exitCodes.refused.code,
      output: expect.stringContaining("It is being mended."),
    });
    await place.run(["enable", "echo"]);
    expect((await place.run(["call", "echo", "message=x"])).code).toBe(0);
  });

  // row: F20
  it("logs calls, lists only the errors when asked, shows one, and counts them", async () => {
    const place = await open();
    await place.run(["call", "echo", "message=fine"]);
    await place.run(["call", "echo"]);
    const all = (await place.run(["calls", "--json"])).json() as { calls: { callId: string; ok: boolean }[] };
    expect(all.calls).toHaveLength(2);
    const errors = (await place.run(["calls", "--errors", "--json"])).json() as typeof all;
    expect(errors.calls.map(({ ok }) => ok)).toEqual([false]);
    expect((await place.run(["calls", all.calls[1]!.callId])).output).toContain("fine");
    expect((await place.run(["stats"])).output).toMatch(/^echo\s+2\s+0\s+0 %\s+0\s+1\s+0\s/m);
    expect(await place.run(["audit", "verify"])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Audit intact: \d+ lines[^]*cut off at the end/),
    });
    expect((await place.run(["audit", "list"])).output).toMatch(/call\s+owner\s+echo/);
  });

  it("exports for a vendor and as a grammar, and assembles what an agent is given", async () => {
    const place = await open();
    expect((await place.run(["export"])).output).toMatch(/Vendors: .*anthropic/);
    expect(JSON.parse((await place.run(["export", "anthropic"])).output)).toContainEqual(expect.objectContaining({ name: "echo" }));
    expect((await place.run(["export", "gbnf"])).output).toContain("root ::=");
    expect((await place.run(["assemble", "--agent", "other"])).output).toMatch(/tools for openai-chat, about \d+ tokens/);
    expect((await place.run(["export", "nobody"])).code).toBe(exitCodes.usage.code);
  });

  it("lists what there is when only the first word of several commands is given", async () => {
    const place = await open();
    for (const word of ["sources", "secrets", "approvals", "audit", "policy", "keys"]) {
      const { code, output } = await place.run([word, "list"]);
      expect(await place.run([word])).toMatchObject({ code, output: word === "sources" ? expect.stringContaining("packs") : output });
    }
  });

  it("lists bundles and tells what is missing of one", async () => {
    const place = await open();
    expect((await place.run(["bundles"])).output).toMatch(/^code_agent\s+5\s+3\s+built in/m);
    expect((await place.run(["bundles"])).output).toMatch(/small\s+1\s+1\s+toolrack\.config\.yaml:\d+\s+Talks/);
    expect(await place.run(["bundles", "small"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("No required tool is missing"),
    });
    expect(await place.run(["bundles", "small", "--agent", "support"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("Missing: echo"),
    });
  });

  it("sets secrets from standard input, and never shows them", async () => {
    const place = await open();
    expect((await place.run(["secrets", "set", "weather-key"], { input: "s3cr3t-value\n" })).code).toBe(0);
    const listed = await place.run(["secrets", "list"]);
    expect(listed.output).toMatch(/weather-key\s+set/);
    expect(listed.output).not.toContain("s3cr3t-value");
    expect((await place.run(["secrets", "remove", "weather-key"])).code).toBe(0);
    expect((await place.run(["secrets", "remove", "weather-key"])).code).toBe(exitCodes.notFound.code);
  });

  it("makes, lists and revokes keys", async () => {
    const place = await open();
    const made = (await place.run(["keys", "create", "boss", "--roles", "admin", "--days", "3", "--json"])).json() as {
      id: string;
      secret: string;
    };
    expect(made.secret).toMatch(/^trk_/);
    const other = await open();
    const [first, second] = [await other.run(["keys", "create", "boss"]), await other.run(["keys", "create", "boss"])];
    expect([first.output, first.errors]).toEqual([
      expect.stringMatching(/^trk_\S+\n$/),
      expect.stringMatching(/first API key: from now on, requests without a key are refused/),
    ]);
    expect(second.errors).not.toContain("first API key");
    const withKey = { ...place.environment, TOOLRACK_KEY: made.secret };
    const listed = await place.run(["keys", "list"], { environment: withKey });
    expect(listed.output).toMatch(new RegExp(`^${made.id}\\s+boss\\s+admin`, "m"));
    expect(listed.output).not.toContain(made.secret);
    // The owner of the store, or of the server on this machine, needs none.
    expect((await place.run(["keys", "list"])).code).toBe(0);
    expect((await place.run(["keys", "revoke", made.id], { environment: withKey })).code).toBe(0);
  });

  it("lints, and the doctor names each problem with its remedy", async () => {
    const place = await open();
    expect((await place.run(["lint", "--json"])).json()).toMatchObject({ findings: expect.any(Array) });
    const seen = await place.run(["doctor", "--json"]);
    expect(seen.json()).toMatchObject({ problems: expect.any(Array), tools: expect.any(Number), programs: "off" });
  });
});

describe("the history of a stored tool", () => {
  it("is listed, compared and restored, and a draft is approved with a reason", async () => {
    const folder = await configuredFolder();
    const server = await openServer({ folder, port: 0, consoleFolder: false, handlers: { dice: () => "6" } });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const author = server.rack.store.as({ owner: server.rack.store.actor.owner, agent: "author", roles: ["emitter"] });
    const draft = {
      schema_name: "tool.definition.v1",
      title: "Dice",
      tags: ["fun"],
      context: { ...definition, implementation: { kind: "local", id: "dice" } },
    };
    const first = await author.put(draft);
    expect(first.ok).toBe(true);
    const second = await author.put({ ...draft, title: "A die", version: 1 });
    expect(second.ok).toBe(true);
    const options = { folder, environment: { TOOLRACK_URL: server.url } };
    expect((await run(["history", "dice"], options)).output).toMatch(/2\s.*A die[\s\S]*1\s.*Dice/);
    expect((await run(["diff", "dice"], options)).output).toMatch(/title[\s\S]*- "Dice"[\s\S]*\+ "A die"/);
    expect((await run(["approve"], options)).output).toMatch(/dice\s+draft/);
    const stale = await run(["approve", "dice"], options);
    await author.put({ ...draft, title: "A small die", version: 2 });
    const [, old = ""] = /with: toolrack approve dice --hash (\S+) /.exec(stale.output) ?? [];
    expect(await run(["approve", "dice", "--hash", old, "--reason", "Looked at it."], options)).toMatchObject({
      code: exitCodes.failed.code,
      errors: expect.stringMatching(/changed since version 2.*title/),
    });
    const shown = await run(["approve", "dice"], options);
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining("A small die") });
    const [, hash = ""] = /with: toolrack approve dice --hash (\S+) /.exec(shown.output) ?? [];
    expect(await run(["approve", "dice", "--hash", hash, "--reason", "Looked at it."], options)).toMatchObject({
      code: 0,
      output: expect.stringContaining("approved"),
    });
    expect((await run(["approve"], options)).output).toContain("No definition is waiting");
    expect((await run(["restore", "dice", "1"], options)).output).toMatch(/as version \d+\./);
    expect(await run(["history", "nothing"], options)).toMatchObject({ code: exitCodes.notFound.code });
  });
});

describe("a source that fails after it was read", () => {
  it("shows in the list, in the doctor and among the sources, and its tools stay", async () => {
    const folder = await configuredFolder();
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    let isAway = false;
    const lamp = defineTool({ name: "lamp", description: "Switches a lamp.", inputSchema: { type: "object" }, handler: () => "on" });
    const { registry } = server.rack;
    await registry.addSource({
      id: "house",
      list() {
        if (isAway) throw new Error("The house does not answer.");
        return [lamp];
      },
    });
    const options = { folder, environment: { TOOLRACK_URL: server.url } };
    expect((await run(["list"], options)).output).toMatch(/^lamp\s+ready\s/m);
    isAway = true;
    await registry.refreshSource("house");
    expect((await run(["list"], options)).output).toMatch(/^lamp\s+source failed\s/m);
    expect((await run(["sources"], options)).output).toMatch(/^house\s.*failed.*The house does not answer\./m);
    expect((await run(["doctor"], options)).output).toContain("The house does not answer.");
  });
});

describe("the program", () => {
  it("writes a commented configuration that is valid as it is, once", async () => {
    const folder = temporaryFolder();
    const init = ["--config", "toolrack.config.yaml", "init"];
    expect((await run(init, { folder })).code).toBe(0);
    expect(await readFile(join(folder, "toolrack.config.yaml"), "utf8")).toMatch(/^# /);
    expect((await run(["list"], { folder })).code).toBe(0);
    expect((await run(init, { folder })).code).toBe(exitCodes.failed.code);
    expect((await run([...init, "--force"], { folder })).code).toBe(0);
  });

  it("names the line and the nearest key of a wrong configuration, and exits with 2", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, "toolrack.config.yaml"), "server:\n  prot: 1\n");
    const wrong = await run(["list"], { folder });
    expect(wrong).toMatchObject({ code: exitCodes.usage.code, output: "" });
    expect(wrong.errors).toContain("toolrack.config.yaml:2");
    expect(wrong.errors).toContain("port");
  });

  it("exits with 5 when the server cannot be reached, and with 2 for words that it does not know", async () => {
    const folder = temporaryFolder();
    expect(await run(["list", "--url", "http://127.0.0.1:1"], { folder })).toMatchObject({
      code: exitCodes.unreachable.code,
      errors: expect.stringContaining("toolrack serve"),
    });
    expect((await run(["list", "--url", "nonsense"], { folder })).code).toBe(exitCodes.usage.code);
    expect(await run(["lisst"], { folder })).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("list") });
  });

  it("uses colour on a terminal only, and not where NO_COLOR is set", async () => {
    const folder = temporaryFolder();
    const escape = String.fromCodePoint(27);
    expect((await run(["list"], { folder, isTerminal: true })).output).toContain(escape);
    expect((await run(["list"], { folder })).output).not.toContain(escape);
    expect((await run(["list"], { folder, isTerminal: true, environment: { NO_COLOR: "1" } })).output).not.toContain(escape);
  });

  it("completes every command in bash, zsh and fish", async () => {
    const folder = temporaryFolder();
    for (const shell of ["bash", "zsh", "fish"]) {
      const { output, code } = await run(["completion", shell], { folder });
      expect(code).toBe(0);
      for (const { name } of commands) for (const word of name.split(" ")) expect(output).toContain(word);
    }
  });

  it("serves until it is told to end, and prints where", async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    const ended = run(["serve", "--port", "0", "--json"], {
      folder,
      signal: stop.signal,
      onOutput: (text) => void ask((JSON.parse(text) as { api: string }).api),
    });
    let answered: unknown;
    async function ask(api: string): Promise<void> {
      answered = (await run(["list", "--url", new URL(api).origin, "--json"], { folder })).json();
      stop.abort();
    }
    expect((await ended).code).toBe(0);
    expect(answered).toMatchObject({ tools: expect.any(Array) });
  });

  it.each([
    [["--log-level", "loud"], '"loud" is not a log level. Use one of debug, info, warn, error, silent.'],
    [["--log-format", "xml"], '"xml" is not a log format. Use one of auto, pretty, text, json.'],
  ])("does not serve with %j", async (words, message) => {
    const { code, errors } = await run(["serve", "--port", "0", ...words], { folder: temporaryFolder() });
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });
});
