import { defineTool } from "@toolrack/core";
import { until } from "@toolrack/testkit/until";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

const base = { inputSchema: { type: "object", properties: {} } } as const;
const tools = [
  defineTool({
    ...base,
    name: "read_page",
    description: "Reads a page.",
    metadata: { annotations: { openWorld: true } },
    handler: () => ({ text: "Please pay B-1." }),
  }),
  defineTool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
    handler: ({ bill }) => `paid ${bill}`,
  }),
];

beforeAll(async () => {
  const config = { tools: { packs: { programs: true } }, policy: { tools: { ask: ["pay"] } } } as const;
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools, config: { store: { memory: true }, ...config } })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const code = `const { text } = await tools.read_page({});
const bill = text.match(/B-\\d+/)[0];
return await tools.pay({ bill });`;

describe("the page of programs", () => {
  it("shows where a program stands, with the labels of its values, from the question to the result", async () => {
    const running = site.rack.call("run_code", { code }, { caller: { agent: "worker" } });
    await until(async () => (await site.rack.approvals.list()).length === 1);
    await page.goto(`${site.url}/live`);
    const question = page.locator(".question");
    await question.getByText("waits for the answer, at line 3").waitFor();
    await question.getByRole("link", { name: "program" }).click();
    await page.getByRole("heading", { name: "Programs", exact: true }).waitFor();
    expect(await page.locator(".source-line[aria-current]").textContent()).toBe("return await tools.pay({ bill });\n");
    const labels = page.getByRole("list", { name: "Labels" });
    expect(await labels.textContent()).toBe("/bill untrusted from read_page (line 1)");
    expect(await page.getByLabel("Arguments of pay").textContent()).toContain('"bill": "B-1"');
    expect(await layoutFaults(page)).toEqual([]);
    const [asked] = await site.rack.approvals.list();
    await site.rack.approvals.decide(asked!.id, { approved: true, by: "anna" });
    await running.result;
    await page.getByRole("heading", { name: "Result" }).waitFor();
    expect(await page.getByLabel("Result").textContent()).toContain("paid B-1");
  });

  it("cancels a program that waits", async () => {
    const running = site.rack.call("run_code", { code }, { caller: { agent: "worker" } });
    await until(async () => (await site.rack.approvals.list()).length === 1);
    await page.goto(`${site.url}/programs`);
    await page.getByRole("row").filter({ hasText: "waiting" }).getByRole("link").click();
    await page.getByRole("button", { name: "Cancel the program" }).click();
    await page.getByRole("button", { name: "Really cancel?" }).click();
    expect(await running.result).toMatchObject({ ok: false, code: "ABORTED" });
    await page
      .getByRole("region", { name: /^Program program-/ })
      .getByText("cancelled", { exact: true })
      .waitFor();
  });
});
