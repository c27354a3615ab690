import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { type FeedAnswer, readFeedProgram } from "../../src/publish/feed-program.ts";

const load = createRequire(import.meta.url);
const read = (text: string, limit = 10): FeedAnswer => readFeedProgram(load, { text, limit });

/** What a parser might answer, whatever it is. */
const parsed = (feed: unknown, limit = 10): FeedAnswer => readFeedProgram(() => ({ parseFeed: () => ({ feed }) }), { text: "", limit });

describe("a feed", () => {
  it("is read from RSS", () => {
    const item =
      "<item><title> One </title><link>https://n.example/1</link><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate><author>Ann</author><description>Text</description></item>";
    expect(read(`<rss version="2.0"><channel><title>News</title><link>https://n.example/</link>${item}</channel></rss>`)).toEqual({
      title: "News",
      link: "https://n.example/",
      items: [{ title: "One", link: "https://n.example/1", published: "Mon, 01 Jan 2024 10:00:00 GMT", author: "Ann", summary: "Text" }],
    });
  });

  it("is read from Atom: the page it is about, not the feed itself", () => {
    const links = '<link rel="self" href="https://l.example/feed"/><link rel="alternate" href="https://l.example/"/>';
    const authors = "<author><name>Bob</name></author><author><email>c@l.example</email></author>";
    const entry = `<entry><title>Day</title><link href="https://l.example/day"/><updated>2024-01-02T00:00:00Z</updated>${authors}<content type="html">Long</content></entry>`;
    expect(read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title>${links}${entry}</feed>`)).toEqual({
      title: "Log",
      link: "https://l.example/",
      items: [
        { title: "Day", link: "https://l.example/day", published: "2024-01-02T00:00:00Z", author: "Bob, c@l.example", summary: "Long" },
      ],
    });
  });

  it("is read from RDF with its Dublin Core", () => {
    const names =
      'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"';
    const item =
      "<item><title>i</title><link>https://r.example/1</link><description>d</description><dc:creator>Dora</dc:creator><dc:date>2024-01-02</dc:date></item>";
    expect(read(`<rdf:RDF ${names}><channel><title>R</title><link>https://r.example/</link></channel>${item}</rdf:RDF>`)).toEqual({
      title: "R",
      link: "https://r.example/",
      items: [{ title: "i", link: "https://r.example/1", published: "2024-01-02", author: "Dora", summary: "d" }],
    });
  });

  it("is read from JSON", () => {
    const item = {
      id: "1",
      url: "https://j.example/1",
      title: "t",
      date_published: "2024-01-03",
      content_text: "c",
      authors: [{ name: "E" }],
    };
    const feed = { version: "https://jsonfeed.org/version/1.1", title: "J", home_page_url: "https://j.example/", items: [item] };
    expect(read(JSON.stringify(feed))).toEqual({
      title: "J",
      link: "https://j.example/",
      items: [{ title: "t", link: "https://j.example/1", published: "2024-01-03", author: "E", summary: "c" }],
    });
  });

  it("has at most as many items as are asked for", () => {
    const items = [1, 2, 3].map((at) => ({ title: `${at}` }));
    expect(parsed({ items }, 2)?.items.map(({ title }) => title)).toEqual(["1", "2"]);
    expect(parsed({ entries: items }, 1)?.items.map(({ title }) => title)).toEqual(["1"]);
  });

  it("is none where nothing can read it", () => {
    expect(read("not a feed")).toBeUndefined();
    expect(read("<html><body>no</body></html>")).toBeUndefined();
  });

  const empty = { title: "", link: "", published: "", author: "", summary: "" };
  it.each([
    [{}, empty],
    [{ title: { value: " typed ", type: "html" } }, { ...empty, title: "typed" }],
    [{ title: { value: 5 } }, empty],
    [{ title: "x".repeat(10_001) }, { ...empty, title: "x".repeat(10_000) }],
    [{ title: { value: "y".repeat(10_001) } }, { ...empty, title: "y".repeat(10_000) }],
    [
      { published: "p", updated: "u" },
      { ...empty, published: "p" },
    ],
    [
      { pubDate: "", updated: "u" },
      { ...empty, published: "u" },
    ],
    [
      { summary: "s", description: "d" },
      { ...empty, summary: "s" },
    ],
    [
      { content_html: "h", content: "c" },
      { ...empty, summary: "h" },
    ],
    [{ content: { encoded: "e" } }, { ...empty, summary: "e" }],
    [{ content: { value: "v" } }, { ...empty, summary: "v" }],
    [{ authors: ["plain", null, { name: "N", email: "e" }, {}] }, { ...empty, author: "plain, N" }],
    [{ authors: "no list" }, empty],
    [{ links: [{ rel: "enclosure", href: "file" }] }, { ...empty, link: "file" }],
    [
      {
        links: [
          { rel: "enclosure", href: "file" },
          { rel: "alternate", href: "page" },
        ],
      },
      { ...empty, link: "page" },
    ],
    [{ links: [null, "x", { href: "page" }] }, { ...empty, link: "page" }],
    [
      { link: "own", url: "other" },
      { ...empty, link: "own" },
    ],
  ])("has an item of %j as texts", (item, wanted) => {
    expect(parsed({ items: [null, "text", item] })?.items).toEqual([wanted]);
  });
});
