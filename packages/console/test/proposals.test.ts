import { until } from "@toolrack/testkit/until";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serveConsole()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const bundle = (): unknown => site.rack.settings.get("bundles.desk")?.value;
const propose = (changes: Readonly<Record<string, unknown>>, note?: string): Promise<unknown> =>
  site.rack.proposals.propose({ changes, note, caller: { agent: "bot", principal: "key bot" } });

describe("what waits for a person", () => {
  it("has a proposed change of settings with all of its text; it is in force once it is accepted, and gone once it is refused", async () => {
    await propose({ "bundles.desk": { required: ["calculator"] } }, "For the <b>desk</b>.");
    await page.goto(`${site.url}/live`);
    await page.getByText("bot proposes a change of settings").waitFor();
    await page.getByText("It says: For the <b>desk</b>.").waitFor();
    expect(await page.getByLabel("bundles.desk as proposed").textContent()).toContain('"calculator"');
    expect(await layoutFaults(page)).toEqual([]);
    expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /Live/ }).textContent()).toContain("1");
    await page.getByRole("button", { name: "Accept bundles.desk" }).click();
    await page.getByText("Nothing is waiting.").waitFor();
    await until(() => JSON.stringify(bundle()) === '{"required":["calculator"]}');

    await propose({ "bundles.desk": { required: ["random"] } });
    await page.reload();
    expect(await page.getByLabel("bundles.desk now").textContent()).toContain('"calculator"');
    await page.getByRole("button", { name: "Refuse bundles.desk" }).click();
    await page.getByText("Nothing is waiting.").waitFor();
    expect(bundle()).toEqual({ required: ["calculator"] });
    expect(site.rack.proposals.waiting()).toEqual([]);
  });

  it("has questions of a kind that the page does not know, whole, to be accepted or refused", async () => {
    const question = {
      id: "pact-1",
      kind: "pact",
      title: "A pact with the harbour",
      digest: "d-1",
      terms: { days: 3, text: "<i>all</i>" },
    };
    const decided: unknown[] = [];
    await page.route(/\/api\/v1\/approvals\?/, async (route) => {
      const list = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...list, pacts: decided.length === 0 ? [question] : [] } });
    });
    await page.route("**/api/v1/approvals/pact-1/decide", async (route) => {
      decided.push(route.request().postDataJSON());
      await route.fulfill({ json: question });
    });
    await page.goto(`${site.url}/live`);
    await page.getByText("A pact with the harbour", { exact: true }).waitFor();
    const whole = await page.getByLabel("All of pact-1").textContent();
    expect(whole).toContain('"days": 3');
    expect(whole).toContain("<i>all</i>");
    await page.getByRole("button", { name: "Accept pact-1" }).click();
    await page.getByText("Nothing is waiting.").waitFor();
    expect(decided).toEqual([{ approved: true, digest: "d-1" }]);
    await page.unrouteAll();
  });
});
