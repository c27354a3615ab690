import { defineTool } from "@toolrack/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { demoTools } from "./_demo.mjs";
import { serveConsole } from "./_served.ts";
import { showPage } from "./_show.ts";

const write = defineTool({
  name: "write_note",
  description: "Writes a note.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Where." }, content: { type: "string", description: "The whole text." } },
    required: ["path", "content"],
  },
  handler: ({ content }) => `${String(content).split("\n").length} lines`,
});

const configFile = `store: { memory: true }
tools:
  packs:
    utility: true
    runtime: true
policy:
  unknownAgents: allow
  tools:
    ask: [refund]
  agents:
    support: { tools: { deny: [nightly_report] } }
agents:
  support: { description: Answers customers }
`;

/** Its program is not on this machine. */
const stuck = defineTool({
  name: "lamp",
  description: "Cannot run here.",
  inputSchema: { type: "object", properties: {} },
  metadata: { requiresCapabilities: ["binary:no-such-program"] },
  handler: () => "",
});

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools: [...demoTools, write, stuck], configFile })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const call = (tool: string, input: object): Promise<Response> =>
  fetch(`${site.url}/api/v1/tools/${tool}/call`, {
    method: "POST",
    headers: { ...site.owner, "content-type": "application/json" },
    body: JSON.stringify({ input, runAs: { agent: "support" } }),
  });
const show = (path: string): Promise<void> => showPage(page, path);
const dated = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

describe("the catalog", () => {
  it("has heads for its columns, begins with the tools that were added, and folds what is unavailable at its end", async () => {
    await show("/");
    const rows = page.locator("a.tool-row");
    await rows.first().waitFor();
    for (const head of ["Tool", "What it does", "Category · source", "State", "Last 24 hours"])
      await page.locator(".tool-columns").getByText(head, { exact: true }).waitFor();
    expect(await rows.first().innerText()).toContain("find_order");
    const names = await page.locator("a.tool-row .tool-name .code").allInnerTexts();
    expect(names.indexOf("write_note")).toBeLessThan(names.indexOf("echo"));
    expect(await page.locator("a.tool-row", { hasText: "unavailable" }).count()).toBe(0);
    await page.getByRole("button", { name: "Show them" }).click();
    await page.getByLabel("Search tools").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await expect.poll(() => page.locator("a.tool-row").last().innerText()).toContain("unavailable");
  });
});

describe("the catalog of a server whose packs were loaded first", () => {
  it("begins with the tools that were added, all the same", async () => {
    await page.route("**/api/v1/tools?*", async (route) => {
      const answer = (await (await route.fetch()).json()) as { tools: { source: string }[] };
      await route.fulfill({
        json: { ...answer, tools: answer.tools.toSorted((a, b) => Number(b.source === "packs") - Number(a.source === "packs")) },
      });
    });
    await page.goto(`${site.url}/`);
    await expect.poll(() => page.locator("a.tool-row").first().innerText()).toContain("find_order");
    await page.unroute("**/api/v1/tools?*");
  });
});

