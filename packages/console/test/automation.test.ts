import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
let isUp = false;
const receiver = createServer((_, response) => void response.writeHead(isUp ? 204 : 410).end());
const noted: string[] = [];
const note = defineTool({
  name: "note",
  description: "Notes a title.",
  inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  handler: ({ title }) => {
    noted.push(title);
    return title;
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const hooks = { allowHosts: ["127.0.0.1"] };
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools: [note], config: { store: { memory: true }, hooks } })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  receiver.close();
});

describe("the page of automation", () => {
  it("approves a schedule that an agent made, runs it now, pauses and removes it", async () => {
    const spec = { tool: "note", input: { title: "Report" }, cron: "0 7 * * 1-5", tz: "Europe/Berlin" };
    const bot = { agent: "bot", principal: "key bot" };
    await site.rack.automation.schedules.add({ id: "daily", spec, caller: { agent: "bot" }, by: bot });
    await page.goto(`${site.url}/live`);
    await page.getByText("bot wants to call note 0 7 * * 1-5 (Europe/Berlin)").waitFor();
    await page.getByRole("button", { name: "Approve daily" }).click();
    await until(async () => (await site.rack.automation.schedules.get("daily"))!.state === "active");
    await page.goto(`${site.url}/automation?tab=schedules`);
    const row = page.getByRole("row", { name: /daily/ });
    await row.getByText("active").waitFor();
    await row.getByRole("button", { name: "Run now daily" }).click();
    await until(() => noted.length === 1);
    expect(noted).toEqual(["Report"]);
    expect(await layoutFaults(page)).toEqual([]);
    await row.getByRole("button", { name: "Pause daily" }).click();
    await row.getByText("paused", { exact: true }).waitFor();
    await row.getByRole("button", { name: /Remove/ }).click();
    await row.getByRole("button", { name: /Really remove/ }).click();
    await page.getByText("No schedules").waitFor();
  });

  it("tests a trigger without calling its tool, shows why an event called nothing, pauses, resumes and removes it", async () => {
    const spec = { tool: "note", on: { schema_name: "story.v1" }, input: { title: { from: "/record/context/headline" } } };
    await site.rack.automation.triggers.add({ id: "stories", spec, caller: { agent: "anna", roles: ["curator"] }, by: "anna" });
    await site.rack.store.put({ schema_name: "story.v1", title: "Without a headline", context: {} });
    await until(() => site.rack.automation.triggers.get("stories")!.problem !== undefined);
    await page.goto(`${site.url}/automation?tab=triggers`);
    const row = page.getByRole("row", { name: /stories/ });
    await row.getByText(/does not give an input that "note" takes/).waitFor();
    const before = noted.length;
    await row.getByRole("button", { name: "Test stories" }).click();
    const test = page.getByRole("region", { name: "Test of stories" });
    expect(JSON.parse(await test.getByLabel("An event").inputValue())).toEqual({ record: { context: { headline: "" } } });
    await test.getByLabel("An event").fill('{ "record": { "context": { "headline": 5 } } }');
    await test.getByRole("button", { name: "Show what it would call" }).click();
    await test
      .getByRole("alert")
      .getByText(/does not give an input/)
      .waitFor();
    await test.getByLabel("An event").fill('{ "record": { "context": { "headline": "Rain" } } }');
    await test.getByRole("button", { name: "Show what it would call" }).click();
    await test.getByRole("status").getByText("Rain").waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    expect(noted).toHaveLength(before);
    await row.getByRole("button", { name: "Pause stories" }).click();
    await row.getByText("paused", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Resume stories" }).click();
    await row.getByText("active", { exact: true }).waitFor();
    await row.getByRole("button", { name: /Remove/ }).click();
    await row.getByRole("button", { name: /Really remove/ }).click();
    await page.getByText("No triggers").waitFor();
  });

  it("shows a webhook whose receiver is gone, resumes it, and replays what died", async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await site.rack.automation.endpoints.add("desk", { url, on: { schema_name: "news.v1" } }, "owner");
    await site.rack.store.put({ schema_name: "news.v1", title: "News", context: {} });
    await until(async () => (await site.rack.automation.endpoints.get("desk"))!.state === "disabled");
    await page.goto(`${site.url}/automation?tab=webhooks`);
    const row = page.getByRole("row", { name: /desk/ });
    await row.getByText("disabled").waitFor();
    isUp = true;
    await row.getByRole("button", { name: "Resume desk" }).click();
    await row.getByRole("button", { name: "Deliveries of desk" }).click();
    const deliveries = page.getByRole("region", { name: "Deliveries of desk" });
    await deliveries.getByRole("button", { name: /Replay/ }).click();
    await deliveries.getByText("done").waitFor();
    expect(await layoutFaults(page)).toEqual([]);
  });
});
