import { describe, expect, it } from "vitest";
import { definitionHash } from "../../src/registry/definition-hash.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

describe("definitionHash", () => {
  it("is the same for the same definition, whatever its handler and the order of its keys", () => {
    const one = fakeTool({ metadata: { category: "code", tags: ["a"] }, handler: () => "one" });
    const other = Object.freeze(
      Object.fromEntries(Object.entries({ ...one, metadata: { tags: ["a"], category: "code" }, handler: () => "other" }).reverse()),
    );
    expect(definitionHash(other as unknown as typeof one)).toBe(definitionHash(one));
  });

  it("changes with everything that a definition says", () => {
    const one = fakeTool({ version: "1.0.0", metadata: { tags: ["a"] } });
    const changes = [
      { name: "other" },
      { description: "Other." },
      { version: "1.0.1" },
      { inputSchema: { type: "object" } },
      { metadata: { tags: ["b"] } },
      { outputSchema: {} },
      { title: "T" },
    ];
    const hashes = [one, ...changes.map((change) => ({ ...one, ...change }))].map(definitionHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
