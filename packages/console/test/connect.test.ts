import { readFile } from "node:fs/promises";
import { clientEntry, clientNames } from "@toolrack/server/client-entries";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { demoConfig, demoTools, useDemo } from "./_demo.mjs";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools: demoTools, config: demoConfig })]);
  await useDemo(site.url, site.owner);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const entry = (): ReturnType<Page["locator"]> => page.getByRole("region", { name: "Entry" }).locator("pre");

describe("the page Connect", () => {
  it("shows the entry of every client in its own format, for both ways", async () => {
    await page.goto(`${site.url}/connect?agent=support`);
    for (const client of clientNames) {
      const { title, files, projectFile } = clientEntry(client, { kind: "http", url: "" });
      await page.getByLabel("Client").selectOption(title);
      await page.getByLabel("by a program (stdio)").check();
      await page.getByRole("heading", { name: `Add this to ${title}` }).waitFor();
      const args = ["--url", site.url, "mcp", "--agent", "support"];
      expect(await entry().textContent()).toBe(clientEntry(client, { kind: "stdio", command: "toolrack", args }).text);
      const places = ["Linux", files.linux, "macOS", files.macos, "Windows", files.windows];
      expect(await page.getByRole("region", { name: "Entry" }).locator("dt, dd").allTextContents()).toEqual(
        projectFile === undefined ? places : [...places, "One project", projectFile],
      );
      await page.getByLabel("by its address (HTTP)").check();
      await page.getByRole("heading", { name: "1. Create a key" }).waitFor();
      expect(await entry().textContent()).toBe(clientEntry(client, { kind: "http", url: `${site.url}/mcp`, key: "<key>" }).text);
    }
  });

  it("takes only known agents from the address, so that no link puts text of its own into the entry or the command", async () => {
    // With rules of its own it is an agent of the server, and still nobody that a client can be.
    const put = await fetch(`${site.url}/api/v1/agents/anonymous`, {
      method: "PUT",
      headers: { ...site.owner, "content-type": "application/json" },
      body: JSON.stringify({ policy: { tools: { deny: ["*"] } } }),
    });
    expect(put.status).toBe(200);
    for (const agent of ["support; touch /tmp/x", "anonymous"]) {
      await page.goto(`${site.url}/connect?agent=${encodeURIComponent(agent)}`);
      await page.getByText(`There is no agent "${agent}"`).waitFor();
      expect(await page.getByRole("button", { name: /^Copy|^Create/ }).count()).toBe(0);
    }
    await page.goto(`${site.url}/connect?agent=support`);
    const command = page.getByRole("region", { name: "Command" }).locator("pre");
    expect(await command.textContent()).toBe(`toolrack --url ${site.url} connect claude-desktop --agent support`);
    await page.getByLabel("by its address (HTTP)").check();
    await page.getByRole("heading", { name: "1. Create a key" }).waitFor();
    expect(await command.textContent()).toBe(`toolrack --url ${site.url} connect claude-desktop --agent support --http`);
  });

  it("offers the tools of the agent as an OpenAPI document: to download, by its address, and by the command", async () => {
    await page.goto(`${site.url}/connect?agent=support`);
    const part = page.getByRole("region", { name: "OpenAPI" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      part.getByRole("button", { name: "Download openapi.json" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("support-openapi.json");
    const document = JSON.parse(await readFile(await download.path(), "utf8")) as { readonly info: { readonly title: string } };
    expect(document.info.title).toBe("Tools of support");
    expect(await part.locator("pre").textContent()).toBe(
      `${site.url}/api/v1/agents/support/openapi.json\ntoolrack --url ${site.url} export openapi --agent support`,
    );
  });

  it("makes a key on the spot, puts it into the entry, copies it, shows it once, and lets an MCP client in as that agent", async () => {
    await page.goto(`${site.url}/connect`);
    await page.getByText("Choose the agent").first().waitFor();
    await page.getByLabel("Agent", { exact: true }).selectOption("analyst");
    await page.getByLabel("Client").selectOption("Cursor");
    await page.getByLabel("by its address (HTTP)").check();
    await page.getByRole("button", { name: "Create a key for analyst" }).click();
    await page.getByText("it is not shown again").waitFor();
    await page.getByRole("button", { name: "Copy the entry" }).click();
    await page.getByRole("region", { name: "Entry" }).getByText("Copied.").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toBe(await entry().textContent());
    const { url, headers } = (JSON.parse(text) as { mcpServers: { toolrack: { url: string; headers: Record<string, string> } } }).mcpServers
      .toolrack;
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    expect(await response.text()).toContain("nightly_report");
    const { keys } = await site.rack.keys.list().then((all) => ({ keys: all.filter(({ agent }) => agent === "analyst") }));
    expect(keys).toMatchObject([{ roles: [] }]);
    await page.reload();
    await page.getByRole("button", { name: "Create a key for analyst" }).waitFor();
    expect(await page.content()).not.toContain(headers["Authorization"]!.slice("Bearer ".length));
  });
});

describe("the page Agents", () => {
  it("lists the agents, and tells for each what it may use, why, and what it did", async () => {
    await page.goto(`${site.url}/agents`);
    await page
      .getByRole("row", { name: /support Answers customers/ })
      .getByRole("link", { name: "support", exact: true })
      .click();
    await page.getByRole("heading", { name: "support" }).waitFor();
    const tools = page.getByRole("list", { name: "Tools of support" });
    await tools.getByRole("button", { name: /^find_order.*allowed/ }).waitFor();
    await tools.getByRole("button", { name: /^refund.*needs approval/ }).waitFor();
    expect(await tools.getByRole("button", { name: /^nightly_report/ }).count()).toBe(0);
    await page.getByLabel("also what it may not use").check();
    await tools.getByRole("button", { name: /^nightly_report.*hidden by policy/ }).click();
    await page.getByRole("dialog").getByText("How to change it").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("tab", { name: "Its calls" }).click();
    await page.getByRole("row", { name: /settle_complaint support done/ }).waitFor();
    expect(await page.getByRole("row", { name: /analyst/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Connect a client" }).click();
    await page.getByRole("heading", { name: "Connect" }).waitFor();
    expect(await page.getByLabel("Agent", { exact: true }).inputValue()).toBe("support");
  });
});
