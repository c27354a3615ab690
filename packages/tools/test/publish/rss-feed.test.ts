import { createRegistry, type Registry, type ToolResult } from "@toolrack/core";
import { lintTools } from "@toolrack/core/lint";
import { createCapabilities } from "@toolrack/core/node";
import { type Loopback, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPublishTools } from "../../src/index.ts";

const capabilities = createCapabilities({ overrides: { network: true } });
let server: Loopback;
let registry: Registry;

const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title><link>https://news.example/</link>
  ${Array.from(
    { length: 7 },
    (_, at) =>
      `<item><title>Story ${at}</title><link>/story/${at}</link><pubDate>Mon, 0${at + 1} Jan 2024 10:00:00 GMT</pubDate><author>Ann</author><description>&lt;p&gt;Hello &lt;b&gt;reader&lt;/b&gt; ${"of a long text ".repeat(30)}&lt;/p&gt;</description></item>`,
  ).join("")}</channel></rss>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A log</title><link rel="self" href="https://log.example/feed"/><link href="https://log.example/"/>
  <entry><title type="html">One &lt;i&gt;day&lt;/i&gt;</title><link href="javascript:steal()"/><updated>2024-01-01T00:00:00Z</updated><author><name>Bob</name></author><summary>Short</summary></entry></feed>`;
const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>R</title><link>https://r.example/</link></channel>
  <item><title>i</title><link>https://r.example/1</link><description>d</description><dc:creator>Dora</dc:creator><dc:date>2024-01-02</dc:date></item></rdf:RDF>`;
const json = {
  version: "https://jsonfeed.org/version/1.1",
  title: "J",
  home_page_url: "https://j.example/",
  items: [
    {
      id: "1",
      url: "https://j.example/1",
      title: "t",
      content_text: "x",
      date_published: "2024-01-01T00:00:00Z",
      authors: [{ name: "Cy" }],
    },
  ],
};
const bomb = `<!DOCTYPE x [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}"><!ENTITY c "${"&b;".repeat(1_000)}">]><rss version="2.0"><channel><title>&c;</title></channel></rss>`;

beforeAll(async () => {
  server = await startLoopback((request, response) => {
    const send = (type: string, body: string, status = 200): void => void response.writeHead(status, { "content-type": type }).end(body);
    switch (request.path) {
      case "/rss":
        return send("application/rss+xml", rss);
      case "/atom":
        return send("application/atom+xml", atom);
      case "/rdf":
        return send("application/rdf+xml", rdf);
      case "/json":
        return send("application/feed+json", JSON.stringify(json));
      case "/page":
        return send("text/html", "<html><p>no feed</p></html>");
      case "/bomb":
        return send("application/rss+xml", bomb);
      case "/large":
        response.writeHead(200, { "content-type": "application/rss+xml" });
        response.write(rss.slice(0, 100));
        return void response.end("x".repeat(6_000_000));
      case "/inward":
        return void response.writeHead(302, { location: "http://127.0.0.2:9/" }).end();
      default:
        return send("text/plain", "gone", 410);
    }
  });
  registry = createRegistry({ capabilities });
  const feeds = [{ name: "news", url: `${server.url}/rss` }];
  for (const tool of createPublishTools({ feeds, fetch: { allowHosts: [server.host] } })) registry.register(tool);
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (url: string, more: object = {}): Promise<ToolResult> => registry.invoke("rss_feed", { action: "fetch", url, ...more });
const dataOf = async (result: Promise<ToolResult>): Promise<any> => {
  const ended = await result;
  return ended.ok ? ended.data : expect.fail(ended.error);
};

describe("rss_feed", () => {
  // row: J9
  it("gives the newest entries as plain text, five of them unless asked otherwise", async () => {
    const feed = await dataOf(read(`${server.url}/rss`));
    expect(feed).toMatchObject({ title: "News & more", link: "https://news.example/" });
    expect(feed.items).toHaveLength(5);
    expect(feed.items[0]).toEqual({
      title: "Story 0",
      link: `${server.url}/story/0`,
      published: "Mon, 01 Jan 2024 10:00:00 GMT",
      author: "Ann",
      summary: expect.stringMatching(/^Hello reader of a long text .{150,}…$/),
    });
    expect(feed.items[0].summary.length).toBeLessThanOrEqual(200);
    expect((await dataOf(read(`${server.url}/rss`, { limit: 2 }))).items).toHaveLength(2);
  });

  it("reads Atom, RDF and JSON feeds, and gives no link that is no page", async () => {
    expect(await dataOf(read(`${server.url}/atom`))).toEqual({
      title: "A log",
      link: "https://log.example/",
      items: [{ title: "One day", link: "", published: "2024-01-01T00:00:00Z", author: "Bob", summary: "Short" }],
    });
    expect(await dataOf(read(`${server.url}/rdf`))).toMatchObject({ title: "R", items: [{ author: "Dora", published: "2024-01-02" }] });
    expect(await dataOf(read(`${server.url}/json`))).toMatchObject({ title: "J", items: [{ author: "Cy", summary: "x" }] });
  });

  it("lists the configured feeds, and reads one by its name", async () => {
    expect(await dataOf(registry.invoke("rss_feed", { action: "get_configured" }))).toEqual({
      feeds: [{ name: "news", url: `${server.url}/rss` }],
    });
    expect((await dataOf(read("news", { limit: 1 }))).items[0].title).toBe("Story 0");
    expect(await read("olds")).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining('Configured feeds: "news".'),
    });
  });

  it("says that an answer is no feed, or that there is none", async () => {
    expect(await read(`${server.url}/page`)).toMatchObject({
      ok: false,
      error: expect.stringContaining("not an RSS, Atom, RDF or JSON feed"),
    });
    expect(await read(`${server.url}/gone`)).toMatchObject({ ok: false, error: expect.stringContaining("answered 410") });
  });

  it("AH23: a feed that is too large is refused, entities are not multiplied, and nothing inside the network is reached", async () => {
    expect(await read(`${server.url}/large`)).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
    const bombed = await read(`${server.url}/bomb`);
    expect(JSON.stringify(bombed).length).toBeLessThan(2_000);
    expect(await read(`${server.url}/inward`)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await read("http://169.254.169.254/latest")).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await read("file:///etc/passwd")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("has nothing that lint warns of, like the rest of its pack", () => {
    const calendars = { work: { ics: "https://calendar.example/work.ics" } };
    const links = { custom: [{ name: "Site", url: "https://site.example/" }] };
    const tools = createPublishTools({ calendars, links });
    expect(tools.map(({ name }) => name)).toEqual(["rss_feed", "calendar", "static_links", "blog_notion"]);
    expect(createPublishTools().map(({ name }) => name)).toEqual(["rss_feed", "blog_notion"]);
    expect(lintTools(tools).filter(({ severity }) => severity !== "info")).toEqual([]);
  });
});
