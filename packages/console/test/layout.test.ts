import { defineTool } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { demoConfig, demoTools, useDemo } from "./_demo.mjs";
import { layoutFaults } from "./_layout.ts";
import { everyPage } from "./_pages.ts";
import { serveConsole } from "./_served.ts";

/** Names as long as they may be, and words that cannot be broken. */
const long = defineTool({
  name: "warehouse_inventory_reconciliation_by_region_and_calendar_quarter",
  title: "Warehouse inventory reconciliation",
  description: `Compares what the books say with what is there. See https://example.com/${"a-very-long-path-".repeat(6)} for more.`,
  inputSchema: {
    type: "object",
    properties: { regionOfTheWarehouseAsItIsWrittenInTheBooks: { type: "string", description: "x".repeat(120) } },
    required: [],
  },
  metadata: { category: "a-category-with-a-name-that-nobody-would-choose", tags: ["reconciliation", "inventory"] },
  handler: () => "x".repeat(300),
});
const agent = "customer-support-assistant-for-northern-europe-night-shift";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
let waits: Promise<unknown>;

beforeAll(async () => {
  const { policy, agents } = demoConfig;
  [browser, site] = await Promise.all([
    openBrowser(),
    serveConsole({
      tools: [...demoTools, long],
      config: {
        ...demoConfig,
        policy: { ...policy, agents: { ...policy?.agents, [agent]: { tools: { deny: [long.name] } } } },
        agents: { ...agents, [agent]: { description: "Answers customers when nobody else does, in seven languages and with patience" } },
      },
    }),
  ]);
  await useDemo(site.url, site.owner);
  const call = (tool: string, input: object): Promise<Response> =>
    fetch(`${site.url}/api/v1/tools/${tool}/call`, {
      method: "POST",
      headers: { ...site.owner, "content-type": "application/json" },
      body: JSON.stringify({ input, runAs: { agent } }),
    });
  await call("find_order", { number: "TR-1" });
  await call("stock_level", { article: "lamp" });
  // One call waits for a person, so that it is also among those that run.
  waits = call("refund", { number: "TR-1042", amount: 12.5 }).catch(() => undefined);
  page = await browser.newPage({ reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  await waits;
});

const sizes = [360, 768, 1_280, 1_920] as const;
/** The dark theme changes colors, and no sizes: one width tells whether that is still so. The long form looks at all. */
const themesAt = (width: number): readonly string[] => (sized(width === 768, true) ? ["light", "dark"] : ["light"]);
const pages = [
  ...everyPage,
  `/tools/${long.name}`,
  `/tools/${long.name}?tab=try`,
  `/agents?agent=${agent}`,
  `/connect?agent=${agent}&client=zed`,
];

describe("every page", () => {
  it.each(pages)("%s clips, overlaps and overflows nothing at four sizes, in light and dark", async (path) => {
    // As a click on a link does, without loading everything again.
    await page.evaluate((next) => history.pushState(null, "", next), path);
    await page.locator(".loading").first().waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    const faults: string[] = [];
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of themesAt(width)) {
        await page.evaluate((next) => void (document.documentElement.dataset["theme"] = next), theme);
        faults.push(...(await layoutFaults(page)).map((fault) => `${width} wide, ${theme}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(["/", "/policy", "/live"])("%s is whole, too, for somebody who has not signed in", async (path) => {
    const own = await browser.newPage({ reducedMotion: "reduce", locale: "en-US" });
    await own.goto(site.url + path);
    await own.getByRole("button", { name: "Sign in", exact: true }).first().waitFor();
    for (const width of sizes) {
      await own.setViewportSize({ width, height: 800 });
      expect(await layoutFaults(own), `${width} wide`).toEqual([]);
    }
    await own.close();
  });
});
