import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openRack, openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

const base = "store: { memory: true }\nagents:\n  support: {}\npolicy:\n  tools: { deny: [random] }\n";
const docs = 'sources:\n  docs: { url: "http://127.0.0.1:1/mcp" }\n';
const program = fileURLToPath(new URL("../../server/test/rack/programs/mcp-server.mjs", import.meta.url));

type Server = Awaited<ReturnType<typeof openServer>>;

/** A server in a folder of its own, and what is logged by it. */
async function start(
  text = base,
  host = "127.0.0.1",
): Promise<{ folder: string; server: Server; warnings: string[]; save(text: string): Promise<void> }> {
  const folder = temporaryFolder();
  const file = join(folder, "toolrack.config.yaml");
  writeFileSync(file, text);
  const warnings: string[] = [];
  const nothing = (): void => undefined;
  const log = { debug: nothing, info: nothing, error: nothing, warn: (line: string) => void warnings.push(line) };
  const server = await openServer({ folder, port: 0, host, consoleFolder: false, log });
  onTestFinished(() => server.close({ graceMs: 0 }));
  async function save(next: string): Promise<void> {
    writeFileSync(file, next);
    await server.rack.settings.reload();
  }
  return { folder, server, warnings, save };
}

describe("commands in the folder of a server that runs", () => {
  it("show and approve what waits on that server, without --url", async () => {
    const { folder, server, save } = await start();
    expect(await run(["config", "status"], { folder })).toMatchObject({ code: 0, output: expect.stringContaining("is in force") });
    await save(base + docs);
    const status = await run(["config", "status"], { folder });
    expect(status).toMatchObject({ code: exitCodes.failed.code, output: expect.stringContaining("sources.docs.url") });
    expect((await run(["doctor"], { folder })).output).toMatch(
      /wait for approval: sources\.docs\.\s.*toolrack --url \S+ config approve \w{64}/,
    );
    const [, shown = ""] = /config approve (\w{64})/.exec(status.output) ?? [];
    expect(await run(["config", "approve", shown], { folder })).toMatchObject({
      code: 0,
      output: expect.stringContaining("Approved and in force: sources.docs."),
    });
    expect(server.rack.sources.list().map(({ id }) => id)).toContain("docs");
  });

  it("work as the server's log and the status print them, in any folder", async () => {
    const { warnings, server, save } = await start();
    const elsewhere = temporaryFolder();
    await save(base + docs);
    const line = warnings.find((text) => text.includes("wait for approval"))!;
    const words = /with: toolrack (.*)$/.exec(line)![1]!.split(" ");
    const status = await run(words, { folder: elsewhere });
    expect(status.output).toContain("sources.docs.url");
    const approve = /with: toolrack (.*)$/m.exec(status.output)![1]!.split(" ");
    expect((await run(approve, { folder: elsewhere })).code).toBe(0);
    expect(server.rack.sources.list().map(({ id }) => id)).toContain("docs");
  });

  it("find the server through a link to its folder, and one that listens on every address", async () => {
    const key = "signIn:\n  jwt: { issuer: i, audience: a, jwksFile: keys.json }\n";
    const folder = temporaryFolder();
    writeFileSync(join(folder, "keys.json"), '{ "keys": [] }');
    writeFileSync(join(folder, "toolrack.config.yaml"), base + key);
    const server = await openServer({ folder, port: 0, host: "0.0.0.0", consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const link = join(temporaryFolder(), "link");
    symlinkSync(folder, link);
    const status = await run(["config", "status", "--json"], { folder: link });
    expect(status.json()).toMatchObject({ server: `http://127.0.0.1:${server.port}`, problems: [] });
  });

  it("say that no server runs where none does, and that nothing can wait", async () => {
    const { folder, server } = await start();
    await server.close({ graceMs: 0 });
    expect(await run(["config", "status"], { folder })).toMatchObject({
      code: 0,
      output: expect.stringContaining("No server for this folder is running"),
    });
    expect((await run(["config", "status", "--json"], { folder })).json()).toEqual({ server: null, problems: [], restart: [] });
    expect(await run(["config", "approve"], { folder })).toMatchObject({
      code: exitCodes.refused.code,
      errors: expect.stringContaining("No server for this folder is running"),
    });
    expect((await run(["open"], { folder })).code).toBe(exitCodes.usage.code);
  });

  it("ask which one is meant where two run", async () => {
    const { folder, server } = await start();
    const second = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => second.close({ graceMs: 0 }));
    const refused = await run(["config", "status"], { folder });
    expect(refused.code).toBe(exitCodes.usage.code);
    for (const { url } of [server, second]) expect(refused.errors).toContain(url);
    expect((await run(["config", "status", "--url", second.url], { folder })).code).toBe(0);
  });

  it("print nothing but the link on standard output, so that a browser can be given it", async () => {
    const { folder, server } = await start();
    const { output, errors, code } = await run(["open"], { folder });
    expect(code).toBe(0);
    expect(output).toMatch(/^http:\S+#sign-in=\S+\n$/);
    expect(output.startsWith(server.url)).toBe(true);
    expect(errors).toContain("can be used once");
  });
});

describe("a change that needs a restart", () => {
  it("is told by the status, as text and as JSON, and by the doctor", async () => {
    const { folder, save } = await start();
    await save(`${base}limits: { timeoutMs: 5000 }\n`);
    const status = await run(["config", "status"], { folder });
    expect(status).toMatchObject({ code: 0, output: expect.stringContaining("Takes effect after a restart of the server: limits.") });
    expect(status.output).not.toContain("is in force.");
    expect((await run(["config", "status", "--json"], { folder })).json()).toMatchObject({ problems: [], restart: ["limits"] });
    const doctor = await run(["doctor"], { folder });
    expect(doctor.output).toMatch(/after a restart: limits\.\s+Restart the server/);
  });

  it("is named apart from what an approval put in force", async () => {
    const { folder, save } = await start();
    await save(`${base}${docs}limits: { timeoutMs: 5000 }\n`);
    const [, digest = ""] = /config approve (\w{64})/.exec((await run(["config", "status"], { folder })).output) ?? [];
    const { output } = await run(["config", "approve", digest], { folder });
    expect(output).toContain("Approved and in force: sources.docs.");
    expect(output).toContain("Takes effect after a restart of the server: limits.");
    expect(output).not.toContain("wait for approval");
  });
});

describe("a file that waits, and is broken or deleted then", () => {
  it.each([
    ["broken", (file: string) => writeFileSync(file, "policy: [\n")],
    ["deleted", (file: string) => rmSync(file)],
  ])("SD1: is not offered any more once it is %s", async (_how, spoil) => {
    const { folder, server, save } = await start();
    await save(base + docs);
    spoil(join(folder, "toolrack.config.yaml"));
    await server.rack.settings.reload();
    const status = await run(["config", "status"], { folder });
    expect(status.code).toBe(exitCodes.failed.code);
    expect(status.output).toContain("toolrack.config.yaml");
    expect(status.output).not.toContain("config approve");
    expect((await run(["config", "approve"], { folder })).code).toBe(exitCodes.refused.code);
    expect((await run(["doctor"], { folder })).output).toContain("Correct toolrack.config.yaml");
  });
});

describe("a server that is no Toolrack", () => {
  it.each([
    [200, "{}"],
    [200, '{"tools":"none"}'],
    [404, '{"error":"not found"}'],
    [502, "<html>"],
  ])("is told from one, also where it answers %i %s", async (status, body) => {
    const other = createServer((_incoming, outgoing) => outgoing.writeHead(status, { "content-type": "application/json" }).end(body));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const folder = temporaryFolder();
    for (const words of [["list"], ["config", "status"], ["enable", "echo"], ["call", "echo", "message=x"]])
      expect(await run([...words, "--url", url], { folder })).toMatchObject({
        code: exitCodes.unreachable.code,
        output: "",
        errors: `${url} answered ${status}, but it is not a Toolrack server. Check the URL.\n`,
      });
  });
});

describe("sources and definitions that wait", () => {
  it("are added with the number of their tools, also on a local store", async () => {
    const { folder, server } = await start();
    for (const [index, environment] of [{ TOOLRACK_URL: server.url }, undefined].entries()) {
      const place = environment === undefined ? temporaryFolder() : folder;
      const added = await run(["sources", "add", "small", "--", process.execPath, program], {
        folder: place,
        ...(environment && { environment }),
      });
      expect([index, added.output]).toEqual([index, "small is ready, with 2 tools: small__say, small__hang.\n"]);
    }
  });

  it("are reported where they fail to start", async () => {
    const folder = temporaryFolder();
    expect(await run(["sources", "add", "broken", "--", process.execPath, "-e", "process.exit(3)"], { folder })).toMatchObject({
      code: exitCodes.failed.code,
      output: expect.stringMatching(/^broken failed: /),
    });
  });

  it("SD1: are approved with the digest of the program that was shown alone", async () => {
    const { server } = await start();
    const { rack } = server;
    const source = {
      command: process.execPath,
      args: [program, "--token", "planted"],
      env: { NODE_OPTIONS: "--no-warnings", API_TOKEN: "planted" },
    };
    await rack.settings.set("sources.small", source, "root");
    const options = { folder: temporaryFolder(), environment: { TOOLRACK_URL: server.url } };
    const { identity } = rack.sources.list().find(({ id }) => id === "small")!;
    for (const words of [["list"], ["approve", "small"], ["approve", "small", "another"]]) {
      const shown = await run(["sources", ...words], options);
      expect(shown.output, words.join(" ")).toContain(program);
      expect(shown.output).toContain('"NODE_OPTIONS":"--no-warnings"');
      expect(shown.output).toContain("API_TOKEN");
      expect(shown.output).toContain(identity);
      expect(shown.output + shown.errors).not.toContain("planted");
      if (words[0] === "approve") expect(shown.code).toBe(exitCodes.refused.code);
      expect(rack.sources.list().find(({ id }) => id === "small")!.state).toBe("waiting-for-approval");
    }
    // Another program behind the same name, after somebody looked.
    await rack.settings.set("sources.small", { ...source, args: [program, "--evil"] }, "root");
    expect((await run(["sources", "approve", "small", identity!], options)).code).toBe(exitCodes.refused.code);
    await rack.settings.set("sources.small", source, "root");
    expect(await run(["sources", "approve", "small", identity!], options)).toMatchObject({
      code: 0,
      output: "small is ready, with 2 tools: small__say, small__hang.\n",
    });
  });

  it("are named when one of their tools is called", async () => {
    const { server } = await start();
    const { rack } = server;
    await rack.settings.set("sources.small", { command: process.execPath, args: [program] }, "root");
    const author = rack.store.as({ owner: rack.store.actor.owner, agent: "author", roles: ["emitter"] });
    const context = { name: "dice", description: "Rolls a die.", inputSchema: { type: "object", properties: {} } };
    expect((await author.put({ schema_name: "tool.definition.v1", title: "Dice", tags: ["fun"], context })).ok).toBe(true);
    const options = { folder: temporaryFolder(), environment: { TOOLRACK_URL: server.url } };
    expect(await run(["call", "small__say", "text=x"], options)).toMatchObject({
      code: exitCodes.notFound.code,
      errors: expect.stringContaining("toolrack sources approve small"),
    });
    expect(await run(["call", "dice"], options)).toMatchObject({
      code: exitCodes.notFound.code,
      errors: expect.stringContaining("toolrack approve dice"),
    });
    expect((await run(["call", "nothing"], options)).errors).not.toContain("waits");
  });

  it("SD5: are approved with a reason and the hash that was looked at alone, and one that does not exist is named by its tool", async () => {
    const folder = temporaryFolder();
    const unsaid = await run(["approve", "dice", "--hash", "h", "--url", "http://127.0.0.1:1"], { folder });
    expect(unsaid).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("--reason") });
    const unseen = await run(["approve", "dice", "--reason", "reviewed", "--url", "http://127.0.0.1:1"], { folder });
    expect(unseen).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("toolrack approve dice") });
    for (const more of [["--hash", "h"], ["--reject"]]) {
      const unknown = await run(["approve", "nosuch", "--reason", "reviewed", ...more], { folder });
      expect(unknown).toMatchObject({ code: exitCodes.notFound.code, errors: expect.stringContaining('"nosuch"') });
      expect(unknown.errors).not.toContain("tool-def-");
    }
  });
});

