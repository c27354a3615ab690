import { type Breadcrumb, isApprovedSeen, listAudit, openDefinitionLog, stateOf, upstreamOf, verifyAudit } from "@toolrack/store";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { serverActor } from "../../../src/rack/store/open-store.ts";
import { agreedConfig, changedCount, shopConfig, shopOf, type Stage, tables, type Task, toolCount } from "./killed-shop.ts";
import { namesOf } from "./_changing-source.ts";

let deciding: string;
beforeAll(async () => {
  deciding = await bundleProgram(new URL("../programs/deciding.ts", import.meta.url));
});
afterAll(() => removeProgram(deciding));

const open = (folder: string, config: typeof shopConfig | typeof agreedConfig = shopConfig): Promise<Rack> =>
  openTestRack({ folder, config, startSources: false });

/** Runs the server until the stage, where it is killed. */
async function killed(folder: string, task: Task): Promise<void> {
  const server = startProgram(deciding, folder, JSON.stringify(task));
  let isGone = false;
  void server.ended.then(() => (isGone = true));
  await until(() => isGone || server.lines.length > 0, "The server neither ended nor came to its end.");
  if (!isGone) throw new Error(`The stage was never reached: ${JSON.stringify(task)}`);
}

async function recordsOf(rack: Rack): Promise<readonly Breadcrumb[]> {
  const found = await rack.store.searchBreadcrumbs({
    schema_name: "tool.definition.v1",
    tag: "toolrack:source:mcp%3Ashop",
    includeContext: true,
  });
  return found as readonly Breadcrumb[];
}

/** Ledger, log and audit tell one story: each approved definition has its entry and its line, and there is no other. */
async function expectOneStory(rack: Rack): Promise<void> {
  expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  const log = openDefinitionLog(rack.store);
  const entries = (await log.list({ limit: 1_000, source: "one" })).toReversed();
  const [head] = await listAudit(rack.store, { kinds: ["definition-log"], limit: 1 });
  expect(head === undefined ? { size: 0 } : (head.body as { log: object }).log).toMatchObject(
    head === undefined ? await log.head() : { ...(await log.head()) },
  );
  const records = await recordsOf(rack);
  const logged = new Map<string, string[]>();
  for (const { tool, print } of entries) logged.set(tool, [...(logged.get(tool) ?? []), String(print)]);
  expect([...logged.keys()].sort()).toEqual(records.map((record) => upstreamOf(record)!.name).sort());
  for (const record of records) {
    const { name, print, waits } = upstreamOf(record)!;
    expect(logged.get(name)).toContain(print);
    if (waits !== undefined) expect(logged.get(name)).toContain(waits);
  }
  const lines = await listAudit(rack.store, { kinds: ["definitions-pinned", "definition-approved", "definition-waits"], limit: 1_000 });
  const linesOf = (wanted: string) => lines.filter(({ kind }) => kind === wanted);
  const counted = linesOf("definitions-pinned").reduce((sum, { body }) => sum + (body as { count: number }).count, 0);
  expect(counted).toBe(entries.filter(({ kind }) => kind === "first-sight").length);
  expect(linesOf("definition-approved").length).toBe(entries.filter(({ kind }) => kind === "approval").length);
  expect(linesOf("definition-waits").length).toBe(entries.filter(({ kind }) => kind === "change").length);
}

/** What is served is exactly what is on record as approved and as the source sends it. */
async function expectServed(rack: Rack, version: 1 | 2): Promise<void> {
  await rack.registry.addSource(shopOf(version));
  const approved = (await recordsOf(rack)).filter((record) => isApprovedSeen(record) && stateOf(record) === "approved");
  expect([...namesOf(rack, "mcp:shop")].sort()).toEqual(approved.map(({ context }) => String(context["name"])).sort());
  await expectOneStory(rack);
}

const stagesOf = (nths: readonly number[]): readonly Stage[] =>
  tables.flatMap((table) => nths.flatMap((nth) => (["before", "after"] as const).map((when) => ({ table, nth, when }))));

