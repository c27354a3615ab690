import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findIsolation } from "@toolrack/tools";
import { implementationContract } from "@toolrack/store/testing";
import { hasPart } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { oddSeconds, processesWith } from "@toolrack/testkit/processes";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RecordProcessesConfig } from "../../../../src/config/config.ts";
import { processKind } from "../../../../src/rack/programs/kinds/process.ts";

const isIsolated = hasPart("bubblewrap or unshare", findIsolation().kind !== "none");
const node = process.execPath;
const programs: RecordProcessesConfig = { programs: ["cat", "sleep", "printenv", node], timeoutMs: 60_000 };

describe.skipIf(!isIsolated)("the kind process", () => {
  const checks = implementationContract(() => processKind({ processes: programs, hidden: [] }), {
    runs: [
      { implementation: { command: ["cat"] }, input: { name: "Ada" }, content: '{"name":"Ada"}' },
      { implementation: { command: ["printenv", "TOKEN"], env: { TOKEN: "secret:key" } }, content: "abc" },
    ],
    refused: [
      {},
      { command: "cat; id" },
      { command: [] },
      { command: ["id"] },
      { command: ["cat", 5] },
      { command: ["cat\0"] },
      { command: ["cat"], env: { LD_PRELOAD: "/tmp/x.so" } },
      { command: ["cat"], env: { PATH: "/tmp" } },
      { command: ["cat"], timeoutMs: 0 },
      { command: ["cat"], shell: true },
    ],
    waits: { implementation: { command: ["sleep", "600"] } },
    secrets: { key: "abc" },
  });
  for (const check of checks) it(check.name, check.run);

  it("runs nothing where the server permits nothing, and says which setting would", () => {
    const { createHandler } = processKind({ processes: undefined, hidden: [] });
    const implementation = { kind: "process", command: ["cat"] };
    expect(() => createHandler(implementation, { context: { name: "copy", implementation } } as never)).toThrow(
      'Tool "copy": the program "cat" may not be run by records. Add it to tools.records.processes.programs',
    );
  });
});

async function open(processes: Partial<RecordProcessesConfig> = {}): Promise<TestServer> {
  const server = await openTestServer({
    config: { tools: { packs: { utility: false }, records: { processes: { ...programs, ...processes } } } },
  });
  afterThisTest(() => server[Symbol.asyncDispose]());
  return server;
}

/** A stored tool that is a program of Node. */
async function store(server: TestServer, name: string, source: string, more: object = {}): Promise<void> {
  const implementation = { kind: "process", command: [node, "-e", source], ...more };
  const context = { name, description: "Runs a program.", inputSchema: { type: "object" }, implementation };
  const put = await server.rack.store.put({ schema_name: "tool.definition.v1", title: name, tags: ["tool:definition"], context } as never);
  expect(put).toMatchObject({ ok: true });
  await until(() => server.rack.registry.has(name));
}

const call = (server: TestServer, name: string, input: object = {}) => server.ask("POST", `/tools/${name}/call`, { input });

