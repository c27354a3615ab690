import { createMemorySecrets, createRegistry, type Registry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPublishTools, type PublishOptions } from "../../src/index.ts";
import { toNotionBlocks } from "../../src/publish/notion-blocks.ts";

const capabilities = createCapabilities({ overrides: { network: true } });

function registryWith(options: PublishOptions, secrets: Readonly<Record<string, string>> = {}): Registry {
  const registry = createRegistry({ capabilities, secrets: createMemorySecrets(secrets) });
  for (const tool of createPublishTools(options)) registry.register(tool);
  return registry;
}

describe("static_links", () => {
  const links = {
    social: [{ name: "Git [hub]", url: "https://github.example/ann", icon: "*" }],
    custom: [{ name: "Site", url: "https://ann.example/a(b)" }],
  };

  // row: J9
  it("gives the links of the settings, and the same as Markdown", async () => {
    const registry = registryWith({ links });
    expect(await registry.invoke("static_links", {})).toMatchObject({
      ok: true,
      data: {
        links: [
          { name: "Git [hub]", url: "https://github.example/ann", icon: "*" },
          { name: "Site", url: "https://ann.example/a(b)" },
        ],
        markdown: "- [* Git \\[hub\\]](https://github.example/ann)\n- [Site](https://ann.example/a%28b%29)",
      },
    });
    expect(await registry.invoke("static_links", { action: "get_social" })).toMatchObject({ data: { links: [{ name: "Git [hub]" }] } });
    expect(await registry.invoke("static_links", { action: "get_custom" })).toMatchObject({ data: { links: [{ name: "Site" }] } });
    expect(await registry.invoke("static_links", { action: "get_youtube_placeholder" })).toMatchObject({
      data: { links: [], markdown: "[YouTube: add the link here]" },
    });
  });

  it("refuses a link that is no address of a page", () => {
    expect(() => createPublishTools({ links: { custom: [{ name: "Bad", url: "javascript:alert(1)" }] } })).toThrow(/The link "Bad"/);
  });
});

