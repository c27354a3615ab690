import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/files.mjs";
import { serverJson } from "../reference/server-json.mjs";

const read = (file) => readFileSync(join(root, file), "utf8");
const entry = JSON.parse(read("server.json"));
const cli = JSON.parse(read("packages/cli/package.json"));

describe("server.json, for the MCP registry", () => {
  it("is what the package says; after a change: npm run docs", () => {
    expect(read("server.json")).toBe(serverJson(read));
  });

  it("keeps what the registry's schema asks for", () => {
    expect(entry.$schema).toBe("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json");
    expect(entry.name).toMatch(/^io\.github\.[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.name.length).toBeLessThanOrEqual(200);
    expect(entry.title.length).toBeLessThanOrEqual(100);
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(entry.version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const url of [entry.websiteUrl, entry.repository.url]) expect(URL.canParse(url)).toBe(true);
    const known = ["registryType", "identifier", "version", "runtimeHint", "transport", "packageArguments", "environmentVariables"];
    for (const one of entry.packages) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(one)));
      expect(one).toMatchObject({ registryType: "npm", transport: { type: "stdio" }, version: entry.version });
      for (const argument of one.packageArguments)
        expect(argument).toEqual(
          expect.objectContaining(argument.type === "named" ? { name: expect.stringMatching(/^--/) } : { value: expect.any(String) }),
        );
    }
  });

  it("names the package that is published, which names it in turn, and words that its command knows", () => {
    expect([entry.packages[0].identifier, entry.name, entry.version]).toEqual([cli.name, cli.mcpName, cli.version]);
    const contract = read("packages/cli/test/commands/contract.txt");
    const [, mcp = ""] = /^(?:toolrack )?(mcp\b[\s\S]*?)(?=^\S)/m.exec(contract) ?? [];
    for (const { type, name, value } of entry.packages[0].packageArguments) {
      if (type === "positional") expect(value).toBe("mcp");
      else if (name !== "--config") expect(mcp).toContain(name);
    }
  });
});
