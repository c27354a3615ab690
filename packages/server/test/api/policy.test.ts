import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const tools = ["read", "write", "exec", "zebra_secret"].map((name) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name }),
);
const file = `store: { memory: true }
policy:
  tools:
    ask: [write]
  agents:
    support:
      tools:
        deny:
          - exec
          - zebra_*
  unknownAgents: allow
agents:
  support: { description: Answers customers, provider: openai, model: gpt-5 }
`;

async function start(): Promise<TestServer> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), file);
  return serverOver(await openTestRack({ folder, tools, config: "toolrack.config.yaml" }));
}

describe("the policy over HTTP", () => {
  // row: E14
  it("explains a decision with step, rule, entry, line and what to change (E14)", async () => {
    const { as } = await start();
    const curator = await as("boss", "curator");
    const { body } = await curator("GET", "/policy/explain?tool=exec&agent=support");
    expect(body).toMatchObject({
      allowed: false,
      decision: { step: "agent", rule: "deny", entry: "exec", label: "agents.support.tools.deny", source: "toolrack.config.yaml:9" },
    });
    expect(body.sentences[0]).toContain("toolrack.config.yaml:9");
    expect(body.sentences[1]).toContain("Remove");
    const asks = (await curator("GET", "/policy/explain?tool=write&agent=support")).body;
    expect(asks.decision.ask).toMatchObject({ entry: "write", source: "toolrack.config.yaml:4" });
  });

  // row: E2
  it("shows the tools of a profile, with their state where the server has them, to those who may see others", async () => {
    const { as } = await start();
    const curator = await as("boss", "curator");
    expect(await curator("GET", "/policy/profiles/minimal")).toMatchObject({
      status: 200,
      body: { profile: "minimal", tools: [{ name: "session_status" }] },
    });
    const { tools: full } = (await curator("GET", "/policy/profiles/full")).body;
    expect(full).toEqual(
      expect.arrayContaining([{ name: "exec", state: "ready" }, { name: "zebra_secret", state: "ready" }, { name: "cron" }]),
    );
    expect(await curator("GET", "/policy/profiles/codng")).toMatchObject({
      status: 404,
      body: { detail: 'There is no profile "codng". Did you mean "coding"?' },
    });
    expect(await (await as("support"))("GET", "/policy/profiles/full")).toMatchObject({ status: 403 });
    expect(await (await as("support"))("GET", "/policy/profiles")).toMatchObject({ status: 403 });
    expect((await curator("GET", "/policy/profiles")).body.profiles.slice(0, 4)).toEqual(["minimal", "coding", "messaging", "full"]);
  });

  it("shows the tools that join a profile by their metadata, whoever may use them", async () => {
    const metadata = { profiles: ["minimal"], ownerOnly: true, secrets: ["bank-key"] };
    const pay = defineTool({ ...tools[0]!, name: "pay", metadata });
    const { as } = serverOver(await openTestRack({ tools: [pay] }));
    const reader = await as("reader", "subscriber");
    expect((await reader("GET", "/policy/profiles/minimal")).body.tools).toEqual([
      { name: "session_status", state: "ready" },
      { name: "pay", state: "needs-configuration" },
    ]);
  });

  it("tells an agent about itself only, and never the names of tools that are hidden from it", async () => {
    const { as } = await start();
    const agent = await as("support");
    expect(await agent("GET", "/policy/explain?tool=exec")).toMatchObject({ status: 200, body: { allowed: false } });
    expect(await agent("GET", "/policy/explain?tool=exec&agent=support")).toMatchObject({ status: 200 });
    expect(await agent("GET", "/policy/explain?tool=exec&agent=other")).toMatchObject({ status: 403 });
    const answers = [
      await agent("GET", "/policy/explain?tool=zebro_secret"),
      await agent("POST", "/tools/zebro_secret/call", {}),
      await agent("GET", "/tools/zebro_secret"),
      await agent("GET", "/tools"),
      await agent("GET", "/policy/view"),
      await agent("GET", "/exports/openai"),
      await agent("GET", "/exports/grammars/gbnf"),
      await agent("GET", "/agents"),
      await agent("GET", `/policy/view?caller=${encodeURIComponent('{"agent":"support"}')}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 200, 200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers)).not.toContain("zebra");
    for (const path of ["/policy", "/policy/matrix", "/policy/drafts", "/settings", "/sources", "/bundles", "/approvals"])
      expect(await agent("GET", path)).toMatchObject({ status: 403 });
  });

  it("shows each part with where it comes from, and a matrix of tools and agents", async () => {
    const { as } = await start();
    const curator = await as("boss", "curator");
    const policy = (await curator("GET", "/policy")).body;
    expect(policy.settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "policy.tools", origin: "toolrack.config.yaml:3" }),
        expect.objectContaining({ key: "policy.agents.support", origin: "toolrack.config.yaml:6" }),
      ]),
    );
    const matrix = (await curator("GET", "/policy/matrix")).body;
    const cellOf = (agent: string | undefined, tool: string): string =>
      matrix.rows.find((row: { agent?: string }) => row.agent === agent).cells[matrix.tools.indexOf(tool)];
    expect(["read", "write", "exec"].map((tool) => cellOf("support", tool))).toEqual(["a", "?", "-"]);
    expect(["read", "write", "exec"].map((tool) => cellOf(undefined, tool))).toEqual(["a", "?", "a"]);
    const view = await curator("GET", `/policy/view?caller=${encodeURIComponent('{"agent":"support"}')}`);
    expect(view.body.caller).toEqual({ agent: "support", provider: "openai", model: "gpt-5" });
    expect(view.body.tools.map(({ name }: { name: string }) => name)).not.toContain("exec");
  });

  it("simulates a change, keeps it as a draft, and puts it into force once", async () => {
    const { as, rack } = await start();
    const [curator, admin] = await Promise.all([as("boss", "curator"), as("root", "admin")]);
    const changes = { "policy.agents.support": { tools: { deny: ["read"] } } };
    const simulated = (await curator("POST", "/policy/simulate", { changes })).body;
    const support = simulated.differences.find(({ caller }: { caller: { agent: string } }) => caller.agent === "support");
    expect(support.lost.map(({ name }: { name: string }) => name)).toEqual(["read"]);
    expect(support.gained.map(({ name }: { name: string }) => name)).toEqual(["exec", "zebra_secret"]);
    expect(simulated.differences).toHaveLength(1);
    expect(rack.registry.explain("read", { agent: "support" }).allowed).toBe(true);

    const draft = (await curator("POST", "/policy/drafts", { title: "Less reading", changes })).body;
    expect(draft).toMatchObject({ isCurrent: true, createdBy: "boss", differences: [{ caller: { agent: "support" } }] });
    expect(await curator("POST", `/policy/drafts/${draft.id}/apply`)).toMatchObject({ status: 403 });
    const stale = (await curator("POST", "/policy/drafts", { title: "Another", changes })).body;
    const applied = await admin("POST", `/policy/drafts/${draft.id}/apply`);
    expect(applied.body.settings).toMatchObject([{ key: "policy.agents.support", origin: "record setting-policy.agents.support v1" }]);
    expect(rack.registry.explain("read", { agent: "support" }).decision?.source).toBe("record setting-policy.agents.support v1");
    expect(await admin("POST", `/policy/drafts/${draft.id}/apply`)).toMatchObject({ status: 404 });
    expect(await admin("POST", `/policy/drafts/${stale.id}/apply`)).toMatchObject({ status: 409 });
    expect((await curator("GET", "/policy/drafts")).body.drafts).toMatchObject([{ title: "Another", isCurrent: false }]);
    expect(await curator("DELETE", `/policy/drafts/${stale.id}`)).toMatchObject({ status: 204 });
  });

  it("refuses a change that would not hold together, with the nearest name", async () => {
    const { as } = await start();
    const admin = await as("root", "admin");
    const wrong = await admin("PUT", "/settings/policy.agents.support", { value: { tools: { denny: ["read"] } } });
    expect(wrong).toMatchObject({ status: 400, body: { code: "CONFIG_INVALID" } });
    expect(wrong.body.detail).toContain('Did you mean "deny"?');
    expect(await admin("PUT", "/settings/server.port", { value: 1 })).toMatchObject({ status: 400 });
    expect(await admin("POST", "/policy/drafts", { title: "x", changes: { "agents.support": {} } })).toMatchObject({ status: 400 });
  });
});

describe("an admin who acts as somebody else", () => {
  it("sees and calls what that caller may, gains nothing by it, and leaves a line in the audit", async () => {
    const { as, rack } = await start();
    const [curator, admin, agent] = await Promise.all([as("boss", "curator"), as("root", "admin"), as("helper")]);
    const runAs = { agent: "support" };
    const looked = await admin("POST", "/run-as", { caller: runAs });
    expect(looked.body).toMatchObject({ caller: { agent: "support", provider: "openai" }, asks: ["write"] });
    expect(looked.body.tools).not.toContain("exec");
    expect(await admin("POST", "/tools/exec/call", { runAs })).toMatchObject({ status: 403, body: { code: "TOOL_NOT_ALLOWED" } });
    const called = await admin("POST", "/tools/read/call", { runAs });
    expect(await rack.calls.show(called.body.meta.callId)).toMatchObject({ caller: { agent: "support" } });
    expect(JSON.stringify(await rack.calls.list())).toContain(called.body.meta.callId);
    for (const who of [curator, agent]) expect(await who("POST", "/tools/read/call", { runAs })).toMatchObject({ status: 403 });
    expect(await admin("POST", "/tools/read/call", { runAs: { agent: "x", owner: true } })).toMatchObject({ status: 403 });
    expect(await admin("POST", "/run-as", { caller: { agent: "x", roles: ["owner"] } })).toMatchObject({ status: 403 });
    expect(await admin("POST", "/run-as", { caller: { agent: "x", tenant: "other" } })).toMatchObject({ status: 403 });
    const lines = (await listAudit(rack.store)).filter(({ kind }) => kind === "run-as");
    expect(lines.every(({ agent: by }) => by === "root")).toBe(true);
    expect(lines.length).toBeGreaterThanOrEqual(3);
  });
});
