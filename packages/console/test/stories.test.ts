import { Readable } from "node:stream";
import { defineTool } from "@toolrack/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { runProgram } from "../../cli/src/program.ts";
import { openBrowser } from "./_browser.mjs";
import { serveConsole, weather } from "./_served.ts";
import { showPage } from "./_show.ts";

/** Lets the slow tool take its next step. */
let release = (): void => {};
const slow = defineTool({
  name: "slow",
  description: "Counts to three, slowly.",
  inputSchema: { type: "object", properties: {} },
  async handler(_input, { progress, signal }) {
    for (let step = 1; step <= 3; step++) {
      const next = new Promise<void>((resolve, reject) => {
        release = resolve;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      progress({ progress: step, total: 3, message: `step ${step}` });
      await next;
    }
    return "three";
  },
});
const pay = defineTool({
  name: "pay",
  description: "Pays somebody.",
  inputSchema: { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] },
  handler: ({ amount }) => `paid ${amount}`,
});

let browser: Browser;
let site: Awaited<ReturnType<typeof serveConsole>>;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  [browser, site] = await Promise.all([
    openBrowser(),
    serveConsole({
      tools: [weather, slow, pay],
      config: {
        policy: { tools: { ask: ["pay"] }, agents: { support: { tools: { deny: ["pay"] } }, writer: {} } },
        agents: { support: { description: "Answers customers" }, writer: {} },
      },
    }),
  ]);
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /security policy|Refused/i.test(message.text())) faults.push(message.text());
  });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const call = (tool: string, input: unknown, more: object = {}): Promise<Response> =>
  fetch(`${site.url}/api/v1/tools/${tool}/call`, {
    method: "POST",
    headers: { ...site.owner, "content-type": "application/json" },
    body: JSON.stringify({ input, ...more }),
  });

/** What a command prints as JSON. */
async function command(...words: string[]): Promise<unknown> {
  const printed: string[] = [];
  const stream = { isTTY: false, columns: 80, write: (text: string) => void printed.push(text) };
  await runProgram(words, {
    folder: temporaryFolder(),
    environment: { TOOLRACK_URL: site.url, TOOLRACK_KEY: site.rack.ownerToken.text },
    input: Readable.from([]),
    output: stream,
    errors: { ...stream, write: () => undefined },
    signal: new AbortController().signal,
    version: "0.1.0",
  });
  return JSON.parse(printed.join(""));
}

