import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { selectNodes } from "../../src/overlay/select.ts";

const store = {
  store: {
    book: [
      { category: "reference", author: "Nigel Rees", title: "Sayings", price: 8.95 },
      { category: "fiction", author: "Evelyn Waugh", title: "Sword", price: 12.99 },
      { category: "fiction", author: "Herman Melville", title: "Moby Dick", isbn: "0-553-21311-3", price: 8.99 },
    ],
    bicycle: { color: "red", price: 399 },
  },
};
const values = (path: string, data: unknown = store): unknown[] => selectNodes(data, path).map(({ value }) => value);

describe("a JSONPath", () => {
  it.each([
    ["$.store.book[*].author", ["Nigel Rees", "Evelyn Waugh", "Herman Melville"]],
    ["$..author", ["Nigel Rees", "Evelyn Waugh", "Herman Melville"]],
    ["$.store..price", [8.95, 12.99, 8.99, 399]],
    ["$..book[2].title", ["Moby Dick"]],
    ["$..book[-1].title", ["Moby Dick"]],
    ["$..book[0,1].title", ["Sayings", "Sword"]],
    ["$..book[:2].title", ["Sayings", "Sword"]],
    ["$..book[::-1].price", [8.99, 12.99, 8.95]],
    ["$..book[?@.isbn].title", ["Moby Dick"]],
    ["$..book[?@.price<10].title", ["Sayings", "Moby Dick"]],
    ["$..book[?@.category=='fiction' && !(@.price > 10)].title", ["Moby Dick"]],
    ["$..book[?match(@.author, 'N.*')].title", ["Sayings"]],
    ["$..book[?search(@.title, 'o')].title", ["Sword", "Moby Dick"]],
    ["$..book[?length(@.title) == 5 || count(@.*) > 4].title", ["Sword", "Moby Dick"]],
    ["$['store']['bicycle'][\"color\"]", ["red"]],
    ["$.store.book[?@.price == $.store.book[0].price].title", ["Sayings"]],
    ["$.nothing[0].here", []],
  ])("%s", (path, expected) => {
    expect(values(path)).toEqual(expected);
  });

  it("may have spaces between its parts, and compare with null", () => {
    const data = { a: [1, null, 3, { b: null }, { b: 1 }] };
    expect(values("$ .a [ 0 : 4 : 2 ]", data)).toEqual([1, 3]);
    expect(values("$ ['a'] [ 0 , 2 ]", data)).toEqual([1, 3]);
    expect(values("$.a[?@.b == null]", data)).toEqual([{ b: null }]);
    expect(values("$.a[?@ == null]", data)).toEqual([null]);
  });

  it("takes names that are members of every object only where they are there", () => {
    expect(values("$.constructor")).toEqual([]);
    expect(values("$.__proto__", JSON.parse('{"__proto__": 1}'))).toEqual([1]);
  });

  it.each(["store", "$.", "$[", "$[?]", "$['a", "$[?@.a ==]", "$[1:2:x]", "$.a b"])(
    "is refused with the place of the mistake: %s",
    (path) => {
      expect(() => values(path)).toThrow(/JSONPath .* is wrong at character \d+/);
    },
  );
});

describe("an overlay", () => {
  const document = {
    openapi: "3.0.0",
    info: { title: "a" },
    tags: [{ name: "one" }],
    paths: {
      "/a": { get: { operationId: "a", tags: ["x"], "x-internal": true } },
      "/b": { get: { operationId: "b", description: "old" }, post: { operationId: "c" } },
    },
  };
  const read = (actions: unknown[], overlay = "1.0.0") => readOpenApi(document, { overlays: [{ overlay, info: {}, actions }] });

  it("merges objects deeply, appends to lists and removes, in order", () => {
    const { tools, warnings } = read([
      { target: "$.paths['/b'].get", update: { description: "new", tags: ["y"] } },
      { target: "$.paths['/a'].get.tags", update: "z" },
      { target: "$.paths.*[?@.operationId == 'c']", remove: true },
    ]);
    expect(tools.map(({ name, description, metadata }) => [name, description, metadata?.tags])).toEqual([
      ["a", "GET /a", ["x", "z"]],
      ["b", "new", ["y"]],
    ]);
    expect(warnings.filter((warning) => warning.includes("overlay"))).toEqual([]);
  });

  it("leaves the document as it is, and is read from YAML, too", () => {
    const before = JSON.stringify(document);
    const { tools } = readOpenApi(document, {
      overlays: ["overlay: 1.0.0\nactions:\n  - { target: \"$.paths[?@.get['x-internal']]\", remove: true }\n"],
    });
    expect(tools.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(JSON.stringify(document)).toBe(before);
  });

  it("tells an action that hits nothing", () => {
    expect(read([{ target: "$.paths['/gone']", remove: true }]).warnings[0]).toBe(
      `The overlay 1, action 1: the target "$.paths['/gone']" matches nothing in the document.`,
    );
  });

  it("copies, as 1.1 does", () => {
    const { tools } = read([{ target: "$.paths['/b'].post", copy: "$.paths['/a'].get" }], "1.1.0");
    expect(tools.map(({ metadata }) => metadata?.tags)).toEqual([["x"], undefined, ["x"]]);
  });

  it.each([
    [{ overlay: "2.0.0", actions: [] }],
    [{ actions: [] }],
    [{ overlay: "1.0.0" }],
    [{ overlay: "1.0.0", actions: [{ remove: true }] }],
    ["x: ["],
  ])("is refused if it is none: %#", (overlay) => {
    expect(() => readOpenApi(document, { overlays: [overlay] })).toThrow(/overlay 1/);
  });
});
