import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "../packages/console/test/_browser.mjs";
import { demoConfig, demoTools, useDemo } from "../packages/console/test/_demo.mjs";
import { root } from "./lib/files.mjs";
import { orExit, ready } from "./ready.mjs";

// `node scripts/console-screenshots.mjs`: every page of the console in both themes, into packages/console/.screenshots.
// With `--docs` it also takes the few pictures that the docs show.

const pages = {
  catalog: "/",
  tool: "/tools/find_order",
  "tool-try": "/tools/find_order?tab=try&example=0",
  "tool-access": "/tools/nightly_report?tab=access",
  "tool-configuration": "/tools/translate?tab=configuration",
  "tool-vendors": "/tools/find_order?tab=vendors",
  "tool-grammar": "/tools/find_order?tab=grammar",
  "tool-history": "/tools/send_letter?tab=history",
  "tool-calls": "/tools/find_order?tab=calls",
  agents: "/agents",
  agent: "/agents?agent=support",
  "agent-calls": "/agents?agent=support&tab=calls",
  connect: "/connect?agent=support&client=cursor&transport=http",
  policy: "/policy",
  "policy-rules": "/policy?tab=rules",
  "policy-draft": "/policy?tab=draft",
  live: "/live",
  changes: "/changes?open=send_fax",
  audit: "/changes?tab=audit",
  "system-sources": "/system",
  "system-secrets": "/system?tab=secrets",
  "system-keys": "/system?tab=keys",
  "system-metrics": "/system?tab=metrics",
};
/** What is done on a page before its picture is taken. */
const deeds = {
  async "tool-try"(page) {
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator(".result").waitFor();
  },
  async connect(page) {
    await page.getByRole("button", { name: /^Create a key/ }).click();
    await page.getByText("it is not shown again").waitFor();
  },
  "tool-access": (page) => page.getByRole("button", { name: /^support/ }).click(),
};
const pictures = {
  catalog: "console-catalog",
  "tool-try": "console-try-it",
  policy: "console-policy",
  live: "console-live",
  connect: "console-connect",
};

const sizes = [
  ["", { width: 1280, height: 800 }],
  ["-phone", { width: 390, height: 844 }],
];

await orExit(() => ready());
const { openRack, serve } = await import("@toolrack/server");
const place = mkdtempSync(join(tmpdir(), "toolrack-console-"));
const rack = await openRack({ folder: place, config: demoConfig, tools: demoTools });
const served = await serve(rack, { port: 0 });
const browser = await openBrowser();
try {
  const owner = { authorization: `Bearer ${rack.ownerToken.text}` };
  await useDemo(served.url, owner);
  const question = fetch(`${served.url}/api/v1/tools/refund/call`, {
    method: "POST",
    headers: { ...owner, "content-type": "application/json" },
    body: JSON.stringify({ input: { number: "TR-1042", amount: 12.5 }, runAs: { agent: "support" } }),
  }).catch(() => undefined);
  const target = join(root, "packages", "console", ".screenshots");
  mkdirSync(target, { recursive: true });
  const page = await browser.newPage({ reducedMotion: "reduce", locale: "en-US" });
  await page.goto(served.signInLink());
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [size, viewport] of sizes) {
      await page.setViewportSize(viewport);
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(served.url + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.getByText("live", { exact: true }).waitFor();
        await page.locator(".loading").first().waitFor({ state: "detached" });
        await deeds[name]?.(page);
        await page.waitForTimeout(200);
        await page.evaluate(() => window.scrollTo(0, 0));
        await page.screenshot({ path: join(target, `${name}${size}-${colorScheme}.png`), fullPage: true });
        const picture = process.argv.includes("--docs") && size === "" && colorScheme === "light" ? pictures[name] : undefined;
        if (picture !== undefined) await page.screenshot({ path: join(root, "docs", "images", `${picture}.png`) });
      }
    }
  }
  console.log(`Screenshots are in ${target}`);
  await served.close({ graceMs: 0 });
  await question;
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}
