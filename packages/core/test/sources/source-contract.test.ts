import { turns } from "@toolrack/testkit/turns";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import type { ToolSource } from "../../src/sources/source.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { settle } from "../../src/testing/fake-clock.ts";
import { sourceContract } from "../../src/testing/source-contract.ts";
import type { AnyTool } from "../../src/tool/shapes.ts";

const tools: readonly AnyTool[] = [fakeTool({ name: "a" }), fakeTool({ name: "b" })];
const sourceOf = (list: ToolSource["list"], more: Partial<ToolSource> = {}): ToolSource => ({ id: "other", list, ...more });
const wanted = fakeTool({ name: "steady-tool" });
const fail = (): never => {
  throw new Error("no connection");
};
const garbage = [
  undefined,
  null,
  5,
  "text",
  {},
  { name: "no handler" },
  fakeTool({ name: "no spaces" }),
  fakeTool({ inputSchema: 5 as never }),
];

/** Everything that a source may do without breaking its contract. */
const sources: [string, () => ToolSource, readonly string[]][] = [
  ["one that lists at once", () => sourceOf(() => tools), ["a", "b"]],
  ["one that lists later", () => sourceOf(async () => (await settle(), tools)), ["a", "b"]],
  ["one that is slow", () => sourceOf(async () => (await turns(), tools)), ["a", "b"]],
  ["one that has none", () => sourceOf(() => []), []],
  ["one that throws", () => sourceOf(fail), []],
  ["one that rejects", () => sourceOf(() => Promise.reject(new Error("no connection"))), []],
  ["one that lists garbage among its tools", () => sourceOf(() => [...garbage, ...tools] as AnyTool[]), ["a", "b"]],
  ["one that lists a tool twice", () => sourceOf(() => [...tools, tools[0]!]), ["a", "b"]],
  ["one that wants the name of another's tool", () => sourceOf(() => [...tools, wanted]), ["a", "b", "steady-tool"]],
  ["one that cannot be watched", () => sourceOf(() => tools, { watch: fail }), ["a", "b"]],
];

describe("a registry with a source", () => {
  for (const [name, make, hung] of sources) for (const check of sourceContract(name, make, { tools: hung })) it(check.name, check.run);
});

describe("sourceContract", () => {
  /** The checks that a source fails, without their prefix. */
  async function failed(make: () => ToolSource, change?: (source: ToolSource) => void): Promise<string[]> {
    const checks = sourceContract("s", make, { tools: ["a", "b"], ...(change && { change }) });
    const outcomes = await Promise.allSettled(checks.map((check) => check.run()));
    return checks.filter((_, index) => outcomes[index]!.status === "rejected").map((check) => check.name.slice("s: ".length));
  }

  it("is met by a source that does what it should", async () => {
    expect(await failed(() => sourceOf(() => tools))).toEqual([]);
  });

  it.each<[string, () => ToolSource, string]>([
    ["has no id", () => ({ ...sourceOf(() => tools), id: " " }), "has an id that can be shown, and keeps it"],
    ["lists something else", () => sourceOf(() => "tools" as never), "lists an array, or fails; never anything else"],
    [
      "makes its tools anew each time",
      () => sourceOf(() => [fakeTool({ name: "a" }), fakeTool({ name: "b" })]),
      "lists the same tools twice, in the same order and as the same objects",
    ],
    [
      "leaves a listener",
      () => sourceOf(({ signal }) => (signal.addEventListener("abort", () => {}), tools)),
      "ends when it is aborted, and listens no longer",
    ],
    ["lists other tools", () => sourceOf(() => tools.slice(1)), "adds its tools under its id, and removes them when it is removed"],
    ["cannot be closed", () => sourceOf(() => tools, { close: fail }), "can be closed twice"],
  ])("finds a source that %s", async (_, make, check) => {
    expect(await failed(make)).toContain(check);
  });

  it("finds a source that never ends", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const found = failed(() => sourceOf(() => new Promise(() => {})));
    let isOver = false;
    void found.finally(() => (isOver = true));
    await until(async () => {
      await vi.advanceTimersByTimeAsync(10_000);
      return isOver;
    });
    expect(await found).toContain("ends when it is aborted, and listens no longer");
  });

  type Watchers = Set<() => void>;

  /** A source that can be changed, and handles who watches it as it is told to. */
  function changeable(tell: (watchers: Watchers) => void, stop: (watchers: Watchers, watcher: () => void) => void) {
    const watchers: Watchers = new Set();
    let listed = tools;
    const watch = (onChange: () => void): (() => void) => {
      const watcher = (): void => onChange();
      watchers.add(watcher);
      return () => stop(watchers, watcher);
    };
    const replace = (next: readonly AnyTool[]): void => {
      listed = next;
      tell(watchers);
    };
    return { ...sourceOf(() => listed, { watch }), replace };
  }

  const tellAll = (watchers: Watchers): void => watchers.forEach((watcher) => watcher());

  it.each<[string, Parameters<typeof changeable>]>([
    ["does not tell of a change", [() => {}, (watchers, watcher) => watchers.delete(watcher)]],
    ["tells who has stopped", [tellAll, () => {}]],
    ["lets one who stops stop the others", [tellAll, (watchers) => watchers.clear()]],
  ])("finds a source that %s", async (_, [tell, stop]) => {
    const change = (source: ToolSource): void => (source as ReturnType<typeof changeable>).replace([fakeTool({ name: "c" })]);
    expect(await failed(() => changeable(tell, stop), change)).toContain("notifies watchers of a change, and none that stopped");
  });
});
