import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/index.ts";
import { ledgerAgent, seenTag } from "../../src/record/seen.ts";
import {
  findSeen,
  ledgerActor,
  seenIdOf,
  seenSourceTag,
  seenTextTags,
  seenToolTag,
  toSeenDraft,
  withoutSeen,
} from "../../src/tools/seen-definition.ts";

const upstream = { source: "mcp:shop", identity: "https://shop.example", name: "find/orders", print: "p1", text: "t1", by: "s1" };
const tool = defineTool({
  name: "shop__find",
  description: "Finds orders.",
  inputSchema: { type: "object", properties: {} },
  handler: () => "",
});

describe("the record of a served tool", () => {
  it("has an id by its source, what is behind that, its name there and its version", () => {
    const id = seenIdOf(upstream);
    expect(id).toMatch(/^tool-seen-find_orders-[0-9a-f]{24}$/);
    expect(seenIdOf({ ...upstream, version: "" })).toBe(id);
    const others = [{ source: "x" }, { identity: "x" }, { name: "find_orders" }, { version: "1" }];
    expect(new Set([id, ...others.map((other) => seenIdOf({ ...upstream, ...other }))]).size).toBe(5);
    expect(seenIdOf({ ...upstream, name: "x".repeat(100) })).toMatch(/^tool-seen-x{60}-[0-9a-f]{24}$/);
  });

  it("is found by its source and by the name that models know", () => {
    expect(seenSourceTag("mcp:a b")).toBe("toolrack:source:mcp%3Aa%20b");
    expect(seenSourceTag("x".repeat(400))).toHaveLength(256);
    expect(seenToolTag("find")).toBe("toolrack:tool:find");
    expect(seenTextTags("a")).toEqual([seenTag, "toolrack:source:a"]);
    expect(withoutSeen({ noneTags: ["x"], limit: 5 } as { noneTags: string[] })).toEqual({ noneTags: ["x", seenTag], limit: 5 });
    expect(withoutSeen({})).toEqual({ noneTags: [seenTag] });
  });

  it("says what the tool says and where it is from, and nothing that only the store says", () => {
    const draft = toSeenDraft(tool, upstream);
    expect(draft).toMatchObject({
      id: seenIdOf(upstream),
      schema_name: "tool.definition.v1",
      tags: expect.arrayContaining([seenTag, "toolrack:source:mcp%3Ashop", "toolrack:tool:shop__find"]),
      context: { name: "shop__find", description: "Finds orders.", upstream },
    });
    expect(draft.context).not.toHaveProperty("state");
    expect(toSeenDraft(tool, upstream, { state: "changed", id: "tool-seen-other" })).toMatchObject({
      id: "tool-seen-other",
      context: { state: "changed" },
    });
    const metadata = { state: "approved", review: { by: "me" }, upstream: { name: "other" }, implementation: { kind: "http" } };
    const claiming = { ...tool, metadata };
    const { context } = toSeenDraft(claiming as never, upstream);
    expect(context).toMatchObject({ name: "shop__find", upstream });
    for (const field of ["state", "review", "implementation"]) expect(context).not.toHaveProperty(field);
  });

  it("is written by the server alone", async () => {
    const store = createMemoryStore();
    const { owner } = store.actor;
    expect(ledgerActor(owner)).toEqual({ owner, agent: ledgerAgent, roles: ["curator"], approvesOwn: true });
    const ledger = store.as(ledgerActor(owner));
    const draft = toSeenDraft(tool, upstream);
    const { upstream: _, ...said } = draft.context;
    await expect(store.put(draft)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(store.put({ ...draft, id: "tool-seen-mine", tags: [], context: said })).rejects.toThrow(
      'Ids that begin with "tool-seen-" are for the tools that a server serves. Choose another id.',
    );
    expect(await ledger.put(draft)).toMatchObject({ ok: true });
    const seen = (await store.get(draft.id))!;
    await expect(store.put({ ...seen, title: "Mine" })).rejects.toThrow("toolrack restore shop__find <version>");
    await expect(store.put({ schema_name: "tool.definition.v1", title: "a", context: { ...said, name: "a", upstream } })).rejects.toThrow(
      "context.upstream is written by the server about the tools that it serves. Leave it out.",
    );
  });

  it("is found for each name: the one that is served, else the newest", async () => {
    const recordOf = (name: string, served: boolean, updated: string, more: object = {}) => ({
      id: `tool-seen-${name}-${updated}`,
      created_by: ledgerAgent,
      tags: [seenTag],
      title: name,
      context: { name, state: served ? "approved" : "archived" },
      updated_at: updated,
      ...more,
    });
    const asked: (readonly string[])[] = [];
    const records = [
      recordOf("a", false, "3"),
      recordOf("a", true, "1"),
      recordOf("a", true, "2"),
      recordOf("a", false, "4"),
      recordOf("b", false, "1"),
      recordOf("b", false, "2"),
      recordOf("c", true, "9", { created_by: "mallory" }),
    ];
    const store = {
      searchBreadcrumbs: async (query: { anyTags: readonly string[]; schema_name: string; includeContext: boolean }) => {
        asked.push(query.anyTags);
        expect(query).toMatchObject({ schema_name: "tool.definition.v1", includeContext: true });
        return asked.length === 1 ? records : [];
      },
    } as never;
    const names = ["a", "b", "c", "a", "not a name", "", "x".repeat(129), ...Array.from({ length: 70 }, (_, index) => `t${index}`)];
    const found = await findSeen(store, names);
    expect([...found].map(([name, { id }]) => [name, id])).toEqual([
      ["a", "tool-seen-a-2"],
      ["b", "tool-seen-b-2"],
    ]);
    expect(asked.map((tags) => tags.length)).toEqual([64, 9]);
    expect(asked[0]!.slice(0, 3)).toEqual(["toolrack:tool:a", "toolrack:tool:b", "toolrack:tool:c"]);
    expect(await findSeen(store, [])).toEqual(new Map());
    expect(asked).toHaveLength(2);
  });
});