describe("the catalog", () => {
  it("finds a tool by words, by keyboard alone", async () => {
    await page.goto(site.url);
    await page.getByRole("link", { name: /slow/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("weather");
    await page.getByText(/^[1-5] of \d+ tools/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "weather" }).waitFor();
  });

  // row: I6, C8
  it("shows a tool that comes, changes and goes elsewhere, without a reload", async () => {
    await page.goto(site.url);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByLabel("Search tools").fill("newcomer");
    site.rack.registry.register(
      defineTool({ name: "newcomer", description: "Came later.", inputSchema: { type: "object" }, handler: () => "hi" }),
    );
    await page.getByRole("link", { name: /newcomer/ }).waitFor();
    site.rack.registry.unregister("newcomer");
    await page.getByRole("link", { name: /newcomer/ }).waitFor({ state: "detached" });
  });
});

describe("a tool", () => {
  // row: H22
  it("is configured by a form that nobody wrote, which refuses wrong values at their field", async () => {
    await showPage(page, "/tools/weather?tab=configuration");
    await page.getByText("Missing: endpoint").waitFor();
    await page.getByLabel("endpoint").fill("nonsense");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field-errors").first().waitFor();
    await page.getByLabel("endpoint").fill("https://weather.example.com");
    await page.getByRole("switch", { name: "verbose" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Missing: ").waitFor({ state: "detached" });
    expect(await site.rack.configs.get("weather")).toMatchObject({ endpoint: "https://weather.example.com", verbose: true });
  });

  it("gets its secret on the System page, and is ready then", async () => {
    await showPage(page, "/system?tab=secrets");
    await page.getByRole("button", { name: "Set weather-key" }).click();
    await page.getByLabel("Value").fill("a-very-secret-value");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("The value cannot be read here").waitFor();
    expect(await page.content()).not.toContain("a-very-secret-value");
    await showPage(page, "/tools/weather");
    await page.locator(".tool-head").getByText("ready", { exact: true }).waitFor();
  });

  // row: I6
  it("is tried with an example, and the result is the one that the API and the command line give", async () => {
    await showPage(page, "/tools/weather");
    await page.getByRole("button", { name: "Use this" }).first().click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText('"sky": "clear"').waitFor();
    const { data } = (await (await call("weather", { city: "Oslo" })).json()) as { data: unknown };
    const shown: unknown = JSON.parse(await page.getByLabel("The result as data").innerText());
    expect(shown).toEqual(data);
    expect(await command("call", "weather", "city=Oslo", "--json")).toHaveProperty("data", shown);
  });

  it("says at the field what is wrong with an input", async () => {
    await showPage(page, "/tools/weather?tab=try");
    await page.getByLabel(/^city/).fill("X");
    await page.locator(".field-errors").first().waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator(".field", { hasText: "city" }).locator(".field-errors").waitFor();
  });

  it("shows progress as it comes, and can be cancelled", async () => {
    await showPage(page, "/tools/slow?tab=try");
    await page.getByRole("button", { name: "Run" }).click();
    for (const step of [1, 2, 3]) {
      await page.getByText(`${step} of 3 step ${step}`).waitFor();
      release();
    }
    await page.getByText("three", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("step 1").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").waitFor();
  });

  it("shows what vendors receive, its grammar and its parameters", async () => {
    await showPage(page, "/tools/slow?tab=vendors");
    await page.getByLabel("slow as openai-chat receives it").waitFor();
    await showPage(page, "/tools/slow?tab=grammar");
    await page.getByText("root ::=").waitFor();
  });
});

describe("the policy", () => {
  it("explains a cell, and tells who gains and loses before a draft is applied", async () => {
    await showPage(page, "/policy");
    await page.getByRole("button", { name: /^pay for support: hidden by policy/ }).click();
    await page.getByRole("dialog").getByText("hides").first().waitFor();
    await page.getByRole("link", { name: "Draft a change", exact: true }).click();
    expect(await page.getByLabel("New value").inputValue()).toContain('"deny": [');
    await page.getByLabel("Setting").selectOption("policy.agents.writer");
    await page.getByLabel("New value").fill('{ "tools": { "deny": ["slow"] } }');
    await page.getByRole("button", { name: "Show effects" }).click();
    await page.getByRole("row", { name: /writer.*slow/ }).waitFor();
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => site.rack.registry.explain("slow", { agent: "writer" }).allowed).toBe(false);
  });
});

describe("live", () => {
  it("shows a call that waits with its arguments, and lets it go ahead", async () => {
    await showPage(page, "/live");
    const paid = call("pay", { amount: 42 });
    const question = page.getByRole("region", { name: "Waiting for approval" });
    await question.getByText('"amount": 42').waitFor();
    await question.getByRole("button", { name: "Approve" }).click();
    expect(await (await paid).json()).toMatchObject({ content: "paid 42" });
    await question.getByText("Nothing is waiting.").waitFor();
    await page
      .getByRole("row", { name: /pay.*done/ })
      .first()
      .waitFor();
  });

  it("shows the trace of a call, and tries a failed one again", async () => {
    await call("weather", { city: "Oslo", days: 99 });
    await showPage(page, "/live");
    await page
      .getByRole("row", { name: /weather.*INPUT_INVALID/ })
      .first()
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("alert").getByText("days").waitFor();
  });
});

it("runs under the content security policy, without an error on any page", () => {
  expect(faults).toEqual([]);
});
