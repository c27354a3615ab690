import { describe, expect, it } from "vitest";
import { buildRequest, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";

type Json = Record<string, unknown>;

function read(operation: Json, path = "/x", schemes: Json = {}, options: ReadOpenApiOptions = {}) {
  return readOpenApi(
    {
      openapi: "3.2.0",
      info: { title: "T", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      components: { securitySchemes: schemes },
      paths: { [path]: { get: { responses: {}, ...operation } } },
    },
    options,
  );
}

describe("a cookie whose text is sent as it is", () => {
  const cookie = (explode: boolean) => [{ name: "c", in: "cookie", style: "cookie", explode, schema: {} }];
  const sent = (c: unknown, explode = true) => buildRequest(read({ parameters: cookie(explode) }).tools[0]!, { c }).headers["cookie"];

  it("cannot hold what begins another cookie or ends the header", () => {
    for (const text of ["a; admin=1", "a,b", "a b", "a\r\nb", 'a"b', "a\\b", "é", "a\tb"]) {
      expect(() => sent(text), text).toThrow(/"c".*cookie/);
      expect(() => sent(["x", text]), text).toThrow(/"c".*cookie/);
      expect(() => sent({ x: text }, false), text).toThrow(/"c".*cookie/);
      expect(() => sent({ [text]: "x" }), text).toThrow(/"c".*cookie/);
    }
    expect(sent("a=1/2+3")).toBe("c=a=1/2+3");
    expect(sent(["a", "b"], false)).toBe("c=a,b");
    expect(sent({ a: 1, b: 2 })).toBe("a=1; b=2");
  });

  it("must have a name that a cookie can have", () => {
    const { refused } = read({ parameters: [{ name: "c; admin=1", in: "cookie", style: "cookie", schema: {} }] });
    expect(refused[0]?.reason).toMatch(/cannot be the name of a cookie/);
  });
});

describe("a header that belongs to the connection or steers servers in between", () => {
  const names = ["Cookie", "Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Connection", "Proxy-Authorization"];
  const more = ["Forwarded", "X-Forwarded-For", "X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "Expect", "Content-Encoding"];

  it.each([...names, ...more])("%s is no parameter", (name) => {
    const { tools, warnings } = read({ parameters: [{ name, in: "header", schema: { type: "string" } }] });
    expect(tools[0]!.inputSchema["properties"]).toEqual({});
    expect(warnings.join()).toContain(`The header "${name}"`);
  });

  it.each(["Host", "Transfer-Encoding", "Content-Length"])("%s is no place for an API key", (name) => {
    const { tools, refused } = read({ security: [{ k: [] }] }, "/x", { k: { type: "apiKey", in: "header", name } });
    expect(tools).toEqual([]);
    expect(refused[0]?.reason).toMatch(/"k".*header/);
  });
});

describe("an API key in a cookie", () => {
  it("is sent as it is, unless that would change the header", () => {
    const { tools } = read({ security: [{ k: [] }] }, "/x", { k: { type: "apiKey", in: "cookie", name: "sid" } });
    const sent = (k: string) => buildRequest(tools[0]!, {}, { secrets: { k } }).headers["cookie"];
    expect(sent("s:abc/+=.%20")).toBe("sid=s:abc/+=.%20");
    expect(sent("a; b=1")).toBe("sid=a%3B%20b%3D1");
    for (const broken of ["a\r\nb", "a\nb", "a\0b"]) expect(() => sent(broken)).toThrow(/The secret "k" is sent as a cookie.*line breaks/);
  });
});

describe("a value in the path", () => {
  it.each(["simple", "label", "matrix"])("must not be empty in the style %s", (style) => {
    for (const explode of [false, true]) {
      const parameters = [{ name: "v", in: "path", required: true, style, explode, schema: {} }];
      const tool = read({ parameters }, "/x/{v}/y").tools[0]!;
      for (const v of ["", [], [""], ["", ""], {}, { a: "" }, [null]])
        expect(() => buildRequest(tool, { v }), JSON.stringify(v)).toThrow(/must not be empty/);
      expect(buildRequest(tool, { v: ["a", null] }).url).toMatch(/\/x\/(?:\.|;v=)?a\/y$/);
    }
  });
});

describe("an input without an end", () => {
  const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), "x");
  const circular: Json = {};
  circular["a"] = circular;
  const places: readonly (readonly [string, Json])[] = [
    ["a query", { parameters: [{ name: "v", in: "query", schema: {} }] }],
    ["a deepObject", { parameters: [{ name: "v", in: "query", style: "deepObject", schema: {} }] }],
    ["a header", { parameters: [{ name: "v", in: "header", schema: {} }] }],
    ["a cookie", { parameters: [{ name: "v", in: "cookie", schema: {} }] }],
    ["a path", { parameters: [{ name: "v", in: "path", required: true, schema: {} }] }],
  ];

  it.each(places)("is refused with a sentence in %s", (_, operation) => {
    const tool = read(operation, operation["parameters"] !== undefined && JSON.stringify(operation).includes('"path"') ? "/x/{v}" : "/x")
      .tools[0]!;
    for (const v of [nested(600), nested(50_000), circular])
      expect(() => buildRequest(tool, { v })).toThrow(/^The input of GET \/x\S* is circular, or nested more than 500 deep\./);
    expect(buildRequest(tool, { v: nested(400) }).method).toBe("GET");
  });
});

describe("a baseUrl that requests cannot go to", () => {
  it.each(["javascript:alert(1)", "file:///etc", "https://user:word@api.example.com", "nothing"])("is refused by name: %s", (baseUrl) => {
    const [tool] = read({}).tools;
    expect(() => buildRequest(tool!, {}, { baseUrl })).toThrow(
      /^GET \/x has a baseUrl that is no URL of http or https, or that holds a credential\./,
    );
    expect(() => buildRequest(tool!, {}, { baseUrl })).not.toThrow(/word/);
  });
});

describe("a property that the operation does not have", () => {
  it("is refused by name, and not dropped: also those that every object has, and wire names of renamed parameters", () => {
    const [tool] = read({ parameters: [{ name: "filter[name]", in: "query", schema: { type: "string" } }] }).tools;
    expect(buildRequest(tool!, { filter_name: "a", gone: undefined }).url).toBe("https://api.example.com/x?filter%5Bname%5D=a");
    for (const name of ["limit", "toString", "filter[name]"])
      expect(() => buildRequest(tool!, { [name]: "a" }), name).toThrow(`GET /x has no parameter ${JSON.stringify(name)}.`);
  });
});