describe("calls", () => {
  it("are in the order in which they ended, and labelled by that, with the date", async () => {
    await Promise.all([
      call("nightly_report", {}),
      call("write_mail", { to: "ada@example.com", body: "x" }),
      call("settle_complaint", { number: "TR-1" }),
    ]);
    await show("/live");
    await page.getByRole("columnheader", { name: "Ended" }).waitFor();
    await page.getByRole("row", { name: /settle_complaint/ }).waitFor();
    const times = await page.locator(".calls time").allInnerTexts();
    for (const time of times) expect(time).toMatch(dated);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("that took minutes are written as minutes, and the wait for a person stands apart", async () => {
    let ended = "";
    await page.route("**/api/v1/calls?*", async (route) => {
      const answer = (await (await route.fetch()).json()) as { calls: { startedAt: number; durationMs: number; waitedMs?: number }[] };
      const [first, second, ...others] = answer.calls;
      ended = new Date(first!.startedAt + 445_947.6).toISOString();
      const calls = [{ ...first, durationMs: 445_947.6 }, { ...second, durationMs: 61_012, waitedMs: 61_000 }, ...others];
      await route.fulfill({ json: { ...answer, calls } });
    });
    await page.goto(`${site.url}/live`); // loaded anew: the calls that are shown may be known already
    const long = page.getByRole("row").filter({ has: page.getByText("7 min 26 s", { exact: true }) });
    expect(await long.locator("time").getAttribute("datetime")).toBe(ended);
    await page.locator("td", { hasText: /^12 ms\s*waited 1 min 1 s$/ }).waitFor();
    await page.unroute("**/api/v1/calls?*");
  });
});

it("lines of the audit have their date", async () => {
  await show("/changes?tab=audit");
  await page.getByRole("row").nth(2).waitFor();
  for (const time of await page.locator("main time").allInnerTexts()) expect(time).toMatch(dated);
});

describe("the plots", () => {
  it("leave room for the numbers of the axis, however large they are", async () => {
    await call("find_order", { number: "TR-7" });
    await page.route("**/api/v1/usage?*", async (route) => {
      const answer = (await (await route.fetch()).json()) as { tools: { buckets: object[] }[]; total: { buckets: object[] } };
      const large = { calls: 12_345_678, errors: 9_876_543, refused: 0, invalid: 0, denied: 0, p50Ms: 445_947.6, p95Ms: 99_999_999 };
      await route.fulfill({
        json: {
          ...answer,
          total: { ...large, buckets: answer.total.buckets.map((one) => ({ ...one, ...large })) },
          tools: answer.tools.map((tool) => ({ ...tool, ...large, buckets: tool.buckets.map((one) => ({ ...one, ...large })) })),
        },
      });
    });
    await show("/system?tab=metrics");
    const canvases = page.locator(".plot canvas");
    await canvases.nth(1).waitFor();
    await page.getByRole("img", { name: /p95 up to 1 d 3 h/ }).waitFor();
    await page.getByRole("row", { name: /^find_order 12345678 9876543 .* 7 min 26 s 1 d 3 h / }).waitFor();
    // What is cut off would touch the edge of the picture.
    const inkAtEdges = await canvases.evaluateAll((all) =>
      all.map((one) => {
        const canvas = one as HTMLCanvasElement;
        const ink = (x: number): boolean =>
          canvas
            .getContext("2d")!
            .getImageData(x, 0, 1, canvas.height)
            .data.some((value) => value > 0);
        return [ink(0), ink(1), Array.from({ length: 60 }, (_, x) => ink(x)).includes(true)];
      }),
    );
    expect(inkAtEdges).toEqual([
      [false, false, true],
      [false, false, true],
    ]);
    await page.unroute("**/api/v1/usage?*");
  });
});

describe("on a phone", () => {
  it("what waits covers nothing of what runs, and the bar keeps its buttons in one line", async () => {
    const phone = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: "en-US" });
    await phone.goto(site.url);
    const isOneLine = async (name: string): Promise<void> => {
      const [brand, button] = await Promise.all([
        phone.locator(".brand").boundingBox(),
        phone.locator(".bar").getByRole("button", { name }).boundingBox(),
      ]);
      expect(button!.y).toBeLessThan(brand!.y + brand!.height);
      expect(button!.height).toBeLessThan(48);
    };
    await phone.locator(".bar").getByRole("button", { name: "Sign in" }).waitFor();
    await isOneLine("Sign in");
    await site.signIn(phone);
    await isOneLine("Sign out");
    const waits = call("refund", { number: `TR-${"1".repeat(900)}`, amount: 3 });
    await phone.goto(`${site.url}/live`);
    await phone.getByText('"amount": 3').waitFor();
    for (const top of [0, 200, 10_000]) {
      await phone.evaluate((y) => window.scrollTo(0, y), top);
      const [waiting, running] = await Promise.all([phone.locator(".waiting").boundingBox(), phone.locator(".running").boundingBox()]);
      expect(Math.min(waiting!.y + waiting!.height, running!.y + running!.height)).toBeLessThanOrEqual(
        Math.max(waiting!.y, running!.y) + 1,
      );
    }
    await phone.getByRole("button", { name: "Deny" }).click();
    await waits;
    await phone.close();
  });
});

describe("somebody without the role", () => {
  it("is offered to sign in, not to try again, and goes on with another key", async () => {
    const { secret: small } = await site.rack.keys.create({ agent: "support", roles: [], by: "test" });
    const { secret: large } = await site.rack.keys.create({ agent: "ada", roles: ["admin", "subscriber"], by: "test" });
    const other = await browser.newPage({ locale: "en-US" });
    await other.addInitScript((key) => sessionStorage.getItem("toolrack-key") ?? sessionStorage.setItem("toolrack-key", key), small);
    await other.goto(`${site.url}/system?tab=keys`);
    const refusal = other.getByRole("alert").filter({ hasText: "Access denied" });
    await refusal.waitFor();
    expect(await refusal.getByRole("button").allInnerTexts()).toEqual(["Sign in"]);
    await refusal.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("dialog").getByLabel("API key").fill(large);
    await other.getByRole("dialog").getByRole("button", { name: "Use this key" }).click();
    await other.getByRole("heading", { name: "Create a key" }).waitFor();
    await other.close();
  });
});

