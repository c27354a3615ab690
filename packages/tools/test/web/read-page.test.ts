import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { htmlToText, visibleHtml } from "../../src/operations/html-text.ts";
import { readPage } from "../../src/web/read-page.ts";

const never = new AbortController().signal;
const url = "https://example.com/";

describe("reading a page", () => {
  it("falls back to plain text when the libraries take too long", async () => {
    const html = `<html><body>${"<div><p>text here, that is long enough to count, yes</p>".repeat(4_000)}</body></html>`;
    const page = await readPage({ html, url, form: "markdown", signal: never, maxRunMs: 50 });
    expect(page.note).toMatch(/plain text/);
    expect(page.content).toMatch(/^text here, that is long enough to count, yes\n/);
  });

  it("ends its thread when the caller gives up", async () => {
    const controller = new AbortController();
    process.once("worker", () => controller.abort(new Error("enough")));
    const html = `<html><body>${"<div><p>text here, that is long enough to count, yes</p>".repeat(4_000)}</body></html>`;
    await expect(readPage({ html, url, form: "markdown", signal: controller.signal })).rejects.toThrow("enough");
    await expect(readPage({ html, url, form: "markdown", signal: controller.signal })).rejects.toThrow("enough");
  });

  it.each(["", "just text", "<title>t</title><body>a<body>b\0", "<p>one<a href='http://['>x</a>"])("reads %j", async (html) => {
    expect(await readPage({ html, url, form: "markdown", signal: never })).not.toHaveProperty("note");
  });
});

describe("the text of HTML", () => {
  it("has blocks on lines of their own, and characters in place of their names", () => {
    expect(htmlToText("<h1>A &amp; B</h1><p>one<br>two &#8364;&#x41;&nbsp;&lt;x&gt; &unknown;</p><ul><li>a<li>b</ul>")).toBe(
      "A & B\n\none\ntwo €A <x> &unknown;\n\na\nb",
    );
  });

  it("leaves out what nobody sees", () => {
    const html =
      "<p>a</p><script>if (a < b) '</p>'</script><style>p{}</style><!-- <p>c</p> --><svg><text>d</text></svg><p title='>'>e</p><SCRIPT src=x></SCRIPT>";
    expect(htmlToText(html)).toBe("a\n\ne");
    expect(visibleHtml(html)).toBe("<p>a</p><p title='>'>e</p>");
  });

  it("keeps every word of a text without tags", () =>
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 20 }), (words) => {
        expect(htmlToText(words.join(" "))).toBe(words.join(" "));
      }),
    ));

  it("takes any text, and time that grows no faster than it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", "/", "!", "-", "'", '"', "=", "a", " ", "script", "&", "#", ";"), maxLength: 400 }),
        (html) => {
          expect(typeof htmlToText(html)).toBe("string");
          expect(visibleHtml(html).length).toBeLessThanOrEqual(html.length);
        },
      ),
      { numRuns: 300 },
    );
    const started = cpuTime();
    for (const part of ["<", "<a ", "<a b='", "<!--", "<script>", "</script", "&", "&#", '<a ="', " ", "\n"])
      htmlToText(part.repeat(200_000));
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});
