import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ config: { agents: { anonymous: {} } } })]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe("signing in to a console that lets everybody in", () => {
  it("says that a link was used already", async () => {
    const link = site.served.signInLink();
    const first = await browser.newPage({ locale: "en-US" });
    await first.goto(link);
    await first.getByRole("button", { name: "Sign out" }).waitFor();
    const second = await browser.newPage({ locale: "en-US" });
    await second.goto(link);
    const dialog = second.getByRole("dialog", { name: "Sign in" });
    await dialog.getByText("This link was used already, or has expired. Get a new one with: toolrack open").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await second.getByRole("link", { name: "Policy", exact: true }).click();
    expect(await dialog.isVisible()).toBe(false);
  });

  it("says who is signed in, with each button on one line at every width", async () => {
    const page = await browser.newPage({ locale: "en-US" });
    const isOneLine = async (name: string): Promise<boolean> => {
      const box = await page.getByRole("button", { name }).boundingBox();
      return box!.height < 48 && box!.x + box!.width <= page.viewportSize()!.width;
    };
    await page.goto(site.url);
    for (const width of [420, 1000, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await isOneLine("Sign in")]).toEqual([width, true]);
    }
    await site.signIn(page);
    await page.getByTitle("Signed in as owner").waitFor();
    expect(await page.getByTitle("Signed in as owner").textContent()).toBe("Signed in as owner");
    for (const width of [420, 1000, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await isOneLine("Sign out")]).toEqual([width, true]);
    }
  });
});
