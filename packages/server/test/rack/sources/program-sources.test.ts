import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { upstreamIdentity } from "@toolrack/mcp";
import type { Rack, RackConfig, SourceInfo } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres } from "@toolrack/testkit/postgres";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serverActor } from "../../../src/rack/store/open-store.ts";

const program = pathToFileURL(join(import.meta.dirname, "../programs/mcp-server.mjs")).href;

/** A project whose program is in it; each says something of its own. It ends once there is a file "stop". */
function project(comment: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tools"));
  write(folder, comment);
  return folder;
}

function write(folder: string, comment: string): void {
  const end = `import { existsSync } from "node:fs";\nsetInterval(() => existsSync("stop") && process.exit(), 20).unref();`;
  writeFileSync(join(folder, "tools/server.mjs"), `import ${JSON.stringify(program)}; // ${comment}\n${end}\n`);
}

const source = { command: process.execPath, args: ["server.mjs"], cwd: "tools" };

/** A server of a store that others share, for the project in a folder. */
async function openServer(store: string, folder: string, changed: Partial<typeof source> = {}): Promise<Rack> {
  const config: RackConfig = {
    store: store.startsWith("postgres:") ? { postgres: store } : { sqlite: store },
    sources: { small: { ...source, ...changed } },
  };
  const rack = await openTestRack({ folder, config, environment: { TOOLRACK_MASTER_KEY: sharedMasterKey } });
  await rack.sources.ready();
  return rack;
}

const stateOf = (rack: Rack): SourceInfo => rack.sources.list().find(({ id }) => id === "small")!;

async function openDatabase(): Promise<string> {
  const postgres = await startPostgres();
  afterThisTest(() => postgres.stop());
  return createDatabase(postgres);
}

const storeFile = (): string => join(temporaryFolder(), "rack.db");

/** What a version before this one wrote when the source was approved in a folder. */
async function approvedBefore(store: string, folder: string): Promise<string> {
  const identity = upstreamIdentity({ name: "small", ...source, cwd: join(folder, "tools") });
  const rack = await openTestRack({ folder, config: { store: { sqlite: store } }, environment: { TOOLRACK_MASTER_KEY: sharedMasterKey } });
  const context = { source: "small", identity, by: "anna", byPerson: true, at: 1 };
  const written = await rack.store
    .as(serverActor)
    .put({ id: "source-pin-small", schema_name: "toolrack.source-pin.v1", title: "x", context });
  expect(written.ok).toBe(true);
  await rack.close({ graceMs: 0 });
  return identity;
}

describe("an approved program", () => {
  it.each(["SQLite", "PostgreSQL"])("is served by two servers whose projects are in different folders, on %s", async (kind) => {
    const store = kind === "SQLite" ? storeFile() : await openDatabase();
    const racks = [await openServer(store, project("one")), await openServer(store, project("one"))];
    for (const rack of racks) {
      expect(stateOf(rack)).toMatchObject({ state: "ready", problems: [], files: ["./tools/server.mjs"] });
      expect(await rack.registry.invoke("small__say", { text: "here" })).toMatchObject({ ok: true, content: "here" });
    }
    expect(stateOf(racks[0]!).identity).toBe(stateOf(racks[1]!).identity);
    expect(racks[1]!.trust.waiting()).toEqual([]);
  });

  it("that a person approves on one server is served by the other one, whose project is in another folder", async () => {
    const [store, folders] = [storeFile(), [project("one"), project("one")]];
    const before = await openServer(store, folders[0]!);
    await before.close({ graceMs: 0 });
    for (const folder of folders) write(folder, "two");
    const racks = [await openServer(store, folders[0]!), await openServer(store, folders[1]!)];
    for (const rack of racks) expect(stateOf(rack)).toMatchObject({ state: "waiting-for-approval", tools: [] });
    await racks[0]!.sources.approve("small", stateOf(racks[0]!).identity!, "anna");
    for (const rack of racks) {
      await until(() => stateOf(rack).state === "ready");
      expect(await rack.call("small__say", { text: "same" }, { caller: {} }).result).toMatchObject({ ok: true, content: "same" });
    }
  });

  it("is held with other content of its file, with the reason, until a person approves that", async () => {
    const [store, folder] = [storeFile(), project("one")];
    const first = await openServer(store, folder);
    await first.overlays.set("small__say", { description: "Says it." }, "anna");
    await first.close({ graceMs: 0 });
    write(folder, "two");
    const second = await openServer(store, folder);
    expect(stateOf(second)).toMatchObject({
      state: "waiting-for-approval",
      tools: [],
      problems: ["Since it was approved, this has changed: file ./tools/server.mjs."],
    });
    expect(await second.registry.invoke("small__say", {})).toMatchObject({ ok: false });
    await second.sources.approve("small", stateOf(second).identity!, "anna");
    await second.sources.ready();
    expect(stateOf(second)).toMatchObject({ state: "ready", problems: [] });
    // What belongs to the program belongs to its next version, too.
    expect(second.registry.get("small__say")).toMatchObject({ description: "Says it." });
    expect(second.trust.waiting()).toEqual([]);
  });

  it("loses what belongs to it when it becomes another program, also where a person approves that", async () => {
    const [store, folder] = [storeFile(), project("one")];
    const first = await openServer(store, folder);
    await first.overlays.set("small__say", { description: "Says it." }, "anna");
    await first.close({ graceMs: 0 });
    const second = await openServer(store, folder, { args: ["server.mjs", "--all"] });
    expect(stateOf(second)).toMatchObject({ problems: ["Since it was approved, this has changed: arguments."] });
    await second.sources.approve("small", stateOf(second).identity!, "anna");
    await second.sources.ready();
    expect(second.overlays.get("small__say")).toMatchObject({ state: "unfit" });
  });

  it("is not started again with other content after it has ended", async () => {
    const folder = project("one");
    const rack = await openServer(storeFile(), folder);
    write(folder, "two");
    expect(stateOf(rack)).toMatchObject({ state: "ready" });
    writeFileSync(join(folder, "tools/stop"), "");
    await until(() => stateOf(rack).state === "waiting-for-approval");
    expect(await rack.registry.invoke("small__say", { text: "x" })).toMatchObject({ ok: false });
  });
});

describe("an approval of an older version, which did not know files", () => {
  it("counts for exactly the program that it was given for, with what belongs to it, and from then on for every folder", async () => {
    const [store, folder] = [storeFile(), project("one")];
    const identity = await approvedBefore(store, folder);
    const first = await openServer(store, folder);
    expect(stateOf(first)).toMatchObject({ state: "ready" });
    const overlay = await first.overlays.set("small__say", { description: "Says it." }, "anna");
    expect(overlay.source).toBe(identity);
    const second = await openServer(store, project("one"));
    expect(stateOf(second)).toMatchObject({ state: "ready" });
    expect(second.registry.get("small__say")).toMatchObject({ description: "Says it." });
    const third = await openServer(store, project("two"));
    expect(stateOf(third)).toMatchObject({ state: "waiting-for-approval", problems: [expect.stringContaining("file ./tools/server.mjs")] });
  });

  it("counts for nothing else", async () => {
    const [store, folder] = [storeFile(), project("one")];
    await approvedBefore(store, folder);
    for (const rack of [await openServer(store, project("one")), await openServer(store, folder, { args: ["server.mjs", "--all"] })])
      expect(stateOf(rack)).toMatchObject({
        state: "waiting-for-approval",
        problems: [expect.stringContaining("approved by an older version of Toolrack")],
      });
  });
});
