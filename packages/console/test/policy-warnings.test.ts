import { join } from "node:path";
import type { AnyTool } from "@toolrack/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openBrowser } from "./_browser.mjs";
import { demoTools } from "./_demo.mjs";
import { serveConsole } from "./_served.ts";

/** A tool whose program is not on this machine. */
const stuck = (name: string): AnyTool => ({
  name,
  description: "Cannot run here.",
  inputSchema: { type: "object", properties: {} },
  metadata: { requiresCapabilities: ["binary:no-such-program"] },
  handler: () => "",
});

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([
    openBrowser(),
    serveConsole({
      tools: [...demoTools, stuck("canvas_printer"), stuck("lamp")],
      config: {
        policy: { tools: { deny: ["write_mial"] }, profiles: { mailing: { allow: ["write_mail", "lamp"] }, nothing: { allow: ["gone"] } } },
      },
    }),
  ]);
  page = await browser.newPage({ locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe("the console's home", () => {
  it("shows the warnings of the policy, and leads to the rules", async () => {
    await page.goto(site.url);
    const box = page.getByRole("region", { name: "The policy has warnings" });
    await box.getByText('No tool matches "write_mial" (did you mean "write_mail"?)').waitFor();
    await box.getByRole("link", { name: "See the rules in force" }).click();
    await page.getByText('No tool matches "write_mial"').waitFor();
  });

  it("leaves out tools that cannot run here, and shows them when asked", async () => {
    await page.goto(site.url);
    await page.getByRole("link", { name: /write_mail/ }).waitFor();
    expect(await page.getByRole("link", { name: /^canvas/ }).count()).toBe(0);
    await page.getByText("tools are unavailable").waitFor();
    await page.getByRole("button", { name: "Show them" }).click();
    await page.getByRole("button", { name: "Hide them" }).waitFor();
    await page.getByLabel("Search tools").fill("canvas");
    await page.getByRole("link", { name: /^canvas/ }).waitFor();
  });
});

describe("the console's home, where a module cannot be loaded", () => {
  it("shows the file, the line and the cause, and leads to the sources", async () => {
    const folder = temporaryFolder({ "broken.mjs": "const a = 1;\nexport default [missing];\n" });
    const broken = await serveConsole({ config: { tools: { modules: [join(folder, "broken.mjs")] } } });
    const other = await browser.newPage({ locale: "en-US" });
    try {
      await broken.signIn(other);
      await other.goto(broken.url);
      const box = other.getByRole("region", { name: "A source of tools failed" });
      await box.getByText("broken.mjs:2:17 ReferenceError: missing is not defined").waitFor();
      await box.getByRole("link", { name: "See the sources" }).click();
      await other.waitForURL("**/system");
    } finally {
      await other.close();
      await broken.close();
    }
  });
});

describe("the profiles of the policy", () => {
  it("show what each lets through: tools of this server with their state, and those of the catalog that it does not have", async () => {
    await page.goto(`${site.url}/policy?tab=profiles`);
    const tools = (profile: string): ReturnType<Page["getByRole"]> => page.getByRole("region", { name: `Tools of the profile ${profile}` });
    await tools("minimal").getByRole("row", { name: "session_status" }).waitFor();
    const choice = page.getByRole("combobox", { name: "Profile" });
    expect(await choice.getByRole("option").allTextContents()).toEqual(["minimal", "coding", "messaging", "full", "mailing", "nothing"]);
    await choice.selectOption("coding");
    await tools("coding").getByRole("row", { name: "apply_patch not here" }).waitFor();
    await choice.selectOption("mailing");
    await tools("mailing").getByRole("row", { name: "lamp unavailable" }).waitFor();
    expect(await tools("mailing").getByRole("row").count()).toBe(3);
    await tools("mailing").getByRole("link", { name: "write_mail" }).click();
    await page.getByRole("heading", { name: "write_mail", level: 1 }).waitFor();
    await page.goBack();
    await tools("mailing").waitFor();
    await page.getByRole("combobox", { name: "Profile" }).selectOption("nothing");
    await page.getByText("This profile names no tool that this server knows.").waitFor();
  });
});
