import { createFakeClock } from "@toolrack/core/testing";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { createAgentSessions, identityOfAgent } from "../../../src/http/sign-in/agent-sessions.ts";
import { agentFault } from "../../../src/rack/access/agent-fault.ts";

const config = { policy: { unknownAgents: "deny", agents: { anna: { tools: { allow: ["echo"] } } } } } as const;

describe("sessions of agents, for clients on the same machine", () => {
  it("have exactly the rights of a key without roles, and make nobody else sign in", async () => {
    await using server = await openTestServer({ config });
    const { status, body } = await server.ask("POST", "/sign-in/agents", { agent: "anna" });
    expect(status).toBe(200);
    const key = body.token as string;
    expect((await server.ask("GET", "/sign-in", undefined, { key })).body).toEqual({ agent: "anna", roles: [], via: "key" });
    expect((await server.ask("GET", "/tools", undefined, { key })).body.tools.map((tool: { name: string }) => tool.name)).toEqual(["echo"]);
    for (const path of ["/keys", "/secrets", "/sources"]) expect((await server.ask("GET", path, undefined, { key })).status).toBe(403);
    expect((await server.ask("POST", "/sign-in/agents", { agent: "anna" }, { key })).status).toBe(403);
    expect(server.app.requiresSignIn()).toBe(false);
    expect((await server.ask("GET", "/tools", undefined, { key: "" })).status).toBe(200);
  });

  it("SD10: are opened for no name of the server, for no agent that is not listed, and by nobody but the owner", async () => {
    await using server = await openTestServer({ config });
    for (const agent of ["owner", "Owner", "local", "anonymous", "server"]) {
      const { status, body } = await server.ask("POST", "/sign-in/agents", { agent });
      expect([status, body.detail]).toEqual([400, expect.stringContaining("Choose one of anna.")]);
    }
    expect((await server.ask("POST", "/sign-in/agents", { agent: "ana" })).body.detail).toContain('Did you mean "anna"?');
    expect((await server.ask("POST", "/sign-in/agents", { agent: "a b" })).status).toBe(400);
    const asOwner = await server.as("anna", "admin", "owner");
    expect((await asOwner("POST", "/sign-in/agents", { agent: "anna" })).body.detail).toContain("Only the owner's own command line");
  });

  it("SD10: and keys are for the configured spelling of an agent only, since each spelling would have limits of its own", async () => {
    for (const unknownAgents of ["deny", "allow"] as const) {
      await using server = await openTestServer({ config: { policy: { ...config.policy, unknownAgents } } });
      for (const agent of ["ANNA", "aNNa"])
        for (const path of ["/sign-in/agents", "/keys"]) {
          const { status, body } = await server.ask("POST", path, { agent });
          expect([path, status, body.detail]).toEqual([path, 400, expect.stringContaining('Did you mean "anna"?')]);
        }
      await expect(server.rack.keys.create({ agent: "Anna", roles: ["owner"], by: "owner" })).rejects.toThrow('Did you mean "anna"?');
      expect(agentFault("ANNA", server.rack.settings)).toContain('Did you mean "anna"?');
      expect((await server.ask("POST", "/keys", { agent: "anna" })).status).toBe(201);
    }
  });

  it("call agents that run here, and make jobs, whatever becomes of keys of the same agent", async () => {
    const helper = { instructions: "Help.", model: "scripted", tools: { allow: ["echo"] } };
    const wide = { agents: { helper }, policy: { agents: { anna: { tools: { allow: ["echo", "helper"] } } } } };
    await using server = await openTestServer({ config: wide });
    const { id } = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
    const key = (await server.ask("POST", "/sign-in/agents", { agent: "anna" })).body.token as string;
    await server.rack.keys.revoke(id, "test");
    const task = `call echo ${JSON.stringify({ text: "a" })}`;
    const called = await server.ask("POST", "/tools/helper/call", { input: { task } }, { key });
    expect(called.body).toMatchObject({ ok: true, content: 'echo answered: {"text":"a"}' });
    const made = await server.ask("POST", "/tools/echo/call", { mode: "job", input: { text: "b" } }, { key });
    expect(await server.rack.jobs.waitFor(made.body.data.job.id, { timeoutMs: 60_000 })).toMatchObject({ state: "done" });
  });

  it("SD10: work from this machine only, until they are ended", async () => {
    await using server = await openTestServer({ config });
    const key = (await server.ask("POST", "/sign-in/agents", { agent: "anna" })).body.token as string;
    expect((await server.ask("GET", "/tools", undefined, { key, from: "10.0.0.9" })).status).toBe(401);
    expect((await server.ask("GET", "/tools", undefined, { key, headers: { "x-forwarded-for": "10.0.0.9" } })).status).toBe(401);
    expect((await server.ask("DELETE", "/sign-in", undefined, { key })).status).toBe(204);
    expect((await server.ask("GET", "/tools", undefined, { key })).status).toBe(401);
  });

  it("expire, and what is open with them ends when later ones push them out", async () => {
    const clock = createFakeClock(1_000_000);
    const sessions = createAgentSessions(clock, "someone");
    const { token, expiresAt } = sessions.open("anna");
    const { signal } = sessions.find(token)!.credential!;
    await clock.advance(expiresAt - clock.now() - 1);
    expect(sessions.find(token)).toBeDefined();
    await clock.advance(1);
    expect(sessions.find(token)).toBeUndefined();
    expect(signal.aborted).toBe(true);
    const first = sessions.find(sessions.open("anna").token)!.credential!.signal;
    for (let count = 0; count < 1_000; count++) sessions.open("anna");
    expect(first.reason).toMatchObject({ code: "SIGN_IN_ENDED", status: 401 });
  });
});

describe("the sessions of agents in one server", () => {
  it("are forgotten when they expire, the oldest when there are too many, and those that are ended", async () => {
    const clock = createFakeClock();
    const sessions = createAgentSessions(clock, "local");
    const first = sessions.open("anna");
    expect(first.expiresAt).toBe(clock.now() + 12 * 3_600_000);
    expect(first.token).toMatch(/^tra_[\w-]{43}$/);
    const { credential } = sessions.find(first.token)!;
    const more = Array.from({ length: 1_000 }, () => sessions.open("bob").token);
    expect(sessions.find(first.token)).toBeUndefined();
    expect(credential!.signal.reason).toMatchObject({ message: expect.stringContaining("More than 1000 sessions were opened since.") });
    const [one, two] = [sessions.find(more[0]!)!, sessions.find(more[1]!)!];
    expect([sessions.end(one.credential), sessions.end(one.credential), sessions.end(undefined)]).toEqual([true, false, false]);
    expect([sessions.find(more[0]!), sessions.find(more[1]!)?.agent]).toEqual([undefined, "bob"]);
    await clock.advance(12 * 3_600_000);
    sessions.open("carl");
    expect(two.credential!.signal.reason).toMatchObject({ message: expect.stringContaining("The session has expired.") });
    expect(sessions.find(more[2]!)).toBeUndefined();
    expect(sessions.find("tra_nobody")).toBeUndefined();
  });

  it("give a program that opened the rack itself the same identity", () => {
    const opened = createAgentSessions(createFakeClock(), "local");
    const { credential: _, ...identity } = opened.find(opened.open("anna").token)!;
    const { credential: none, ...own } = identityOfAgent({ store: { actor: { owner: "local" } as never } }, "anna");
    expect([own, none]).toEqual([identity, undefined]);
  });
});
