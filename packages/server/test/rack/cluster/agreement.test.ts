import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { differencesFrom } from "../../../src/rack/cluster/agreement.ts";
import { digestConfig } from "../../../src/rack/settings/config-digest.ts";
import type { Rack } from "../../../src/rack/rack.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

async function freshDatabase(): Promise<string> {
  return createDatabase(server);
}

const pay = defineTool({ name: "pay", description: "Pays.", inputSchema: { type: "object" }, handler: () => "paid" });

interface Started {
  readonly rack: Rack;
  readonly lines: { readonly level: string; readonly text: string; readonly facts: Readonly<Record<string, unknown>> }[];
  /** Writes the file, and waits until it is read. */
  save(text: string): Promise<void>;
}

/** A server with a file of its own, and what it logs. It is known to the others. */
async function start(url: string, text: string, environment: Readonly<Record<string, string>> = {}): Promise<Started> {
  const folder = temporaryFolder();
  const file = join(folder, "toolrack.config.yaml");
  writeFileSync(file, text);
  const lines: Started["lines"] = [];
  const at =
    (level: string) =>
    (line: string, facts: Readonly<Record<string, unknown>> = {}): void =>
      void lines.push({ level, text: line, facts });
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const rack = await openTestRack({
    folder,
    config: file,
    tools: [pay],
    environment: { DATABASE_URL: url, TOOLRACK_MASTER_KEY: sharedMasterKey, ...environment },
    log,
  });
  await rack.call("calculator", { expression: "1 + 1" }, { caller: { agent: "support" } }).result;
  return {
    rack,
    lines,
    async save(next) {
      writeFileSync(file, next);
      await rack.settings.reload();
    },
  };
}

const asking = "agents: { support: {} }\npolicy: { tools: { ask: [pay] } }\n";
const careless = "agents: { support: {} }\n";

describe("servers of one store", () => {
  it("warn once when one of them does not ask before paying, name who and where, and stop when it does", async () => {
    const url = await freshDatabase();
    const a = await start(url, asking);
    const b = await start(url, careless);
    const warnings = (one: Started): typeof one.lines => one.lines.filter(({ text }) => text.includes("another configuration"));
    // The second one saw it at its start, before anybody could call it.
    expect(warnings(b)).toMatchObject([{ level: "warn", facts: { otherServer: a.rack.servers.name, sections: ["policy"] } }]);
    await a.rack.agreement.compare();
    await a.rack.agreement.compare();
    expect(warnings(a)).toMatchObject([
      { level: "warn", facts: { otherServer: b.rack.servers.name, sections: ["policy"], hasOtherMasterKey: false } },
    ]);
    expect(warnings(a)[0]!.text).toMatch(/host .+, process \d+\).*\(policy\)/);

    const health = await serverOver(a.rack).ask("GET", "/health");
    expect(health.body.problems).toEqual([warnings(a)[0]!.text]);
    const status = await serverOver(a.rack).ask("GET", "/status");
    expect(status.body.servers).toMatchObject([
      { isThis: true, config: "same", differs: [], masterKey: "same" },
      { isThis: false, config: "different", differs: ["policy"], masterKey: "same" },
    ]);

    // What is in use counts, not what the file said at the start.
    await b.save(asking);
    await until(async () => (await a.rack.agreement.differences()).length === 0);
    await a.rack.agreement.compare();
    expect(a.lines.filter(({ text }) => text.includes("no longer differs"))).toHaveLength(1);
    expect(warnings(a)).toHaveLength(1);
  });

  it("warn when their master keys differ", async () => {
    const url = await freshDatabase();
    const a = await start(url, asking);
    const b = await start(url, asking, { TOOLRACK_MASTER_KEY: Buffer.alloc(32, 9).toString("base64") });
    await a.rack.agreement.compare();
    await b.rack.agreement.compare();
    for (const one of [a, b])
      expect(one.lines.filter(({ text }) => text.includes("another master key"))).toMatchObject([
        { level: "warn", facts: { sections: [] } },
      ]);
    expect(await a.rack.readiness.check()).toMatchObject({ isReady: true });
    expect(await b.rack.readiness.check()).toMatchObject({ isReady: false, checks: { masterKey: "wrong" } });
  });

  it("are shown at a glance by any of them: who runs, what waits, how far each is", async () => {
    const url = await freshDatabase();
    const [a, b, c] = await Promise.all([start(url, asking), start(url, asking), start(url, asking)]);
    const call = b.rack.call("pay", {}, { caller: { agent: "support" } });
    await until(async () => (await a.rack.approvals.list()).length === 1);
    const { status, body } = await serverOver(a.rack).ask("GET", "/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ready: true,
      problems: [],
      notes: [],
      store: { kind: "postgres", newestChange: expect.any(Number), pool: { max: expect.any(Number) } },
      waiting: { approvals: 1, configChanges: 0 },
      sources: { failed: [] },
    });
    expect(body.store.migrations.applied).toBe(body.store.migrations.known);
    expect(body.servers.map(({ name }: { name: string }) => name).sort()).toEqual([a, b, c].map(({ rack }) => rack.servers.name).sort());
    for (const line of body.servers)
      expect(line).toMatchObject({ status: "active", pid: process.pid, version: a.rack.version, config: "same", lag: expect.any(Number) });
    expect(JSON.stringify(body)).not.toContain(a.rack.masterKey.keyId);
    call.cancel();
    await call.result;
    expect((await (await serverOver(a.rack).as("support"))("GET", "/status")).status).toBe(403);
  });
});