it("a long text of a tool is written in several lines", async () => {
  await show("/tools/write_note?tab=try");
  await page.getByLabel(/^content/).fill("one\ntwo\nthree");
  await page.getByLabel(/^path/).fill("a.md");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".result").getByText("3 lines").first().waitFor();
});

describe("sources", () => {
  it("name the line of the file that configures them", async () => {
    await show("/system");
    await page.getByRole("row", { name: /^packs.*toolrack\.config\.yaml:3/ }).waitFor();
  });

  it("are added with headers and private hosts, or as a program with variables", async () => {
    await show("/system");
    await page.getByLabel("Name").fill("wiki");
    await page.getByLabel("URL, or a program with its arguments").fill("http://127.0.0.1:9/mcp");
    await page.getByLabel("Headers").fill("X-Team: a\nno header");
    await page.getByLabel("Private hosts that it may reach").fill("127.0.0.1:9");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText("no header").waitFor();
    await page.getByLabel("Headers").fill("X-Team: a\nX-Area: secret:area\nAuthorization: Bearer hush-hush-1234");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added wiki.").waitFor();
    expect(site.rack.settings.get("sources.wiki")?.value).toEqual({
      url: "http://127.0.0.1:9/mcp",
      headers: { "X-Team": "secret:wiki.X-Team", "X-Area": "secret:area", Authorization: "secret:wiki.Authorization" },
      allowHosts: ["127.0.0.1:9"],
    });
    await page.getByLabel("Name").fill("local");
    await page.getByLabel("URL, or a program with its arguments").fill('node "my server.js" --quiet');
    await page.getByLabel("Variables").fill("MODE=fast");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added local.").waitFor();
    expect(site.rack.settings.get("sources.local")?.value).toEqual({
      command: "node",
      args: ["my server.js", "--quiet"],
      env: { MODE: "secret:local.MODE" },
    });
  });

  it("are imported from the file of another client, after a look at what would come", async () => {
    await show("/system");
    const form = page.locator("form", { hasText: "Import from another client" });
    const file = { mcpServers: { notes: { command: "notes-server", env: { NOTES_TOKEN: "hush-hush-5678" } }, "no command": {} } };
    await form.getByLabel("Or its text").fill(JSON.stringify(file));
    await form.getByRole("button", { name: "Show what would come" }).click();
    await form.getByRole("row", { name: /notes planned secrets: notes\.NOTES_TOKEN/ }).waitFor();
    expect(site.rack.settings.get("sources.notes")).toBeUndefined();
    await form.getByRole("button", { name: "Import" }).click();
    await form.getByRole("row", { name: /notes added/ }).waitFor();
    await form.getByRole("row", { name: /no.command failed/ }).waitFor();
    expect(site.rack.settings.get("sources.notes")?.value).toEqual({
      command: "notes-server",
      args: [],
      env: { NOTES_TOKEN: "secret:notes.NOTES_TOKEN" },
    });
    await page.getByRole("row", { name: /^notes.*waiting for approval/ }).waitFor();
    const cloud = { url: "http://127.0.0.1:9/mcp", headers: { "X-Region": "${env:REGION}", "X-Home": "${env:HOME}" } };
    await form.getByLabel("Or its text").fill(JSON.stringify({ mcpServers: { cloud } }));
    await form.getByLabel("Values that the file may use").fill("REGION=north-1\nno value");
    await form.getByRole("button", { name: "Import" }).click();
    await form.getByRole("alert").getByText("neither “NAME=value” nor a name alone").waitFor();
    await form.getByLabel("Values that the file may use").fill("REGION=north-1\nNODE_OPTIONS");
    await form.getByLabel("Private hosts that its servers may reach").fill("127.0.0.1:9");
    await form.getByRole("button", { name: "Import" }).click();
    await form.getByRole("row", { name: /cloud added .*set these secrets: cloud\.X-Home/ }).waitFor();
    expect(site.rack.settings.get("sources.cloud")?.value).toMatchObject({ allowHosts: ["127.0.0.1:9"] });
    // A secret of an earlier source is overwritten only where that is meant.
    await page.getByLabel("Name").fill("cloud");
    await page.getByLabel("URL, or a program with its arguments").fill("http://127.0.0.1:9/mcp");
    await page.getByRole("textbox", { name: "Headers" }).fill("X-Region: south-2");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText("exists already").waitFor();
    await page.getByLabel("overwrite secrets that exist already").check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added cloud.").waitFor();
  });
});
