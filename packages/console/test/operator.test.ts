import { defineTool } from "@toolrack/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { demoConfig, demoTools, useDemo } from "./_demo.mjs";
import { serveConsole } from "./_served.ts";
import { showPage } from "./_show.ts";

const listModels = defineTool({
  name: "list_models",
  description: "Lists models.",
  inputSchema: { type: "object" },
  handler: () => ["small", { value: "large", label: "Large, and slow" }],
});
const chooser = defineTool({
  name: "chooser",
  description: "Has a setting whose choices another tool knows, and parameters of every form.",
  inputSchema: {
    type: "object",
    properties: {
      tags: { type: "array", items: { type: "string" }, description: "Words." },
      target: { anyOf: [{ type: "string" }, { type: "integer" }], description: "A name or a number." },
      place: { type: "object", properties: { city: { enum: ["Oslo", "Rome"] }, isFar: { type: "boolean" } }, required: ["city"] },
      anything: {},
    },
  },
  metadata: {
    configSchema: { type: "object", properties: { model: { type: "string", "x-options-from": "list_models" } } },
    needs: { memoryMb: 64, hosts: ["models.example.com"], files: { write: ["models"] } },
  },
  handler: (input: unknown) => ({ input }),
});

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
const faults: string[] = [];

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole({ tools: [...demoTools, listModels, chooser], config: demoConfig })]);
  await useDemo(site.url, site.owner);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  page.on("pageerror", (error) => faults.push(error.message));
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const show = (path: string): Promise<void> => showPage(page, path);
const field = (name: string): ReturnType<Page["locator"]> => page.locator(".field", { has: page.getByLabel(name, { exact: true }) }).last();

describe("finding", () => {
  it("narrows the catalog to a group and to a bundle", async () => {
    await show("/");
    await page.getByLabel("Group").selectOption("shop");
    await page.getByRole("link", { name: /stock_level/ }).waitFor();
    expect(await page.getByRole("link", { name: /write_mail/ }).count()).toBe(0);
    await page.getByLabel("Group").selectOption("");
    await page.getByLabel("Bundle").selectOption("service");
    await page.getByText("3 of").waitFor();
    await page.getByRole("link", { name: /write_mail/ }).waitFor();
  });

  it("shows each state, and leads from a draft to its review", async () => {
    await show("/");
    await fetch(`${site.url}/api/v1/tools/echo/disable`, {
      method: "POST",
      headers: { ...site.owner, "content-type": "application/json" },
      body: "{}",
    });
    await page.getByRole("button", { name: "Show them" }).click();
    for (const state of ["ready", "needs-configuration", "unavailable", "deprecated", "disabled", "draft"]) {
      await page.getByLabel("State").selectOption(state);
      await page.getByRole("link").getByText(state.replace("-", " "), { exact: true }).first().waitFor();
    }
    await page.getByRole("link", { name: /send_fax/ }).click();
    await page.getByRole("button", { name: "Reject", exact: true }).waitFor();
  });

  it("tells why an agent does not get a tool, and where that is written", async () => {
    await show("/tools/nightly_report?tab=access");
    await page.getByRole("button", { name: /^support hidden by policy/ }).click();
    const why = page.getByRole("region", { name: "Why", exact: true });
    await why.getByText("How to change it").waitFor();
    await why.getByRole("row", { name: /agent hides deny nightly_report agents\.support\.tools\.deny/ }).waitFor();
    await page.getByLabel("Another agent").fill("nobody-yet");
    await why.getByText("allowed", { exact: true }).waitFor();
  });
});

describe("what a tool declares", () => {
  it("is shown as declared, not enforced", async () => {
    await show("/tools/chooser");
    const fact = (name: string): Promise<string | null> =>
      page
        .locator(".fact")
        .filter({ has: page.getByText(`${name} (declared, not enforced)`, { exact: true }) })
        .locator("dd")
        .textContent();
    expect(await fact("Memory")).toBe("64 MB");
    expect(await fact("Hosts")).toBe("models.example.com");
    expect(await fact("Writes files")).toBe("models");
  });
});

