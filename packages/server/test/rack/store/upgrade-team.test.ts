import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { listAudit, verifyAudit } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { restoreFrom } from "../../../src/rack/store/whole-store.ts";

const fixture = (ending: string): Buffer => readFileSync(new URL(`../../fixtures/upgrade/0012-team${ending}`, import.meta.url));
const masterKey = { TOOLRACK_MASTER_KEY: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" };

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

interface Opened {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiKey: string;
}

/** A folder with the configuration of the fixture, for SQLite or for the database that the environment names. */
function configure(on: "sqlite" | "postgres"): string {
  const config = fixture(".config.yaml").toString();
  const folder = temporaryFolder({ "toolrack.config.yaml": on === "sqlite" ? config : config.replace(/^store:\n {2}.*\n/m, "") });
  chmodSync(folder, 0o700);
  return folder;
}

const ways: Readonly<Record<string, () => Promise<Opened>>> = {
  async "as the SQLite file that it was"() {
    const folder = configure("sqlite");
    writeFileSync(join(folder, "toolrack.db"), gunzipSync(fixture(".db.gz")), { mode: 0o600 });
    writeFileSync(join(folder, "toolrack.db-audit-key"), fixture(".audit-key"), { mode: 0o600 });
    return { folder, environment: masterKey, apiKey: fixture(".api-key").toString() };
  },
  async "as the PostgreSQL database that it was"() {
    const DATABASE_URL = await createDatabase(server);
    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    await client.query(gunzipSync(fixture(".postgres.sql.gz")).toString());
    await client.end();
    return {
      folder: configure("postgres"),
      environment: { ...masterKey, DATABASE_URL },
      apiKey: fixture(".postgres.api-key").toString(),
    };
  },
  async "restored from its back-up into SQLite"() {
    return restored(configure("sqlite"), masterKey);
  },
  async "restored from its back-up into PostgreSQL"() {
    return restored(configure("postgres"), { ...masterKey, DATABASE_URL: await createDatabase(server) });
  },
};

async function restored(folder: string, environment: Opened["environment"]): Promise<Opened> {
  const backup = join(folder, "whole.backup");
  copyFileSync(new URL("../../fixtures/upgrade/0012-team.backup", import.meta.url), backup);
  expect(await restoreFrom(backup, { folder, environment })).toMatchObject({ isSealed: true, audit: { ok: true } });
  return { folder, environment, apiKey: fixture(".api-key").toString() };
}

async function open({ folder, environment }: Opened): Promise<Rack> {
  const rack = await openRack({ folder, environment, config: "toolrack.config.yaml", handlers: { greet: () => "hello" } });
  afterThisTest(() => rack.close({ graceMs: 0 }));
  return rack;
}

describe.each(Object.entries(ways))("a store and a configuration of an older version, %s", (_way, make) => {
  it("UP6: have their records, revisions, lifecycle decisions, configurations and secrets", async () => {
    const { store, configs, secrets } = await open(await make());
    const history = await store.history("note-1");
    expect(history.map(({ record: { version, context } }) => [version, context["text"]])).toEqual([
      [3, "two"],
      [2, "two"],
      [1, "one"],
    ]);
    expect(history[0]!.record.tags).toEqual(["team:north", "größe", "later"]);
    expect((await store.search({ tag: "größe", text: "note" })).records.map(({ id }) => id)).toEqual(["note-1"]);
    expect((await store.history("gone")).map(({ type }) => type)).toEqual(["deleted", "created"]);
    expect(await store.get("gone")).toBeUndefined();
    expect(await store.get("lasting")).toMatchObject({ ttl: { at: "2999-01-01T00:00:00.000Z" } });
    const stateOf = async (tool: string) => {
      const record = await store.get(`tool-def-${tool}`);
      return [record?.context["state"], record?.decision?.decision, record?.decision?.reason];
    };
    expect(await stateOf("greet")).toEqual(["approved", "approved", "Looks right."]);
    expect(await stateOf("old_greet")).toEqual(["deprecated", "deprecated", "Replaced."]);
    expect(await stateOf("risky")).toEqual(["draft", "rejected", "Asks for too much."]);
    expect(await stateOf("fresh")).toEqual(["draft", undefined, undefined]);
    expect(await configs.get("random")).toMatchObject({ max: 10 });
    const valueOf = (name: string) => secrets.get({ name, tool: "t", callId: "c", caller: {} });
    expect([await valueOf("api-key"), await valueOf("other-key")]).toEqual(["a value that only the master key opens", "the other value"]);
  });

  it("UP6: have their settings, keys, approvals, tasks and retention", async () => {
    const opened = await make();
    const { settings, drafts, keys, approvals, tasks, retention } = await open(opened);
    expect(settings.problems).toEqual([]);
    expect(settings.get("policy.agents.auditor")).toMatchObject({ value: { tools: { deny: ["random"] } } });
    expect(settings.bundles().find(({ name }) => name === "numbers")).toMatchObject({ required: ["random", "calculator"] });
    expect(await drafts.list()).toMatchObject([{ title: "Ask more" }]);
    expect(await keys.verify(opened.apiKey)).toMatchObject({ agent: "helper", roles: ["subscriber"] });
    expect(await keys.list()).toHaveLength(1);
    expect(await approvals.remembered()).toMatchObject([{ tool: "random", scope: "always" }]);
    expect(await tasks.get("task-1")).toMatchObject({ status: "completed", result: { content: [{ text: "42" }] }, revision: 2 });
    expect(retention.limits).toMatchObject({ revisionsPerRecord: 50, answersHours: 48, auditDays: Number.POSITIVE_INFINITY });
  });

  it("UP6: have an audit that verifies, and serve calls under the policy that they had", async () => {
    const rack = await open(await make());
    const calls = () => listAudit(rack.store, { kinds: ["call"], limit: 100 });
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
    const before = (await calls()).length;
    expect(before).toBe(8);
    const invoke = (tool: string, agent: string, input: unknown = {}) => rack.call(tool, input, { caller: { agent } }).result;
    expect(await invoke("greet", "other")).toMatchObject({ ok: true, content: "hello" });
    expect(await invoke("random", "other", { min: 1, max: 6 })).toMatchObject({ ok: true });
    for (const [tool, agent] of [
      ["uuid", "other"],
      ["random", "auditor"],
      ["risky", "other"],
    ] as const)
      expect(await invoke(tool, agent)).toMatchObject({ ok: false });
    await until(async () => (await calls()).length > before);
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  });
});
