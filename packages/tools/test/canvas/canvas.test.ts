import { hasPart } from "@toolrack/core/testing";
import fc from "fast-check";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../src/browser/find-chromium.ts";
import { cleanHtml } from "../../src/canvas/clean-html.ts";
import { toCanvasDocument } from "../../src/canvas/document.ts";
import { createCanvasTools, createMemoryCanvases, type MemoryCanvases } from "../../src/index.ts";
import { startPages, startPrivatePlace } from "../browser/pages.ts";
import { type Invoke, invokerOf } from "../temporary-workspace.ts";

const hasChromium = hasPart("chromium", findChromium() !== undefined);

function openCanvases(): { readonly host: MemoryCanvases; readonly invoke: Invoke } {
  const host = createMemoryCanvases({ perCaller: 2 });
  return { host, invoke: invokerOf(createCanvasTools({ host })) };
}

describe("the tool canvas", () => {
  // row: J7
  it("shows a page, shows it anew, tells what it says, and hides it", async () => {
    const { host, invoke } = openCanvases();
    const present = (html: string) => invoke("canvas", { action: "present", canvasId: "stock", title: "Stock & more", html });
    expect(await present("<h1>Tea</h1>")).toMatchObject({ ok: true, data: { canvas: { canvasId: "stock", title: "Stock & more" } } });
    await present("<h1>Coffee</h1><p>12 bags</p>");
    expect(host.all()).toHaveLength(1);
    expect(host.all()[0]!.document).toContain("<title>Stock &amp; more</title>");
    expect(await invoke("canvas", { action: "snapshot", canvasId: "stock" })).toMatchObject({
      data: { text: expect.stringMatching(/Coffee\n+12 bags/) },
    });
    expect(await invoke("canvas", { action: "list" })).toMatchObject({ data: { canvases: [{ canvasId: "stock" }] } });
    expect(await invoke("canvas", { action: "hide", canvasId: "stock" })).toMatchObject({ data: { hidden: "stock" } });
    expect(await invoke("canvas", { action: "hide", canvasId: "stock" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("list"),
    });
  });

  it("keeps those of one caller from another, and bounds their number", async () => {
    const { invoke } = openCanvases();
    const present = (canvasId: string, agent: string) =>
      invoke("canvas", { action: "present", canvasId, html: "<p>x</p>" }, { caller: { agent } });
    await present("a", "ada");
    expect(await invoke("canvas", { action: "snapshot", canvasId: "a" }, { caller: { agent: "bob" } })).toMatchObject({ ok: false });
    await present("b", "ada");
    expect(await present("c", "ada")).toMatchObject({ ok: false, code: "RATE_LIMITED" });
    expect(await present("c", "bob")).toMatchObject({ ok: true });
  });

  it("says what it left out", async () => {
    const { invoke } = openCanvases();
    const html = `<p onclick="x()">Hi<script>x()</script><a href="https://a.example">there</a><form><input></form>`;
    expect(await invoke("canvas", { action: "present", canvasId: "a", html })).toMatchObject({
      data: { removed: ["p onclick", "script", "a href", "form", "input"] },
    });
  });
});

describe("the HTML of a canvas", () => {
  it.each([
    ["text & entities", "1 < 2 &amp; 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"],
    [
      "styles",
      `<style>p { color: red }</style><p style="color: blue">x</p>`,
      `<style>p { color: red }</style><p style="color: blue">x</p>`,
    ],
    ["drawings", `<svg viewBox="0 0 1 1"><rect width="1" fill="red"/></svg>`, `<svg viewbox="0 0 1 1"><rect width="1" fill="red"/></svg>`],
    ["images inside of it", `<img alt=x src="data:image/png;base64,AAAA">`, `<img alt="x" src="data:image/png;base64,AAAA">`],
    ["rows whose ends are left out", `<table>${"<tr><td>1".repeat(300)}</table>`, `<table>${"<tr><td>1".repeat(300)}</table>`],
  ])("keeps %s", (_, html, kept) => expect(cleanHtml(html).html).toBe(kept));

  it.each([
    `<script>x</script>`,
    `<SCRIPT/x>x</SCRIPT >`,
    `<script>x`,
    `<meta http-equiv="refresh" content="0;url=http://x">`,
    `<base href="http://x/">`,
    `<link rel=preconnect href=http://x>`,
    `<link rel="stylesheet" href="http://x">`,
    `<iframe srcdoc="x"></iframe>`,
    `<object data="http://x"></object>`,
    `<embed src="http://x">`,
    `<form action="http://x"></form>`,
    `<style>@import "http://x"</style>`,
    `<style>p { background: u\\72l(http://x) }</style>`,
    `<style>@font-face { src: url(http://x) }</style>`,
    `<style>p { background: image-set("http://x" 1x) }</style>`,
    `<style>p { background: u&#114;l(http://x) }</style>`,
    `<style>${"a{".repeat(90_000)}</style>`,
    `<style>p { width: ${"calc(".repeat(33)}1px }</style>`,
    `<!-- <script>x</script> -->`,
    `<math><script>x</script></math>`,
  ])("leaves out %s", (html) => expect(cleanHtml(html).html).toBe(""));

  it.each([
    `<img src="http://x">`,
    `<img src="data:image/svg+xml,<svg>">`,
    `<img srcset="http://x 2x">`,
    `<a href="javascript:x">`,
    `<a href="#end">`,
    `<a href="&#x6a;avascript:x">`,
    `<a ping="http://x">`,
    `<p style="background: url(http://x)">`,
    `<p style="background: &#117;rl(http://x)">`,
    `<p background="http://x">`,
    `<p onload=x>`,
    `<rect fill="url(http://x#a)">`,
    `<svg xlink:href="http://x">`,
  ])("leaves out the attribute of %s", (html) => expect(cleanHtml(html).html).toMatch(/^<\w+>$/));

  it("never has a script, a handler or an address, for any text", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "</",
      "<p",
      "<script",
      "</script>",
      "<style>",
      "</style>",
      "<img src=",
      '"',
      "'",
      "=",
      " ",
      "/",
      "onload",
      "href",
      "url(",
      "http://x",
      "<!--",
      "-->",
      "<svg",
      "<a ",
      "&",
      ";",
      "x",
      "\\",
      "`",
      "\n",
      "\u0000",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { html } = cleanHtml(pieces.join(""));
        expect(html).not.toMatch(/<(?:script|iframe|link|meta|base|form|object|embed)\b/i);
        expect(html).not.toMatch(/<[^>]*\s(?:on\w+|src|href)=/i);
        expect(cleanHtml(html).html).not.toMatch(/<script/i);
      }),
    );
  });

  it("AH22: is nested at most so deep, and says so", () => {
    expect(cleanHtml(`<style>${"a{".repeat(90_000)}</style>`).html).toBe("");
    const { html, removed } = cleanHtml(`<svg>${"<g>".repeat(300)}<rect/>${"</g>".repeat(300)}</svg><h1>after</h1>`);
    expect(html).toBe(`<svg>${"<g>".repeat(199)}<rect/>${"</g>".repeat(199)}</svg><h1>after</h1>`);
    expect(removed).toEqual(["elements nested more than 200 deep"]);
  });

  it("takes time that grows with its length alone", () => {
    for (const part of ["<", "<p ", "<script>", "<style>", '<p a="', "<!--", "</", "<p a=b "])
      expect(cleanHtml(part.repeat(50_000)).html.length).toBeLessThan(2_000_000);
  });
});

