import { loadOpenApi, readOpenApi } from "@toolrack/openapi";
import { badDocuments, badOperations, fineOperation, hugeDocument } from "@toolrack/testkit/bad-documents";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPets } from "@toolrack/testkit/pets-api";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { openPets } from "./open-pets.ts";

const raw = /TypeError|RangeError|SyntaxError|undefined|\[object|\n +at /;

async function openServer() {
  const rack = await openTestRack({ config: { store: { memory: true }, tools: { packs: { utility: false } } } });
  return { rack, admin: await serverOver(rack).as("root", "admin") };
}

describe("a document of which nothing can be read", () => {
  it.each(badDocuments)("is told by one sentence at every door: $what", async ({ text, ending, fact }) => {
    const document = text();
    expect(() => readOpenApi(document)).toThrow(fact);
    await expect(loadOpenApi(document)).rejects.toThrow(fact);
    const { admin, rack } = await openServer();
    const planned = await admin("POST", "/openapi/plan", { document });
    expect(planned).toMatchObject({ status: 400, body: { detail: expect.stringMatching(fact) } });
    await admin("PUT", "/sources/pets", { document, openapi: {} });
    await rack.sources.ready();
    const { sources } = (await admin("GET", "/sources")).body;
    const added = sources.find(({ id }: { id: string }) => id === "pets");
    expect(added).toMatchObject({ state: "failed", error: expect.stringMatching(fact) });
    expect(added.error).toBe(planned.body.detail);
    expect(added.error).not.toMatch(raw);
    const file = `bad.${ending}`;
    const { state, names } = await openPets({ file }, {}, temporaryFolder({ [file]: document }));
    expect(state()).toMatchObject({ state: "failed", error: expect.stringMatching(fact) });
    expect(names()).toEqual([]);
  });

  it("is 50 MB: a file and a body are refused for their size", async () => {
    const document = hugeDocument();
    const { state } = await openPets({ file: "huge.json" }, {}, temporaryFolder({ "huge.json": document }));
    expect(state().error).toContain('"huge.json" is larger than 33554432 bytes. Remove what is not needed.');
    const { admin } = await openServer();
    expect(await admin("POST", "/openapi/plan", { document })).toMatchObject({
      status: 413,
      body: { detail: "The body is larger than 4194304 bytes. Send less." },
    });
  });
});

describe("a document with one bad part", () => {
  it.each(badOperations)("tells the fact at every door, and its other operations live: $what", async ({ text, ending, refused, fact }) => {
    const document = text();
    const read = readOpenApi(document);
    const told = refused === undefined ? read.warnings.join("\n") : read.refused.find(({ operation }) => operation === refused)?.reason;
    expect(told).toMatch(fact);
    expect(read.tools.map(({ name }) => name)).toContain(fineOperation);
    const { admin } = await openServer();
    const { status, body } = await admin("POST", "/openapi/plan", { document, source: "pets" });
    expect(status).toBe(200);
    expect(JSON.stringify([body.refused, body.warnings]).replaceAll('\\"', '"')).toMatch(fact);
    expect(body.tools.map(({ name }: { name: string }) => name)).toContain(`pets__${fineOperation}`);
    const file = `bad.${ending}`;
    const { state, names } = await openPets({ file }, {}, temporaryFolder({ [file]: document }));
    expect(state().problems.join("\n")).toMatch(fact);
    if (refused !== undefined) expect(state().problems.join("\n")).toContain(`${refused}: `);
    expect(names()).toContain(`pets__${fineOperation}`);
  });

  it("is called nowhere near a private address, whatever its servers say", async () => {
    const pets = await startPets();
    for (const url of [pets.url, "http://169.254.169.254/latest", "http://[::1]:1", "http://2130706433/x"]) {
      const document = JSON.stringify({ openapi: "3.1.0", servers: [{ url }], paths: { "/fine": { get: { operationId: "fine" } } } });
      const { rack } = await openPets({ file: "bad.json" }, {}, temporaryFolder({ "bad.json": document }));
      const result = await rack.registry.invoke("pets__fine", {});
      expect(result).toMatchObject({ ok: false, error: expect.stringContaining("sources.pets.openapi.allowHosts") });
    }
    expect(pets.seen).toEqual([]);
  });
});
