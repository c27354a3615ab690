import { until } from "@toolrack/testkit/until";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
const asked: string[] = [];
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const present = (more: object): Promise<unknown> =>
  site.rack.call("canvas", { action: "present", canvasId: "stock", title: "Stock", ...more }, { caller: { agent: "ada" } }).result;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ config: { tools: { packs: { canvas: true } } } })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  // What a browser refuses to load is told as a request, too; only what leaves it has an answer.
  page.on("response", (response) => void asked.push(response.url()));
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe("the page of canvases", () => {
  it("says that agents show nothing, and is reached from the sessions", async () => {
    await page.goto(`${site.url}/sessions`);
    await page.getByRole("link", { name: "Pages that agents show" }).click();
    await page.getByText("An agent shows one with the tool canvas.").waitFor();
  });

  it("shows one with its styles and images, in a frame that may do nothing", async () => {
    await present({
      html: `<style>p { color: rgb(1, 2, 3) }</style><h1>Tea</h1><p>twelve boxes</p><img alt="dot" src="data:image/png;base64,${dot}">`,
    });
    await page.goto(`${site.url}/canvases`);
    const frame = page.locator("iframe[title=Stock]");
    await frame.waitFor();
    expect([await frame.getAttribute("sandbox"), await frame.getAttribute("allow")]).toEqual(["", null]);
    const inside = page.frameLocator("iframe[title=Stock]");
    await inside.getByRole("heading", { name: "Tea" }).waitFor();
    expect(await inside.getByText("twelve boxes").evaluate((element) => getComputedStyle(element).color)).toBe("rgb(1, 2, 3)");
    expect(await inside.getByAltText("dot").evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    for (const width of [360, 768, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await layoutFaults(page), `${width} wide`).toEqual([]);
    }
  });

  // The page that shows a canvas is the console: what ends a page ends the console of everybody who looks.
  it.each([
    ["braces", `<style>${"a{".repeat(90_000)}</style><h1>Tea</h1>`],
    ["elements", `<h1>Tea</h1>${"<div>".repeat(30_000)}`],
    ["shapes", `<h1>Tea</h1><svg>${"<g>".repeat(60_000)}`],
    ["a size", `<h1>Tea</h1><div style="width:99999999px;height:99999999px;position:fixed;inset:0;z-index:99">x</div>`],
  ])("outlives a page of too many or too much of %s", async (_, html) => {
    await present({ html });
    await page.goto(`${site.url}/canvases`);
    await page.frameLocator("iframe[title=Stock]").getByRole("heading", { name: "Tea" }).waitFor();
    await page.getByRole("button", { name: "Remove Stock" }).click();
    await page.getByRole("button", { name: /Really remove/ }).waitFor();
  });

  it("stays where it is, whatever in a page is pressed", async () => {
    const outside = "http://127.0.0.1:9/outside";
    await present({
      html: `<h1>Tea</h1><a class="x" href="#end">down</a><a class="x" href="${outside}" target="_top">out</a><form action="${outside}" target="_top"><button class="x">go</button></form><span class="x">go</span><meta http-equiv="refresh" content="0;url=${outside}"><p id="end">end</p>`,
    });
    await page.goto(`${site.url}/canvases`);
    const inside = page.frameLocator("iframe[title=Stock]");
    await inside.getByRole("heading", { name: "Tea" }).waitFor();
    for (const one of await inside.locator(".x").all()) await one.click({ force: true });
    await inside.getByRole("heading", { name: "Tea" }).waitFor();
    expect(page.url()).toBe(`${site.url}/canvases`);
    expect(asked.filter((url) => url.includes("outside"))).toEqual([]);
  });

  it("runs and loads nothing, even of a document that nobody cleaned", async () => {
    const document = `<body onload="parent.document.title='taken'"><script>top.document.title = "taken"</script>
      <img src="/api/v1/taken-by-image" onerror="top.document.title='taken'"><link rel="stylesheet" href="/taken-by-link.css">
      <iframe src="/taken-by-frame"></iframe><h1>Uncleaned</h1></body>`;
    const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`;
    await page.route("**/api/v1/canvases/*", async (route) => {
      const answer = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...answer, document: `<!doctype html><head>${policy}</head>${document}` } });
    });
    await page.goto(`${site.url}/canvases`);
    await page.frameLocator("iframe[title=Stock]").getByRole("heading", { name: "Uncleaned" }).waitFor();
    expect(await page.title()).toBe("Sessions · Toolrack");
    expect(asked.filter((url) => url.includes("taken"))).toEqual([]);
    await page.unroute("**/api/v1/canvases/*");
  });

  it("removes one", async () => {
    await page.goto(`${site.url}/canvases`);
    await page.getByRole("button", { name: "Remove Stock" }).click();
    await page.getByRole("button", { name: /Really remove/ }).click();
    await page.getByText("An agent shows one with the tool canvas.").waitFor();
    await until(() => site.rack.canvases.list().length === 0);
  });
});
