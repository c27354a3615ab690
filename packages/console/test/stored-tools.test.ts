import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ config: { tools: { packs: { utility: true } } } })]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Pictures for people, where TOOLRACK_PICTURES names a folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env["TOOLRACK_PICTURES"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

const schema = (...names: readonly string[]): string =>
  JSON.stringify({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])), required: names });

async function write(name: string, kind: "Program" | "Chain of calls", fields: Readonly<Record<string, string>>): Promise<void> {
  await page.goto(`${site.url}/`);
  await page.getByRole("link", { name: "Write a tool" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Description").fill("Is written in the console.");
  await page.getByLabel("Kind").selectOption(kind);
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: "Save" }).click();
}

describe("tools that are written in the console", () => {
  it("a program is refused with line and column, saved once it is right, and shown with line numbers", async () => {
    await write("to_fahrenheit", "Program", { "Input, as": schema("celsius"), "Program:": "const a = 1;\nreturn fetch(a);" });
    await page.getByRole("alert").filter({ hasText: "implementation.source:2:8" }).waitFor();
    await picture("form-refused");
    await page.getByLabel("Program:").fill("// Fahrenheit\nreturn { fahrenheit: input.celsius * 1.8 + 32 };");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").filter({ hasText: "Saved and approved" }).waitFor();
    await page.goto(`${site.url}/tools/to_fahrenheit?tab=program`);
    const program = page.getByLabel("Program of to_fahrenheit");
    await program.waitFor();
    expect(await program.locator(".source-line").count()).toBe(2);
    expect(await program.locator('[data-line="2"]').textContent()).toContain("input.celsius * 1.8");
    await page.getByText("It calls no tools.").waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    await picture("program");
  });

  it("a chain is drawn as a graph: levels from left to right, a line from each step to those that wait for it", async () => {
    const steps = [
      { id: "first", tool: "random", input: { min: "${input.low}" } },
      { id: "second", tool: "random", retries: 2 },
      { id: "third", tool: "random", continueOnError: true },
      { id: "sum", tool: "calculator", input: { expression: "${first.numbers[0]} + ${second.numbers[0]}" } },
      { id: "end", tool: "calculator", input: { expression: "${sum.result} * 2" } },
    ];
    await write("random_sum", "Chain of calls", { "Input, as": schema("low"), "Chain, as": JSON.stringify({ steps }) });
    await page.getByRole("status").filter({ hasText: "Saved and approved" }).waitFor();
    await page.goto(`${site.url}/tools/random_sum?tab=program`);
    const graph = page.getByRole("img", { name: "5 steps in 3 levels: first before sum, second before sum, sum before end" });
    await graph.waitFor();
    expect(await graph.locator("path").count()).toBe(3);
    const lefts = await graph.locator("g").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts[0]).toBe(lefts[1]);
    expect(lefts[3]!).toBeGreaterThan(lefts[0]!);
    expect(lefts[4]!).toBeGreaterThan(lefts[3]!);
    expect(
      await page.getByRole("table", { name: "Steps of random_sum" }).or(page.getByLabel("Steps of random_sum")).count(),
    ).toBeGreaterThan(0);
    expect(await layoutFaults(page)).toEqual([]);
    await picture("chain");
  });

  it("a change is a draft, which is reviewed with its program and approved", async () => {
    await page.goto(`${site.url}/tools/to_fahrenheit?tab=program`);
    await page.getByRole("link", { name: "Change it" }).click();
    await page.getByRole("heading", { name: "Change to_fahrenheit" }).waitFor();
    await page.getByLabel("Program:").fill("return { fahrenheit: Math.round(input.celsius * 1.8 + 32) };");
    await page.getByRole("button", { name: "Save the change" }).click();
    await page.getByRole("status").filter({ hasText: "Saved as a draft" }).waitFor();
    await page.getByRole("link", { name: "review it" }).click();
    await page.getByLabel("Program of to_fahrenheit").filter({ hasText: "Math.round" }).waitFor();
    await picture("review");
    await page.getByLabel("Reason").fill("rounded");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.goto(`${site.url}/tools/to_fahrenheit?tab=program`);
    await page.getByLabel("Program of to_fahrenheit").filter({ hasText: "Math.round" }).waitFor();
  });
});
