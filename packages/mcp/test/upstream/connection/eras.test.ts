import { createRegistry } from "@toolrack/core";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { httpServer, sourceOf, stdioUpstream, toolNamed } from "../upstreams.ts";

const signal = new AbortController().signal;

describe("both eras of the protocol, over both transports", () => {
  for (const era of ["legacy", "modern"] as const) {
    for (const transport of ["stdio", "HTTP"] as const) {
      it(`a ${era} server over ${transport} is listed, called, and followed when it changes`, async () => {
        const server = transport === "HTTP" ? await httpServer({ era }) : undefined;
        const options = server ? { name: "hand", url: server.url, allowHosts: [server.host] } : stdioUpstream({ era });
        const source = sourceOf(options);
        const registry = createRegistry();
        expect(await registry.addSource(source)).toMatchObject({ state: "ready" });
        expect(source.status()).toMatchObject({ state: "connected", era, failures: 0 });
        expect(await registry.invoke("hand__echo", { text: "hello" })).toMatchObject({ ok: true, content: "hello" });
        // An older server cannot tell anybody before its stream was asked for.
        if (server && era === "legacy") await until(() => server.listening() > 0);
        expect(await registry.invoke("hand__change", { add: "later" })).toMatchObject({ ok: true });
        await until(() => registry.has("hand__later"), "the new tool");
      });
    }
  }

  it("a server that answers by JSON instead of a stream works the same", async () => {
    for (const era of ["legacy", "modern"] as const) {
      const server = await httpServer({ era, json: true });
      const registry = createRegistry();
      await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
      expect(await registry.invoke("hand__echo", { text: era })).toMatchObject({ ok: true, content: era });
    }
  });

  it("a program that ends at a question it does not know is started again as an older one", async () => {
    const source = sourceOf(stdioUpstream({ probe: "exit" }));
    expect(await source.list({ signal })).not.toHaveLength(0);
    expect(source.status()).toMatchObject({ state: "connected", era: "legacy" });
  });

  it("a program that is silent at a question it does not know is taken for an older one", async () => {
    const source = sourceOf(stdioUpstream({ probe: "silent" }, { connectTimeoutMs: 16_000 }));
    expect(await source.list({ signal })).not.toHaveLength(0);
    expect(source.status()).toMatchObject({ era: "legacy" });
  });

  it("a server that does not tell of changes is asked again from time to time", async () => {
    const server = await httpServer({ era: "modern", notify: false, tools: [toolNamed("a")] });
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host], refreshMs: 50 }));
    server.brain.setTools([toolNamed("a"), toolNamed("b")]);
    await until(() => registry.has("hand__b"));
  });

  it("a server that has forgotten the session is greeted again, and the call is made", async () => {
    let forgotten = false;
    const server = await httpServer({
      before(request, response, body) {
        if (!forgotten || !body.includes("tools/call") || request.headers["mcp-session-id"] !== "session-1") return false;
        response.writeHead(404).end();
        return true;
      },
    });
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    forgotten = true;
    expect(await registry.invoke("hand__echo", { text: "again" })).toMatchObject({ ok: true, content: "again" });
  });
});