describe("differencesFrom", () => {
  const other = { name: "0123456789abcdef-7-00aa00bb00cc", isThis: false, status: "active" as const };

  it("notes another version as an upgrade, and compares nothing that a server does not tell", () => {
    const self = { version: "2.0.0", keyId: "k", config: { policy: "1", newer: "2" } };
    expect(differencesFrom(self, [{ ...other, info: {} }])).toEqual([]);
    expect(differencesFrom(self, [{ ...other, info: { version: "1.9.0", config: { policy: "1" } } }])).toMatchObject([
      { level: "note", version: "1.9.0", sections: [], message: expect.stringContaining("Finish the upgrade") },
    ]);
    expect(differencesFrom(self, [{ ...other, status: "inactive", info: { keyId: "x" } }])).toEqual([]);
  });
});

describe("digestConfig", () => {
  const base: RackConfig = {
    policy: { tools: { deny: ["exec"], ask: ["pay"] } },
    sources: { docs: { command: "/opt/a/docs", args: ["-x"] } },
  };
  const changed = (config: RackConfig, disabled: readonly string[] = []): readonly string[] => {
    const [before, after] = [digestConfig(base, []), digestConfig(config, disabled)];
    return Object.keys(before).filter((section) => before[section] !== after[section]);
  };

  it.each<[string, RackConfig, readonly string[]]>([
    ["the order of keys", { sources: base.sources!, policy: { tools: { ask: ["pay"], deny: ["exec"] } } }, []],
    ["an empty section", { ...base, agents: {} }, []],
    ["addresses", { ...base, server: { host: "0.0.0.0", port: 1, publicUrl: "https://a.example", allowedHosts: ["b"] } }, []],
    ["the store and the workspace", { ...base, store: { sqlite: "/other/place.db" }, workspace: "/elsewhere" }, []],
    ["where a program lies", { ...base, sources: { docs: { command: "/usr/bin/docs", cwd: "/srv", args: ["-x"] } } }, []],
    ["what a program is told", { ...base, sources: { docs: { command: "docs", args: ["-y"] } } }, ["sources"]],
    ["the policy", { ...base, policy: { tools: { deny: ["exec"] } } }, ["policy"]],
    ["who is let in", { ...base, server: { requireSignIn: true } }, ["signIn"]],
    ["limits of callers", { ...base, server: { limits: { bodyBytes: 5 } } }, ["limits"]],
    ["approvals", { ...base, approvals: { waitMs: 5 } }, ["approvals"]],
    ["packs", { ...base, tools: { packs: { runtime: true } } }, ["tools"]],
  ])("sees of %s what decides over calls", (_what, config, sections) => {
    expect(changed(config)).toEqual(sections);
  });

  it("sees a tool that is switched off, and holds nothing of a secret", () => {
    expect(changed(base, ["pay"])).toEqual(["tools"]);
    const withHeader = (value: string): RackConfig => ({
      ...base,
      sources: { docs: { url: "https://a.example/mcp", headers: { Authorization: value } } },
    });
    expect(digestConfig(withHeader("one"), [])).toEqual(digestConfig(withHeader("two"), []));
  });
});
