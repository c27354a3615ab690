import { describe, expect, it } from "vitest";
import { buildRequest, readOpenApi } from "../../src/index.ts";

/** An operation that signs in with a key in this place, and has parameters of its own. */
function read(place: "query" | "cookie" | "header", parameters: readonly object[], options: object = {}) {
  const document = {
    openapi: "3.1.0",
    servers: [{ url: "https://api.example.com" }],
    components: { securitySchemes: { key: { type: "apiKey", in: place, name: "Api-Key" } } },
    security: [{ key: [] }],
    paths: { "/x": { get: { parameters, responses: {} } } },
  };
  const { tools, warnings, refused } = readOpenApi(document, options);
  if (tools[0] === undefined) throw new Error(JSON.stringify(refused));
  return { tool: tools[0], warnings: warnings.join("\n"), properties: Object.keys(tools[0].inputSchema["properties"] as object) };
}

const text = { schema: { type: "string" } };

describe("a parameter with the name of a credential", () => {
  it.each(["query", "cookie"] as const)("is left out in every spelling that servers read as the same, and told: %s", (place) => {
    for (const name of ["api-key", "API-KEY", "Api-Key[]"]) {
      const { tool, warnings, properties } = read(place, [
        { in: place, name, required: true, ...text },
        { in: place, name: "other", ...text },
      ]);
      expect(properties, name).toEqual(["other"]);
      expect(warnings).toContain(`The parameter "${name}" (${place}) has the name of the credential "Api-Key" in another spelling`);
      const { url, headers } = buildRequest(tool, { other: "1" }, { secrets: { key: "S" } });
      expect(`${url} ${headers["cookie"] ?? ""}`.match(/api-key/gi)).toHaveLength(1);
    }
  });

  it("is left out without a word where it is the credential itself", () => {
    for (const place of ["query", "cookie", "header"] as const) {
      const { warnings, properties } = read(place, [{ in: place, name: place === "header" ? "api-key" : "Api-Key", ...text }]);
      expect([properties, warnings], place).toEqual([[], ""]);
    }
  });

  it("stays where it stands in another place", () => {
    const { properties, warnings } = read("query", [{ in: "header", name: "api-key", ...text }]);
    expect([properties, warnings]).toEqual([["api-key"], ""]);
  });

  it("is not sent beside it by a pin either", () => {
    const { tool } = read("query", [{ in: "query", name: "api-key", ...text }], { pin: { "api-key": "pinned" } });
    expect(buildRequest(tool, {}, { secrets: { key: "S" } }).url).toBe("https://api.example.com/x?Api-Key=S");
  });
});
