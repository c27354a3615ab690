import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { headerFault } from "../../../src/upstream/tools/header-params.ts";
import { httpServer, sourceOf, stdioUpstream, toolNamed } from "../upstreams.ts";

const withProperty = (property: object): object => ({
  type: "object",
  properties: { outer: { type: "object", properties: { inner: property } } },
});

describe("parameters that are sent as headers", () => {
  it("are texts, integers and booleans that can be found by their names alone", () => {
    for (const type of ["string", "integer", "boolean"])
      expect(headerFault(withProperty({ type, "x-mcp-header": "Region" }))).toBeUndefined();
    expect(headerFault({ type: "object", properties: { "x-mcp-header": { type: "string" } } })).toBeUndefined();
    expect(headerFault(withProperty({ type: "number", "x-mcp-header": "Region" }))).toContain("no text, integer or boolean");
    for (const header of ["", "a b", "a:b", 7, "x\r\ny"])
      expect(headerFault(withProperty({ type: "string", "x-mcp-header": header }))).toContain("not the name");
    expect(headerFault({ type: "object", "x-mcp-header": "Root" })).toContain("cannot be found");
    const annotated = { type: "string", "x-mcp-header": "Region" };
    for (const keyword of ["items", "anyOf", "$defs", "if", "not", "patternProperties"]) {
      const place = keyword === "anyOf" ? [annotated] : { a: annotated };
      expect(headerFault(withProperty({ type: "string", [keyword]: place })), keyword).toContain("cannot be found");
    }
    const twice = { a: annotated, b: { type: "string", "x-mcp-header": "REGION" } };
    expect(headerFault({ type: "object", properties: twice })).toContain("two parameters");
  });

  it("go along with a call over HTTP, and a tool with wrong ones is left out there alone", async () => {
    const tools = [
      toolNamed("query", { inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } } }),
      toolNamed("wrong", { inputSchema: { type: "object", properties: { n: { type: "number", "x-mcp-header": "N" } } } }),
    ];
    const server = await httpServer({ era: "modern", tools, anyTool: true });
    const registry = createRegistry();
    const status = await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    expect(status).toMatchObject({
      tools: ["hand__query"],
      problems: [expect.stringContaining('the definition of "wrong" cannot be followed')],
    });
    expect(await registry.invoke("hand__query", { region: "süd" })).toMatchObject({ ok: true });
    const call = server.seen.find(({ body }) => body.includes("tools/call"));
    expect(call?.headers["mcp-param-region"]).toBe(`=?base64?${Buffer.from("süd").toString("base64")}?=`);
    const local = createRegistry();
    expect(await local.addSource(sourceOf(stdioUpstream({ era: "modern", tools })))).toMatchObject({
      tools: ["hand__query", "hand__wrong"],
    });
  });

  it("are not looked for where a schema is nested too deeply", () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) });
    expect(headerFault(nested(128))).toBeUndefined();
    expect(headerFault(nested(129))).toBe("the schema is nested too deeply");
    expect(headerFault({ type: "object", properties: { a: { type: "string", "x-mcp-header": "a".repeat(100) } } })).toBeUndefined();
    expect(headerFault({ type: "object", properties: { a: { type: "string", "x-mcp-header": "a".repeat(101) } } })).toBe(
      '"x-mcp-header" is not the name of a header',
    );
  });
});
