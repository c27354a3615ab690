import { afterThisTest } from "@toolrack/testkit/cleanup";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ChangeListener, createChanges } from "../../../src/serve/changes/changes.ts";
import { readSubscription } from "../../../src/serve/changes/subscription.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  afterThisTest(() => vi.useRealTimers());
});

function open() {
  const registry = { revision: 1 };
  const seen = { signature: "a", tools: [] as object[] };
  const lookedFor: unknown[] = [];
  const lists = { for: (...who: unknown[]) => (lookedFor.push(who), { ...seen }) };
  const changes = createChanges(registry as never, lists as never);
  const told: unknown[] = [];
  const listen = (wants: Partial<ChangeListener> = {}): (() => void) =>
    changes.add({
      caller: { agent: "ada" },
      isAnonymous: true,
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wantsResource: () => true,
      tell: (...said) => void told.push(said),
      ...wants,
    });
  /** What the listeners are told when the registry changes so. */
  const change = (more: Partial<typeof seen>): unknown[] => {
    Object.assign(seen, more);
    registry.revision += 1;
    vi.advanceTimersByTime(100);
    return told.splice(0);
  };
  return { changes, registry, listen, told, change, lookedFor };
}

const hinted = { name: "x", description: "X.", metadata: { usageHint: "Now." } };
const [tools, prompts, catalog] = [
  ["notifications/tools/list_changed"],
  ["notifications/prompts/list_changed"],
  ["notifications/resources/updated", { uri: "toolrack://catalog" }],
];

describe("listeners to changes", () => {
  it("hear of tools, of their prompts where these changed, and of the catalog", () => {
    const { listen, change, lookedFor } = open();
    listen();
    expect(lookedFor).toEqual([[{ agent: "ada" }, true]]);
    expect(change({ signature: "b" })).toEqual([tools, catalog]);
    expect(change({ signature: "c", tools: [hinted] })).toEqual([tools, prompts, catalog]);
    expect(change({ signature: "d", tools: [{ ...hinted, metadata: { usageHint: "Later." } }] })).toEqual([tools, prompts, catalog]);
    expect(change({})).toEqual([]);
  });

  it("hear only of what they want", () => {
    const { listen, change } = open();
    listen({ wantsTools: false, wantsPrompts: false, wantsResource: (uri) => uri === "other" });
    expect(change({ signature: "b", tools: [hinted] })).toEqual([]);
  });

  it("are looked for every tenth of a second, where the registry changed, and while there are any", () => {
    const { listen, registry, told, lookedFor } = open();
    expect(vi.getTimerCount()).toBe(0);
    const [first, second] = [listen(), listen()];
    expect([vi.getTimerCount(), lookedFor.length]).toEqual([1, 2]);
    vi.advanceTimersByTime(1_000);
    expect(lookedFor).toHaveLength(2);
    registry.revision = 2;
    vi.advanceTimersByTime(99);
    expect(lookedFor).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(lookedFor).toHaveLength(4);
    first();
    expect(vi.getTimerCount()).toBe(1);
    second();
    expect([vi.getTimerCount(), told]).toEqual([0, []]);
  });

  it("that come after a pause are not told of what changed in it", () => {
    const { listen, change, registry, told, lookedFor } = open();
    listen()();
    expect(change({ signature: "b" })).toEqual([]);
    listen();
    lookedFor.length = 0;
    vi.advanceTimersByTime(100);
    expect([lookedFor, told, registry.revision]).toEqual([[], [], 2]);
  });

  it("hear what the host says, where they want it, until they leave", () => {
    const { changes, listen, told } = open();
    const leave = listen({ wantsPrompts: false, wantsResource: (uri) => uri === "a://1" });
    listen({ wantsResources: false, wantsResource: () => false, tell: (...said) => void told.push(["other", ...said]) });
    const say = (): void => {
      changes.promptsChanged();
      changes.resourcesChanged();
      for (const uri of ["a://1", "a://2"]) changes.resourceUpdated(uri);
    };
    say();
    expect(told.splice(0)).toEqual([
      ["other", "notifications/prompts/list_changed", undefined],
      ["notifications/resources/list_changed", undefined],
      ["notifications/resources/updated", { uri: "a://1" }],
    ]);
    leave();
    say();
    expect(told).toEqual([["other", "notifications/prompts/list_changed", undefined]]);
  });
});

describe("a subscription", () => {
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["a://1"] };

  it("holds what is wanted, and nothing that is not known", () => {
    const { wanted, wantsResource, ...wants } = readSubscription({ notifications: { ...all, other: true } });
    expect([wanted, wants]).toEqual([all, { wantsTools: true, wantsPrompts: true, wantsResources: true }]);
    expect(["a://1", "a://2"].map(wantsResource)).toEqual([true, false]);
    for (const notifications of [
      {},
      { toolsListChanged: false, promptsListChanged: "yes", resourcesListChanged: 1, resourceSubscriptions: "a://1" },
      { resourceSubscriptions: [5] },
    ]) {
      const none = readSubscription({ notifications });
      expect([none.wanted, none.wantsTools, none.wantsPrompts, none.wantsResources]).toEqual([{}, false, false, false]);
      expect(none.wantsResource("a://1")).toBe(false);
    }
  });

  it("may name a thousand resources, each counted once", () => {
    const uris = Array.from({ length: 1_000 }, (_, index) => `a://${index}`);
    const read = (resourceSubscriptions: unknown): unknown => readSubscription({ notifications: { resourceSubscriptions } }).wanted;
    expect(read([...uris, "a://0"])).toEqual({ resourceSubscriptions: uris });
    expect(() => read([...uris, "a://more"])).toThrow("At most 1000 resources can be listened to in one subscription.");
    for (const notifications of [undefined, [], "all"])
      expect(() => readSubscription({ notifications })).toThrow("notifications must be an object that says what to listen for.");
  });
});
