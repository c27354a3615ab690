import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const whoAmI = defineTool({
  name: "who",
  description: "Says who.",
  inputSchema: { type: "object" },
  handler: (_, { caller }) => caller.agent ?? "",
});
const facts = defineTool({
  name: "facts",
  description: "Says what is known of its caller.",
  inputSchema: { type: "object" },
  handler: (_, { caller: { agent, session, run, subagentDepth } }) => ({ agent, session, run, subagentDepth }),
});
const start = async (): Promise<TestServer> => serverOver(await openTestRack({ tools: [whoAmI, facts] }));

it.each(["runAs", "run_as"])("a body and a query take the caller as %s", async (name) => {
  const { ask } = await start();
  expect(await ask("POST", "/tools/who/call", { [name]: { agent: "anna" } })).toMatchObject({ body: { content: "anna" } });
  expect(await ask("GET", `/tools?${name}=${encodeURIComponent('{"agent":"anna"}')}`)).toMatchObject({ status: 200 });
});

it("both names with the same caller are taken, with different ones refused", async () => {
  const { ask } = await start();
  const same = { runAs: { agent: "anna", roles: [] }, run_as: { roles: [], agent: "anna" } };
  expect(await ask("POST", "/tools/who/call", same)).toMatchObject({ body: { content: "anna" } });
  for (const [method, path, body] of [
    ["POST", "/tools/who/call", { runAs: { agent: "anna" }, run_as: { agent: "ben" } }],
    ["GET", `/exports/openai?runAs={"agent":"anna"}&run_as={"agent":"ben"}`],
  ] as const) {
    expect(await ask(method, path, body)).toMatchObject({
      status: 400,
      body: { code: "REQUEST_INVALID", detail: "The request has both runAs and run_as, with different values. Send runAs only." },
    });
  }
});

it("S7: neither name gives rights to somebody who is not an admin", async () => {
  const server = await start();
  const ask = await server.as("helper");
  for (const name of ["runAs", "run_as"])
    expect(await ask("POST", "/tools/who/call", { [name]: { agent: "anna" } })).toMatchObject({
      status: 403,
      body: { code: "ROLE_MISSING" },
    });
});

it("nobody acts as an agent whose name could pass for another one, and automation runs as none", async () => {
  const { ask } = await start();
  const body = {
    code: "REQUEST_INVALID",
    detail:
      'The request names an agent "anna\\n" that could pass for another one: it has characters that are invisible or turn the writing round. Choose another name.',
  };
  const agent = "anna\n";
  expect(await ask("POST", "/tools/who/call", { runAs: { agent } })).toMatchObject({ status: 400, body });
  expect(await ask("POST", "/schedules", { id: "s", agent, tool: "who", everyMs: 3_600_000 })).toMatchObject({ status: 400, body });
  expect(await ask("POST", "/triggers", { id: "t", agent, tool: "who", on: { tag: "x" } })).toMatchObject({
    status: 400,
    body,
  });
});

it("what a request says of its own call holds for the caller that it acts as", async () => {
  const { ask } = await start();
  const own = { session: "s1", run: "r1", subagentDepth: 1 };
  expect(await ask("POST", "/tools/facts/call", { ...own, runAs: { agent: "anna" } })).toMatchObject({
    body: { data: { agent: "anna", ...own } },
  });
  expect(await ask("POST", "/tools/facts/call", { session: "s1", runAs: { agent: "anna", session: "s1" } })).toMatchObject({
    body: { data: { agent: "anna", session: "s1" } },
  });
  expect(await ask("POST", "/tools/facts/call", { sandboxed: true, runAs: { agent: "anna" } })).toMatchObject({
    status: 403,
    body: { code: "TOOL_NOT_ALLOWED", detail: expect.stringContaining("sandbox.tools.allow") },
  });
});

it("a fact that a request says differently beside runAs and in it is refused", async () => {
  const { ask } = await start();
  for (const [own, other] of [
    [{ session: "s1" }, { session: "s2" }],
    [{ sandboxed: true }, { sandboxed: false }],
  ] as const) {
    const name = Object.keys(own)[0];
    expect(await ask("POST", "/tools/facts/call", { ...own, runAs: { agent: "anna", ...other } })).toMatchObject({
      status: 400,
      body: {
        code: "REQUEST_INVALID",
        detail: `The request has ${name} beside runAs and in it, with different values. Send one of them only.`,
      },
    });
  }
});