describe("the audit", () => {
  it("is verified from an end that was kept, as an earlier check printed it", async () => {
    const folder = temporaryFolder();
    await run(["call", "echo", "message=one"], { folder });
    const first = await run(["audit", "verify"], { folder });
    const words = /^ {2}toolrack (audit verify --since \d+:[0-9a-f]+)$/m.exec(first.output)![1]!.split(" ");
    await run(["call", "echo", "message=two"], { folder });
    expect((await run(words, { folder })).code).toBe(0);
    const [number] = words.at(-1)!.split(":");
    expect(await run(["audit", "verify", "--since", `${number}:${"0".repeat(64)}`], { folder })).toMatchObject({
      code: exitCodes.failed.code,
      output: expect.stringContaining("known before"),
    });
    expect((await run(["audit", "verify", "--since", "nonsense"], { folder })).code).toBe(exitCodes.usage.code);
  });

  it("RC1: that cannot record a call refuses it, and the command says what to do next", async () => {
    const folder = temporaryFolder();
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const server = await openServer({ folder, port: 0, consoleFolder: false, log });
    onTestFinished(() => server.close({ graceMs: 0 }));
    type Sqlite = { DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void } };
    const { DatabaseSync } = createRequire(new URL("../../store/package.json", import.meta.url))("@photostructure/sqlite") as Sqlite;
    const database = new DatabaseSync(join(folder, ".toolrack", "toolrack.db"));
    database.exec("begin immediate");
    const refused = await run(["call", "echo", "message=one", "--url", server.url], { folder });
    database.exec("rollback");
    database.close();
    expect(refused).toMatchObject({
      code: exitCodes.failed.code,
      output: expect.stringContaining('so tool "echo" did not run. Call again later'),
    });
    expect(refused.errors).toContain("Retrying the same call may succeed.");
    expect((await run(["call", "echo", "message=two", "--url", server.url], { folder })).code).toBe(0);
  });

  it("RC1: is not called complete when calls ran unrecorded: the check says how many, and fails", async () => {
    const folder = temporaryFolder();
    const rack = await openRack({ folder, environment: {}, config: {} });
    await rack.audit({ kind: "calls-unrecorded", subject: "a", by: "server", body: { unrecorded: 2, dropped: 0, from: 1, to: 2 } });
    await rack.close();
    const checked = await run(["audit", "verify"], { folder });
    expect(checked).toMatchObject({ code: exitCodes.failed.code, output: expect.stringContaining("Audit intact, but not complete:") });
    expect(checked.output).toContain(
      "2 calls ran without a record, or their end was lost. See when: toolrack audit list --kind calls-unrecorded",
    );
  });
});

describe("dev", () => {
  it("says that it takes every change of the file", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    for (const [command, isSaid] of [
      ["dev", true],
      ["serve", false],
    ] as const) {
      const stop = new AbortController();
      const { output } = await run([command, "--port", "0"], { folder, signal: stop.signal, onOutput: () => stop.abort() });
      expect(output.includes("applied without approval")).toBe(isSaid);
    }
  });

  it("the doctor always says how programs are run", async () => {
    const folder = temporaryFolder();
    expect((await run(["doctor"], { folder })).output).toContain("No built-in tool starts programs of a caller's choice");
  });
});
