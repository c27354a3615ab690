import { writeFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { serveConsole } from "./_served.ts";

const base = "store: { memory: true }\npolicy:\n  tools: { deny: [random] }\n";
let browser: Browser;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ configFile: base })]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe("a configuration file that changes", () => {
  it("SD1: is announced on every page, shown value by value, and approved by a button", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    await site.signIn(page);
    await page.getByRole("link", { name: "System", exact: true }).waitFor();
    writeFileSync(
      site.configFile,
      `${base}sources:\n  docs:\n    url: https://docs.example.com/mcp\n    headers: { Authorization: s3cret-value }\n`,
    );
    await page.getByRole("link", { name: /System.*waiting for approval/ }).click();
    const section = page.getByRole("region", { name: "The configuration file has changed" });
    await section.getByText("https://docs.example.com/mcp").waitFor();
    expect(await section.textContent()).not.toContain("s3cret-value");
    expect(await section.locator(".digest").textContent()).toBe(site.rack.configChanges.pending()?.digest);
    const [line, heading] = await Promise.all([
      page.locator("p.badges").first().boundingBox(),
      section.getByRole("heading", { name: "The configuration file has changed" }).boundingBox(),
    ]);
    expect(heading!.y - (line!.y + line!.height)).toBeGreaterThanOrEqual(12);
    expect(site.rack.sources.list().map(({ id }) => id)).not.toContain("docs");
    await section.getByRole("button", { name: /^Approve/ }).click();
    await section.getByRole("button", { name: /Really approve/ }).click();
    await section.waitFor({ state: "detached" });
    await page.getByRole("rowheader", { name: /docs/ }).waitFor();
    expect(site.rack.sources.list().map(({ id }) => id)).toContain("docs");
  });
});
