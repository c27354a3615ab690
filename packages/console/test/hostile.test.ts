import { defineTool } from "@toolrack/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { serveConsole } from "./_served.ts";
import { showPage } from "./_show.ts";

// Each would set `pwned`, or change the page, if it were taken for more than text.
const corpus: readonly string[] = [
  "<script>window.pwned=1</script>",
  '<img src=x onerror="window.pwned=1">',
  '"><svg onload=window.pwned=1>',
  "'-window.pwned-'",
  "javascript:window.pwned=1",
  '<a href="javascript:window.pwned=1">click</a>',
  "[click](javascript:window.pwned=1)",
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  "<style>*{display:none}</style>",
  "</title></pre></textarea><script>window.pwned=1</script>",
  "{{constructor.constructor('window.pwned=1')()}}",
  "${window.pwned=1}",
  "data:text/html,<script>window.pwned=1</script>",
  "&lt;script&gt;window.pwned=1&lt;/script&gt;",
  "\u202Etxt.exe \u0007\u001B[31m",
  "__proto__",
  '"><svg onload=pwned=1>',
];
const all = corpus.join(" ");
/** Names, tags and values with invisible characters are refused when a tool is defined; texts are shown without them. */
const visible = corpus.filter((text) => !text.includes("\u202e"));
const names = Object.fromEntries(
  [...visible, "constructor", "toString"].map((name, index) => [name, { type: "string", enum: [name, `${index}`] }]),
);

const hostile = defineTool({
  name: "hostile.tool",
  title: all,
  version: "1.0.0",
  description: all,
  inputSchema: {
    type: "object",
    // As JSON, so that "__proto__" is a property like the others.
    properties: JSON.parse(JSON.stringify(names).replace("{", `{"__proto__":{"type":"string","description":"own"},`)) as object,
    description: all,
  },
  outputSchema: { type: "object", properties: { [corpus[0]!]: { type: "string", description: all } } },
  metadata: {
    category: corpus[1]!,
    tags: visible.filter((text) => !/\s/.test(text)),
    usageHint: all,
    examples: [{ description: all, input: {}, usage: all }],
    configSchema: {
      type: "object",
      properties: {
        [corpus[1]!]: { type: "string", title: all, description: all, default: visible.join(" ") },
        slow: { type: "string", pattern: "^(a+)+$" },
      },
    },
  },
  handler: () => ({
    ok: true,
    content: all,
    data: { [corpus[1]!]: all, url: corpus[4] },
    blocks: [
      { type: "text", text: all },
      { type: "image", data: "PHNjcmlwdD4=", mimeType: 'image/svg+xml" onerror="window.pwned=1' },
      { type: "resource_link", uri: corpus[4], name: all },
    ],
  }),
} as Parameters<typeof defineTool>[0]);
const failing = defineTool({
  name: "failing",
  description: all,
  inputSchema: { type: "object" },
  handler() {
    throw new Error(all);
  },
});

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([
    openBrowser(),
    serveConsole({
      tools: [hostile, failing],
      config: {
        agents: { support: { description: all } },
        bundles: { [corpus[1]!]: { description: all, required: ["failing"], optional: [] } },
        sources: { bad: { url: `http://127.0.0.1:9/${encodeURIComponent(all)}` } },
      },
    }),
  ]);
  const send = (path: string, body: unknown): Promise<Response> =>
    fetch(`${site.url}/api/v1${path}`, {
      method: "POST",
      headers: { ...site.owner, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await send("/tools/hostile.tool/call", { input: {} });
  await send("/tools/failing/call", { input: { [corpus[1]!]: all } });
  const context = { name: "stored", description: all, inputSchema: { type: "object" }, implementation: { kind: "none" }, state: "draft" };
  await send("/breadcrumbs", { id: "tool-def-stored", schema_name: "tool.definition.v1", title: all.slice(0, 190), tags: [], context });
  page = await browser.newPage({ locale: "en-US" });
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => page.evaluate("window.pwned = 'dialog'")));
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      refused.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** What of the corpus came alive: anything that it ran, made, or asked the browser for in vain. */
const alive = (): Promise<readonly unknown[]> =>
  page.evaluate(() => {
    const { pwned, refused } = window as unknown as { pwned?: unknown; refused: readonly string[] };
    const made = document.querySelectorAll("#root :is(script, style, iframe, object, embed, [onerror], [onload], [href^='javascript:' i])");
    return [
      ...(pwned === undefined ? [] : [pwned]),
      ...refused,
      ...[...made].map((element) => element.outerHTML.slice(0, 100)),
      ...Object.keys(Object.prototype),
    ];
  });

const pages: readonly (readonly [path: string, shows: string])[] = [
  ["/", "hostile.tool"],
  ["/tools/hostile.tool/about", "<img src=x onerror"],
  ["/tools/hostile.tool/about?tab=try", "Run as agent"],
  ["/tools/hostile.tool/about?tab=access", "Who may use it"],
  ["/tools/hostile.tool/about?tab=configuration", "<img src=x onerror"],
  ["/tools/failing?tab=vendors", "<script>window.pwned=1</script>"],
  ["/tools/failing?tab=calls", "TOOL_FAILED"],
  ["/policy", "failing"],
  ["/live", "failing"],
  ["/changes?open=stored", "<script>window.pwned=1</script>"],
  ["/changes?tab=audit", "failing"],
  ["/system", "bad"],
  [`/tools/${encodeURIComponent(corpus.at(-1)!)}`, "There is no tool"],
  [`/${encodeURIComponent(corpus.at(-1)!)}`, "Page not found"],
];

it.each(pages)("%s shows hostile text, and it stays text", async (path, shows) => {
  // An address that is hostile itself is one that somebody was sent.
  if (path.includes("%")) await page.goto(site.url + path);
  else await showPage(page, path);
  await page.getByText(shows).first().waitFor();
  await page.locator(".loading").first().waitFor({ state: "detached" });
  expect(await alive()).toEqual([]);
});

it("shows hostile results, errors and traces, and they stay text", async () => {
  await page.goto(`${site.url}/tools/hostile.tool/about?tab=try`);
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".result").getByText("done", { exact: true }).waitFor();
  for (const tab of await page.getByRole("tablist", { name: "The result as" }).getByRole("tab").all()) {
    await tab.click();
    expect(await page.locator(".result img").count()).toBe(0);
  }
  expect(await alive()).toEqual([]);
  await showPage(page, "/tools/failing?tab=try");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".result").getByText("<img src=x onerror").first().waitFor();
  expect(await alive()).toEqual([]);
  await showPage(page, "/live");
  await page
    .getByRole("row", { name: /failing/ })
    .first()
    .getByRole("link")
    .click();
  await page.getByLabel("Error", { exact: true }).getByText("<img src=x onerror").waitFor();
  expect(await alive()).toEqual([]);
});

it("is not kept busy by a pattern that takes for ever: the server checks that one", async () => {
  await page.goto(`${site.url}/tools/hostile.tool/about?tab=configuration`);
  await page.getByLabel("slow").fill(`${"a".repeat(60)}!`);
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .locator(".field", { has: page.getByLabel("slow") })
    .last()
    .locator(".field-errors")
    .waitFor();
});
