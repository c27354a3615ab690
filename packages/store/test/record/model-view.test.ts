import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ModelView, readModelView, viewContext } from "../../src/record/model-view.ts";

const context = { customer: { name: "Ada", card: "4111" }, total: 12, items: [{ sku: "a" }] };
const see = (view: ModelView): unknown => viewContext(context, readModelView(view, "model_view"));

describe("a view for models", () => {
  it("shows what it includes, without what it excludes: exactly that path", () => {
    expect(see({})).toEqual(context);
    expect(see({ include: ["customer", "nothing.here"], exclude: ["customer.card"] })).toEqual({ customer: { name: "Ada" } });
    expect(see({ exclude: ["customer.card", "items"] })).toEqual({ customer: { name: "Ada" }, total: 12 });
    expect(context.customer.card).toBe("4111");
  });

  it("adds values by template, extract and literal, or shows only these", () => {
    const transform = {
      text: { template: "{{{customer.name}}} owes {total}: {items}" },
      first: { extract: "items.0.sku" },
      note: { literal: { fixed: true } },
    };
    const added = { text: '{Ada} owes 12: [{"sku":"a"}]', first: "a", note: { fixed: true } };
    expect(see({ transform, mode: "replace" })).toEqual(added);
    expect(see({ transform, include: ["total"] })).toEqual({ total: 12, ...added });
  });

  it.each([{ template: "{customer.phone}" }, { extract: "customer.phone" }, { template: "{items.length}" }])(
    // row: G22
    "fails where %j finds nothing, and shows nothing instead",
    (rule) => expect(() => see({ transform: { phone: rule } })).toThrow(/needs "(customer\.phone|items\.length)" for "phone"/),
  );

  it.each<[unknown, RegExp]>([
    [[], /must be an object/],
    [{ includes: [] }, /no field "includes"/],
    [{ include: "a" }, /include must be a list/],
    [{ exclude: ["a..b"] }, /exclude must be a list/],
    [{ include: ["__proto__.x"] }, /include must be a list/],
    [{ mode: "hide" }, /merge or replace/],
    [{ mode: "replace" }, /nothing would be shown/],
    [{ transform: { a: {} } }, /one of template, extract and literal/],
    [{ transform: { a: { jq: "." } } }, /no rule "jq"/],
    [{ transform: { a: { extract: "" } } }, /extract must be a path/],
    [{ transform: { a: { template: "{a" } } }, /brace at character 1/],
    [{ transform: { a: { template: "a } b" } } }, /brace at character 3/],
    [{ transform: { a: { template: "{#each a}" } } }, /needs|brace/],
  ])("is refused when it is written wrongly: %j", (view, reason) => {
    expect(() => viewContext({}, readModelView(view, "model_view"))).toThrow(reason);
  });

  it("never shows an excluded value, whatever the record is", () => {
    const key = fc.constantFrom("a", "b", "c");
    const tree = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.constant("secret"), fc.dictionary(key, tie("node"), { maxKeys: 3, noNullPrototype: true })),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(key, tree, { noNullPrototype: true }), fc.array(key, { minLength: 1, maxLength: 3 }), (value, path) => {
        const shown = viewContext(value as never, { exclude: [path.join(".")] });
        const found = path.reduce<unknown>((at, one) => (typeof at === "object" && at !== null ? at[one as never] : undefined), shown);
        expect(found).toBeUndefined();
      }),
    );
  });
});
