import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { runScripted, type Script } from "../_scripted.ts";

const tool = { operation: "GET /pets", tags: [], description: "", readOnly: true, destructive: false, deprecated: false, tokens: 9 };
const plan = {
  title: "Pets",
  version: "1",
  format: "OpenAPI 3.1.0",
  servers: ["https://a.example"],
  operations: 1,
  tools: [{ ...tool, name: "api__listPets" }],
  tags: [],
  refused: [],
  warnings: [],
  tokens: [
    { vendor: "anthropic", tokens: 1_234 },
    { vendor: "gemini", tokens: 99 },
  ],
  secrets: [],
  searched: false,
};
const url = "https://a.example/openapi.json";
const planned = (more: object, ...words: string[]) =>
  runScripted(["openapi", "plan", url, ...words], { "POST /openapi/plan": { ...plan, ...more } });

describe("toolrack openapi plan", () => {
  it("prints counts, addresses, tokens for each vendor, tags, secrets, tools, refusals and warnings", async () => {
    const shown = await planned(
      {
        operations: 4,
        tools: [
          { ...tool, name: "api__listPets" },
          { ...tool, name: "api__addPet", operation: "POST /pets", readOnly: false, deprecated: true },
          { ...tool, name: "api__dropPet", operation: "DELETE /pets", readOnly: false, destructive: true },
        ],
        tags: [{ name: "pets", operations: 3 }],
        refused: [{ operation: "GET /broken", reason: "It is \u001b[2Jbroken." }],
        warnings: ["The server \u001b[2Jis odd."],
        secrets: [
          { secret: "KEY", tools: 2, isSet: true },
          { secret: "OTHER", tools: 1, isSet: false },
        ],
        searched: true,
      },
      "--secret",
      "a=KEY",
      "--secret",
      "b=OTHER",
    );
    expect(shown).toMatchObject({ code: 0, errors: "" });
    expect(shown.output).not.toContain("\u001b");
    expect(shown.output.replaceAll("[2J", "").replaceAll("\ufffd", "").split("\n").slice(0, 7)).toEqual([
      "Pets 1, OpenAPI 3.1.0: 4 operations, 3 tools, 1 refused.",
      "Requests go to https://a.example.",
      "Tokens, estimated: anthropic 1,234, gemini 99.",
      "These are many: models find them by search, instead of having all of them listed.",
      "Tags: pets (3).",
      "Secret KEY: 2 tools",
      "Secret OTHER: 1 tool, not set. Set it with: toolrack secrets set OTHER",
    ]);
    expect(shown.output).toMatch(/api__listPets +GET \/pets +reads *\n/);
    expect(shown.output).toMatch(/api__addPet +POST \/pets +writes, deprecated *\n/);
    expect(shown.output).toMatch(/api__dropPet +DELETE \/pets +deletes *\n/);
    expect(shown.output).toMatch(/\nRefused:\n {2}GET \/broken: It is .*broken\.\n\nWarnings:\n {2}The server .*is odd\.\n$/);
  });

  it("shows twenty tools and counts the others, unless all are asked for", async () => {
    const tools = Array.from({ length: 23 }, (_, index) => ({ ...tool, name: `api__tool${index}` }));
    const few = (await planned({ tools })).output;
    expect([few.match(/api__tool/g)?.length, few.includes("… and 3 more; --all shows them.")]).toEqual([20, true]);
    const all = (await planned({ tools }, "--all")).output;
    expect([all.match(/api__tool/g)?.length, all.includes("more; --all")]).toEqual([23, false]);
  });

  it("ends with 1 where every operation is refused, and names each", async () => {
    const refused = [{ operation: "GET /pets", reason: "Its body has no type." }];
    const shown = await planned({ tools: [], refused });
    expect(shown.code).toBe(1);
    expect(shown.output).toContain("1 operation, 0 tools, 1 refused.");
    expect(shown.output).toContain("  GET /pets: Its body has no type.");
    expect((await planned({ tools: [], refused }, "--json")).code).toBe(1);
  });
});

