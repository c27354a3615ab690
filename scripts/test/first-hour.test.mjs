import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { hasPart } from "@toolrack/core/testing";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { linkPacked } from "../lib/link-packed.mjs";
import { packedOnce } from "../lib/pack.mjs";
import { runNode, runNpm } from "../lib/run.mjs";

/** What a person does who has only Node and the packed packages: installs one of them, creates a project, and calls a tool. */
describe("from an empty folder to a governed call", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-first-hour-")));
  const project = join(home, "place", "my-tools");
  const env = environmentOf(home);
  const npm = (args, cwd = project) => runNpm(args, { cwd, env });
  /** What `npm exec -- toolrack` starts, without npm. */
  const toolrack = (args) => runNode([join(project, "node_modules", "toolrack", "bin", "toolrack.cjs"), ...args], { cwd: project, env });
  const files = new Map();
  let isInstalled = false;

  beforeAll(async () => {
    const [place, own] = [join(home, "place"), join(home, "packed # here")];
    mkdirSync(place);
    mkdirSync(own);
    const { folder, packed } = await packedOnce();
    for (const [name, { filename }] of packed) {
      copyFileSync(join(folder, filename), join(own, filename));
      files.set(name, join(own, filename));
    }
    linkPacked(own, packed);
    const installed = await npm([...install, files.get("create-toolrack")], place);
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(installed.output);
    if (installed.code !== 0 && !isOffline) throw new Error(`npm install ended with ${installed.code}:\n${installed.output}`);
    isInstalled = hasPart("a registry of npm packages", installed.code === 0);
    if (!isInstalled) return;
    const created = await npm(["exec", "--no", "--", "create-toolrack", "my-tools"], place);
    expect(created).toMatchObject({ code: 0, output: expect.stringContaining("cd my-tools\n  npm install\n  npm test\n  npm run dev") });
    expect(await npm(install)).toMatchObject({ code: 0 });
  }, 600_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** Skips where nothing could be installed: `hasPart` has said so. */
  const whenInstalled = (name, run) =>
    it(name, async ({ skip }) => {
      if (!isInstalled) skip("No registry of npm packages can be reached.");
      await run();
    });

  /** `npm start` or `npm run dev`, until the test ends. */
  async function start(script) {
    const args = ["run", script, "--silent", "--", "--port", "0", "--log-format", "json"];
    const isWindows = process.platform === "win32";
    const child = spawn("npm", args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"], shell: isWindows, detached: !isWindows });
    const printed = { output: "", errors: "" };
    child.stdout.on("data", (chunk) => (printed.output += chunk));
    child.stderr.on("data", (chunk) => (printed.errors += chunk));
    // The streams close when npm, its shell and the server have ended.
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      // As Ctrl-C does: npm alone would end without the server.
      if (isWindows) child.kill();
      else if (child.exitCode === null) process.kill(-child.pid, "SIGINT");
      await ended;
    });
    await until(() => printed.output.includes("Ctrl-C") || child.exitCode !== null, `npm run ${script} did not say that it serves.`);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.output)?.[0];
    expect({ ...printed, url }).toMatchObject({ url: expect.stringContaining("http:") });
    return { url, printed };
  }

  async function keyOf(agent) {
    const { code, output } = await toolrack(["keys", "create", agent, "--json"]);
    expect({ code, output }).toMatchObject({ code: 0 });
    return /trk_[\w-]+/.exec(output)[0];
  }

  /** The official client, as this agent. */
  async function connect(url, agent) {
    const client = new Client({ name: "first-hour", version: "1" });
    const headers = { authorization: `Bearer ${await keyOf(agent)}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return client;
  }

  /** The same, over the standard input and output of the command. */
  async function connectByStdio(agent) {
    const command = join(project, "node_modules", ".bin", process.platform === "win32" ? "toolrack.cmd" : "toolrack");
    const client = new Client({ name: "first-hour", version: "1" });
    const transport = new StdioClientTransport({ command, args: ["mcp", "--agent", agent], cwd: project, env, stderr: "pipe" });
    let errors = "";
    transport.stderr.on("data", (chunk) => (errors += chunk));
    onTestFinished(() => client.close());
    await client.connect(transport).catch((error) => expect.fail(`${error.message}\n${errors}`));
    return client;
  }

  const call = async (client, name, args) => {
    try {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { isError, text: content.map(({ text }) => text).join("") };
    } catch (error) {
      return { isError: true, text: error.message };
    }
  };

  /** An agent gets its own tools, and a reason for every other. */
  async function expectGoverned(greeter, assistant) {
    expect((await greeter.listTools()).tools.map(({ name }) => name)).toEqual(["greet"]);
    expect(await call(greeter, "greet", { name: "Ada" })).toEqual({ isError: false, text: "Hello, Ada." });
    const booking = { date: "2030-05-17", guests: 2 };
    expect(await call(greeter, "book_table", booking)).toEqual({ isError: true, text: expect.stringContaining("book_table") });
    expect(await call(assistant, "book_table", booking)).toEqual({
      isError: false,
      text: expect.stringContaining("a table for 2, inside"),
    });
    const tooMany = await call(assistant, "book_table", { ...booking, guests: 20 });
    expect(tooMany).toEqual({ isError: true, text: expect.stringContaining("guests must be at most 8") });
  }

  whenInstalled("the project takes another package and keeps ours, and tsc checks it", async () => {
    const before = JSON.parse(readFileSync(join(project, "package.json"), "utf8")).dependencies;
    expect(before).toEqual({
      "@toolrack/core": expect.stringMatching(/^file:.*\.tgz$/),
      toolrack: expect.stringMatching(/^file:.*\.tgz$/),
    });
    expect(await npm([...install, "zod"])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8")).dependencies).toEqual({ ...before, zod: expect.any(String) });
    expect(await npm(["exec", "--no", "--", "tsc"])).toMatchObject({ code: 0 });
    const tools = join(project, "tools.ts");
    const text = readFileSync(tools, "utf8");
    onTestFinished(() => writeFileSync(tools, text));
    writeFileSync(tools, text.replace("Hello, ${name}.", "Hello, ${name.first}."));
    expect(await npm(["exec", "--no", "--", "tsc"])).toMatchObject({ code: 1, output: expect.stringContaining("first") });
  });

  whenInstalled("one package installs alone, in a folder with nothing else", async () => {
    const alone = join(home, "alone");
    mkdirSync(alone);
    expect(await npm([...install, files.get("@toolrack/core")], alone)).toMatchObject({ code: 0 });
    writeFileSync(join(alone, "try.mjs"), 'import { defineTool } from "@toolrack/core"; console.log(typeof defineTool);');
    expect(await runNode([join(alone, "try.mjs")], { cwd: alone, env })).toMatchObject({ code: 0, output: "function\n" });
  });

  whenInstalled("the project's own test passes", async () => {
    expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).toMatchObject({ name: "my-tools", type: "module" });
    expect(await npm(["test"])).toMatchObject({ code: 0, output: expect.stringMatching(/pass 3\b/) });
  });

  whenInstalled("npm start serves the console, and each agent its own tools to the official client over HTTP", async () => {
    const { url } = await start("start");
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<script")]);
    const script = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(url)).text())[1];
    expect((await fetch(url + script)).status).toBe(200);
    await expectGoverned(await connect(url, "greeter"), await connect(url, "assistant"));
    const explained = await npm(["exec", "--silent", "--", "toolrack", "policy", "explain", "book_table", "--agent", "greeter"]);
    expect(explained).toMatchObject({
      code: 3,
      output: expect.stringMatching(/agents\.greeter\.tools\.allow.*toolrack\.config\.yaml:\d+/s),
    });
  });

  whenInstalled("toolrack mcp does the same over stdio, without a server and beside one", async () => {
    await expectGoverned(await connectByStdio("greeter"), await connectByStdio("assistant"));
    await start("start");
    await expectGoverned(await connectByStdio("greeter"), await connectByStdio("assistant"));
  });

  whenInstalled("npm run dev loads the tools again when they are saved, tells clients, and outlives a mistake", async () => {
    const { url, printed } = await start("dev");
    const client = await connect(url, "assistant");
    let changes = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => void (changes += 1));
    const file = join(project, "tools.ts");
    const text = readFileSync(file, "utf8");
    onTestFinished(() => writeFileSync(file, text));

    writeFileSync(file, text.replace("Greets a person by name.", "Greets somebody.").replace("Hello, ${name}.`,", "Good day, ${name}.`,"));
    await until(() => changes > 0);
    expect((await client.listTools()).tools[0].description).toBe("Greets somebody.");
    expect(await call(client, "greet", { name: "Ada" })).toEqual({ isError: false, text: "Good day, Ada." });

    const broken = "handler: ({ name }";
    const line = text.slice(0, text.indexOf(broken)).split("\n").length;
    writeFileSync(file, text.replace(`${broken})`, broken));
    await until(() => printed.errors.includes(`could not be loaded: tools.ts:${line}:`));
    expect(await call(client, "greet", { name: "Ada" })).toMatchObject({ text: "Good day, Ada." });

    writeFileSync(file, text);
    await until(async () => (await call(client, "greet", { name: "Ada" })).text === "Hello, Ada.");
  });
});

const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];

/** As in a new terminal: nothing of the npm that runs these tests, and no servers of this user. */
function environmentOf(home) {
  const isOfThisRun = (name) =>
    /^(npm_(package|lifecycle|command|execpath|node|config_local_prefix)|INIT_CWD|VITEST|NODE_ENV$|NODE_OPTIONS$|TOOLRACK_)/.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !isOfThisRun(name));
  return { ...Object.fromEntries(kept), XDG_STATE_HOME: join(home, "state") };
}
