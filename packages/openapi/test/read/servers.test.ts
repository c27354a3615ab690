import { describe, expect, it } from "vitest";
import { buildRequest, readOpenApi, type ReadOpenApiOptions } from "../../src/index.ts";

function serverOf(root: object, options: ReadOpenApiOptions = {}): { url: string | undefined; warnings: readonly string[] } {
  const { tools, warnings } = readOpenApi({ paths: { "/x": { get: {} } }, ...root }, options);
  try {
    return { url: buildRequest(tools[0]!, {}).url, warnings };
  } catch {
    return { url: undefined, warnings };
  }
}

const from = { url: "http://docs.example.com:8080/specs/openapi.json" };
const needsBase = 'The server "/" is relative. Set baseUrl, or url to where the document came from.';

describe("the server of OpenAPI 3", () => {
  it("has to be given where the document has none and came from nowhere", () => {
    expect(serverOf({ openapi: "3.0.3" })).toEqual({ url: undefined, warnings: [needsBase] });
    expect(serverOf({ openapi: "3.0.3", servers: [] })).toEqual({ url: undefined, warnings: [needsBase] });
    expect(serverOf({ openapi: "3.0.3", servers: [{}, 5] }, from).url).toBe("http://docs.example.com:8080/x");
    expect(serverOf({ openapi: "3.0.3" }, { baseUrl: "https://a.example/v1/" }).url).toBe("https://a.example/v1/x");
  });

  it("has the default values of its variables, else the first one that is allowed", () => {
    const url = "https://{a}.example.com/{b}";
    const server = (variables: object) => serverOf({ openapi: "3.1.0", servers: [{ url, variables }] }).url;
    expect(server({ a: { default: "eu" }, b: { enum: ["v3", "v4"] } })).toBe("https://eu.example.com/v3/x");
    expect(server({ a: { default: "eu", enum: ["us"] }, b: { default: 2 } })).toBe("https://eu.example.com/2/x");
  });

  it("keeps its query, and loses its fragment", () => {
    expect(serverOf({ openapi: "3.1.0", servers: [{ url: "https://a.example/v1/?key=1#top" }] }).url).toBe("https://a.example/v1/x?key=1");
  });

  it.each(["ftp://a.example", "file:///etc", "javascript:alert(1)", "data:,x"])("is never %s", (url) => {
    const { url: sent, warnings } = serverOf({ openapi: "3.1.0", servers: [{ url }] });
    expect(sent).toBeUndefined();
    expect(warnings).toEqual([`The server "${url}" is not one of http or https. Set baseUrl.`]);
  });

  it("has no user and no password", () => {
    for (const user of ["user@", ":pass@", "user:pass@"])
      expect(serverOf({ openapi: "3.1.0", servers: [{ url: `https://${user}a.example` }] }).warnings[0]).toBe(
        "The server of a.example has credentials in its URL. Set baseUrl without them, and use secrets.",
      );
  });
});

describe("the server of Swagger 2", () => {
  it.each([
    [{ host: "api.example.com" }, {}, "https://api.example.com/x"],
    [{ host: "api.example.com", schemes: ["http"] }, {}, "http://api.example.com/x"],
    [{ host: "api.example.com", schemes: ["ws", "http"] }, {}, "http://api.example.com/x"],
    [{ host: "api.example.com", schemes: ["wss"] }, {}, "https://api.example.com/x"],
    [{ host: "api.example.com" }, from, "http://api.example.com/x"],
    [{ host: "api.example.com", basePath: "v1/" }, {}, "https://api.example.com/v1/x"],
    [{ basePath: "/v1" }, from, "http://docs.example.com:8080/v1/x"],
    [{ schemes: ["https"] }, { url: "http://docs.example.com/a.json" }, "https://docs.example.com/x"],
  ])("is made of scheme, host and basePath, and of where the document came from: %j %j", (root, options, url) => {
    expect(serverOf({ swagger: "2.0", ...root }, options).url).toBe(url);
  });

  it("has to be given where there is neither", () => {
    expect(serverOf({ swagger: "2.0", basePath: "/v1" })).toEqual({
      url: undefined,
      warnings: ['The server "/v1" is relative. Set baseUrl, or url to where the document came from.'],
    });
  });
});
