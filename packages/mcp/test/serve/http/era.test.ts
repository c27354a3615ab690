import { describe, expect, it } from "vitest";
import { checkMethodHeader, checkNameHeader, eraOf, readEnvelope, unsupported } from "../../../src/serve/http/era.ts";

const version = "io.modelcontextprotocol/protocolVersion";
const capabilities = "io.modelcontextprotocol/clientCapabilities";
const modern = "2026-07-28";
const meta = { [version]: modern, [capabilities]: {} };
const header =
  (headers: Record<string, string> = {}) =>
  (name: string) =>
    headers[name];
const sent = (value: string) => header({ "mcp-protocol-version": value });

describe("the era of a message", () => {
  const eraWith = (params: object, value?: string) =>
    eraOf({ kind: "notification", method: "x", params: params as never }, value === undefined ? header() : sent(value));

  it("is that of the version in its body, else of the version in its header", () => {
    expect(eraWith({ _meta: meta })).toBe("modern");
    expect(eraWith({ _meta: { [version]: 5 } }, "2025-06-18")).toBe("modern");
    for (const legacy of [undefined, "2025-11-25", "2025-06-18", " 2025-06-18 ", "2025-03-26", "2024-11-05"])
      expect(eraWith({}, legacy)).toBe("legacy");
    for (const other of [modern, "2027-01-01", ""]) expect(eraWith({}, other)).toBe("modern");
    expect(eraWith({ _meta: {} })).toBe("legacy");
    expect(eraWith({ _meta: "x" })).toBe("legacy");
  });
});

describe("what every modern request carries", () => {
  const missing = (key: string) => ({ code: -32602, message: `params._meta["${key}"] is missing: every request carries it.` });

  it("is read from its body, and must be in the header, too", () => {
    expect(readEnvelope({ _meta: meta }, sent(modern))).toBe(meta);
    expect(readEnvelope({ _meta: meta }, sent(` ${modern} `))).toBe(meta);
  });

  it.each<[what: string, params: object, value: string | undefined, fault: object]>([
    ["no metadata", {}, undefined, missing(version)],
    ["no metadata, a modern header", {}, modern, missing(version)],
    ["metadata that is none", { _meta: [] }, modern, missing(version)],
    ["a version that is no text", { _meta: { ...meta, [version]: 5 } }, modern, missing(version)],
    ["no capabilities", { _meta: { [version]: modern } }, modern, missing(capabilities)],
    ["capabilities that are none", { _meta: { ...meta, [capabilities]: [] } }, modern, missing(capabilities)],
    [
      "no header",
      { _meta: meta },
      undefined,
      { message: expect.stringContaining("The header MCP-Protocol-Version is missing, or differs from _meta[") },
    ],
    ["another header", { _meta: meta }, "2025-11-25", { message: expect.stringContaining("MCP-Protocol-Version") }],
    [
      "an unknown version",
      { _meta: { ...meta, [version]: "2099-01-01" } },
      "2099-01-01",
      { message: 'This server does not speak protocol version "2099-01-01".' },
    ],
    ["an unknown version in the header alone", {}, "2099-01-01", { message: 'This server does not speak protocol version "2099-01-01".' }],
  ])("is refused otherwise: %s", (_what, params, value, fault) => {
    const read = () => readEnvelope(params as never, value === undefined ? header() : sent(value));
    expect(read).toThrow(expect.objectContaining(fault));
  });

  it("an unknown version is answered with those that are known, and shown in part", () => {
    expect(unsupported("x".repeat(50))).toMatchObject({
      message: `This server does not speak protocol version "${"x".repeat(40)}".`,
      data: { supported: expect.arrayContaining([modern]), requested: "x".repeat(50) },
    });
  });
});

describe("headers that repeat the body", () => {
  it("name the method: needed in the modern era, and right in both", () => {
    for (const era of ["modern", "legacy"] as const) {
      expect(() => checkMethodHeader(era, "tools/call", header({ "mcp-method": " tools/call " }))).not.toThrow();
      expect(() => checkMethodHeader(era, "tools/call", header({ "mcp-method": "tools/list" }))).toThrow(
        "The header Mcp-Method is missing, or differs from the method in the body.",
      );
    }
    expect(() => checkMethodHeader("legacy", "tools/call", header())).not.toThrow();
    expect(() => checkMethodHeader("modern", "tools/call", header())).toThrow("Mcp-Method");
  });

  it.each([
    ["tools/call", "name"],
    ["prompts/get", "name"],
    ["resources/read", "uri"],
    ["tasks/get", "taskId"],
    ["tasks/update", "taskId"],
    ["tasks/cancel", "taskId"],
  ])("name what %s is about, its %s", (method, field) => {
    const params = { [field]: "it" };
    const check = (era: "modern" | "legacy", name?: string) => () =>
      checkNameHeader(era, method, params, header(name === undefined ? {} : { "mcp-name": name }));
    for (const era of ["modern", "legacy"] as const) {
      expect(check(era, "it")).not.toThrow();
      expect(check(era, "other")).toThrow(`The header Mcp-Name is missing, or differs from params.${field} in the body.`);
    }
    expect(check("legacy")).not.toThrow();
    if (field === "taskId") expect(check("modern")).not.toThrow();
    else expect(check("modern")).toThrow("Mcp-Name");
    expect(() => checkNameHeader("modern", method, { [field]: 5 }, header())).not.toThrow();
  });

  it("are not asked for where a method is about nothing", () => {
    expect(() => checkNameHeader("modern", "tools/list", { name: "x" }, header())).not.toThrow();
  });
});
