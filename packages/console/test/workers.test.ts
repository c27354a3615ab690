import { defineTool } from "@toolrack/core";
import { hasNats, startNats, type TestNats } from "@toolrack/testkit/nats";
import { until } from "@toolrack/testkit/until";
import { createIdentity, serveWorker, type Worker } from "@toolrack/workers";
import { natsLink } from "@toolrack/workers/nats";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";

const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false },
  handler: ({ n }) => ({ doubled: n * 2 }),
});

describe.skipIf(!hasNats)("the page of workers", () => {
  const identity = createIdentity();
  let browser: Browser;
  let page: Page;
  let nats: TestNats;
  let site: Awaited<ReturnType<typeof serveConsole>>;
  let worker: Worker;
  let link: Awaited<ReturnType<typeof natsLink>>;

  beforeAll(async () => {
    nats = await startNats();
    const workers = { connect: nats.url, keys: [identity.publicKey], user: "all", password: "secret:broker" };
    [browser, site] = await Promise.all([
      openBrowser(),
      serveConsole({ config: { sources: { web: { trust: { first: "pin" }, workers } } } }),
    ]);
    const send = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${site.url}/api/v1${path}`, {
        method,
        headers: { ...site.owner, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
    await send("PUT", "/secrets/broker", { value: "all" });
    await send("POST", "/sources/web/refresh");
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
    await site.signIn(page);
  });

  afterAll(async () => {
    await browser?.close();
    await worker?.close();
    await link?.close();
    await site?.close();
    await nats?.stop();
  });

  it("says that a pool has no worker, and shows the key that one needs", async () => {
    await page.goto(`${site.url}/system?tab=workers`);
    await page.getByRole("region", { name: "Pool web" }).getByText("No worker is there.").waitFor();
    await page.getByText(site.rack.sources.workers().publicKey).waitFor();
  });

  it("shows a worker with its slots, tools, version and when it was last seen, and drains it", async () => {
    link = await natsLink({ servers: nats.url, user: "all", password: "all" });
    const servers = [site.rack.sources.workers().publicKey];
    worker = await serveWorker({
      link,
      tools: [double],
      pool: "web",
      slots: 3,
      privateKey: identity.privateKey,
      servers,
      version: "1.2.3",
    });
    const pool = page.getByRole("region", { name: "Pool web" });
    const row = pool.getByRole("row", { name: new RegExp(worker.instance.slice(0, 8)) });
    await row.getByText("open", { exact: true }).waitFor();
    await row.getByText("0 of 3").waitFor();
    await row.getByText("1.2.3").waitFor();
    expect(await row.locator("time").count()).toBe(2);
    await pool.getByText("0 of 3 slots in use").waitFor();
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await layoutFaults(page), `${width} wide`).toEqual([]);
    }
    await row.getByRole("button", { name: /Drain/ }).click();
    await row.getByRole("button", { name: /Really drain/ }).click();
    await worker.ended;
    await pool.getByText("No worker is there.").waitFor();
    await until(() => site.rack.sources.workers().pools[0]!.workers.length === 0);
  });
});