describe("toolrack sources add --openapi", () => {
  const pets = { id: "pets", kind: "openapi", state: "ready", tools: ["pets__a"], problems: [], origin: "record" };
  const none = { source: "openapi:pets", digest: "d", definitions: [] };
  const definitions = "GET /definitions/sources/openapi%3Apets";
  const add = (script: Script, ...words: string[]) => runScripted(["sources", "add", "pets", "--openapi", url, ...words], script);

  it("sends all that its options say", async () => {
    const words = ["--include", "tag:a", "--include", "GET", "--exclude", "DELETE", "--allow-host", "a.example", "--secret", "key=KEY"];
    const more = ["--rename", "GET /x?a=b=find", "--base-url", "https://b.example", "--group", "zoo", "--refresh-minutes", "60"];
    const { code, asked } = await add(
      { "PUT /sources/pets": pets, [definitions]: none },
      ...words,
      ...more,
      "--max-pages",
      "3",
      "--result-fields",
    );
    expect(code).toBe(0);
    expect(JSON.parse(asked[0]!.slice("PUT /sources/pets ".length))).toEqual({
      openapi: {
        url,
        include: ["tag:a", "GET"],
        exclude: ["DELETE"],
        allowHosts: ["a.example"],
        secrets: { key: "KEY" },
        rename: { "GET /x?a=b": "find" },
        baseUrl: "https://b.example",
        group: "zoo",
        refreshMinutes: 60,
        maxPages: 3,
        resultFields: true,
      },
    });
  });

  it("sends the text of a file to a server that is elsewhere, also from the folder of a project", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": "", "pets.json": "{}" });
    const script = { "PUT /sources/pets": pets, [definitions]: none };
    const { asked } = await runScripted(["sources", "add", "pets", "--openapi", "pets.json"], script, { folder });
    expect(asked[0]).toBe('PUT /sources/pets {"openapi":{},"document":"{}"}');
  });

  it("waits for the document, agrees to the operations that it lists, and shows what came of it", async () => {
    const added = await add({
      "PUT /sources/pets": { ...pets, state: "starting", tools: [] },
      "GET /sources": { sources: [{ ...pets, tools: [], held: ["pets__a"] }] },
      [definitions]: { ...none, digest: "sha256:d", definitions: [{}] },
      "POST /definitions/sources/openapi%3Apets/approve": {},
      "POST /sources/pets/refresh": pets,
    });
    expect(added.asked.slice(1)).toEqual([
      "GET /sources",
      definitions,
      'POST /definitions/sources/openapi%3Apets/approve {"digest":"sha256:d"}',
      "POST /sources/pets/refresh",
    ]);
    expect(added).toMatchObject({ code: 0, output: "pets is ready, with 1 tool: pets__a.\n" });
  });

  it("ends with 1 where the document could not be read, and says why", async () => {
    const failed = await add({
      "PUT /sources/pets": { ...pets, state: "starting", tools: [] },
      "GET /sources": { sources: [{ ...pets, state: "failed", tools: [], error: "the server answered 404 instead of the document." }] },
      [definitions]: none,
    });
    expect(failed).toMatchObject({ code: 1, output: expect.stringContaining("pets failed: the server answered 404") });
  });

  it.each([
    [["--header", "A: s3cret"], "--header cannot be given with it"],
    [["--env", "A=s3cret"], "--env cannot be given with it"],
    [["https://b.example/mcp"], '"https://b.example/mcp" cannot be given with it'],
    [["--type", "faq"], "--type cannot be given with it"],
    [["--secret", "s3cret"], "--secret takes scheme=name"],
    [["--rename", "=s3cret"], "--rename takes operation=name"],
    [["--max-pages", "-1"], "--max-pages"],
  ])("refuses %j before it asks anything, and repeats no value", async (words, error) => {
    const refused = await add({}, ...words);
    expect(refused).toMatchObject({ code: 2, asked: [], errors: expect.stringContaining(error) });
    expect(refused.errors).not.toContain("s3cret");
  });
});