describe.skipIf(!hasChromium)("a canvas in a frame", () => {
  /** Everything by which a page could tell somebody that it was seen. */
  const hostile = (place: string): string => `
    <h1>Report</h1>
    <script>fetch("${place}/script"); new WebSocket("${place.replace("http", "ws")}/ws"); new RTCPeerConnection({ iceServers: [{ urls: "stun:${place.slice(7)}" }] }).createOffer(); document.cookie; parent.document; top.location = "${place}/top"</script>
    <img src="${place}/img"><img srcset="${place}/srcset 1x"><img src=x onerror="fetch('${place}/error')">
    <svg><image href="${place}/svg"/><use href="${place}/use#a"/></svg><svg onload="fetch('${place}/svgload')"></svg>
    <style>@import "${place}/import"; @font-face { font-family: f; src: url(${place}/font) } h1 { background: url(${place}/css); font-family: f }</style>
    <p style="background: url('${place}/inline')">x</p>`;
  /** What makes a browser connect before it looks at the policy of the page, so that it must not be in the page. */
  const early = (place: string): string => `
    <iframe src="${place}/frame"></iframe><iframe srcdoc="<img src='${place}/srcdoc'>"></iframe><object data="${place}/object"></object><embed src="${place}/embed">
    <video src="${place}/video" autoplay></video><audio src="${place}/audio" autoplay></audio><input type="image" src="${place}/input">
    <form action="${place}/form"><button id="send">send</button></form>
    <meta http-equiv="refresh" content="0;url=${place}/refresh"><base href="${place}/base/">
    <a id="out" href="${place}/link" ping="${place}/ping">click</a><a href="${place}/top" target="_top">top</a>
    <link rel="preconnect" href="${place}"><link rel="dns-prefetch" href="${place}"><link rel="prefetch" href="${place}/prefetch">
    <link rel="stylesheet" href="${place}/sheet"><link rel="icon" href="${place}/icon"><link rel="modulepreload" href="${place}/module">`;

  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium()!, chromiumSandbox: process.getuid?.() !== 0 });
  });
  afterAll(() => browser?.close());

  it.each([
    ["that was cleaned", true],
    ["that nobody cleaned, but for what browsers connect to before they look at its policy", false],
  ])("AH22: a page %s runs nothing, opens no connection, and reaches neither cookies nor its parent", async (_, isCleaned) => {
    await using place = await startPrivatePlace();
    await using pages = await startPages();
    const url = `http://127.0.0.1:${place.port}`;
    const html = isCleaned ? cleanHtml(early(url) + hostile(url)).html : hostile(url);
    const document = toCanvasDocument("Report", html).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    pages.set("/console", `<title>console</title><iframe sandbox srcdoc="${document}" width="800" height="600"></iframe>`, {
      "set-cookie": "session=secret; Path=/",
    });
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(`${pages.url}/console`, { waitUntil: "networkidle" });
      const frame = page.frameLocator("iframe");
      await frame.locator("h1").waitFor();
      for (const selector of ["#send", "p", "#out"])
        await frame
          .locator(selector)
          .first()
          .click({ timeout: 1_000, force: true })
          .catch(() => {});
      await page.waitForLoadState("networkidle");
      expect(place.count()).toBe(0);
      expect(page.url()).toBe(`${pages.url}/console`);
      expect(await page.title()).toBe("console");
      expect(page.context().pages()).toHaveLength(1);
    } finally {
      await context.close();
    }
  });
});
