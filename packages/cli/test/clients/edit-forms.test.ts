import { describe, expect, it } from "vitest";
import { openFile } from "../../src/clients/edit.ts";

const entry = { command: "toolrack", args: ["mcp"] };

async function edited(text: string, format: "json" | "toml" | "yaml", key = "servers"): Promise<{ added: string; removed: string }> {
  const added = (await openFile("file", text, format, key)).with("toolrack", entry);
  return { added, removed: (await openFile("file", added, format, key)).without("toolrack") };
}

describe("the text of a client's file", () => {
  it("keeps the line breaks of Windows in what is added, and is the same again without it", async () => {
    for (const text of ['{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n', '{\r\n  "b": 1\r\n}\r\n']) {
      const { added } = await edited(text, "json");
      expect(added).toContain('"toolrack"');
      expect(added.replaceAll("\r\n", "")).not.toContain("\n");
    }
    const { added, removed } = await edited('{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n', "json");
    expect([added.includes('"a"'), removed]).toEqual([true, '{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n']);
  });

  it("keeps the mark that some editors of Windows begin a file with", async () => {
    const text = '\uFEFF{\n  "servers": { "a": {} }\n}\n';
    const { added, removed } = await edited(text, "json");
    expect([added[0], added.indexOf("\uFEFF", 1), removed]).toEqual(["\uFEFF", -1, text]);
  });

  it("that has a name twice is refused with that name: which of the two counts differs between programs", async () => {
    const opened = await openFile("mcp.json", '{ "servers": { "a": {} }, "servers": { "b": {} } }', "json", "servers");
    for (const change of [() => opened.with("toolrack", entry), () => opened.without("a")])
      expect(change).toThrow('mcp.json was not changed: it has "servers" more than once. Mend it, or add the entry by hand.');
  });

  it("may have its entries between braces in YAML: one is added there, and taken out again", async () => {
    const text = "servers: { a: { cmd: x }, b: { cmd: y } } # both\nother: 1\n";
    const { added, removed } = await edited(text, "yaml");
    expect(added).toMatch(/^servers: \{ .*a: \{ cmd: x \}.*toolrack: .*\} # both\nother: 1\n$/s);
    expect(removed).toBe(text);
    const only = await edited("servers: {}\nother: 1\n", "yaml");
    expect(only.added).toContain("toolrack");
    expect(only.removed).not.toContain("toolrack");
    expect(only.removed).toContain("other: 1");
  });
});
