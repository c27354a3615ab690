import { describe, expect, it } from "vitest";
import { readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";

/** "а" and "о" here are Cyrillic letters, "ａ" is in full width. */
const disguised = { password: "p\u0430ssword", role: "r\u043ele", admin: "\uff41dmin" };

function read(path: string, operation: object, options: ReadOpenApiOptions = {}) {
  const paths = { "/plain": { get: { operationId: "plain" } }, [path]: { post: operation } };
  return readOpenApi({ openapi: "3.1.0", servers: [{ url: "https://api.example.com" }], paths }, options);
}

const bodyOf = (schema: object, required = true) => ({ requestBody: { required, content: { "application/json": { schema } } } });
const objectWith = (name: string): object => ({ type: "object", properties: { [name]: { type: "string" } } });

describe("a name in letters that look like others", () => {
  it.each([
    ["a path", `/${disguised.admin}`, {}, "/admin"],
    ["an operationId", "/x", { operationId: `get_${disguised.password}` }, "get_password"],
    ["a part of the path", `/x/{${disguised.role}}`, {}, "/x/{role}"],
    ["a parameter", "/x", { parameters: [{ name: disguised.role, in: "query", schema: {} }] }, "role"],
    ["a member of a spread body", "/x", bodyOf(objectWith(disguised.role)), "role"],
    ["a member of a body", "/x", bodyOf(objectWith(disguised.role), false), "role"],
    ["a member far inside", "/x", bodyOf({ type: "array", items: objectWith(disguised.password) }), "password"],
  ])("is refused with what it looks like, as %s, and the other operations live", (_, path, operation, looksLike) => {
    const { tools, refused } = read(path, operation);
    expect(tools.map(({ name }) => name)).toEqual(["plain"]);
    expect(refused.map((one) => one.operation)).toEqual([`POST ${path}`]);
    expect(refused[0]!.reason).toContain(` looks like "${looksLike}", but has other letters (U+`);
    expect(refused[0]!.reason).toMatch(/\(U\+(?:0430|043E|FF41)\)\. Mend the document, or exclude the operation\.$/);
  });

  it("is refused where a parameter is hidden or fixed, too", () => {
    const operation = { parameters: [{ name: disguised.role, in: "query", schema: {} }] };
    for (const options of [{ hide: [disguised.role] }, { pin: { [disguised.role]: "user" } }])
      expect(read("/x", operation, options).refused[0]?.reason).toContain('looks like "role"');
  });

  it("costs the schema of the answer alone where it stands there", () => {
    const content = { "application/json": { schema: objectWith(disguised.role) } };
    const { tools, refused, warnings } = read("/x", { operationId: "x", responses: { 200: { description: "", content } } });
    expect(refused).toEqual([]);
    expect(tools.map(({ name, outputSchema }) => [name, outputSchema])).toEqual([
      ["plain", undefined],
      ["x", undefined],
    ]);
    expect(warnings.join()).toMatch(/POST \/x: Its output schema is left out: .*looks like "role"/);
  });

  it.each(["größe", "имя", "имя_id", "日本語", "Δt", "μs", "nº", "m²", "1ˢᵗ", "naïve", "имя файла.txt"])(
    "is none where letters are what they seem: %s",
    (name) => {
      const operation = { ...bodyOf(objectWith(name), false), parameters: [{ name, in: "query", schema: {} }] };
      expect(read("/x", operation).refused).toEqual([]);
    },
  );
});