describe("configuring and trying", () => {
  // row: E21
  it("names a secret in a setting and sets it there, without ever showing it", async () => {
    await show("/tools/translate?tab=configuration");
    await page.getByLabel(/^apiKey/).selectOption("secret:translate-key");
    await page.getByLabel("Value of translate-key").fill("hush-hush");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByLabel("Value of translate-key").waitFor({ state: "detached" });
    await page.getByLabel(/^endpoint/).fill("https://translate.example.com");
    await page.getByLabel("headers").fill('{ "x-team": ');
    await field("headers").getByText("Not valid JSON").waitFor();
    await page.getByLabel("headers").fill('{ "x-team": "a" }');
    await page.getByLabel("temperature").fill("0.3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".tool-head").getByText("ready", { exact: true }).waitFor();
    expect(await site.rack.configs.get("translate")).toMatchObject({ temperature: 0.3, headers: { "x-team": "a" } });
    expect(await page.content()).not.toContain("hush-hush");
  });

  it("asks a tool for the choices of a setting, when told to", async () => {
    await show("/tools/chooser?tab=configuration");
    await page.getByRole("button", { name: "Ask list_models for choices" }).click();
    await page.getByText("2 choices: small, large").waitFor();
    await page.getByLabel("model").fill("large");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => site.rack.configs.get("chooser")).toMatchObject({ model: "large" });
  });

  it("makes a form for lists, objects, several forms and anything", async () => {
    await show("/tools/chooser?tab=try");
    await page.getByRole("button", { name: "Add one to tags" }).click();
    await page.getByLabel("tags-1").fill("first");
    await page.getByLabel("One of several forms").selectOption({ label: "integer" });
    await page.getByLabel("city").selectOption({ label: "Rome" });
    await page.getByRole("switch", { name: "isFar" }).check();
    await page.getByLabel("target", { exact: true }).last().fill("7");
    await page.getByLabel("anything").fill("[1]");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByLabel("The result as data").waitFor();
    const { input } = JSON.parse(await page.getByLabel("The result as data").innerText()) as { input: object };
    expect(input).toMatchObject({ tags: ["first"], target: 7, place: { city: "Rome", isFar: true }, anything: [1] });
  });

  it("runs as another agent, under its policy", async () => {
    await show("/tools/write_mail?tab=try");
    await page.getByLabel("Run as agent").fill("analyst");
    await page.getByLabel(/^to/).fill("ada@example.com");
    await page.getByLabel(/^body/).fill("Hello");
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator(".result").getByText("TOOL_NOT_ALLOWED").waitFor();
    await page.getByText('"runAs":{"agent":"analyst"}').waitFor();
    await page.getByRole("tab", { name: "Command line" }).click();
    await page.getByText("--agent analyst").waitFor();
  });

  it("decides about its own call where it waits, and shows pictures", async () => {
    await show("/tools/refund?tab=try");
    await page.getByLabel(/^number/).fill("TR-7");
    await page.getByLabel(/^amount/).fill("5");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Paid 5 back for TR-7.").waitFor();
    await show("/tools/chart?tab=try&example=0");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("img", { name: "Picture 1 of the result" }).waitFor();
  });

  it("takes an offered name that is chosen right after a key was pressed", async () => {
    const other = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
    // The editor looks for offers a moment after a key. The clock stands still, so that this moment does not come before the click.
    await other.clock.install();
    await site.signIn(other);
    await other.goto(`${site.url}/tools/find_order?tab=try`);
    await other.getByRole("tab", { name: "JSON" }).click();
    const editor = other.getByLabel("Input as JSON");
    await editor.click();
    await other.keyboard.press("Control+A");
    await other.keyboard.press("Delete");
    await other.keyboard.type('{"');
    await other.getByRole("option", { name: /state/ }).waitFor();
    await other.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await other.keyboard.type("sta");
    await other.getByRole("option", { name: /state/ }).click();
    await editor.getByText('"state"').waitFor();
    await other.close();
  });

  it("offers the schema's names and values to whoever writes JSON, and says what does not fit", async () => {
    await show("/tools/find_order?tab=try");
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByLabel("Input as JSON").click();
    await page.keyboard.press("Control+A");
    // A bracket typed over a selection is put around it.
    await page.keyboard.press("Delete");
    await page.keyboard.type('{"sta', { delay: 20 });
    await page.getByRole("option", { name: /state/ }).click();
    // The next keys belong behind what was chosen, which the editor inserts in a turn of its own.
    await page.getByLabel("Input as JSON").getByText('"state"').waitFor();
    await page.getByLabel("Input as JSON").focus();
    await page.keyboard.type('"op', { delay: 20 });
    await page.getByRole("option", { name: '"open"' }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{"limit": 99}');
    await page.getByLabel("Problems").getByText("limit").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator(".result").getByText("limit must be at most 50").first().waitFor();
  });

  it("marks what a vendor could not take over", async () => {
    await show("/tools/find_order?tab=vendors");
    await page.getByRole("tab", { name: "openai-strict" }).click();
    await page.getByLabel("find_order as openai-strict receives it").waitFor();
    await page.getByText(/losses/).waitFor();
    const { losses } = (await (await fetch(`${site.url}/api/v1/exports/openai-strict`, { headers: site.owner })).json()) as {
      losses: readonly { tool: string }[];
    };
    const own = losses.filter(({ tool }) => tool === "find_order").length;
    expect(await page.getByRole("region", { name: "Lost constraints" }).getByRole("row").count()).toBe(own === 0 ? 0 : own + 1);
  });
});

describe("deciding", () => {
  it("rejects a draft with a reason, approves it, and takes a version back", async () => {
    await show("/changes?open=send_fax");
    await page.getByRole("region", { name: "What changed" }).getByText('"country": {').waitFor();
    await page.getByLabel("Reason").fill("Say what it costs.");
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await page.getByText("“Say what it costs.”").waitFor();
    await page.getByLabel("Reason").fill("Good now.");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await expect.poll(() => site.rack.registry.get("send_fax")?.name).toBe("send_fax");
    await show("/tools/send_letter?tab=history");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("heading", { name: /From version \d to \d/ }).waitFor();
    // What was taken back is a draft: nobody has decided about it since.
    await expect
      .poll(async () => (await site.rack.store.get("tool-def-send_letter"))?.context["description"])
      .toBe("Sends it to a customer.");
    await expect.poll(() => site.rack.registry.has("send_letter")).toBe(false);
  });

  it("verifies the chain of the audit, in which the decisions stand", async () => {
    await show("/changes?tab=audit");
    await page
      .getByRole("row", { name: /send_fax/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Verify the chain" }).click();
    await page.getByText(/^intact: \d+ lines/).waitFor();
  });
});

describe("watching", () => {
  it("shows a call with the calls that it made, in time", async () => {
    await show("/live");
    await page.getByLabel("Filter calls").fill("settle");
    await page
      .getByRole("row", { name: /settle_complaint/ })
      .getByRole("link")
      .click();
    const waterfall = page.getByRole("list", { name: "Timeline" });
    await waterfall.getByRole("img", { name: /^write_mail: .* ms, after/ }).waitFor();
    await waterfall.getByRole("link", { name: "find_order" }).click();
    await page.getByRole("heading", { name: /find_order/ }).waitFor();
  });

  it("shows errors only, when asked to", async () => {
    await show("/live");
    await page.getByLabel("errors only").check();
    await page
      .getByRole("row", { name: /stock_level.*TOOL_FAILED/ })
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole("row", { name: /done/ }).count()).toBe(0);
  });

  it("tells each tool's error rate and when it was last used", async () => {
    await show("/system?tab=metrics");
    const usage = page.getByRole("table").filter({ hasText: "Failure rate" });
    await usage.getByRole("row", { name: /^stock_level [1-9]\d* [1-9]\d* [1-9]\d* % .* 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/ }).waitFor();
    await show("/");
    await page
      .getByRole("img", { name: /calls in a day, [1-9]\d* failed \([1-9]\d* %\), last used 20\d\d-/ })
      .first()
      .waitFor();
  });

  it("plots calls and how long they took", async () => {
    await show("/system?tab=metrics");
    await page.getByRole("img", { name: /^Calls and their outcomes: failed up to [1-9].*, calls up to [1-9]/ }).waitFor();
    await page.getByRole("img", { name: /^Duration, .*: p50 up to .*p95 up to/ }).waitFor();
  });
});

describe("the system", () => {
  it("shows a source that fails with its error, adds one that waits for a yes, and removes it", async () => {
    await show("/system");
    await page.getByRole("row", { name: /docs.*failed/ }).waitFor();
    await page.getByLabel("Name").fill("local");
    await page.getByLabel("URL, or a program with its arguments").fill("node server.js --quiet");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name: /node server\.js --quiet.*waiting for approval/ }).waitFor();
    await page.getByRole("button", { name: "Remove local" }).click();
    await page.getByRole("button", { name: "Really remove? local" }).click();
    await page.getByRole("row", { name: /node server\.js/ }).waitFor({ state: "detached" });
  });

  it("makes a key, and shows it once", async () => {
    await show("/system?tab=keys");
    await page.getByLabel("Agent").fill("ada");
    await page.getByLabel("admin").check();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Save it now").waitFor();
    expect((await site.rack.keys.list()).map(({ agent }) => agent)).toEqual(["ada"]);
  });
});