describe("a server that is killed", () => {
  const first: readonly Stage[] = [{ table: "definition_log", nth: 1, when: "before" }, ...stagesOf([1, 2, 3])];
  it.each(first.slice(0, sized(1, first.length)))(
    "while it sees a source first, at $table $nth ($when), leaves whole batches and goes on",
    async (stage) => {
      const folder = temporaryFolder();
      await killed(folder, { version: 1, stage });
      const rack = await open(folder);
      await expectOneStory(rack);
      expect(namesOf(rack, "mcp:shop")).toEqual([]);
      await expectServed(rack, 1);
      expect(namesOf(rack, "mcp:shop")).toHaveLength(toolCount);
      expect(rack.trust.waiting()).toEqual([]);
    },
  );

  it("while it records a source that a person agreed to, pins the rest of that list, and of no other one", async () => {
    const folder = temporaryFolder();
    const before = await open(folder, agreedConfig);
    const pin = { id: "source-pin-shop", schema_name: "toolrack.source-pin.v1", context: { byPerson: true } };
    await before.store.as(serverActor).put({ ...pin, visibility: "private" });
    await before.close();
    await killed(folder, { version: 1, agreed: true, stage: { table: "definition_log", nth: 2, when: "before" } });
    const changed = await open(folder, agreedConfig);
    expect((await recordsOf(changed)).length).toBeLessThan(toolCount);
    await changed.registry.addSource(shopOf(2));
    expect(changed.trust.waiting().length).toBeGreaterThan(0);
    await changed.close();
    const other = temporaryFolder();
    const agreed = await open(other, agreedConfig);
    await agreed.store.as(serverActor).put({ ...pin, visibility: "private" });
    await agreed.close();
    await killed(other, { version: 1, agreed: true, stage: { table: "definition_log", nth: 2, when: "before" } });
    const rack = await open(other, agreedConfig);
    await expectServed(rack, 1);
    expect(namesOf(rack, "mcp:shop")).toHaveLength(toolCount);
    expect(rack.trust.waiting()).toEqual([]);
  });

  const change: readonly Stage[] = [{ table: "definition_log", nth: 1, when: "after" }, ...stagesOf([1])];
  it.each(change.slice(0, sized(1, change.length)))("while it holds a change, at $table $nth ($when), never serves it", async (stage) => {
    const folder = temporaryFolder();
    const before = await open(folder);
    await before.registry.addSource(shopOf(1));
    await before.close();
    await killed(folder, { version: 2, stage });
    const rack = await open(folder);
    await expectOneStory(rack);
    await expectServed(rack, 2);
    expect(rack.trust.waiting()).toHaveLength(changedCount);
    expect(await rack.registry.invoke("tool_0", { everything: true })).toMatchObject({ code: "TOOL_HELD" });
  });

  const approval: readonly Stage[] = [
    { table: "definition_log", nth: 2, when: "before" },
    { table: "audit", nth: 2, when: "after" },
    ...stagesOf([1, 2, 3]),
  ];
  it.each(approval.slice(0, sized(1, approval.length)))(
    "while a person approves, at $table $nth ($when), has decided wholly or not at all",
    async (stage) => {
      const folder = temporaryFolder();
      const before = await open(folder);
      await before.registry.addSource(shopOf(1));
      await before.registry.removeSource("mcp:shop");
      await before.registry.addSource(shopOf(2));
      expect(before.trust.waiting()).toHaveLength(changedCount);
      await before.close();
      await killed(folder, { version: 2, approves: true, stage });
      const rack = await open(folder);
      await expectOneStory(rack);
      await expectServed(rack, 2);
      const approvals = (await listAudit(rack.store, { kinds: ["definition-approved"] })).length;
      expect(rack.trust.waiting()).toHaveLength(changedCount - approvals);
      expect(namesOf(rack, "mcp:shop")).toHaveLength(toolCount - changedCount + approvals);
    },
  );
});
