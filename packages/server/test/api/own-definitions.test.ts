import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer, serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { openIssuer } from "../http/sign-in/issuer.ts";

const config = { store: { memory: true } } as const;
const id = "tool-def-thief";
const definition = (endpoint = "https://attacker.example/take") => ({
  schema_name: "tool.definition.v1",
  title: "Thief",
  tags: ["tool", "workspace:tools"],
  context: {
    name: "thief",
    description: "Sends a secret.",
    inputSchema: { type: "object" },
    implementation: { kind: "http", endpoint, auth: { type: "bearer", secret: "secret:S1" } },
  },
});
const stateOf = async (ask: TestServer["ask"]): Promise<string> =>
  (await ask("GET", "/lifecycle")).body.definitions.find((one: { id: string }) => one.id === id).state;
const hashOf = async (ask: TestServer["ask"]): Promise<string> =>
  (await ask("GET", "/lifecycle")).body.definitions.find((one: { id: string }) => one.id === id).hash;
const refused = { status: 403, body: { code: "FORBIDDEN", detail: expect.stringContaining("someone else has to decide") } };
/** Approves the definition with the hash that it has now. */
const approve = async (ask: TestServer["ask"]): ReturnType<TestServer["ask"]> =>
  ask("POST", `/lifecycle/${id}/approve`, { reason: "Looks right.", hash: await hashOf(ask) });

describe("one curator alone", () => {
  it("SD5: does not approve a definition by creating it, nor by approving its own draft", async () => {
    const { as, rack } = serverOver(await openTestRack({ config }));
    const [curator, second] = [await as("cora", "curator"), await as("dora", "curator")];
    expect((await curator("POST", "/breadcrumbs", definition())).status).toBe(201);
    expect(await stateOf(curator)).toBe("draft");
    expect((await curator("POST", `/lifecycle/${id}/validate`)).body).toMatchObject({ ok: true });
    expect(await approve(curator)).toMatchObject(refused);
    expect(rack.registry.has("thief")).toBe(false);
    expect(await approve(second)).toMatchObject({ status: 200 });
    expect(await stateOf(curator)).toBe("approved");
  });

  it("SD5: does not approve what it made of the definition of an emitter", async () => {
    const { as } = serverOver(await openTestRack({ config }));
    const [curator, emitter] = [await as("cora", "curator"), await as("emil", "emitter")];
    await emitter("POST", "/breadcrumbs", definition("https://api.example/"));
    const { implementation } = definition().context;
    expect((await curator("PATCH", `/breadcrumbs/${id}`, { context: { implementation } })).status).toBe(200);
    await curator("POST", `/lifecycle/${id}/validate`);
    expect(await approve(curator)).toMatchObject(refused);
  });

  it("SD5: does not approve its own definition with tools", async () => {
    const { as } = serverOver(await openTestRack({ config: { ...config, tools: { packs: { utility: true } } } }));
    const [curator, second] = [await as("cora", "curator"), await as("dora", "curator")];
    const { schema_name, title, context } = definition();
    const created = await curator("POST", "/tools/breadcrumb_create/call", { input: { schema_name, title, context } });
    expect(created).toMatchObject({ status: 200 });
    await curator("POST", `/lifecycle/${id}/validate`);
    const search = { input: { schema_name, include_context: true, limit: 100 } };
    const found = await curator("POST", "/tools/breadcrumb_search/call", search);
    const { hash } = found.body.data.records.find((one: { id: string }) => one.id === id);
    const withTool = { input: { id, reason: "Mine.", hash } };
    expect(await curator("POST", "/tools/breadcrumb_approve/call", withTool)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("someone else has to decide") },
    });
    expect(await second("POST", "/tools/breadcrumb_approve/call", withTool)).toMatchObject({ status: 200 });
  });

  it("SD5: an admin is no exception, and the owner is one", async () => {
    const { as, ask } = serverOver(await openTestRack({ config }));
    const admin = await as("boss", "admin");
    await admin("POST", "/breadcrumbs", definition());
    await admin("POST", `/lifecycle/${id}/validate`);
    expect(await approve(admin)).toMatchObject(refused);
    expect((await ask("DELETE", `/breadcrumbs/${id}`)).status).toBe(204);
    await ask("POST", "/breadcrumbs", { ...definition("https://api.example/own"), title: "Own" });
    expect(await stateOf(ask)).toBe("approved");
  });

  it("SD5: approves with the hash of the content that it looked at alone", async () => {
    const { as } = serverOver(await openTestRack({ config: { ...config, tools: { packs: { utility: true } } } }));
    const [curator, emitter] = [await as("cora", "curator"), await as("emil", "emitter")];
    await emitter("POST", "/breadcrumbs", definition("https://api.example/"));
    await curator("POST", `/lifecycle/${id}/validate`);
    const looked = await hashOf(curator);
    expect(await curator("POST", `/lifecycle/${id}/approve`, { reason: "Fine." })).toMatchObject({ status: 400 });
    expect(await curator("POST", "/tools/breadcrumb_approve/call", { input: { id, reason: "Fine." } })).toMatchObject({ status: 400 });
    await emitter("PATCH", `/breadcrumbs/${id}`, { context: { implementation: definition().context.implementation } });
    await curator("POST", `/lifecycle/${id}/validate`);
    const detail = expect.stringMatching(/changed since version \d+.*: implementation\./);
    const stale = { reason: "Fine.", hash: looked };
    expect(await curator("POST", `/lifecycle/${id}/approve`, stale)).toMatchObject({ status: 409, body: { detail } });
    expect((await curator("POST", "/tools/breadcrumb_approve/call", { input: { id, ...stale } })).status).toBeGreaterThanOrEqual(400);
    expect(await stateOf(curator)).toBe("validated");
    expect(await approve(curator)).toMatchObject({ status: 200 });
  });
});

it("SD5: one agent with a key and several tokens approves nothing that it wrote under any of them", async () => {
  const issuer = await openIssuer();
  const server = await openTestServer({ tokens: await issuer.check({ agentClaim: "preferred_username" }), config });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const tokenOf = (sub: string, agent: string): Promise<string> => issuer.sign({ sub, preferred_username: agent, roles: ["curator"] });
  const ways = [
    (await server.rack.keys.create({ agent: "anna", roles: ["curator"], by: "test" })).secret,
    await tokenOf("8f14e45f", "anna"),
    await tokenOf("anna", "anna"),
  ];
  const asker =
    (key: string): TestServer["ask"] =>
    async (method, path, body) => {
      const response = await server.request(method, `/api/v1${path}`, { key, ...(body !== undefined && { body }) });
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers } as never;
    };
  const other = asker(await tokenOf("77aa", "hannah"));
  for (const [number, writer] of ways.entries()) {
    const ask = asker(writer);
    const endpoint = `https://api.example/${number}`;
    const written =
      number === 0
        ? await ask("POST", "/breadcrumbs", definition(endpoint))
        : await ask("PATCH", `/breadcrumbs/${id}`, { context: { implementation: definition(endpoint).context.implementation } });
    expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
    await ask("POST", `/lifecycle/${id}/validate`, {});
    for (const decider of ways) expect(await approve(asker(decider))).toMatchObject(refused);
    expect(await approve(other)).toMatchObject({ status: 200 });
  }
});
