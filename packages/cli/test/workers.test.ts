import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { until } from "@toolrack/testkit/until";
import { createIdentity, type Identity } from "@toolrack/workers";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "./_run.ts";

const tools = `export default [
  { name: "double", description: "Doubles a number.", inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    metadata: { annotations: { readOnly: true } }, handler: ({ n }) => ({ doubled: n * 2 }) },
  { name: "token_length", description: "Tells how long a token is.", inputSchema: { type: "object" }, metadata: { secrets: ["token"] },
    handler: async (_, context) => ({ length: (await context.secret("token")).length }) },
];`;

/** A worker that runs in a folder, until it is stopped. */
function startWorker(words: readonly string[], folder: string, environment: Record<string, string> = {}) {
  const stop = new AbortController();
  const printed: string[] = [];
  const ended: Promise<Ended> = run(["worker", ...words], {
    folder,
    environment,
    signal: stop.signal,
    onOutput: (text) => void printed.push(text),
  });
  afterThisTest(async () => {
    stop.abort();
    await ended;
  });
  return { ended, printed, stop: () => stop.abort() };
}

function keyFile(folder: string, { privateKey }: Identity): void {
  writeFileSync(join(folder, "worker.key"), privateKey, { mode: 0o600 });
}

describe("toolrack worker", () => {
  it("creates its key, which only its owner can read, and says what is missing", async () => {
    const folder = temporaryFolder({ "tools.mjs": tools });
    const file = join(folder, "worker.key");
    const words = ["worker", "tools.mjs", "--connect", "nats://127.0.0.1:1", "--pool", "web"];
    expect(await run(["worker", "tools.mjs"], { folder })).toMatchObject({
      code: 2,
      errors: expect.stringContaining("--connect is missing"),
    });
    const missing = await run(words, { folder });
    expect(missing).toMatchObject({ code: 2, errors: expect.stringMatching(/--server is missing.*toolrack workers list.*ed25519:/s) });
    expect([existsSync(file), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
    const again = await run(words, { folder });
    expect(again.errors).toBe(missing.errors);
    const { publicKey } = createIdentity();
    expect(await run([...words, "--server", publicKey], { folder })).toMatchObject({
      code: 5,
      errors: expect.stringContaining("nats://127.0.0.1:1"),
    });
    writeFileSync(file, "nonsense");
    expect(await run([...words, "--server", publicKey], { folder })).toMatchObject({
      code: 2,
      errors: expect.stringContaining("holds no key of a worker"),
    });
  });

  // row: H26
  it.skipIf(!hasNats)("serves its tools to a server, which keeps permission, secrets and records, and tells when it is gone", async () => {
    const nats = await startNats([
      { user: "server", password: "s3rver" },
      { user: "worker", password: "w0rker" },
    ]);
    afterThisTest(() => nats.stop());
    const identity = createIdentity();
    const config = `agents: { ada: {}, bob: {} }
policy: { agents: { ada: { tools: { allow: [double, token_length] } }, bob: { tools: { allow: [random] } } } }
sources:
  web:
    trust: { first: pin }
    workers: { connect: "${nats.url}", keys: ["${identity.publicKey}"], user: server, password: "secret:broker" }
`;
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const server = await openServer({ folder, port: 0, consoleFolder: false, log: { debug() {}, info() {}, warn() {}, error() {} } });
    afterThisTest(() => server.close({ graceMs: 0 }));
    const { rack } = server;
    await run(["secrets", "set", "broker"], { folder, input: "s3rver" });
    await run(["secrets", "set", "token"], { folder, input: "0123456789" });
    const empty = await run(["workers"], { folder });
    const [, publicKey = ""] = /of a worker: (ed25519:\S+)/.exec(empty.output) ?? [];
    expect(empty.output).toContain("Pool web (source web) has no worker");

    const place = temporaryFolder({ "tools.mjs": tools });
    keyFile(place, identity);
    const words = ["tools.mjs", "--connect", nats.url, "--pool", "web", "--server", publicKey, "--user", "worker", "--label", "1.2.3"];
    const worker = startWorker(words, place, { TOOLRACK_BROKER_PASSWORD: "w0rker" });
    await until(() => worker.printed.join("").includes("Ready"));
    await run(["sources", "refresh", "web"], { folder });
    await until(() => rack.registry.has("double"));

    const ada = ["--agent", "ada"];
    expect(await run(["call", "double", "n=21", ...ada, "--json"], { folder })).toMatchObject({
      code: 0,
      output: expect.stringContaining('"doubled": 42'),
    });
    expect(await run(["call", "double", "n=21", "--agent", "bob"], { folder })).toMatchObject({ code: 3 });
    expect(await run(["call", "double", "n=many", ...ada], { folder })).toMatchObject({
      code: 1,
      output: expect.stringContaining("n must be"),
    });
    expect((await run(["calls", "--json"], { folder })).output).toContain('"double"');
    // What a worker announces is not ours: a tool that wants a secret needs a grant.
    expect((await run(["call", "token_length", ...ada], { folder })).code).not.toBe(0);
    const granted = await run(["grants", "add", "token_length", "--reason", "It tells the length only."], { folder });
    expect(granted.code).toBe(0);
    await until(() => rack.registry.has("token_length"));
    expect(await run(["call", "token_length", ...ada, "--json"], { folder })).toMatchObject({
      code: 0,
      output: expect.stringContaining('"length": 10'),
    });
    expect((await run(["history", "double"], { folder })).output).toMatch(/^1\s/m);

    const shown = await run(["workers", "--json"], { folder });
    expect(shown.json()).toMatchObject({
      publicKey,
      pools: [{ source: "web", pool: "web", tools: 2, workers: [{ state: "open", slots: 4, version: "1.2.3" }] }],
    });
    const recordsBefore = (await rack.store.search({ limit: 1_000 })).records.length;
    const [{ instance }] = (shown.json() as { pools: [{ workers: [{ instance: string }] }] }).pools[0].workers;
    expect(await run(["workers", "drain", "zz"], { folder })).toMatchObject({ code: 4 });
    expect(await run(["workers", "drain", instance.slice(0, 6)], { folder })).toMatchObject({ code: 0 });
    expect(await worker.ended).toMatchObject({ code: 0 });
    await until(() => rack.sources.workers().pools[0]?.workers.length === 0);
    expect(await run(["call", "double", "n=1", ...ada], { folder })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/needs "worker:web\/double".*the last one was seen at \d{4}-/s),
    });
    expect((await run(["show", "double", "--json"], { folder })).json()).toMatchObject({ state: "unavailable" });
    expect((await run(["list"], { folder })).output).not.toMatch(/^double/m);
    expect((await rack.store.search({ limit: 1_000 })).records).toHaveLength(recordsBefore);
    const next = startWorker(words, place, { TOOLRACK_BROKER_PASSWORD: "w0rker" });
    await until(() => next.printed.join("").includes("Ready"));
    await until(() => rack.registry.view({ owner: true }).offered("double") !== undefined);
    expect(await run(["call", "double", "n=4", ...ada], { folder })).toMatchObject({ code: 0 });
  });

  // row: H26
  it("connects to a server where there is no broker, with a key that can be revoked", async () => {
    const identity = createIdentity();
    const config = `agents: { ada: {} }
sources:
  web:
    trust: { first: pin }
    workers: { connect: server, keys: ["${identity.publicKey}"] }
`;
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const server = await openServer({ folder, port: 0, consoleFolder: false, log: { debug() {}, info() {}, warn() {}, error() {} } });
    afterThisTest(() => server.close({ graceMs: 0 }));
    const { rack, url } = server;
    const { publicKey } = rack.sources.workers();
    const { secret, id } = await rack.keys.create({ agent: "ada", roles: [], by: "test" });
    const place = temporaryFolder({ "tools.mjs": tools });
    const words = ["tools.mjs", "--connect", url, "--pool", "web", "--server", publicKey];
    const refused = (key: string) => run(["worker", ...words], { folder: place, environment: key === "" ? {} : { TOOLRACK_KEY: key } });
    expect(await refused("")).toMatchObject({ code: 2, errors: expect.stringContaining("TOOLRACK_KEY is missing") });
    expect(await refused("wrong")).toMatchObject({ code: 5, errors: expect.stringContaining("401") });
    expect(await refused(secret)).toMatchObject({ code: 5, errors: expect.stringMatching(/No pool knows the key ed25519:/) });

    keyFile(place, identity);
    const worker = startWorker(words, place, { TOOLRACK_KEY: secret });
    await until(() => worker.printed.join("").includes("Ready"));
    await until(() => rack.registry.has("double"));
    expect(await run(["call", "double", "n=21", "--agent", "ada", "--json"], { folder })).toMatchObject({
      code: 0,
      output: expect.stringContaining('"doubled": 42'),
    });
    await rack.keys.revoke(id, "test");
    await until(() => rack.sources.workers().pools[0]?.workers.length === 0);
    expect(await run(["call", "double", "n=21", "--agent", "ada"], { folder })).toMatchObject({ code: 1 });
  });

  it("is refused in the configuration with credentials in plain text, or with more than workers", async () => {
    const { publicKey } = createIdentity();
    const check = async (source: string): Promise<string> => {
      const folder = temporaryFolder({ "toolrack.config.yaml": `store: { memory: true }\nsources:\n  web: ${source}\n` });
      return (await run(["list"], { folder })).errors;
    };
    const workers = (more: string): string => `{ workers: { connect: "nats://127.0.0.1:1", keys: ["${publicKey}"]${more} } }`;
    expect(await check(workers(', user: a, password: "hunter2-hunter2"'))).toMatch(/sources\.web\.workers\.password/);
    expect(await check(`{ workers: { connect: "nats://a:b@127.0.0.1:1", keys: ["${publicKey}"] } }`)).toMatch(
      /sources\.web\.workers\.connect/,
    );
    expect(await check(`{ workers: { connect: "http://127.0.0.1", keys: ["${publicKey}"] } }`)).toContain("sources.web.workers.connect");
    expect(await check(`{ workers: { connect: server, keys: ["${publicKey}"], user: a } }`)).toContain("belong to a broker");
    expect(await check('{ workers: { connect: "nats://127.0.0.1:1", keys: [] } }')).toContain("sources.web.workers.keys");
    expect(await check(workers("").replace("{ workers", '{ url: "http://127.0.0.1/mcp", workers'))).toContain("cannot be set beside it");
  });
});
