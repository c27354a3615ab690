import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcpSource } from "@toolrack/mcp";
import { assertServerName, toToolName } from "../../../src/upstream/tools/names.ts";

describe("names of upstream tools", () => {
  it("begin with the server and stay as they are where they can", () => {
    expect(toToolName("github", "create_issue")).toBe("github__create_issue");
    expect(toToolName("a", "_b__c-D9")).toBe("a___b__c-D9");
  });

  it("end in a digest of the whole where they are too long or have other characters", () => {
    expect(toToolName("files", "read.file")).toMatch(/^files__read_file_[0-9a-f]{10}$/);
    expect(toToolName("files", "x".repeat(100))).toMatch(/^files__x{46}_[0-9a-f]{10}$/);
    expect(toToolName("files", "read.file")).not.toBe(toToolName("files", "read/file"));
  });

  const server = fc.stringMatching(/^[A-Za-z0-9](?:[_-]?[A-Za-z0-9]){0,15}$/).filter((name) => name.length <= 32);

  it("fit every vendor, lead back to their server, and differ when the tools do", () => {
    fc.assert(
      fc.property(
        server,
        fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
        fc.string({ minLength: 1, maxLength: 200 }),
        (prefix, one, other) => {
          const name = toToolName(prefix, one);
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(name.slice(0, name.indexOf("__"))).toBe(prefix);
          expect(toToolName(prefix, one)).toBe(name);
          if (one !== other) expect(toToolName(prefix, other)).not.toBe(name);
        },
      ),
    );
  });

  it("of servers have a limit, and what is refused is named", () => {
    const refused = (name: unknown, shown: string) =>
      expect(() => assertServerName(name)).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(`${shown} cannot name an MCP server.`) }),
      );
    expect(() => assertServerName("a".repeat(32))).not.toThrow();
    refused("a".repeat(33), `"${"a".repeat(33)}"`);
    refused("!".repeat(90), `"${"!".repeat(80)}"`);
    refused(5, "A number");
  });

  it("of servers that could be mistaken are refused", () => {
    for (const name of [
      "",
      "a__b",
      "_a",
      "a_",
      "-a",
      "a b",
      "ä",
      "a/b",
      "x".repeat(33),
      "constructor.x",
      `${"a".repeat(31)}!`,
      7 as unknown as string,
    ]) {
      expect(() => mcpSource({ name, command: "true" })).toThrow("cannot name an MCP server");
    }
  });
});
