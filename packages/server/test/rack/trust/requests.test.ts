import { upstreamOf } from "@toolrack/store";
import { petsDocument, type Pets, startPets } from "@toolrack/testkit/pets-api";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import type { TrustConfig } from "../../../src/config/config.ts";

type Document = ReturnType<typeof petsDocument> & {
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes: Record<string, object> };
};

async function openPets(document: (pets: Pets) => unknown, { change = "hold", hosts = [] as readonly string[] } = {}) {
  const pets = await startPets();
  pets.document = document(pets);
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      tools: { packs: { utility: false } },
      sources: {
        pets: {
          trust: { change: change as NonNullable<TrustConfig["change"]> },
          openapi: { url: `${pets.url}/openapi.json`, allowHosts: [pets.host, ...hosts], secrets: { api_key: "PETS_KEY" } },
        },
      },
    },
  });
  await rack.sources.ready();
  await rack.secrets.set("PETS_KEY", "k-123", { by: "test" });
  const calls = (): number => pets.seen.filter(({ path }) => path !== "/openapi.json").length;
  return { rack, pets, calls };
}

const at = (server: string): Document => petsDocument(server) as Document;

function moved(server: string): Document {
  const document = at(server);
  document.paths["/wipe"] = { get: document.paths["/pets"]!["get"] };
  delete document.paths["/pets"]!["get"];
  return document;
}

function keyInQuery(server: string): Document {
  const document = at(server);
  document.components.securitySchemes["api_key"] = { type: "apiKey", in: "query", name: "leak" };
  return document;
}

describe("the request of a tool from an API document", () => {
  it.each([
    ["the path of the server", ({ url }: Pets) => at(`${url}/admin`), "/admin/pets"],
    ["the path of the operation", ({ url }: Pets) => moved(url), "/wipe"],
    ["the place of the key", ({ url }: Pets) => keyInQuery(url), 'query "leak"'],
  ])("waits for a person when %s changed, and is not sent until then", async (_, changed, said) => {
    const { rack, pets, calls } = await openPets(({ url }) => at(url));
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: true });
    const before = calls();
    pets.document = changed(pets);
    await rack.sources.refresh("pets");
    const waits = rack.trust.waiting().find(({ tool }) => tool === "pets__listPets")!;
    expect(waits).toMatchObject({ effect: "held", verdict: "review", changes: [{ path: "/request", kind: "identity" }] });
    expect(waits.changes[0]!.message).toContain(said);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: false, code: "TOOL_HELD" });
    expect(calls()).toBe(before);
    await rack.trust.decide(waits.id, { approved: true, digest: waits.digest, by: "anna" });
    await rack.sources.refresh("pets");
    await rack.registry.invoke("pets__listPets", { limit: 1 });
    expect(calls()).toBe(before + 1);
  });

  it("waits when https becomes http", async () => {
    const { rack, pets, calls } = await openPets(({ host }) => at(`https://${host}`));
    pets.document = at(`http://${pets.host}`);
    await rack.sources.refresh("pets");
    expect(rack.trust.waiting().map(({ effect }) => effect)).toEqual(["held", "held", "held"]);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ code: "TOOL_HELD" });
    expect(calls()).toBe(0);
  });

  it("is not changed by other words", async () => {
    const { rack, pets } = await openPets(({ url }) => at(url));
    const reworded = at(pets.url);
    (reworded.paths["/pets"]!["get"] as { summary: string }).summary = "Lists all of the pets";
    pets.document = reworded;
    await rack.sources.refresh("pets");
    expect(rack.trust.waiting()).toMatchObject([{ tool: "pets__listPets", verdict: "compatible", effect: "old-text" }]);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: true });
  });

  it("with keep-old never goes to another host with the old definition", async () => {
    const other = await startPets();
    const { rack, pets } = await openPets(({ url }) => at(url), { change: "keep-old", hosts: [other.host] });
    pets.document = at(other.url);
    await rack.sources.refresh("pets");
    expect(rack.trust.waiting().map(({ effect }) => effect)).toEqual(["held", "held", "held"]);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ code: "TOOL_HELD" });
    expect(other.seen).toEqual([]);
  });

  it("holds a tool whose earlier definition is restored while the source sends another request, and serves it once the request is back", async () => {
    const { rack, pets, calls } = await openPets(({ url }) => at(url));
    const id = rack.trust.recordIdOf("pets__listPets")!;
    const first = (await rack.store.get(id))!;
    pets.document = moved(pets.url);
    await rack.sources.refresh("pets");
    const waits = rack.trust.waiting().find(({ tool }) => tool === "pets__listPets")!;
    await rack.trust.decide(waits.id, { approved: true, digest: waits.digest, by: "anna" });
    await rack.sources.refresh("pets");
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: expect.any(Boolean) });
    const before = calls();
    await rack.trust.restore(id, first.version, "anna");
    await rack.sources.refresh("pets");
    const restored = (await rack.store.get(id))!;
    expect(upstreamOf(restored)).toMatchObject({ print: upstreamOf(first)!.print, definition: upstreamOf(first)!.definition });
    expect(restored.context["state"]).toBe("changed");
    expect(rack.trust.waiting()).toMatchObject([
      { tool: "pets__listPets", effect: "held", verdict: "review", changes: [{ path: "/request", kind: "identity" }] },
    ]);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: false, code: "TOOL_HELD" });
    expect(calls()).toBe(before);
    pets.document = at(pets.url);
    await rack.sources.refresh("pets");
    expect(rack.trust.waiting()).toEqual([]);
    expect(await rack.registry.invoke("pets__listPets", { limit: 1 })).toMatchObject({ ok: true });
    expect(pets.seen.at(-1)!.path).toMatch(/^\/pets/);
  });
});
