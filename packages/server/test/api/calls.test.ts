import { defineTool, type ToolDefinition } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

/** A tool that runs until it is let go or cancelled. */
function gate(): { readonly tool: ToolDefinition; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const tool = defineTool({
    name: "wait",
    description: "Waits until it is let go.",
    inputSchema: { type: "object" },
    async handler(_input, { signal }) {
      await Promise.race([opened, new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))]);
      return { done: true };
    },
  });
  return { tool, open: () => open() };
}

const inner = defineTool({ name: "inner", description: "Is called by outer.", inputSchema: { type: "object" }, handler: () => "inside" });
const outer = defineTool({
  name: "outer",
  description: "Calls inner.",
  inputSchema: { type: "object" },
  handler: async (_input, context) => {
    await context.call("inner", {});
    await context.call("inner", {});
    return "outside";
  },
});

describe("calls", () => {
  // row: F21
  it("on their way are listed, waited for by event, and ended for everybody who waits (F21)", async () => {
    const { tool, open } = gate();
    const { as, rack } = serverOver(await openTestRack({ tools: [tool] }));
    const agent = await as("helper");
    const calling = agent("POST", "/tools/wait/call", {});
    await until(() => rack.running.list().length === 1);
    const { callId } = (await agent("GET", "/running")).body.calls[0];
    const waiting = agent("GET", `/calls/${callId}/wait?timeoutMs=20000`);
    const short = await agent("GET", `/calls/${callId}/wait?timeoutMs=20`);
    expect(short).toMatchObject({ status: 504, body: { code: "TIMEOUT" } });
    open();
    expect(await waiting).toMatchObject({ status: 200, body: { ok: true, data: { done: true } } });
    expect((await calling).body.meta.callId).toBe(callId);
    expect(rack.running.list()).toEqual([]);
    // One that has ended is answered from the log.
    expect(await agent("GET", `/calls/${callId}/wait`)).toMatchObject({ status: 200, body: { data: { done: true } } });
    expect(await agent("GET", "/calls/unknown/wait")).toMatchObject({ status: 404 });
  });

  it("can be cancelled by their caller or a curator, and by nobody else", async () => {
    const { tool } = gate();
    const { as, rack } = serverOver(await openTestRack({ tools: [tool] }));
    const [agent, other, watcher, curator] = await Promise.all([as("helper"), as("other"), as("eve", "subscriber"), as("boss", "curator")]);
    for (const who of [agent, curator]) {
      const calling = agent("POST", "/tools/wait/call", {});
      await until(() => rack.running.list().length === 1);
      const { callId } = rack.running.list()[0]!;
      expect(await other("POST", `/calls/${callId}/cancel`, {})).toMatchObject({ status: 404 });
      expect(await other("GET", `/calls/${callId}/wait`)).toMatchObject({ status: 404 });
      expect(await watcher("POST", `/calls/${callId}/cancel`, {})).toMatchObject({ status: 403 });
      expect(await who("POST", `/calls/${callId}/cancel`, { reason: "Enough." })).toMatchObject({ status: 204 });
      expect((await calling).body).toMatchObject({ code: "ABORTED" });
      expect(await who("POST", `/calls/${callId}/cancel`, {})).toMatchObject({ status: 409 });
    }
  });

  it("are cancelled when the client of an answer leaves", async () => {
    const { tool } = gate();
    const { request, rack } = serverOver(await openTestRack({ tools: [tool] }));
    const controller = new AbortController();
    const asking = request("POST", "/api/v1/tools/wait/call", { body: {}, signal: controller.signal });
    await until(() => rack.running.list().length === 1);
    const { callId } = rack.running.list()[0]!;
    controller.abort();
    await asking.catch(() => undefined);
    await until(() => rack.running.list().length === 0);
    expect(await rack.calls.show(callId)).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("in the log are one's own, and everybody's for those with a role", async () => {
    const { as } = serverOver(await openTestRack({ tools: [inner] }));
    const [ann, bob, watcher] = await Promise.all([as("ann"), as("bob"), as("eve", "subscriber")]);
    const { callId } = (await ann("POST", "/tools/inner/call", {})).body.meta;
    for (let count = 0; count < 3; count++) await bob("POST", "/tools/inner/call", {});
    expect((await ann("GET", "/calls")).body.calls.map((call: { callId: string }) => call.callId)).toEqual([callId]);
    expect((await ann("GET", "/calls?agent=bob")).body.calls).toHaveLength(1);
    expect((await bob("GET", "/calls?tool=inner&limit=2")).body.calls).toHaveLength(2);
    const page = (await bob("GET", "/calls?limit=2")).body;
    const rest = (await bob("GET", `/calls?limit=2&before=${page.next}`)).body;
    expect(rest.calls).toHaveLength(1);
    expect(rest.next).toBeUndefined();
    expect((await watcher("GET", "/calls?agent=ann")).body.calls).toHaveLength(1);
    // Keys were made, too; those deeds are in the audit and not among the calls.
    expect((await watcher("GET", "/calls")).body.calls).toHaveLength(4);
    expect(await bob("GET", `/calls/${callId}`)).toMatchObject({ status: 404 });
    expect(await watcher("GET", `/calls/${callId}`)).toMatchObject({ status: 200, body: { tool: "inner", caller: { agent: "ann" } } });
  });

  it("of somebody without an agent are nobody's, whatever the sender is called", async () => {
    const { as, rack } = serverOver(await openTestRack({ tools: [inner] }));
    await rack.registry.invoke("inner", {}, { caller: { sender: "ann" } });
    const [ann, watcher] = await Promise.all([as("ann"), as("eve", "subscriber")]);
    expect((await ann("GET", "/calls")).body).toEqual({ calls: [] });
    expect((await watcher("GET", "/calls")).body.calls).toHaveLength(1);
  });

  it("show the calls that they made", async () => {
    const { ask } = serverOver(await openTestRack({ tools: [inner, outer] }));
    const { callId } = (await ask("POST", "/tools/outer/call", {})).body.meta;
    const { body } = await ask("GET", `/calls/${callId}`);
    expect(body.children.map((child: { tool: string; parentCallId: string }) => [child.tool, child.parentCallId])).toEqual([
      ["inner", callId],
      ["inner", callId],
    ]);
  });
});
