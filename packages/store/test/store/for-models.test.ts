import { describe, expect, it } from "vitest";
import { forModel, forModels } from "../../src/store/for-models.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";

const record = (more: object = {}) =>
  ({ id: "r1", schema_name: "order.v1", title: "An order", context: { a: 1, b: 2 }, ...more }) as unknown as Breadcrumb;

/** A store with these records, which notes what it was asked for. */
function storeOf(records: Readonly<Record<string, object>> = {}, asked: string[] = []): never {
  return { get: async (id: string) => (asked.push(id), records[id]) } as never;
}

const viewOf = (context: object, more: object = {}) => ({ schema_name: "schema.view.v1", updated_as: "curator", context, ...more });

describe("a record as models see it", () => {
  it("is whole where nobody made a view, and without its view", async () => {
    const asked: string[] = [];
    expect(await forModels(storeOf({}, asked), [record(), record({ id: "r2" })])).toEqual([record(), record({ id: "r2" })]);
    expect(asked).toEqual(["schema-view:order.v1"]);
    const bare = record({ context: undefined, model_view: { include: ["a"] } });
    expect(await forModels(storeOf({}, asked), [bare])).toEqual([bare]);
    expect(asked).toHaveLength(1);
  });

  it("is by its own view, else by that of its schema, if a curator wrote it", async () => {
    const views = { "schema-view:order.v1": viewOf({ include: ["b"] }) };
    const contexts = async (store: never, records: readonly Breadcrumb[]) =>
      (await forModels(store, records)).map(({ context }) => context);
    const both = [record(), record({ model_view: { include: ["a"] } })];
    expect(await contexts(storeOf(views), both)).toEqual([{ b: 2 }, { a: 1 }]);
    expect((await forModels(storeOf(views), both)).every((one) => !("model_view" in one))).toBe(true);
    for (const more of [{ updated_as: "emitter" }, { schema_name: "note.v1" }])
      expect(await contexts(storeOf({ "schema-view:order.v1": viewOf({ include: ["b"] }, more) }), [record()])).toEqual([{ a: 1, b: 2 }]);
    const asked: string[] = [];
    const long = "x".repeat(245);
    await forModels(storeOf({}, asked), [record({ schema_name: long }), record({ schema_name: long.slice(1) })]);
    expect(asked).toEqual([`schema-view:${long.slice(1)}`]);
    await expect(forModels(storeOf({ "schema-view:order.v1": viewOf({ includes: [] }) }), [record()])).rejects.toThrow(
      'The context of schema-view:order.v1 has no field "includes".',
    );
  });

  it("tells why it cannot be shown, and the others are", async () => {
    const broken = record({ id: "r2", model_view: { transform: { x: { extract: "no.where" } } } });
    const [first, second] = await forModels(storeOf(), [record(), broken]);
    expect(first).toEqual(record());
    expect(second).toMatchObject({ id: "r2", view_error: expect.stringContaining("no.where") });
    expect(second).not.toHaveProperty("context");
    await expect(forModel(storeOf(), broken)).rejects.toMatchObject({
      code: "VIEW_FAILED",
      message: (second as { view_error: string }).view_error,
    });
    expect(await forModel(storeOf(), record())).toEqual(record());
  });

  it("never has the source of a tool", async () => {
    const context = { name: "t", code: "x", implementation: { kind: "code", source: "x", code: "y" } };
    const tool = record({ schema_name: "tool.definition.v1", context });
    expect((await forModel(storeOf(), tool)).context).toEqual({ name: "t", implementation: { kind: "code" } });
    const plain = record({ schema_name: "tool.definition.v1", context: { name: "t", implementation: "x" } });
    expect((await forModel(storeOf(), plain)).context).toEqual({ name: "t" });
    expect((await forModel(storeOf(), record({ context }))).context).toEqual(context);
  });
});
