import { defineTool } from "@toolrack/core";
import { listAudit } from "@toolrack/store";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const tools = ["alpha", "beta", "gamma"].map((name) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { text: { type: "string", pattern: "^a+$" } }, required: ["text"] },
    handler: () => name,
  }),
);
const config = { store: { memory: true }, policy: { agents: { ann: { tools: { allow: ["alpha", "beta"] } } } } } as const;

describe("agents over HTTP", () => {
  it("are listed with what they may use, written by an admin, and removed with their keys", async () => {
    const { as, rack } = serverOver(await openTestRack({ tools, config }));
    const [admin, curator, ann] = await Promise.all([as("root", "admin"), as("boss", "curator"), as("ann")]);
    const listed = (await curator("GET", "/agents")).body.agents;
    expect(listed.find(({ id }: { id: string }) => id === "ann")).toMatchObject({ tools: 2, keys: 1, policy: { origin: "options" } });
    expect((await ann("GET", "/agents")).body.agents.map(({ id }: { id: string }) => id)).toEqual(["ann"]);
    expect(await curator("PUT", "/agents/bob", {})).toMatchObject({ status: 403 });
    const put = await admin("PUT", "/agents/bob", { description: "New", model: "m", policy: { tools: { deny: ["gamma"] } } });
    expect(put.body).toMatchObject({ id: "bob", model: "m", origin: "record setting-agents.bob v1", keys: 0 });
    expect(rack.registry.explain("gamma", { agent: "bob" }).allowed).toBe(false);
    expect(await admin("PUT", "/agents/bob", { policy: { tools: { dney: [] } } })).toMatchObject({
      status: 400,
      body: { code: "CONFIG_INVALID" },
    });
    expect(await admin("DELETE", "/agents/ann")).toMatchObject({ status: 204 });
    expect(await ann("GET", "/tools")).toMatchObject({ status: 401 });
    expect(await admin("DELETE", "/agents/nobody")).toMatchObject({ status: 404 });
  });
});

describe("bundles over HTTP", () => {
  it("are written by a curator and resolved for the caller", async () => {
    const { as } = serverOver(await openTestRack({ tools, config }));
    const [curator, ann] = await Promise.all([as("boss", "curator"), as("ann")]);
    const put = await curator("PUT", "/bundles/work", { description: "Work", required: ["gamma", "alpha"], optional: ["beta", "delta"] });
    expect(put.body).toMatchObject({ name: "work", origin: "record setting-bundles.work v1" });
    const whole = {
      name: "work",
      tools: ["gamma", "alpha", "beta"],
      missing: [],
      missingCount: 0,
      missingOptional: ["delta"],
      missingOptionalCount: 1,
    };
    expect((await curator("GET", "/bundles/work/resolve")).body).toEqual(whole);
    const seenByAnn = {
      name: "work",
      tools: ["alpha", "beta"],
      missing: [],
      missingCount: 1,
      missingOptional: [],
      missingOptionalCount: 1,
    };
    expect((await ann("GET", "/bundles/work/resolve")).body).toEqual(seenByAnn);
    const { bundles } = (await curator("GET", "/bundles")).body as { bundles: { name: string; origin: string }[] };
    expect(bundles.map(({ name, origin }) => [name, origin])).toEqual([
      ["code_agent", "built in"],
      ["blog_agent", "built in"],
      ["work", "record setting-bundles.work v1"],
    ]);
    expect(await curator("DELETE", "/bundles/work")).toMatchObject({ status: 204 });
    expect(await ann("GET", "/bundles/work/resolve")).toMatchObject({ status: 404 });
  });
});

describe("exports over HTTP", () => {
  it("give each vendor the tools that the caller may use, with what was lost", async () => {
    const { as, ask } = serverOver(await openTestRack({ tools, config }));
    const { vendors, grammars } = (await ask("GET", "/exports")).body;
    const ann = await as("ann");
    for (const vendor of vendors) {
      const { status, body } = await ann("GET", `/exports/${vendor}`);
      expect(status).toBe(200);
      expect(Object.values(body.names).sort()).toEqual(["alpha", "beta"]);
      expect(JSON.parse(body.text)).toEqual(body.tools);
    }
    const strict = (await ann("GET", "/exports/gemini-openapi")).body;
    expect(strict.losses.length + (strict.text.includes("pattern") ? 1 : 0)).toBeGreaterThan(0);
    for (const notation of grammars) {
      const { body } = await ann("GET", `/exports/grammars/${notation}?form=tool`);
      expect(body.grammar).toContain("alpha");
      expect(body.grammar).not.toContain("gamma");
    }
    expect(await ann("GET", "/exports/grammars/gbnf?tool=gamma")).toMatchObject({ status: 404 });
    expect(await ann("GET", "/exports/nobody")).toMatchObject({ status: 400 });
    const one = (await ann("GET", "/exports/grammars/gbnf?tool=alpha")).body.grammar;
    expect(one).not.toContain("beta");
  });
});

describe("settings over HTTP", () => {
  it("are shown to curators with their origin, and written by admins", async () => {
    const { as, rack } = serverOver(await openTestRack({ tools, config }));
    const [admin, curator] = await Promise.all([as("root", "admin"), as("boss", "curator")]);
    const key = "policy.agents.bob";
    expect(await curator("PUT", `/settings/${key}`, { value: {} })).toMatchObject({ status: 403 });
    expect((await admin("PUT", `/settings/${key}`, { value: { tools: { deny: ["alpha"] } } })).body).toMatchObject({
      key,
      origin: `record setting-${key} v1`,
    });
    const { settings, problems } = (await curator("GET", "/settings")).body;
    expect(settings.map(({ key: name, origin }: { key: string; origin: string }) => [name, origin])).toEqual([
      ["policy.unknownAgents", "options"],
      ["policy.agents.ann", "options"],
      [key, `record setting-${key} v1`],
    ]);
    expect(problems).toEqual([]);
    expect((await admin("DELETE", `/settings/${key}`)).body).toEqual({ key });
    await admin("PUT", "/settings/sources.docs", { value: { url: "https://docs.example/mcp", headers: { Authorization: "t0p-s3cret" } } });
    expect(
      JSON.stringify([await curator("GET", "/settings"), await curator("GET", "/sources"), await listAudit(rack.store)]),
    ).not.toContain("t0p-s3cret");
  });
});