describe("blog_notion", () => {
  let server: Loopback;
  /** The answers of the next requests; afterwards they are taken. */
  let answers: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown; readonly isRaw?: boolean }[] =
    [];

  beforeAll(async () => {
    server = await startLoopback((request, response) => {
      const { status, headers, body, isRaw = false } = answers.shift() ?? { status: 200 };
      if (status === 0) return response.destroy();
      if (isRaw) return response.writeHead(status).end(body);
      sendJson(
        response,
        body ?? (request.path === "/v1/pages" ? { id: "page-1", url: "https://notion.example/page-1" } : {}),
        status,
        headers,
      );
    });
  });
  beforeEach(() => {
    answers = [];
    server.seen.length = 0;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const publish = (input: object): ReturnType<Registry["invoke"]> =>
    registryWith({ notion: { databaseId: "db-1", baseUrl: server.url } }, { "notion-api-key": "key-1" }).invoke("blog_notion", input);

  // row: J9
  it("creates a page from Markdown, with the other parts as sections", async () => {
    const result = await publish({ title: "Tea", expanded_draft: "# Tea\n\nHello.", key_takeaways: ["Drink it"], twitter_post: "Read!" });
    expect(result).toMatchObject({ ok: true, data: { page_id: "page-1", url: "https://notion.example/page-1" } });
    const [request] = server.seen;
    expect(request).toMatchObject({
      method: "POST",
      path: "/v1/pages",
      headers: { authorization: "Bearer key-1", "notion-version": "2022-06-28" },
    });
    const body = JSON.parse(request!.body);
    expect(body.parent).toEqual({ database_id: "db-1" });
    expect(body.properties.title.title).toEqual([{ type: "text", text: { content: "Tea" } }]);
    expect(body.children.map(({ type }: { type: string }) => type)).toEqual([
      "heading_1",
      "paragraph",
      "heading_2",
      "bulleted_list_item",
      "heading_2",
      "paragraph",
    ]);
  });

  it("writes a long post in parts of 100 blocks, and waits when Notion asks for it", async () => {
    answers = [{ status: 200 }, { status: 429, headers: { "retry-after": "0" }, body: { message: "slow down" } }];
    answers[0] = { status: 200, body: { id: "page-1", url: "https://notion.example/page-1" } };
    const result = await publish({ title: "Long", expanded_draft: Array.from({ length: 250 }, (_, at) => `- item ${at}`).join("\n") });
    expect(result).toMatchObject({ ok: true });
    expect(server.seen.map(({ method, path, body }) => [method, path, JSON.parse(body).children.length])).toEqual([
      ["POST", "/v1/pages", 100],
      ["PATCH", "/v1/blocks/page-1/children", 100],
      ["PATCH", "/v1/blocks/page-1/children", 100],
      ["PATCH", "/v1/blocks/page-1/children", 50],
    ]);
  });

  it("says that the page exists when a later part fails, so that nobody publishes it twice", async () => {
    answers = [{ status: 200 }, { status: 400, body: { message: "bad block" } }];
    const result = await publish({ title: "Long", expanded_draft: "- x\n".repeat(150) });
    expect(result).toMatchObject({
      ok: false,
      retryable: false,
      error: expect.stringMatching(/page-1 was created, but only 100 of its 150 blocks.*bad block/),
    });
  });

  it.each([
    ["refuses with a fault of its own", { status: 502, body: { message: "bad gateway" } }],
    ["answers with something else than JSON", { status: 200, body: "<html>", isRaw: true }],
    ["cuts the connection", { status: 0 }],
  ])("does not ask for the same post again where Notion %s while the page is created", async (_what, answer) => {
    answers = [answer];
    const result = await publish({ title: "T", expanded_draft: "x" });
    expect(result).toMatchObject({
      ok: false,
      retryable: false,
      error: expect.stringContaining("The page may have been created. Look in the database before you publish again."),
    });
    expect(server.seen.length).toBe(1);
  });

  it("refuses a post of too many blocks before it creates a page", async () => {
    expect(await publish({ title: "T", expanded_draft: "-\ta\n".repeat(5_001) })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("5001 blocks"),
    });
    expect(server.seen).toEqual([]);
  });

  it("reads the line breaks of Unicode as such, also after many blanks", () => {
    for (const begin of ["- [x] ", "- ", "# ", "1. "]) {
      // Nothing but blanks before one was read anew from each of them.
      expect(toNotionBlocks(`${begin}${" ".repeat(190_000)}\u2028`).length).toBe(1);
      const blocks = toNotionBlocks(`${begin}${" ".repeat(190_000)}\u2028end`);
      expect(blocks.at(-1)).toMatchObject({ type: "paragraph", paragraph: { rich_text: [{ text: { content: "end" } }] } });
    }
  });

  it("says what is missing: the key, or the database; and never shows the key", async () => {
    answers = [{ status: 401, body: { message: "API token is invalid." } }];
    const refused = await publish({ title: "T", expanded_draft: "x" });
    expect(refused).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION", error: expect.stringContaining("refused the key") });
    expect(JSON.stringify(refused)).not.toContain("key-1");
    const homeless = registryWith({ notion: { baseUrl: server.url } }, { "notion-api-key": "key-1" });
    expect(await homeless.invoke("blog_notion", { title: "T", expanded_draft: "x" })).toMatchObject({
      ok: false,
      code: "NEEDS_CONFIGURATION",
    });
  });

  it("reads Markdown as blocks, in pieces of at most 2,000 characters", () => {
    const blocks = toNotionBlocks(
      "Title\nsecond line\n\n## Two ##\n#### Four\n> said\n1. first\n- [x] done\n---\n```ts\nconst a = 1;\n\n# no heading\n```\nend",
    );
    expect(blocks.map(({ type }) => type)).toEqual([
      "paragraph",
      "heading_2",
      "heading_3",
      "quote",
      "numbered_list_item",
      "to_do",
      "divider",
      "code",
      "paragraph",
    ]);
    expect(blocks[7]).toMatchObject({
      code: { language: "typescript", rich_text: [{ text: { content: "const a = 1;\n\n# no heading" } }] },
    });
    const long = toNotionBlocks(`${"a".repeat(1_999)}😀${"b".repeat(10)}`)[0] as unknown as {
      paragraph: { rich_text: { text: { content: string } }[] };
    };
    expect(long.paragraph.rich_text.map(({ text }) => text.content.length)).toEqual([1_999, 12]);
  });
});
