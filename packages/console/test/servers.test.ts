import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRack, type Rack } from "@toolrack/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
let other: Rack;
const folder = mkdtempSync(join(tmpdir(), "toolrack-servers-"));

/** Two servers of one store: the one with the console asks before it pays, the other one does not. */
beforeAll(async () => {
  const store = { sqlite: join(folder, "data", "shared.db") };
  process.env["TOOLRACK_MASTER_KEY"] ??= Buffer.alloc(32, 1).toString("base64");
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ config: { store, policy: { tools: { ask: ["pay"] } } } })]);
  other = await openRack({ folder, config: { store, policy: { unknownAgents: "allow" } } });
  await other.call("calculator", { expression: "1 + 1" }, { caller: { agent: "someone" } }).result;
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await other?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("servers that do not agree", () => {
  it("are told on the first page, with the sections that differ", async () => {
    await page.goto(`${site.url}/`);
    const warning = page.getByRole("region", { name: "The server needs attention" });
    await warning.getByText("(policy)").waitFor();
    expect(await warning.getByRole("listitem").count()).toBe(1);
  });

  it("are listed under System, each with what it has otherwise", async () => {
    await page.goto(`${site.url}/system?tab=servers`);
    const row = page.getByRole("row", { name: new RegExp(other.servers.name.slice(-6)) });
    await row.getByText("different").waitFor();
    expect(await row.textContent()).toContain("policy");
    const own = page.getByRole("row", { name: /this one/ });
    expect(await own.textContent()).toContain(site.rack.servers.name.slice(-6));
    await page.getByText("master key ok").waitFor();
  });

  it("are not told any more once they agree", async () => {
    await other.close();
    // What other servers report is read again after seconds.
    const problems = async (): Promise<unknown> => {
      const told = page.waitForResponse((response) => response.url().endsWith("/api/v1/health"));
      await page.goto(`${site.url}/`);
      return (await (await told).json()).problems;
    };
    await expect.poll(problems).toEqual([]);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("region", { name: "The server needs attention" }).waitFor({ state: "detached" });
  });
});
