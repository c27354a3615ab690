import { describe, expect, it } from "vitest";
import { describeOpenApiTool, readOpenApi } from "../../src/index.ts";

const read = (paths: unknown, options = {}) => readOpenApi({ openapi: "3.0.3", info: {}, paths }, options);
const namesOf = (paths: unknown, options = {}): Record<string, string> =>
  Object.fromEntries(
    read(paths, options).tools.map((tool) => [`${describeOpenApiTool(tool).method} ${describeOpenApiTool(tool).path}`, tool.name]),
  );

describe("the name of a tool", () => {
  it("is its operationId, in the characters that every vendor takes", () => {
    expect(
      namesOf({
        "/a": { get: { operationId: "repos/list-for.user" } },
        "/b": { get: { operationId: "__proto__" } },
        "/c": { get: { operationId: "Löschen!" } },
      }),
    ).toEqual({
      "GET /a": "repos_list-for_user",
      "GET /b": "proto",
      "GET /c": "L_schen",
    });
  });

  it("is made of method and path where there is no operationId", () => {
    expect(namesOf({ "/pets/{petId}/toys": { get: {}, post: { operationId: "日本" } }, "/": { get: { operationId: 5 } } })).toEqual({
      "GET /pets/{petId}/toys": "get_pets_petId_toys",
      "POST /pets/{petId}/toys": "post_pets_petId_toys",
      "GET /": "get",
    });
  });

  it("has a hash in every one that clashes, also where names differ in case alone", () => {
    const names = namesOf({
      "/a": { get: { operationId: "list" } },
      "/b": { get: { operationId: "List" } },
      "/c": { get: { operationId: "list." } },
      "/d": { get: { operationId: "other" } },
    });
    expect(
      Object.values(names)
        .slice(0, 3)
        .every((name) => /^list_[0-9a-f]{8}$/i.test(name)),
    ).toBe(true);
    expect(names["GET /d"]).toBe("other");
  });

  it("leaves room for the hash before it is cut", () => {
    const long = "a".repeat(80);
    const names = namesOf({
      "/a": { get: { operationId: `${long}1` } },
      "/b": { get: { operationId: `${long}2` } },
      "/c": { get: { operationId: "b".repeat(64) } },
    });
    expect(new Set(Object.values(names)).size).toBe(3);
    expect(Object.values(names).every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(names["GET /c"]).toBe("b".repeat(64));
  });

  it("does not depend on the order of paths, nor on what is included", () => {
    const paths = { "/a": { get: { operationId: "x" } }, "/b": { get: { operationId: "x" } }, "/c": { get: { operationId: "c" } } };
    const reversed = Object.fromEntries(Object.entries(paths).toReversed());
    expect(namesOf(reversed)).toEqual(namesOf(paths));
    expect(namesOf(paths, { include: "GET /a" })).toEqual({ "GET /a": namesOf(paths)["GET /a"] });
  });

  it("gives way where a hash makes the name of another operation", () => {
    const first = namesOf({ "/a": { get: { operationId: "x" } }, "/b": { get: { operationId: "x" } } });
    const names = namesOf({
      "/a": { get: { operationId: "x" } },
      "/b": { get: { operationId: "x" } },
      "/c": { get: { operationId: first["GET /a"] } },
    });
    expect(new Set(Object.values(names)).size).toBe(3);
  });

  it("can be chosen, and have a prefix", () => {
    const paths = { "/a": { get: { operationId: "x" } }, "/b": { get: {} }, "/c": { get: { operationId: "mine" } } };
    expect(namesOf(paths, { rename: { x: "mine", "GET /b": "b-list" } })).toMatchObject({ "GET /a": "mine", "GET /b": "b-list" });
    expect(namesOf(paths, { rename: { x: "mine" } })["GET /c"]).not.toBe("mine");
    expect(namesOf(paths, { prefix: "api" })["GET /a"]).toBe("api_x");
    expect(() => namesOf(paths, { rename: { x: "no spaces" } })).toThrow(/1 to 64 of the characters/);
    expect(() => namesOf(paths, { rename: { x: "same", "GET /b": "same" } })).toThrow(/two operations the name "same"/);
    expect(read(paths, { rename: { gone: "y" } }).warnings).toEqual(['rename: no operation is called "gone".', expect.any(String)]);
  });
});

describe("the names of properties", () => {
  const propertiesOf = (names: readonly string[]): string[] =>
    Object.keys(
      read({ "/x": { get: { parameters: names.map((name) => ({ name, in: "query", schema: {} })) } } }).tools[0]!.inputSchema[
        "properties"
      ] as object,
    );

  it("are such that every vendor takes them, and unique", () => {
    const names = propertiesOf([
      "filter[name]",
      "filter.name",
      "$top",
      "ids[]",
      "ids",
      "with space",
      "x".repeat(100),
      "__proto__",
      "constructor",
      "toString",
      "日本",
      "本日",
    ]);
    expect(names.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(12);
    expect(names).toEqual(
      expect.arrayContaining(["filter_name", "filter.name", "top", "with_space", "__proto__", "constructor", "toString"]),
    );
  });

  it("carry values called __proto__ to the wire and back", async () => {
    const { buildRequest } = await import("../../src/index.ts");
    const { tools } = read({
      "/x": {
        post: {
          parameters: [{ name: "__proto__", in: "query", schema: {} }],
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: JSON.parse('{"type":"object","properties":{"a":{},"__proto__":{"type":"string"}}}') },
            },
          },
        },
      },
    });
    const described = describeOpenApiTool(tools[0]!).parameters;
    const input = JSON.parse(`{${described.map(({ property, in: place }) => `"${property}":"${place}"`).join()},"a":"1"}`) as object;
    const request = buildRequest(tools[0]!, input, { baseUrl: "https://a.example" });
    expect(request.url).toBe("https://a.example/x?__proto__=query");
    expect(request.body).toBe('{"a":"1","__proto__":"body"}');
  });
});
