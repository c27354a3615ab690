import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { demoConfig, demoTools, useDemo } from "./_demo.mjs";
import { everyPage } from "./_pages.ts";
import { serveConsole } from "./_served.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
const wide = { width: 1280, height: 900 };

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools: demoTools, config: demoConfig })]);
  await useDemo(site.url, site.owner);
  page = await browser.newPage({ viewport: wide, reducedMotion: "reduce" });
  await page.addInitScript({ content: axeSource });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function show(path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".loading").first().waitFor({ state: "detached" });
}

/** As a click on a link does, without loading everything again. */
async function goTo(path: string): Promise<void> {
  if (!page.url().startsWith(site.url)) await page.goto(site.url);
  await page.evaluate((next) => history.pushState(null, "", next), path);
  await page.locator(".loading").first().waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1 }).waitFor();
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe finds: rule and element, in few words. */
async function audit(options: object = {}): Promise<readonly string[]> {
  const { violations } = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run(root: Document, options: object): Promise<AxeResult> } };
    // The selectors of all elements, which nobody reads here, would take longer than many a rule.
    return axe.run(document, { resultTypes: ["violations"], preload: false, selectors: false, iframes: false, ...given });
  }, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The themes differ in their colours, and in nothing else. */
const onlyColours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

describe("every page", () => {
  it.each(everyPage)("%s has no fault that axe finds, in both themes, and fits a phone", async (path) => {
    await goTo(path);
    const theme = (name: string): Promise<void> => page.evaluate((next) => void (document.documentElement.dataset["theme"] = next), name);
    await theme("light");
    expect(await audit()).toEqual([]);
    await theme("dark");
    expect(await audit(onlyColours)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    await page.setViewportSize(wide);
    expect(width).toBeLessThanOrEqual(390);
  });

  it("has no fault either while something is open on it", async () => {
    await show("/policy");
    await page.getByRole("button", { name: /^nightly_report for support/ }).click();
    await page.getByRole("dialog").getByText("How to change it").waitFor();
    expect(await audit()).toEqual([]);
    await show("/tools/find_order?tab=try&example=0");
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator(".result").waitFor();
    await page.getByText("More about the caller").click();
    expect(await audit()).toEqual([]);
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByLabel("Input as JSON").waitFor();
    expect(await audit()).toEqual([]);
    await show("/live");
    await page
      .getByRole("row", { name: /settle_complaint/ })
      .getByRole("link")
      .click();
    await page.getByRole("list", { name: "Timeline" }).waitFor();
    expect(await audit()).toEqual([]);
  });

  it("keeps still for those who asked their system for that", async () => {
    const longest = (): Promise<number> =>
      page.evaluate(() =>
        Math.max(...[...document.querySelectorAll("*")].map((element) => Number.parseFloat(getComputedStyle(element).transitionDuration))),
      );
    await show("/policy");
    expect(await longest()).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await longest()).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
  });
});

describe("live updates", () => {
  it("move nothing on the page", async () => {
    await show("/live");
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("table").hover();
    await page.evaluate(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: false });
    });
    const send = (tool: string, input: object): Promise<Response> =>
      fetch(`${site.url}/api/v1/tools/${tool}/call`, {
        method: "POST",
        headers: { ...site.owner, "content-type": "application/json" },
        body: JSON.stringify({ input, runAs: { agent: "support" } }),
      });
    const waits = send("refund", { number: "TR-1", amount: 3 });
    await page.getByText('"amount": 3').waitFor();
    await send("find_order", { number: "TR-2" });
    await page.getByText("1 newer").waitFor();
    await page.getByRole("button", { name: "Deny" }).focus();
    await page.keyboard.press("Enter");
    await waits;
    await page.getByText('"amount": 3').waitFor({ state: "detached" });
    expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual([]);
    await page.mouse.move(5, 5);
    await page.getByRole("row", { name: /refund.*support/ }).waitFor();
  });
});

describe("the first load", () => {
  it("is below 250 kB, packed", () => {
    const dist = site.folder;
    const start = readFileSync(join(dist, "index.html"), "utf8");
    const first = [...start.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    const catalog = readdirSync(join(dist, "assets")).filter((name) => name.startsWith("catalog-"));
    const files = [...new Set([...first, ...catalog.map((name) => `/assets/${name}`)])];
    expect(files.length).toBeGreaterThan(2);
    const packed = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, gzipSync(start).length);
    expect(packed).toBeLessThan(250_000);
  });

  it("is all that a browser fetches for the catalog, and nothing is inline", async () => {
    let bytes = 0;
    page.on("response", (response) => {
      const path = new URL(response.url()).pathname;
      if (path.startsWith("/assets/")) bytes += gzipSync(readFileSync(join(site.folder, path))).length;
    });
    await show("/");
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(250_000);
    expect(await page.locator("script:not([src]), style, [onclick]").count()).toBe(0);
  });
});