// row: C21
describe.skipIf(!isIsolated)("a stored tool that is a program", () => {
  it("reads its input, and what it prints is its result, JSON or text", async () => {
    const server = await open();
    await store(
      server,
      "sum",
      'const { a, b } = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify({ sum: a + b }))',
    );
    await store(server, "words", 'console.log("only words")');
    expect((await call(server, "sum", { a: 20, b: 22 })).body).toMatchObject({ data: { sum: 42 } });
    expect((await call(server, "words")).body).toMatchObject({ content: "only words" });
  });

  it("fails with its exit code and the end of what it printed as errors", async () => {
    const server = await open();
    await store(server, "fails", 'console.error("no such customer"); process.exit(3)');
    expect((await call(server, "fails")).body).toMatchObject({
      code: "TOOL_FAILED",
      detail: 'Tool "fails": the program ended with exit code 3: no such customer',
    });
  });

  it("commands no terminal by what it printed as errors", async () => {
    const server = await open();
    await store(server, "rings", String.raw`console.error("\u001b]0;title\u0007\u001b[31mno\u202e\nmoney\u0000"); process.exit(3)`);
    expect((await call(server, "rings")).body).toMatchObject({ detail: 'Tool "rings": the program ended with exit code 3: no money' });
  });

  it("fills no disk of the server, wherever it writes, and leaves no program behind", async () => {
    const server = await open();
    const seconds = oddSeconds();
    await store(
      server,
      "fills",
      `const fs = require("fs");
      const fill = (folder) => {
        try {
          for (let count = 0; count < 40; count++) fs.appendFileSync(folder + "/big", Buffer.alloc(8 << 20));
          return "all";
        } catch (error) { return error.code; } finally { fs.rmSync(folder + "/big", { force: true }); }
      };
      require("child_process").spawn("sleep", ["${seconds}"], { detached: true, stdio: "inherit" }).unref();
      console.log(JSON.stringify([".", "/tmp", "/dev/shm"].map(fill)));`,
    );
    expect((await call(server, "fills")).body).toMatchObject({ data: ["ENOSPC", "ENOSPC", "ENOSPC"] });
    expect(processesWith(seconds)).toEqual([]);
  });

  it("has no variable of the server, no file of it, and no network", async () => {
    const web = createServer((_, answer) => answer.end("reached"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => web.close(resolve)));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    process.env["A_SECRET_OF_THE_SERVER"] = "s3cret";
    afterThisTest(() => void delete process.env["A_SECRET_OF_THE_SERVER"]);
    const server = await open();
    await store(
      server,
      "looks",
      `const fs = require("fs");
      fetch(${JSON.stringify(url)}).then(() => "reached", () => "no network").then((network) => console.log(JSON.stringify({
        network, names: Object.keys(process.env).sort(), files: fs.readdirSync("."), sees: fs.existsSync(${JSON.stringify(import.meta.filename)}),
      })))`,
    );
    expect(existsSync(import.meta.filename)).toBe(true);
    const { body } = await call(server, "looks");
    expect(body.data).toMatchObject({ network: "no network", files: [], sees: false });
    expect(body.data.names).not.toContain("A_SECRET_OF_THE_SERVER");
  });

  it("is ended when it runs too long, prints too much, or takes too much memory", async () => {
    const server = await open({ maxMemoryBytes: 200_000_000 });
    await store(server, "slow", "setInterval(() => {}, 1000)", { timeoutMs: 200 });
    await store(server, "chatty", 'for (;;) require("fs").writeSync(1, "x".repeat(65536))');
    // Less than what a program may take where nothing is configured.
    await store(
      server,
      "greedy",
      "const all = Array.from({ length: 15 }, () => Buffer.alloc(20_000_000, 1)); setTimeout(() => console.log(all.length), 5_000)",
    );
    expect((await call(server, "slow")).body).toMatchObject({ code: "TIMEOUT" });
    expect((await call(server, "chatty")).body).toMatchObject({ code: "RESULT_TOO_LARGE" });
    expect((await call(server, "greedy")).body).toMatchObject({ code: "TOOL_FAILED" });
  });

  it("runs no longer than the server permits, whatever its record says", async () => {
    const server = await open({ timeoutMs: 200 });
    await store(server, "slow", "setInterval(() => {}, 1000)", { timeoutMs: 600_000 });
    const { body } = await call(server, "slow");
    expect(body).toMatchObject({ code: "TIMEOUT" });
    expect(JSON.stringify(body)).toContain("longer than 200 ms");
  });

  it("sees no file of the server, also in a folder that it may read", async () => {
    const folder = temporaryFolder({ "open.txt": "read me", "toolrack.config.yaml": "tools: {}" });
    const [shown, hidden] = [join(folder, "open.txt"), join(folder, "toolrack.config.yaml")];
    const kind = processKind({ processes: { ...programs, readable: [folder] }, hidden: [hidden] });
    const look = (file: string) => {
      const implementation = { kind: "process", command: ["cat", file] };
      const handler = kind.createHandler(implementation, { context: { name: "look", implementation } } as never);
      return handler({}, { signal: new AbortController().signal } as never);
    };
    expect(await look(shown)).toBe("read me");
    const seen = await Promise.resolve(look(hidden)).catch(() => "");
    expect(seen).toBe("");
  });

  it("is refused where its program is not permitted", async () => {
    const server = await open({ programs: ["cat"] });
    const context = {
      name: "other",
      description: "Runs a program.",
      inputSchema: { type: "object" },
      implementation: { kind: "process", command: ["sh", "-c", "id"] },
    };
    await server.rack.store.put({ schema_name: "tool.definition.v1", title: "other", tags: ["tool:definition"], context } as never);
    expect(await server.rack.definitionProblem({ context } as never)).toContain("tools.records.processes.programs");
    expect(server.rack.registry.has("other")).toBe(false);
  });
});