describe("tools of others", () => {
  it("shows an overlay with the tool that it changes, and takes it back", async () => {
    await site.rack.overlays.set("chooser", { name: "choose", description: "Chooses." }, "owner", "shorter");
    await show("/tools/choose?tab=definition");
    const overlay = page.getByRole("region", { name: "Overlay" });
    await overlay.getByText(/is chooser of tools, changed by record overlay-.*shorter/).waitFor();
    await overlay.getByRole("button", { name: "Remove the overlay of choose" }).click();
    await overlay.getByRole("button", { name: /Really remove/ }).click();
    await expect.poll(() => site.rack.registry.has("chooser")).toBe(true);
  });

  it("grants a tool what it asks for, with a reason, and revokes that", async () => {
    const speak = defineTool({ ...listModels, name: "speak", metadata: { needs: { programs: ["espeak"] } } });
    await site.rack.registry.addSource({ id: "plugin:voice", list: () => [speak] });
    await show("/live");
    const waiting = page.getByRole("region", { name: "Waiting for approval" });
    await waiting.getByText(/speak of plugin:voice asks for programs espeak/).waitFor();
    await waiting.getByLabel("Reason").fill("Reads aloud.");
    await waiting.getByRole("button", { name: "Grant speak" }).click();
    await waiting
      .getByRole("list", { name: "Grants" })
      .getByText(/Granted by owner.*Reads aloud/)
      .waitFor();
    expect(site.rack.registry.has("speak")).toBe(true);
    await waiting.getByRole("button", { name: "Revoke the grant for speak" }).click();
    await waiting.getByRole("button", { name: /Really revoke/ }).click();
    await waiting.getByLabel("Reason").waitFor();
    expect(site.rack.registry.has("speak")).toBe(false);
  });
});

it("broke on no page", () => {
  expect(faults).toEqual([]);
});
