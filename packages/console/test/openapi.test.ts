import { type Pets, petsDocument, servePets } from "@toolrack/testkit/pets-api";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";
import { showPage } from "./_show.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;
let pets: Pets;

beforeAll(async () => {
  [browser, site, pets] = await Promise.all([openBrowser(), serveConsole(), servePets()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  await pets?.[Symbol.asyncDispose]();
});

const text = JSON.stringify(petsDocument("https://api.example.com/v1"));

async function read(document = text, allowHosts = ""): Promise<void> {
  await showPage(page, "/openapi");
  await page.getByLabel("Name", { exact: true }).fill("pets");
  await page.getByLabel("Or its text").fill(document);
  await page.getByLabel(/private/i).fill(allowHosts);
  await page.getByRole("button", { name: "Read" }).click();
  await page.getByRole("heading", { name: "2. Choose operations" }).waitFor();
}

describe("the page of OpenAPI documents", () => {
  it("is reached from the sources, and tells what a pasted document holds", async () => {
    await page.goto(`${site.url}/system`);
    await page.getByRole("link", { name: "Add an API from its OpenAPI document" }).click();
    await page.getByRole("heading", { name: "Add an API" }).waitFor();
    await read();
    const plan = page.getByRole("region", { name: "Plan" });
    expect(await plan.getByRole("status").first().textContent()).toContain(
      "Pets 1.2.0, OpenAPI 3.1.0: 4 operations, 3 can be tools, 1 refused.",
    );
    await plan.getByText("1 refused operation").click();
    await plan.getByText("GET /broken:").waitFor();
    expect(await plan.getByText("3 of 3 chosen").count()).toBe(1);
  });

  it("takes a dropped file", async () => {
    await showPage(page, "/openapi");
    await page.getByLabel("Name", { exact: true }).fill("pets");
    const data = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "pets.json", { type: "application/json" }));
      return transfer;
    }, text);
    await page.locator("form.add-api").dispatchEvent("drop", { dataTransfer: data });
    await page.getByRole("button", { name: "Read" }).click();
    await page.getByText("3 of 3 chosen").waitFor();
  });

  it("chooses operations by filter, tag and one by one, and counts them", async () => {
    await read();
    const tags = page.getByRole("group", { name: "Tags" });
    await tags.getByLabel("admin (1 of 1)").uncheck();
    await page.getByText("2 of 3 chosen").waitFor();
    await page.getByLabel("POST /pets", { exact: true }).uncheck();
    await page.getByText("1 of 3 chosen").waitFor();
    await page.getByLabel("Filter operations").fill("delete");
    await page.getByRole("button", { name: "Choose shown" }).click();
    await page.getByText("2 of 3 chosen").waitFor();
  });

  it("shows the request of an operation before anything is saved", async () => {
    await read();
    await page.getByRole("button", { name: "Try GET /pets", exact: true }).click();
    const preview = page.getByRole("region", { name: "Try GET /pets" });
    await preview.getByLabel("limit").fill("5");
    await preview.getByRole("button", { name: "Show the request" }).click();
    const request = preview.getByLabel("Request");
    await request.waitFor();
    expect(await request.textContent()).toContain("GET https://api.example.com/v1/pets?limit=5");
    expect(site.rack.registry.has("pets__listPets")).toBe(false);
  });

  it("calls an operation before anything is saved, shows what the API answered, and keeps the call on record", async () => {
    await site.rack.secrets.set("api_key", "k-123");
    const host = new URL(pets.url).host;
    await read(JSON.stringify(petsDocument(pets.url)), host);
    await page.getByRole("button", { name: "Try GET /pets", exact: true }).click();
    const preview = page.getByRole("region", { name: "Try GET /pets" });
    await preview.getByLabel("limit").fill("5");
    await preview.getByRole("button", { name: "Call it" }).click();
    const answer = preview.getByRole("group", { name: "Answer" });
    await answer.getByText('"name": "Rex"').waitFor();
    expect(await answer.textContent()).toContain('"limit": "5"');
    expect(site.rack.registry.has("pets__listPets")).toBe(false);
    expect(await layoutFaults(page)).toEqual([]);
    await answer.getByRole("link", { name: "Show the call" }).click();
    await page
      .getByRole("region", { name: /^Call / })
      .getByText("pets__listPets")
      .first()
      .waitFor();
  });

  it("asks again before it calls an operation that changes something", async () => {
    await read(JSON.stringify(petsDocument(pets.url)), new URL(pets.url).host);
    const before = pets.seen.length;
    await page.getByRole("button", { name: "Try DELETE /pets/{id}", exact: true }).click();
    const preview = page.getByRole("region", { name: "Try DELETE /pets/{id}" });
    await preview.getByLabel("id", { exact: false }).first().fill("7");
    await preview.getByRole("button", { name: /^Call it/ }).click();
    await preview.getByRole("button", { name: /^Really call it/ }).waitFor();
    expect(pets.seen).toHaveLength(before);
    await preview.getByRole("button", { name: /^Really call it/ }).click();
    await preview.getByRole("group", { name: "Answer" }).waitFor();
    expect(pets.seen.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /pets/7"]);
  });

  it("says that a private host has to be allowed first", async () => {
    await read(JSON.stringify(petsDocument(pets.url)));
    await page.getByRole("button", { name: "Try GET /pets", exact: true }).click();
    const preview = page.getByRole("region", { name: "Try GET /pets" });
    await preview.getByRole("button", { name: "Call it" }).click();
    expect(await preview.getByRole("alert").textContent()).toContain("allowHosts");
  });

  it("saves what was chosen as a source, and leads to its tools", async () => {
    await read();
    await page.getByLabel("DELETE /pets/{id}").uncheck();
    await page.getByRole("button", { name: "Save as pets" }).click();
    await page.getByText("Saved. 2 tools can be called.").waitFor();
    await site.rack.sources.ready();
    expect(site.rack.registry.entries().flatMap(({ tool, source }) => (source === "openapi:pets" ? [tool.name] : []))).toEqual([
      "pets__listPets",
      "pets__addPet",
    ]);
    await page.getByRole("link", { name: "Try pets__listPets" }).click();
    await page
      .getByRole("heading", { name: "List all pets" })
      .or(page.getByRole("heading", { name: "pets__listPets" }))
      .first()
      .waitFor();
  });

  it("tells what is wrong with a document", async () => {
    await showPage(page, "/openapi");
    await page.getByLabel("Name", { exact: true }).fill("pets");
    await page.getByLabel("Or its text").fill("hello");
    await page.getByRole("button", { name: "Read" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).not.toContain("unexpected");
  });

  it("clips, overlaps and overflows nothing with a plan and a request, at four sizes", async () => {
    await read();
    await page.getByRole("button", { name: "Try POST /pets", exact: true }).click();
    await page.getByRole("button", { name: "Show the request" }).waitFor();
    const faults: string[] = [];
    for (const width of [360, 768, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      faults.push(...(await layoutFaults(page)).map((fault) => `${width}: ${fault}`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(faults).toEqual([]);
  });
});
