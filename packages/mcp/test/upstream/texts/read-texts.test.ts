import { describe, expect, it } from "vitest";
import type { Connection } from "../../../src/upstream/connection/client.ts";
import { createTextReader } from "../../../src/upstream/texts/read-texts.ts";

const signal = new AbortController().signal;

type Lists = Readonly<Record<string, readonly unknown[] | Error>>;

function readerOf(lists: Lists, wanted = { prompts: true, resources: true }) {
  const now = { lists };
  const asked: string[] = [];
  const reader = createTextReader({
    server: "shop",
    ...wanted,
    async listAll(_connection, method, field) {
      asked.push(`${method} ${field}`);
      const list = now.lists[field] ?? [];
      if (list instanceof Error) throw list;
      return list;
    },
  });
  const connection = { instructions: "", has: { prompts: true, resources: true } } as unknown as Connection;
  const read = async (given: Partial<Connection> = {}, until = signal) => {
    const { texts, problems } = await reader.read({ ...connection, ...given } as Connection, until);
    return { texts: texts.map(({ kind, name, shown }) => [kind, name, shown]), problems };
  };
  return { now, asked, read };
}

describe("the texts of a server", () => {
  it("are asked for where they are wanted and the server has them", async () => {
    const both = readerOf({});
    expect(await both.read({ instructions: "Ask first." })).toEqual({
      texts: [["instructions", "instructions", "shop__instructions"]],
      problems: [],
    });
    expect(both.asked).toEqual(["prompts/list prompts", "resources/list resources", "resources/templates/list resourceTemplates"]);
    const none = readerOf({}, { prompts: false, resources: false });
    expect(await none.read()).toEqual({ texts: [], problems: [] });
    expect(none.asked).toEqual([]);
    const without = readerOf({});
    await without.read({ has: { prompts: false, resources: false } } as never);
    expect(without.asked).toEqual([]);
  });

  it.each<[field: string, entry: unknown, problem: string]>([
    ["prompts", "a", "an entry of its prompts is none"],
    ["prompts", null, "an entry of its prompts is none"],
    ["resources", [], "an entry of its resources is none"],
    ["prompts", {}, "a prompt has no name, or a very long one"],
    ["prompts", { name: "" }, "a prompt has no name, or a very long one"],
    ["resources", { uri: 5 }, "a resource has no uri, or a very long one"],
    ["resources", { uri: `a:${"x".repeat(2_047)}` }, "a resource has no uri, or a very long one"],
    ["resourceTemplates", { uriTemplate: "a:{id}{other}" }, 'the resource template "a:{id}{other}" has another form than gaps such as'],
    ["prompts", { name: "a\u200bb" }, 'the prompt "ab" contains invisible characters ('],
    ["prompts", { name: "a", description: "x".repeat(3_000_000) }, 'the prompt "a" is nested too deeply, or too long'],
  ])("that cannot be used are passed over, and it is said why: %s %j", async (field, entry, problem) => {
    const { texts, problems } = await readerOf({ [field]: [entry] }).read();
    expect(texts).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`MCP server "shop": ${problem}`)]);
  });

  it("may have long names, up to a limit", async () => {
    const uri = `a:${"x".repeat(2_046)}`;
    const { texts, problems } = await readerOf({ resources: [{ uri }], resourceTemplates: [{ uriTemplate: "a:{id}" }] }).read();
    expect(texts.map(([kind, name]) => [kind, name])).toEqual([
      ["resource", uri],
      ["resource-template", "a:{id}"],
    ]);
    expect(problems).toEqual([]);
  });

  it("are there once, if a server lists them twice", async () => {
    const { texts, problems } = await readerOf({ prompts: [{ name: "a" }, { name: "b" }, { name: "a" }] }).read();
    expect(texts.map(([, name]) => name)).toEqual(["a", "b"]);
    expect(problems).toEqual(['MCP server "shop": it lists the prompt "a" twice.']);
  });

  it("stay as they were when a list fails, and it is said", async () => {
    const reader = readerOf({ prompts: [{ name: "a" }], resources: [{ uri: "a:1" }] });
    await reader.read();
    reader.now.lists = { prompts: new Error("gone"), resources: [{ uri: "a:2" }] };
    expect(await reader.read()).toEqual({
      texts: [
        ["prompt", "a", "shop__a"],
        ["resource", "a:2", expect.any(String)],
      ],
      problems: ['MCP server "shop": its prompts could not be listed: gone'],
    });
  });

  it.each([new Error("Method not found"), new Error("it failed", { cause: new Error("-32601: unknown") })])(
    "are not missed where the server knows no templates: %s",
    async (error) => {
      const reader = readerOf({ resourceTemplates: [{ uriTemplate: "a:{id}" }] });
      await reader.read();
      reader.now.lists = { resourceTemplates: error, resources: [{ uri: "a:1" }] };
      const { texts, problems } = await reader.read();
      expect([texts.map(([kind]) => kind), problems]).toEqual([["resource"], []]);
      reader.now.lists = { resources: error };
      expect((await reader.read()).problems).toEqual([expect.stringContaining("its resources could not be listed")]);
    },
  );

  it("are not read to the end by somebody who has gone", async () => {
    const gone = AbortSignal.abort(new Error("nobody waits"));
    await expect(readerOf({ prompts: new Error("failed") }).read({}, gone)).rejects.toThrow("nobody waits");
  });
});
