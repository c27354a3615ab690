import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { type Ended, run } from "./_run.ts";

type Server = Awaited<ReturnType<typeof openServer>>;

const config = `store: { sqlite: ./toolrack.db }
policy:
  agents:
    anna: { tools: { allow: [echo] } }
`;

interface Project {
  readonly folder: string;
  /** Where servers of this user announce themselves. */
  readonly servers: string;
  run(words: readonly string[], environment?: Readonly<Record<string, string>>, input?: string): Promise<Ended>;
  serve(): Promise<Server>;
}

function project(text = config): Project {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), text);
  const state = { XDG_STATE_HOME: join(folder, "state") };
  return {
    folder,
    servers: join(folder, "state", "toolrack", "servers"),
    run: (words, environment, input) =>
      run(words, { folder, environment: { ...state, ...environment }, ...(input !== undefined && { input }) }),
    async serve() {
      const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent", environment: state });
      onTestFinished(() => server.close({ graceMs: 0 }));
      return server;
    },
  };
}

/** Another program, at the address that a killed server had. What it is told. */
async function stranger(answer: RequestListener): Promise<{ readonly url: string; readonly seen: unknown[] }> {
  const seen: unknown[] = [];
  const other = createServer((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    answer(incoming, outgoing);
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, seen };
}

/** The announcement of a server that was killed: its process id belongs to a program that runs. */
async function leaveAnnouncement({ servers, serve }: Project, url?: string): Promise<string> {
  const server = await serve();
  const [name = ""] = readdirSync(servers);
  const left = JSON.parse(readFileSync(join(servers, name), "utf8")) as { url: string };
  await server.close({ graceMs: 0 });
  const address = url ?? left.url;
  mkdirSync(servers, { recursive: true });
  writeFileSync(join(servers, `127.0.0.1-${new URL(address).port}.json`), JSON.stringify({ ...left, url: address }));
  return address;
}

const readers = [
  "list",
  "calls",
  "stats",
  "keys list",
  "audit list",
  "approvals remembered",
  "jobs list",
  "programs list",
  "sessions list",
];

describe("a command in the folder of a server that runs", () => {
  it("asks it, whatever the command reads", async () => {
    const own = project();
    const { url } = await own.serve();
    for (const words of readers) {
      const { code, errors } = await own.run(["--verbose", ...words.split(" ")]);
      expect([words, code, errors]).toEqual([words, 0, expect.stringContaining(`Using the server at ${url},`)]);
    }
  });

  it("sees what the server keeps in its memory alone, and prints neither token nor key", async () => {
    const own = project(config.replace("{ sqlite: ./toolrack.db }", "{ memory: true }"));
    const server = await own.serve();
    await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
    const ended = await own.run(["--verbose", "keys", "list"]);
    expect(ended.output).toContain("anna");
    expect(ended.output + ended.errors).not.toMatch(/tr[ok]_/);
  });

  it("has the rights of the key in TOOLRACK_KEY, if there is one, and not the owner's", async () => {
    const own = project();
    const server = await own.serve();
    const { secret } = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
    expect((await own.run(["keys", "list"], { TOOLRACK_KEY: secret })).code).toBe(exitCodes.refused.code);
  });

  it("is not the owner's for a user who did not start the server", async () => {
    const own = project();
    const { url } = await own.serve();
    const elsewhere = { XDG_STATE_HOME: join(own.folder, "another user") };
    const ended = await own.run(["--verbose", "--url", url, "keys", "list"], elsewhere);
    expect(ended.code).toBe(exitCodes.refused.code);
  });
});

describe("a command where the store is in memory and no server runs", () => {
  const inMemory = config.replace("{ sqlite: ./toolrack.db }", "{ memory: true }");

  it.each([["secrets set token"], ["keys create anna"], ["disable echo"], ["sources add docs https://docs.example.com/mcp"]])(
    "refuses what would be lost with it: %s",
    async (words) => {
      const own = project(inMemory);
      const ended = await own.run(words.split(" "), {}, "value\n");
      expect(ended).toMatchObject({ code: exitCodes.usage.code, output: "" });
      expect(ended.errors).toContain("Nothing was changed: the store is in memory (store.memory in toolrack.config.yaml)");
      expect(ended.errors).toContain("toolrack serve");
    },
  );

  it("sets a secret on the server once one runs, and reads and calls without one", async () => {
    const own = project(inMemory);
    expect(await own.run(["secrets", "list"])).toMatchObject({ code: 0 });
    expect(await own.run(["call", "echo", "message=hi"])).toMatchObject({ code: 0, output: expect.stringContaining("hi") });
    const server = await own.serve();
    expect(await own.run(["secrets", "set", "token"], {}, "value\n")).toMatchObject({ code: 0, output: "The secret token is set.\n" });
    expect((await server.rack.secrets.list()).map(({ name }) => name)).toEqual(["token"]);
  });
});

describe("a command in the folder of a server that has ended", () => {
  it("opens the project, whatever the command reads", async () => {
    const own = project();
    await (await own.serve()).close({ graceMs: 0 });
    for (const words of readers) {
      const { code, errors } = await own.run(["--verbose", ...words.split(" ")]);
      expect([words, code, errors]).toEqual([words, 0, ""]);
    }
  });

  it("SD10: opens the project where a killed server's process id is in use again, and nothing listens", async () => {
    const own = project();
    const url = await leaveAnnouncement(own);
    expect(await own.run(["--verbose", "keys", "list"])).toMatchObject({ code: 0, errors: "" });
    expect(await own.run(["list", "--url", url])).toMatchObject({ code: exitCodes.unreachable.code });
  });

  it.each([
    ["says that it is no Toolrack", { status: 404, headers: {}, body: "nothing" }],
    ["says that it is one", { status: 200, headers: { "toolrack-api": "v1" }, body: '{"proof":"guessed","tools":[]}' }],
    ["answers no JSON", { status: 200, headers: { "toolrack-api": "v1" }, body: "<html>" }],
    ["answers a list", { status: 200, headers: { "toolrack-api": "v1" }, body: '{"proof":[1]}' }],
  ])("SD10: opens the project, and tells the token to nobody, where another program listens there and %s", async (_what, answer) => {
    const other = await stranger((_incoming, outgoing) => outgoing.writeHead(answer.status, answer.headers).end(answer.body));
    const own = project();
    await leaveAnnouncement(own, other.url);
    expect(await own.run(["--verbose", "keys", "list"])).toMatchObject({ code: 0, errors: "" });
    await own.run(["list", "--url", other.url]);
    await own.run(["mcp", "--agent", "anna", "--url", other.url]);
    expect(other.seen.length).toBeGreaterThan(2);
    expect(new Set(other.seen)).toEqual(new Set([undefined]));
  });

  it("SD10: trusts no announcement without a secret, which anybody could answer for", async () => {
    const other = await stranger((_incoming, outgoing) => outgoing.writeHead(200, { "toolrack-api": "v1" }).end('{"proof":""}'));
    const own = project();
    await leaveAnnouncement(own, other.url);
    const file = join(own.servers, `127.0.0.1-${new URL(other.url).port}.json`);
    const { secret: _, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { secret: string };
    writeFileSync(file, JSON.stringify(rest));
    expect(await own.run(["--verbose", "keys", "list"])).toMatchObject({ code: 0, errors: "" });
    await own.run(["keys", "list", "--url", other.url]);
    expect(new Set(other.seen)).toEqual(new Set([undefined]));
  });

  it("SD10: is not led to another server by a program that hands the challenge on to it", async () => {
    const own = project();
    const real: { url?: string } = {};
    const relay = await stranger((incoming, outgoing) => {
      void fetch(`${real.url}${incoming.url}`).then(async (answer) =>
        outgoing.writeHead(answer.status, { "toolrack-api": "v1" }).end(await answer.text()),
      );
    });
    await leaveAnnouncement(own, relay.url);
    // The project is served again, at another address.
    const { url } = await own.serve();
    real.url = url;
    expect((await own.run(["--verbose", "keys", "list"])).errors).toContain(`Using the server at ${url},`);
    expect(await own.run(["keys", "list", "--url", relay.url])).toMatchObject({ output: "" });
    expect(new Set(relay.seen)).toEqual(new Set([undefined]));
  });
});
