import { defineTool } from "@toolrack/core";
import { definitionHash, listAudit } from "@toolrack/store";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it, onTestFinished } from "vitest";
import { openIssuer } from "../http/sign-in/issuer.ts";

const base = "/api/v1";
const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object" }, handler: () => "sent" });

it("SD21, M6: what an administrator does is in the audit with the principal that signed in, not only with the agent's name", async () => {
  const issuer = await openIssuer();
  const server = await openTestServer({
    tools: [send],
    tokens: await issuer.check(),
    config: { policy: { tools: { ask: ["send"] } }, approvals: { waitMs: 60_000 } },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { rack } = server;
  const key = (await rack.keys.create({ agent: "anna", roles: ["admin"], by: "test" })).secret;
  const helper = (await rack.keys.create({ agent: "helper", roles: ["emitter"], by: "test" })).secret;
  const token = await issuer.sign({ sub: "anna", roles: ["admin"] });

  for (const [credential, principal] of [
    [key, "key anna"],
    [token, `token ${issuer.issuer} anna`],
  ] as const) {
    const first = (await listAudit(rack.store, { limit: 1 }))[0]?.number ?? 0;
    const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, never>> => {
      const response = await server.request(method, `${base}${path}`, { key: credential, ...(body !== undefined && { body }) });
      const text = await response.text();
      expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
      return (text === "" ? {} : JSON.parse(text)) as Record<string, never>;
    };
    await ask("PUT", "/settings/policy.tools", { value: { deny: ["other"], ask: ["send"] } });
    await ask("DELETE", "/settings/policy.tools");
    await ask("POST", "/tools/send/disable", { reason: "Broken." });
    await ask("POST", "/tools/send/enable");
    const { id: made } = await ask("POST", "/keys", { agent: "helper", roles: [] });
    await ask("DELETE", `/keys/${made}`);
    await ask("PUT", "/secrets/KEY", { value: "v4lue-of-it" });
    await ask("DELETE", "/secrets/KEY");
    for (const verb of ["apply", "remove"]) {
      const { id } = await ask("POST", "/policy/drafts", { title: "A draft", changes: { "policy.tools": { ask: ["send"] } } });
      if (verb === "apply") await ask("POST", `/policy/drafts/${id}/apply`, {});
      else await ask("DELETE", `/policy/drafts/${id}`);
    }
    const call = server.request("POST", `${base}/tools/send/call`, { key: helper, body: { input: {} } });
    await until(async () => (await rack.approvals.list()).length === 1);
    const [question] = await rack.approvals.list();
    await ask("POST", `/approvals/${question!.id}/decide`, { approved: true, digest: question!.digest, scope: "always" });
    expect((await call).status).toBe(200);
    const [kept] = await rack.approvals.remembered();
    await ask("DELETE", `/approvals/${kept!.id}`);

    const lines = (await listAudit(rack.store, { after: first, limit: 100 })).filter(({ kind }) => kind !== "call");
    expect(new Set(lines.map((line) => line.principal))).toEqual(new Set([principal]));
    const { lines: shown } = await ask("GET", "/audit?limit=100");
    const { who } = (shown as unknown as { who: string; principal: string }[]).find((line) => line.principal === principal)!;
    expect(who).toBe(principal);
    expect(new Set(lines.map((line) => line.kind))).toEqual(
      new Set([
        "setting-set",
        "setting-reset",
        "key-created",
        "key-revoked",
        "secret-set",
        "secret-removed",
        "policy-draft-applied",
        "policy-draft-removed",
        "call-approved",
        "approval-forgotten",
      ]),
    );
  }
  // Nothing more of an identity is kept than its name.
  const records = await rack.store.searchBreadcrumbs({});
  for (const { context } of records)
    for (const field of ["by", "createdBy", "revokedBy"]) expect(typeof (context?.[field] ?? "")).toBe("string");
});

it("SD21, M6: a decision about a definition names the principal of whoever decided", async () => {
  await using server = await openTestServer({ rack: { handlers: { echo: (input: unknown) => input } } });
  const author = (await server.rack.keys.create({ agent: "ed", roles: ["emitter"], by: "test" })).secret;
  const key = (await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" })).secret;
  const implementation = { kind: "local", id: "echo" };
  const context = { name: "ping", description: "Answers.", inputSchema: { type: "object" }, implementation };
  const body = { schema_name: "tool.definition.v1", tags: ["tool", "workspace:tools"], context };
  expect((await server.request("POST", `${base}/breadcrumbs`, { key: author, body })).status).toBe(201);
  await server.request("POST", `${base}/lifecycle/tool-def-ping/validate`, { key });
  const hash = definitionHash((await server.rack.store.get("tool-def-ping"))!);
  const decided = await server.request("POST", `${base}/lifecycle/tool-def-ping/approve`, { key, body: { reason: "Looks right.", hash } });
  expect(decided.status, await decided.text()).toBe(200);
  expect(await listAudit(server.rack.store, { kinds: ["approved"] })).toMatchObject([{ subject: "tool-def-ping", principal: "key cora" }]);
});

it("an audit line says who acted: the principal, the agent alone without a sign-in, and both where they differ", async () => {
  const { request, rack } = await openTestServer();
  for (const by of [
    { agent: "ada", principal: "key ada" },
    { agent: "ada", principal: "" },
    { agent: "helper", principal: "key ada" },
  ])
    await rack.audit({ kind: "secret-set", subject: "KEY", by, body: {} });
  const { lines } = (await (await request("GET", `${base}/audit?limit=3`)).json()) as { lines: { who: string }[] };
  expect(lines.map(({ who }) => who)).toEqual(["helper (key ada)", "ada", "key ada"]);
});
