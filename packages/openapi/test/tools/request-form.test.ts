import { describe, expect, it } from "vitest";
import { openApiRequestForm, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";

function formOf(more: object = {}, options: ReadOpenApiOptions = {}, server = "https://api.example.com/v1") {
  const document = {
    openapi: "3.1.0",
    servers: [{ url: server }],
    components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "k" }, token: { type: "http", scheme: "bearer" } } },
    paths: { "/pets/{id}?full=1": { get: { security: [{ key: [], token: [] }, {}], ...more } } },
  };
  return openApiRequestForm(readOpenApi(document, { secrets: { key: "PETS_KEY" }, ...options }).tools[0]!);
}

describe("the form of the requests of a tool", () => {
  it("tells where they go and which secrets they carry, and no fixed value", () => {
    expect(formOf({}, { pin: { id: "s3cret" } })).toEqual({
      method: "GET",
      url: "https://api.example.com/v1/pets/{id}?full=1",
      credentials: [
        [
          { secret: "PETS_KEY", in: "query", name: "k" },
          { secret: "token", in: "header", name: "authorization" },
        ],
        [],
      ],
      digest: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(formOf({}, { baseUrl: "https://proxy.example.net/" }).url).toBe("https://proxy.example.net/pets/{id}?full=1");
  });

  it("is the same for other words, and another one for every other request", () => {
    const { digest } = formOf();
    expect(formOf({ description: "Other words.", summary: "Words", tags: ["a"] }).digest).toBe(digest);
    const style = { parameters: [{ name: "id", in: "path", required: true, style: "label" }] };
    const others = [
      formOf(style),
      formOf({ parameters: [{ name: "q", in: "query" }] }),
      formOf({ security: [] }),
      formOf({}, { pin: { id: "7" } }),
      formOf({}, { pin: { id: "8" } }),
      formOf({}, { baseUrl: "https://proxy.example.net" }),
      formOf({}, {}, "https://api.example.net/v1"),
    ];
    expect(new Set([digest, ...others.map((one) => one.digest)]).size).toBe(8);
  });
});
