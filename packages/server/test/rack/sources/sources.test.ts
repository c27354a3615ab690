import type { Registry } from "@toolrack/core";
import { createMemoryStore, type Secrets } from "@toolrack/store";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { SourceConfig } from "../../../src/config/config.ts";
import { followRecords } from "../../../src/rack/store/records.ts";
import { noModules } from "../../../src/rack/modules/loaded-modules.ts";
import { createWorkerChecks } from "../../../src/rack/workers/worker-checks.ts";
import { createSourceManager, type SourceManager } from "../../../src/rack/sources/sources.ts";

let manager: SourceManager;
let source: SourceConfig;
let started: string[];
let approved: string[];

beforeEach(async () => {
  const store = createMemoryStore();
  const feed = await followRecords(store, () => {});
  source = { command: "/bin/one" };
  [started, approved] = [[], []];
  const registry: Partial<Registry> = {
    sources: () => [],
    addSource: async ({ id }) => {
      started.push(id);
      return { id, state: "ready", tools: [], problems: [] };
    },
    removeSource: async () => {},
  };
  manager = createSourceManager({
    held: () => [],
    isAsSeen: () => true,
    originOf: () => "default",
    registry: registry as Registry,
    feed,
    secrets: {} as Secrets,
    sharedKey: new Uint8Array(32),
    workerChecks: createWorkerChecks(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    audit: async ({ kind, subject, by }) => void approved.push(`${kind} ${subject} ${by}`),
    modules: noModules,
    tracing: {},
    folder: "/",
    configured: () => [{ id: "small", source, origin: "record setting-small v1" }],
    mayStart: true,
    now: () => 1,
  });
  onTestFinished(async () => {
    await manager.close();
    await feed.close();
    await store.close();
  });
});

describe("the program of a source", () => {
  it("S21: is started once somebody agreed to it", async () => {
    await manager.apply();
    expect(started).toEqual([]);
    await manager.agree(["small"], "root");
    expect([started, approved]).toEqual([["mcp:small"], ["source-approved small root"]]);
  });

  it("S21: is not started where it became another one after somebody agreed", async () => {
    const agreed = manager.agree(["small"], "root");
    source = { command: "/bin/other" };
    await agreed;
    await manager.apply();
    expect([started, approved]).toEqual([[], []]);
  });

  it("S21: is approved by exactly its identity", async () => {
    const { identity } = manager.list()[0]!;
    source = { command: "/bin/other" };
    await expect(manager.approve("small", identity!, "root")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect([started, approved]).toEqual([[], []]);
    await manager.approve("small", manager.list()[0]!.identity!, "root");
    expect(started).toEqual(["mcp:small"]);
  });
});
