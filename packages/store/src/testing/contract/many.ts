import { insideOf } from "../../store/create-store.ts";
import { createUnit } from "../../store/unit.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { OpenStore } from "./open.ts";
import { definition, note, openrouterConfig, written } from "./_samples.ts";

export function manyContract(open: OpenStore): void {
  describe("several records that are written together", () => {
    it("are found, listed, followed and in the catalog as if each had been written alone", async () => {
      const [one, other] = [await open(), await open()];
      const drafts = Array.from({ length: 25 }, (_, index) =>
        definition(`tool_${index}`, {}, { tags: ["workspace:tools", `n:${index % 3}`] }),
      );
      for (const store of [one, other]) written(await store.put({ ...openrouterConfig, context: { tool: "tool_7", config: {} } }));
      for (const draft of drafts) written(await one.put(draft));
      expect((await other.putAll(drafts.map((draft) => ({ draft })))).every(({ ok }) => ok)).toBe(true);
      const seen = async (store: typeof one): Promise<unknown> => [
        (await store.searchBreadcrumbs({ tag: "n:1" })).map(({ id }) => id),
        (await store.searchBreadcrumbs({ text: "tool_13" })).map(({ id }) => id),
        (await insideOf(store).engine.changesAfter(0, 100)).flatMap(({ type, record: { id, version, checksum } }) =>
          id === "tool-catalog" ? [] : [[type, id, version, checksum]],
        ),
        ((await store.get("tool-catalog"))!.context as { hash: string; totalTools: number }).hash,
        (await store.history("tool-def-tool_3")).map(({ record }) => record.version),
      ];
      expect(await seen(other)).toEqual(await seen(one));
    });

    it("keep their place, and have the tags and words of their newest content", async () => {
      const store = await open();
      await store.putAll(["a", "b", "c"].map((id) => ({ draft: note(id, { tags: ["old", id] }) })));
      await store.putAll(["c", "a"].map((id) => ({ draft: note(id, { version: 1, tags: ["new", id], context: { text: "changed" } }) })));
      const ids = async (query: object): Promise<unknown> => (await store.searchBreadcrumbs(query)).map(({ id }) => id);
      expect(await ids({})).toEqual(["a", "b", "c"]);
      expect([await ids({ tag: "new" }), await ids({ tag: "old" })]).toEqual([["a", "c"], ["b"]]);
      expect([await ids({ text: "changed" }), await ids({ text: "text of" })]).toEqual([["a", "c"], ["b"]]);
    });

    it("are answered one by one: what is refused does not keep the others out", async () => {
      const store = await open();
      written(await store.put(definition("taken")));
      written(await store.put(note("a")));
      const answers = await store.putAll([
        { draft: note("a") },
        { draft: note("b", { version: 4 }) },
        { draft: definition("taken", {}, { id: "another-id" }) },
        { draft: note("new") },
        { draft: note("a2") },
      ]);
      expect(answers.map((answer) => (answer.ok ? answer.record.id : answer.code))).toEqual([
        "conflict",
        "not-found",
        "taken",
        "new",
        "a2",
      ]);
      expect(await store.get("another-id")).toBeUndefined();
    });

    it("cannot be one tool twice, nor one id twice", async () => {
      const store = await open();
      const twice = [definition("one"), definition("one", {}, { id: "beside" })];
      const [first, second] = await store.putAll(twice.map((draft) => ({ draft })));
      expect([first, second]).toMatchObject([{ ok: true }, { ok: false, code: "taken" }]);
      await expect(store.putAll([{ draft: note("x") }, { draft: note("x") }])).rejects.toMatchObject({ code: "QUERY_INVALID" });
      expect(await store.get("x")).toBeUndefined();
    });

    it("may hand a name from one to the other", async () => {
      const store = await open();
      written(await store.put(definition("old", {}, { id: "first" })));
      const [moved, follows] = await store.putAll([
        { draft: definition("new", {}, { id: "first", version: 1 }) },
        { draft: definition("old", {}, { id: "second" }) },
      ]);
      expect([moved, follows]).toMatchObject([{ ok: true }, { ok: true }]);
    });

    it("replace whatever version is there where that is wanted", async () => {
      const store = await open();
      written(await store.put(note("a")));
      written(await store.put(note("a", { version: 1, title: "second" })));
      const answers = await store.putAll(["a", "b"].map((id) => ({ draft: note(id, { title: "last" }), replace: true })));
      expect(answers.map((answer) => answer.ok && [answer.record.title, answer.record.version])).toEqual([
        ["last", 3],
        ["last", 1],
      ]);
    });

    it("are written by a number of queries that does not grow with theirs", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const callsFor = async (count: number, prefix: string): Promise<number> => {
        let calls = 0;
        await engine.write(async (tx) => {
          const counted = Object.fromEntries(
            Object.entries(tx).map(([name, run]) => [
              name,
              (...args: unknown[]) => {
                calls += 1;
                return (run as (...given: unknown[]) => unknown)(...args);
              },
            ]),
          ) as unknown as typeof tx;
          const unit = createUnit(counted, 0);
          const drafts = Array.from({ length: count }, (_, index) => definition(`${prefix}_${index}`));
          const writings = drafts.map(({ context, title = "", tags = [], schema_name }) => ({
            id: String(context["name"]),
            content: { schema_name, title, tags, context, visibility: "team", sensitivity: "low" } as const,
            before: undefined,
          }));
          await unit.write(store.actor, writings);
          await unit.finish();
        });
        return calls;
      };
      expect(await callsFor(100, "many")).toBe(await callsFor(2, "few"));
    });
  });
}
