import { defineTool, type AnyTool } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { serveConsole } from "./_served.ts";

const plain = (name: string): AnyTool =>
  defineTool({ name, description: `Does what ${name} does.`, inputSchema: { type: "object" }, handler: () => name });

const toolCount = sized(2_000, 10_000);
const toolName = (index: number): string => `tool_${String(index).padStart(5, "0")}`;
const [lastTool, someTool] = [toolName(toolCount - 1), toolName(toolCount - 223)];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
});
afterAll(() => browser?.close());

describe("a catalog of thousands of tools", () => {
  let site: Awaited<ReturnType<typeof serveConsole>>;
  beforeAll(async () => {
    site = await serveConsole({ tools: Array.from({ length: toolCount }, (_, index) => plain(toolName(index))) });
    await site.signIn(page);
  });
  afterAll(() => site?.close());

  it("can be used within the first moments, and holds few rows on the page", async () => {
    await page.goto(`${site.url}/live`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.goto(site.url);
    await page.keyboard.press("/");
    await page.getByRole("link", { name: /tool_00000/ }).waitFor();
    expect(await page.locator(".virtual-list > li").count()).toBeLessThan(60);
  });

  it("is walked to its end by keyboard, and searched through", async () => {
    await page.getByLabel("Search tools").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
    await expect.poll(focused).toContain(await lastName(site));
    await page.keyboard.press("/");
    await page.keyboard.type(someTool);
    await page.getByRole("link", { name: new RegExp(someTool) }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: someTool }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: new RegExp(someTool) }).waitFor();
    expect(await page.getByLabel("Search tools").inputValue()).toBe(someTool);
  });

  it("scrolls smoothly: each frame on the way draws few rows", async () => {
    await page.goto(site.url);
    await page.getByRole("link", { name: /tool_00000/ }).waitFor();
    const drawn = await page.evaluate(async () => {
      const rows: number[] = [];
      for (let step = 0; step < 40; step++) {
        window.scrollBy(0, 5_000);
        await new Promise(requestAnimationFrame);
        rows.push(document.querySelectorAll(".virtual-list > li").length);
      }
      return rows;
    });
    expect(Math.max(...drawn)).toBeLessThan(60);
    expect(await page.locator(".virtual-list > li").count()).toBeLessThan(60);
    await expect.poll(() => page.locator(".virtual-list > li").first().innerText()).toMatch(/tool_0[1-9]/);
  });

  it("has a matrix with few rows on the page, which is scrolled to its last tool and explains it", async () => {
    await page.goto(`${site.url}/policy`);
    await page.getByRole("rowheader", { name: "tool_00000" }).waitFor();
    await page.getByText("tools, 1 caller").waitFor();
    await page.getByLabel("Filter tools").fill("tool_0");
    await page.locator(".matrix-box").evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await page.getByRole("button", { name: new RegExp(`^${lastTool} for an unknown caller`) }).click();
    await page.getByRole("dialog").getByText(lastTool).first().waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    expect(await page.locator(".matrix tbody tr").count()).toBeLessThan(80);
  });
});

async function lastName(site: Awaited<ReturnType<typeof serveConsole>>): Promise<string> {
  const { tools } = (await (await fetch(`${site.url}/api/v1/tools?all=true`, { headers: site.owner })).json()) as {
    tools: readonly { name: string; state: string }[];
  };
  return tools.findLast(({ state }) => state !== "unavailable")!.name;
}

/** The same without signing in: a session ends with its server. */
const forAnybody = { policy: { agents: { anonymous: { tools: { allow: ["*"] } } } } };

describe("a server that goes away", () => {
  it("is missed at once, and what changed meanwhile is there when it is back", async () => {
    const first = await serveConsole({ tools: [plain("stays"), plain("goes")], config: forAnybody });
    await page.goto(first.url);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("link", { name: /goes/ }).waitFor();
    await first.close();
    await page.getByText("connection lost").waitFor();
    const second = await serveConsole({ tools: [plain("stays"), plain("comes")], config: forAnybody, port: first.served.port });
    try {
      await page.getByText("live", { exact: true }).waitFor();
      await page.getByRole("link", { name: /comes/ }).waitFor();
      await page.getByRole("link", { name: /goes/ }).waitFor({ state: "detached" });
      second.rack.registry.register(plain("later"));
      await page.getByRole("link", { name: /later/ }).waitFor();
    } finally {
      await second.close();
    }
  });

  it("shows what failed on a page that had nothing yet, with a way to try again", async () => {
    const first = await serveConsole({ tools: [plain("stays")] });
    await first.signIn(page);
    await page.goto(`${first.url}/policy`);
    await page.getByRole("row", { name: /stays/ }).waitFor();
    await page.route("**/api/v1/sources", (route) => route.abort());
    await page.getByRole("link", { name: "System" }).click();
    await page.getByRole("alert").waitFor();
    await page.unroute("**/api/v1/sources");
    await page.getByRole("button", { name: "Try again" }).click();
    await page
      .getByRole("row", { name: /built-in/ })
      .first()
      .waitFor();
    await first.close();
  });
});

describe("a server with keys", () => {
  it("asks for one, and is live with it", async () => {
    const site = await serveConsole({ tools: [plain("guarded")] });
    const { secret } = await site.rack.keys.create({ agent: "ada", roles: ["admin", "curator", "subscriber"], by: "test" });
    await page.goto(`${site.url}/policy`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("main").getByLabel("API key").fill("wrong");
    await page.getByRole("main").getByRole("button", { name: "Use this key" }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByRole("main").getByLabel("API key").fill(secret);
    await page.getByRole("main").getByRole("button", { name: "Use this key" }).click();
    await page.getByRole("row", { name: /guarded/ }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("row", { name: /guarded/ }).count()).toBe(0);
    await site.close();
  });
});

describe("the link that the command line prints", () => {
  it("SD10: signs the owner in once, leaves nothing of itself in the address, and ends with signing out", async () => {
    const site = await serveConsole({ tools: [plain("guarded")], config: { server: { requireSignIn: true } } });
    const link = site.served.signInLink();
    await page.goto(link);
    await page.getByRole("link", { name: /guarded/ }).waitFor();
    expect(page.url()).toBe(`${site.url}/`);
    const session = await page.evaluate(() => sessionStorage.getItem("toolrack-key"));
    const asked = (): Promise<Response> => fetch(`${site.url}/api/v1/keys`, { headers: { authorization: `Bearer ${session}` } });
    expect((await asked()).status).toBe(200);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(async () => (await asked()).status).toBe(401);
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("main").getByText("This link was used already").waitFor();
    await site.close();
  });
});
