import { describe, expect, it } from "vitest";
import { buildCatalogFromBreadcrumbs, type ClientRecord, toCatalog } from "../../src/catalog/build.ts";
import { addHash, entryHash, isListed, readHash, showHash } from "../../src/catalog/entry.ts";
import { isCallable, stateOf, type ToolLifecycle } from "../../src/catalog/state.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { identityOf, idOf } from "../../src/record/identity.ts";

const context = { name: "echo" };
const decided = (decision: string, state?: string) => {
  const content = { ...context, ...(state !== undefined && { state }) };
  return {
    context: content,
    title: "",
    updated_as: "curator",
    decision: { decision, hash: definitionHash({ context: content }) },
  } as unknown as Breadcrumb;
};

describe("the state of a definition", () => {
  it("is what was decided about its very content, unless it claims less itself", () => {
    for (const state of ["approved", "deprecated", "archived"]) expect(stateOf(decided(state))).toBe(state);
    for (const state of ["draft", "validated", "archived"]) expect(stateOf(decided("approved", state))).toBe(state);
    expect(stateOf(decided("rejected"))).toBe("draft");
    expect(stateOf(decided("archived", "draft"))).toBe("archived");
    expect(stateOf(decided("approved", "deprecated"))).toBe("approved");
    expect(stateOf({ ...decided("approved"), context: { ...context, more: 1 } })).toBe("draft");
    expect(stateOf({ ...decided("approved"), title: "Another" })).toBe("draft");
    expect(stateOf({ context: { ...context, state: "approved" }, updated_as: "curator" })).toBe("draft");
  });

  it("of a record of another system is what it says, else approved", () => {
    expect([stateOf({ context }), stateOf({ context: { ...context, state: "draft" } })]).toEqual(["approved", "draft"]);
  });

  it("lets approved and deprecated ones be called, and lists those that are tagged and not private", () => {
    const states: ToolLifecycle[] = ["draft", "validated", "approved", "deprecated", "archived"];
    expect(states.filter(isCallable)).toEqual(["approved", "deprecated"]);
    const listed = { schema_name: "tool.definition.v1", tags: ["workspace:tools"], context };
    expect(isListed(listed)).toBe(true);
    for (const other of [
      { schema_name: "note.v1" },
      { visibility: "private" as const },
      { tags: [] },
      { context: { ...context, state: "draft" } },
    ])
      expect(isListed({ ...listed, ...other }), JSON.stringify(other)).toBe(false);
  });
});

describe("the catalog", () => {
  const definition = (name: string, more: object = {}, rest: object = {}): ClientRecord =>
    ({
      id: `tool-def-${name}`,
      schema_name: "tool.definition.v1",
      tags: ["workspace:tools"],
      context: { name, ...more },
      ...rest,
    }) as ClientRecord;

  it("has the tools in the order of names and versions, each with its configuration", () => {
    const configs = new Map([["a", definition("config", {}, { id: "tool-config-a", updated_at: "2026-03-01" })]]);
    const {
      tags,
      title,
      schema_name,
      context: built,
    } = toCatalog(
      [
        definition("b", { version: "2" }),
        definition("b", { version: "1" }),
        definition("b"),
        definition("a", {}, { updated_at: "2026-02-01" }),
      ],
      configs,
    );
    expect([schema_name, title, tags]).toEqual(["tool.catalog.v1", "Tool Catalog", ["tool:catalog", "workspace:tools"]]);
    expect(built.tools).toEqual([
      { name: "a", hasConfig: true, configId: "tool-config-a" },
      { name: "b", hasConfig: false },
      { name: "b", version: "1", hasConfig: false },
      { name: "b", version: "2", hasConfig: false },
    ]);
    expect([built.totalTools, built.lastUpdated]).toEqual([4, "2026-03-01"]);
    expect(toCatalog([], new Map()).context).toEqual({ tools: [], totalTools: 0, lastUpdated: null, hash: showHash(0n) });
    expect(
      toCatalog([definition("a", {}, { updated_at: "2026-02-01" }), definition("b", {}, { updated_at: "2026-01-01" })], new Map()).context
        .lastUpdated,
    ).toBe("2026-02-01");
  });

  it("has a hash of its tools, whatever their order, that follows each change", () => {
    const hash = (...records: ClientRecord[]) => toCatalog(records, new Map()).context.hash;
    const [a, b] = [definition("a"), definition("b")];
    expect(hash(a, b)).toBe(hash(b, a));
    expect(
      new Set([hash(a), hash(b), hash(a, b), hash(definition("a", { x: 1 })), toCatalog([a], new Map([["a", b]])).context.hash]).size,
    ).toBe(5);
    const sum = addHash(entryHash(a, undefined), entryHash(b, undefined));
    expect([showHash(sum), readHash(showHash(sum))]).toEqual([hash(a, b), sum]);
    expect(addHash(2n ** 256n - 1n, 2n)).toBe(1n);
    for (const none of [undefined, 5, "sum256:00", `sum256:${"0".repeat(63)}G`]) expect(readHash(none)).toBe(0n);
    expect(showHash(255n)).toBe(`sum256:${"0".repeat(62)}ff`);
  });

  it("is built from what a client finds: listed definitions, and the configuration of each", async () => {
    const asked: unknown[] = [];
    const records = new Map(
      [definition("a"), definition("hidden", { state: "draft" }), definition("config", {}, { id: "tool-config-a" })].map((one) => [
        one.id,
        one,
      ]),
    );
    const found: Record<string, readonly { id: string }[]> = {
      "workspace:tools": [{ id: "tool-def-a" }, { id: "tool-def-hidden" }, { id: "gone" }],
      "tool:config:a": [{ id: "tool-config-a" }],
    };
    const built = await buildCatalogFromBreadcrumbs({
      searchBreadcrumbs: async (query) => (asked.push(query), found[query.tag!] ?? []),
      getBreadcrumb: async (id) => records.get(id),
    });
    expect(asked).toEqual([{ schema_name: "tool.definition.v1", tag: "workspace:tools" }, { tag: "tool:config:a" }]);
    expect(built.context.tools).toEqual([{ name: "a", hasConfig: true, configId: "tool-config-a" }]);
  });
});

describe("what a record is", () => {
  const draft = (schema_name: string, more: object, id?: string) =>
    ({ schema_name, context: more, ...(id !== undefined && { id }) }) as never;

  it("follows from the name and version of a definition, and the tool of a configuration", () => {
    expect(identityOf(draft("tool.definition.v1", { name: "a", version: "1.0.0" }))).toBe("tool.definition.v1|a|1.0.0");
    expect(identityOf(draft("tool.definition.v1", { name: "a" }))).toBe("tool.definition.v1|a|");
    expect(identityOf(draft("tool.config.v1", { tool: "a" }))).toBe("tool.config.v1|a|");
    expect(identityOf(draft("note.v1", { name: "a" }))).toBeUndefined();
  });

  it("has the id that its author chose, else the one of its name, else a new one", () => {
    expect(idOf(draft("tool.definition.v1", { name: "a" }, "own"))).toBe("own");
    expect(idOf(draft("tool.definition.v1", { name: "a" }))).toBe("tool-def-a");
    expect(idOf(draft("tool.config.v1", { tool: "a" }))).toBe("tool-config-a");
    expect(idOf(draft("note.v1", {}))).toMatch(/^[0-9a-f-]{36}$/);
    expect(() => idOf(draft("note.v1", {}, ""))).toThrow("The id");
  });
});
