import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { readPageProgram, type PageAnswer } from "../../src/web/page-program.ts";

const load = createRequire(import.meta.url);
const read = (html: string, form: "markdown" | "html" = "markdown"): PageAnswer =>
  readPageProgram(load, { html, url: "https://x.example/a/b", form });
const long = "A sentence that says something about it, and more. ".repeat(8).trim();

describe("a page", () => {
  it("is its article, with the title and without what is around it", () => {
    const body = `<nav><a href="/">Home</a></nav><article><h1>Head</h1><p>${long}</p><p>${long}</p></article><footer>Imprint</footer>`;
    const { title, content } = read(`<html><head><title> The title </title></head><body>${body}</body></html>`);
    expect(title).toBe("The title");
    expect(content).toContain(long);
    expect(content).not.toMatch(/Home|Imprint/);
  });

  it("has whole addresses in its links and pictures, and none that are no web addresses", () => {
    const links = '<a href="../c">one</a> <a href="javascript:steal()">two</a> <a href="http://[">three</a> <a href="mailto:a@x">four</a>';
    const { content } = read(`<p>${long} ${links} <img src="p.png" alt="pic"> <img src="data:image/png;base64,AA" alt="own"></p>`);
    expect(content).toContain("[one](https://x.example/c)");
    expect(content).toContain("![pic](https://x.example/a/p.png)");
    expect(content).toMatch(/(?<!\[)two(?!\])/);
    expect(content).not.toMatch(/steal|mailto|data:/);
  });

  it.each([
    ["a", 200, 1_000, true],
    ["a", 199, 398, true],
    ["a", 199, 399, false],
    ["", 500, 500, false],
  ])("is the article %j of %d signs on a page of %d, or the whole page without what is around it", (found, signs, all, isFound) => {
    class Readability {
      parse(): object {
        return { content: found === "" ? undefined : { innerHTML: found }, textContent: ` ${"x".repeat(signs)} ` };
      }
    }
    const around = ["nav", "header", "footer", "aside", "form", "button"].map((tag) => `<${tag}>around</${tag}>`).join("");
    const html = `<html><head></head><body>${around}<p>${"y".repeat(all)}</p></body></html>`;
    const answer = readPageProgram((name) => (name === "@mozilla/readability" ? { Readability } : load(name)), {
      html,
      url: "https://x.example/",
      form: "html",
    });
    expect(answer).toEqual({ content: isFound ? "a" : `<p>${"y".repeat(all)}</p>` });
  });

  it.each([
    ["<p>", "</p>"],
    ["<body><p>", "</p></body>"],
    ["<!doctype html>\n<title>T</title><body class=a><p>", ""],
    ["<!DOCTYPE html><head><title>T</title></head><body><p>", "</p>"],
    ["<html><body><p>", "</p></body></html>"],
    ["<!doctype html><html lang=en><title>T</title><body><p>", "</p>"],
    ["<html><head><title>T</title></head><body><p>", "</p></body></html>"],
  ])("is read with the tags that HTML may leave out: %j", (before, behind) => {
    const { title, content } = read(`${before}${long}${behind}`);
    expect([title, content]).toEqual([before.includes("title") ? "T" : undefined, long]);
  });

  it("is Markdown with marks of its own, or HTML", () => {
    const html = `<h2>Part</h2><p>${long}</p><ul><li>item</li></ul><pre><code>let a;</code></pre>`;
    const { title, content } = read(html);
    expect(title).toBeUndefined();
    expect(content).toMatch(/^## Part$/m);
    expect(content).toMatch(/^- +item$/m);
    expect(content).toContain("```\nlet a;\n```");
    expect(read(html, "html").content).toContain("<li>item</li>");
  });
});
