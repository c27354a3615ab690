import { createServer } from "node:http";
import { connect as connectSocket } from "node:net";
import { createRegistry, defineTool } from "@toolrack/core";
import { type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import fc from "fast-check";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { sized } from "@toolrack/testkit/sized";
import { turns } from "@toolrack/testkit/turns";
import { untilLater } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { type ServedOptions, clientMeta, connect, nothing, post, send, serving } from "./serve/serve.ts";
import { mcpClient, serveMcp } from "@toolrack/mcp";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  handler: ({ text = "" }) => text,
});
const refund = defineTool({
  name: "refund",
  description: "Pays money back.",
  inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  handler: ({ amount }) => `${amount} paid back.`,
});
const signIn = (name: string): { sender: string } | undefined => (name === "" ? undefined : { sender: name });
const asking: PolicyConfig = { tools: { ask: ["refund"] } };
const accept = { action: "accept", content: {} };

describe("S9 token passthrough", () => {
  it("keeps the bearer out of everything that a tool, a recorder or a listener sees", async () => {
    const seen: unknown[] = [];
    const spy = defineTool({
      name: "spy",
      description: "Looks around.",
      inputSchema: nothing,
      handler(_input, context) {
        seen.push(context.caller, context.services, context.config, Object.keys(context));
        return JSON.stringify(context.caller);
      },
    });
    const { url, registry } = await serving([spy], { signIn: () => ({ sender: "ada" }) });
    registry.subscribe((event) => void seen.push(event));
    const { body } = await post(url, "tools/call", { name: "spy", arguments: {} }, { as: "top-secret-token" });
    expect(body.result.content[0].text).toContain("ada");
    expect(JSON.stringify([seen, body])).not.toContain("top-secret-token");
  });
});

describe("S10 cross-user credentials", () => {
  it("uses the caller of the request for the call, whatever arrives at the same time", async () => {
    const who = defineTool({
      name: "who",
      description: "Tells who asks.",
      inputSchema: { type: "object", properties: { nonce: { type: "string" } } },
      async handler({ nonce }, { caller }) {
        await new Promise((resolve) => setImmediate(resolve));
        return `${caller.sender} ${nonce}`;
      },
    });
    const { url } = await serving([who], { signIn });
    const users = Array.from({ length: 60 }, (_, index) => `user-${index}`);
    const answers = await Promise.all(users.map((as) => post(url, "tools/call", { name: "who", arguments: { nonce: `n-${as}` } }, { as })));
    expect(answers.map(({ body }) => body.result.content[0].text)).toEqual(users.map((user) => `${user} n-${user}`));
  });

  it("turns away who is not signed in, and never falls back to somebody else", async () => {
    const { url } = await serving([echo], { signIn });
    expect((await post(url, "tools/list", {})).status).toBe(401);
  });
});

describe("S11 cross-client leaks", () => {
  it("gives each of many interleaved requests its own answer and its own progress", async () => {
    const slow = defineTool({
      name: "slow",
      description: "Answers after a moment.",
      inputSchema: { type: "object", properties: { nonce: { type: "string" } }, required: ["nonce"] },
      async handler({ nonce }, { progress }) {
        progress({ progress: 1, message: nonce });
        await turns(nonce.length % 5);
        return nonce;
      },
    });
    const { url } = await serving([slow]);
    const ask = async (index: number): Promise<boolean> => {
      const nonce = `nonce-${index}-${"x".repeat(index % 7)}`;
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "slow",
        },
        // Every client uses the same id: ids mean something to one client alone.
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "slow", arguments: { nonce }, _meta: { ...clientMeta, progressToken: "same" } },
        }),
      });
      const nonces = (await response.text()).match(/nonce-\d+-x*/g) ?? [];
      return nonces.length === 2 && nonces.every((found) => found === nonce);
    };
    const outcomes: boolean[] = [];
    for (let from = 0; from < sized(200, 1_000); from += 100) {
      outcomes.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => ask(from + index)))));
    }
    expect(outcomes.filter((isOwn) => !isOwn)).toEqual([]);
  });
});

describe("S12 sessions, tasks and handles of others", () => {
  const options: ServedOptions = { signIn, taskSupport: () => "preferred" };

  it("answers for a task to its owner alone, on every method, as if it did not exist", async () => {
    const { url } = await serving([echo], options);
    const { taskId } = (await post(url, "tools/call", { name: "echo", arguments: {} }, { as: "ada" })).body.result;
    expect(Buffer.from(taskId, "base64url").length).toBeGreaterThanOrEqual(16);
    const unknown = (await post(url, "tasks/get", { taskId: "never-made" }, { as: "eve" })).body.error;
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const stolen = await post(url, method, { taskId, inputResponses: {} }, { as: "eve" });
      expect(stolen.body.error).toEqual(unknown);
    }
    expect((await post(url, "tasks/get", { taskId }, { as: "ada" })).body.result.taskId).toBe(taskId);
  });

  it("gives a page of a long result to whoever made the call alone", async () => {
    const { url } = await serving([echo], { signIn, resultPageLength: 2_000 });
    const text = "a".repeat(2_000) + "b".repeat(2_000) + "c";
    const { content } = (await post(url, "tools/call", { name: "echo", arguments: { text } }, { as: "ada" })).body.result;
    const { uri } = content[2];
    expect(content[0].text).toBe("a".repeat(2_000));
    const page = (await post(url, "resources/read", { uri }, { as: "ada" })).body.result.contents[0];
    expect(page.text).toBe("b".repeat(2_000));
    const last = (await post(url, "resources/read", { uri: page._meta["toolrack/next"] }, { as: "ada" })).body.result.contents[0];
    expect([last.text, last._meta]).toEqual(["c", undefined]);
    expect((await post(url, "resources/read", { uri }, { as: "eve" })).body.error?.code).toBe(-32602);
  });

  it("refuses a session of somebody else, a made-up one and an ended one", async () => {
    const { url } = await serving([echo], options);
    const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { headers } = await send(
      url,
      { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake },
      { authorization: "Bearer ada" },
    );
    const session = headers.get("mcp-session-id")!;
    const list = (as: string, id: string): Promise<{ status: number }> =>
      send(url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, { authorization: `Bearer ${as}`, "mcp-session-id": id });
    expect((await list("ada", session)).status).toBe(200);
    expect((await list("eve", session)).status).toBe(404);
    expect((await list("ada", `${session.slice(0, -1)}${session.endsWith("A") ? "B" : "A"}`)).status).toBe(404);
    expect((await list("ada", "fixed-by-an-attacker")).status).toBe(404);
    const end = await fetch(url, { method: "DELETE", headers: { authorization: "Bearer ada", "mcp-session-id": session } });
    expect(end.status).toBe(204);
    expect((await list("ada", session)).status).toBe(404);
  });
});

describe("S13 request states", () => {
  const call = { name: "refund", arguments: { amount: 20 } };
  async function ask(options: ServedOptions = {}): Promise<{ url: string; key: string; requestState: string }> {
    const { url } = await serving([refund], { signIn, registry: { policy: readPolicyConfig(asking) }, ...options });
    const { result } = (await post(url, "tools/call", call, { as: "ada" })).body;
    return { url, key: Object.keys(result.inputRequests)[0]!, requestState: result.requestState };
  }

  it("are refused with any bit changed", async () => {
    const { url, key, requestState } = await ask();
    const flip = (at: number): string => {
      const code = requestState.charCodeAt(at);
      return requestState.slice(0, at) + String.fromCharCode(code === 65 ? 66 : 65) + requestState.slice(at + 1);
    };
    for (const at of [0, 10, requestState.indexOf(".") + 1, requestState.length - 1]) {
      const { body } = await post(url, "tools/call", { ...call, inputResponses: { [key]: accept }, requestState: flip(at) }, { as: "ada" });
      expect(body.error?.code).toBe(-32602);
    }
  });

  it("are refused for another principal, other arguments, another tool, after their time, and a second time", async () => {
    const { url, key, requestState } = await ask();
    const inputResponses = { [key]: accept };
    const other = await post(url, "tools/call", { ...call, inputResponses, requestState }, { as: "eve" });
    expect(String(other.body.error?.message)).toMatch(/belongs to another request/);
    const more = await post(
      url,
      "tools/call",
      { name: "refund", arguments: { amount: 20_000 }, inputResponses, requestState },
      { as: "ada" },
    );
    expect(String(more.body.error?.message)).toMatch(/belongs to another request/);
    const used = await post(url, "tools/call", { ...call, inputResponses, requestState }, { as: "ada" });
    expect(used.body.result.content[0].text).toBe("20 paid back.");
    const again = await post(url, "tools/call", { ...call, inputResponses, requestState }, { as: "ada" });
    expect(String(again.body.error?.message)).toMatch(/used before/);
    const late = await ask({ answerWithinMs: 1 });
    await untilLater(20);
    const expired = await post(late.url, "tools/call", { ...call, inputResponses, requestState: late.requestState }, { as: "ada" });
    expect(String(expired.body.error?.message)).toMatch(/expired/);
  });

  it("cannot be left out: an approval that nobody asked for is none", async () => {
    const { url, key } = await ask();
    const { body } = await post(url, "tools/call", { ...call, inputResponses: { [key]: accept } }, { as: "ada" });
    expect(body.result.resultType).toBe("input_required");
  });

  it("let exactly one of many uses at the same time pass", async () => {
    const { url, key, requestState } = await ask();
    const uses = Array.from({ length: 20 }, () =>
      post(url, "tools/call", { ...call, inputResponses: { [key]: accept }, requestState }, { as: "ada" }),
    );
    const answers = await Promise.all(uses);
    expect(answers.filter(({ body }) => body.result !== undefined)).toHaveLength(1);
  });
});

describe("S14 DNS rebinding", () => {
  it("answers 403 to a wrong Host or Origin, on every method, before anything is read", async () => {
    const { url } = await serving([echo]);
    const { port } = new URL(url);
    const raw = (method: string, headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = connectSocket(Number(port), "127.0.0.1");
        socket.once("error", reject);
        socket.once("data", (data) => {
          resolve(Number(data.toString().slice(9, 12)));
          socket.destroy();
        });
        const lines = Object.entries({ "content-length": "2", "content-type": "application/json", ...headers });
        socket.write(`${method} /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n{}`);
      });
    for (const method of ["POST", "GET", "DELETE"]) {
      expect(await raw(method, { host: "evil.example.com" })).toBe(403);
      expect(await raw(method, { host: `127.0.0.1:${port}`, origin: "http://evil.example.com" })).toBe(403);
      expect(await raw(method, { host: `127.0.0.1:${port}`, origin: "null" })).toBe(403);
      expect(await raw(method, { host: "127.0.0.1@evil.example.com" })).toBe(403);
    }
    expect(await raw("POST", { host: `localhost:${port}`, origin: `http://localhost:${port}` })).not.toBe(403);
  });

  it("lets in the hosts and origins that were named, and only those", async () => {
    const endpoint = serveMcp(createRegistry(), { allowedHosts: ["tools.example.com"], allowedOrigins: ["https://app.example.com"] });
    const status = async (host: string, origin?: string): Promise<number> => {
      const headers = { "content-type": "application/json", ...(origin && { origin }) };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      return (await endpoint.fetch(new Request(`https://${host}/mcp`, { method: "POST", headers, body }))).status;
    };
    expect(await status("tools.example.com", "https://app.example.com")).toBe(200);
    expect(await status("tools.example.com", "https://app.example.com.evil.com")).toBe(403);
    expect(await status("tools.example.com.evil.com")).toBe(403);
    expect(() => serveMcp(createRegistry(), { allowedOrigins: ["not an origin"] })).toThrow(/allowedOrigins/);
  });

  it("takes no body that a page can send without asking first", async () => {
    const { url } = await serving([echo]);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]) {
      expect((await send(url, { jsonrpc: "2.0", id: 1, method: "ping" }, { "content-type": type })).status).toBe(415);
    }
  });
});

describe("S15 open by default", () => {
  it("listens on this machine unless told otherwise, and on others only with sign-in", async () => {
    const endpoint = serveMcp(createRegistry());
    afterThisTest(() => endpoint.close());
    await expect(endpoint.listen({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(endpoint.listen({ host: "::" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect((await endpoint.listen()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });
});

describe("S18 references into the network", () => {
  it("are never followed: not when a list is made, not when a call is checked, not in an answer that is asked for", async () => {
    const visited = vi.fn();
    const trap = createServer((_request, response) => {
      visited();
      response.end("{}");
    });
    await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => trap.close(resolve)));
    const $ref = `http://127.0.0.1:${(trap.address() as { port: number }).port}/schema.json`;
    const asks = defineTool({
      name: "asks",
      description: "Asks with a schema that leads away.",
      inputSchema: { type: "object", properties: { value: { $ref } } },
      handler: (_input, context) =>
        mcpClient(context)!.elicit({ message: "?", requestedSchema: { type: "object", properties: { a: { $ref } } } }, "q"),
    });
    const { url } = await serving([asks]);
    expect((await post(url, "tools/list")).body.result.tools[0].inputSchema.properties.value).toEqual({ $ref });
    await post(url, "tools/call", { name: "asks", arguments: { value: 1 } });
    await post(url, "tools/call", { name: "asks", arguments: {}, inputResponses: { q: { action: "accept", content: { a: 1 } } } });
    expect(visited).not.toHaveBeenCalled();
  });

  it("and hostile URIs against templates are read in one pass", async () => {
    const resources = [{ uriTemplate: "x://{a}-{b}-{c}-{d}", name: "x", read: () => ({ text: "" }) }];
    const { url } = await serving([echo], { resources, maxBodyBytes: 4_000_000 });
    const started = cpuTime();
    const uri = `x://${"-a".repeat(500_000)}/`;
    expect((await post(url, "resources/read", { uri }, { headers: { "mcp-name": "short" } })).status).toBe(400);
    const legacy = await send(url, { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    expect(legacy.body.error.code).toBe(-32602);
    expect(cpuTime() - started).toBeLessThan(10_000);
  });
});

describe("S24 lists and calls", () => {
  it("for any policy, what is listed, completed and described is what can be called or asked for", async () => {
    const names = ["alpha", "beta", "gamma", "delta"];
    const tools = names.map((name) => ({
      ...echo,
      name,
      metadata: { usageHint: `Use ${name}.`, ...(name === "delta" && { ownerOnly: true }) },
    }));
    const { url, registry } = await serving(tools, { toolPrompts: true, signIn: (name) => ({ agent: name }) });
    const some = fc.subarray(["alpha", "beta", "gam*", "delta", "*a"]);
    const ref = { type: "ref/resource", uri: "toolrack://tools/{name}" };
    await fc.assert(
      fc.asyncProperty(some, some, some, fc.constantFrom("support", "builder"), async (allow, deny, ask, as) => {
        registry.setPolicy(readPolicyConfig({ tools: { deny: deny.slice(0, 2), ask }, agents: { support: { tools: { allow } } } }));
        const asked = (method: string, params: Record<string, unknown> = {}): Promise<{ body: { result: never } }> =>
          post(url, method, params, { as }) as Promise<{ body: { result: never } }>;
        const listed = ((await asked("tools/list")).body.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
        const prompts = ((await asked("prompts/list")).body.result as { prompts: { name: string }[] }).prompts.map(({ name }) => name);
        const completed = await asked("completion/complete", { ref, argument: { name: "name", value: "" } });
        const catalog = await asked("resources/read", { uri: "toolrack://catalog" });
        expect(prompts).toEqual(listed.map((name) => `use-${name}`));
        expect((completed.body.result as { completion: { values: string[] } }).completion.values).toEqual(listed);
        for (const name of names) {
          const result = (await asked("tools/call", { name, arguments: {} })).body.result as { resultType: string; isError?: boolean };
          expect([name, result.resultType === "input_required" || result.isError === undefined]).toEqual([name, listed.includes(name)]);
          expect(JSON.stringify(catalog.body.result).includes(`\\"${name}\\"`)).toBe(listed.includes(name));
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("S25 headers that tell another story", () => {
  it("decides by the body, and refuses a request whose headers differ from it, in both eras", async () => {
    const { url } = await serving([echo, refund]);
    const params = { name: "refund", arguments: { amount: 1 } };
    const lies: Record<string, string>[] = [
      { "mcp-name": "echo" },
      { "mcp-method": "tools/list" },
      { "mcp-protocol-version": "2025-11-25" },
    ];
    for (const headers of lies) {
      const { status, body } = await post(url, "tools/call", params, { headers });
      expect([status, body.error?.code]).toEqual([400, -32020]);
    }
    const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const legacyLies: Record<string, string>[] = [{ "mcp-name": "echo" }, { "mcp-method": "ping" }];
    for (const headers of legacyLies) {
      expect((await send(url, legacy, headers)).body.error?.code).toBe(-32020);
    }
  });

  it("reads encoded names, and refuses encodings that are not exact", async () => {
    const { url } = await serving([echo]);
    const encoded = (text: string): string => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    const call = (name: string): Promise<{ status: number }> =>
      post(url, "tools/call", { name: "echo", arguments: {} }, { headers: { "mcp-name": name } });
    expect((await call(encoded("echo"))).status).toBe(200);
    expect((await call(encoded("refund"))).status).toBe(400);
    expect((await call("=?base64?ZWNobw?=")).status).toBe(400);
  });

  it("checks the parameters that a tool mirrors in headers", async () => {
    const routed = defineTool({
      name: "routed",
      description: "Has a region.",
      inputSchema: {
        type: "object",
        properties: { where: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } } },
      },
      handler: () => "ok",
    });
    const { url } = await serving([routed]);
    const call = (headers: Record<string, string>): Promise<{ status: number }> =>
      post(url, "tools/call", { name: "routed", arguments: { where: { region: "eu" } } }, { headers });
    expect((await call({})).status).toBe(400);
    expect((await call({ "mcp-param-region": "us" })).status).toBe(400);
    expect((await call({ "mcp-param-region": "eu" })).status).toBe(200);
  });
});

describe("S29 cache poisoning", () => {
  it("marks a list public only where nobody signed in and nothing is kept back", async () => {
    const scope = async (options: ServedOptions, as?: string): Promise<string> => {
      const { url } = await serving([echo, refund], options);
      return (await post(url, "tools/list", {}, as === undefined ? {} : { as })).body.result.cacheScope;
    };
    expect(await scope({})).toBe("public");
    expect(await scope({ registry: { policy: readPolicyConfig({ tools: { deny: ["refund"] } }) } })).toBe("private");
    expect(await scope({ signIn }, "ada")).toBe("private");
  });

  it("gives two users with different rights different lists, one right after the other", async () => {
    const policy: PolicyConfig = { agents: { support: { tools: { allow: ["echo"] } } } };
    const { url } = await serving([echo, refund], { registry: { policy: readPolicyConfig(policy) }, signIn: (name) => ({ agent: name }) });
    const names = async (as: string): Promise<string[]> =>
      (await post(url, "tools/list", {}, { as })).body.result.tools.map(({ name }: { name: string }) => name);
    for (const _ of [1, 2]) {
      expect(await names("support")).toEqual(["echo"]);
      expect(await names("builder")).toEqual(["echo", "refund"]);
    }
  });
});

describe("S30 floods", () => {
  it("refuses bodies that are too large, too deep or no JSON, and cursors that were never given out", async () => {
    const { url } = await serving([echo], { maxBodyBytes: 100_000 });
    expect((await send(url, "x".repeat(200_000))).status).toBe(413);
    expect((await send(url, "[".repeat(50_000))).body.error.code).toBe(-32700);
    expect(
      (await send(url, `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(5_000)}1${"}".repeat(5_001)}`)).body.error.code,
    ).toBe(-32700);
    expect((await send(url, "{")).body.error.code).toBe(-32700);
    expect((await send(url, [])).body.error.code).toBe(-32600);
    expect((await post(url, "tools/list", { cursor: "MTAwMA" })).body.error.code).toBe(-32602);
  });

  it("gives up on bodies that come too slowly", async () => {
    const { url } = await serving([echo], { bodyTimeoutMs: 50 });
    const { port } = new URL(url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(port), "127.0.0.1");
      socket.once("error", reject);
      socket.once("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
  });

  it("keeps a bounded number of streams for each principal, and gives the place back when one is closed", async () => {
    const { url, endpoint } = await serving([echo], { signIn, streams: { perPrincipal: 2 } });
    const listen = (as: string, controller: AbortController): Promise<Response> =>
      fetch(url, {
        method: "POST",
        signal: controller.signal,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${as}`,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "subscriptions/listen",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "subscriptions/listen",
          params: { notifications: { toolsListChanged: true }, _meta: clientMeta },
        }),
      });
    const controllers = [1, 2, 3, 4, 5].map(() => new AbortController());
    const type = async (as: string, index: number): Promise<string> => (await listen(as, controllers[index]!)).headers.get("content-type")!;
    expect(await type("ada", 0)).toBe("text/event-stream");
    expect(await type("ada", 1)).toBe("text/event-stream");
    expect(await type("ada", 2)).toBe("application/json");
    expect(await type("bob", 3)).toBe("text/event-stream");
    controllers[0]!.abort();
    await vi.waitFor(async () => expect(await type("ada", 4)).toBe("text/event-stream"), { timeout: 60_000 });
    for (const controller of controllers) controller.abort();
    expect(endpoint.usage.sessions).toBe(0);
  });

  it("keeps nothing for sessions that were opened and left", async () => {
    const { url, endpoint } = await serving([echo]);
    const handshake = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: { name: "t", version: "1" } };
    for (let index = 0; index < 300; index++) await send(url, { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake });
    expect(endpoint.usage.sessions).toBe(0);
  });

  it("sweeps what was kept for a session that is not used any more", async () => {
    const { url, endpoint } = await serving([echo], { sessionIdleMs: 50 });
    const client = await connect(url, "legacy");
    await client.setLoggingLevel("info");
    expect(endpoint.usage.sessions).toBe(1);
    await vi.waitFor(() => expect(endpoint.usage.sessions).toBe(0), { timeout: 60_000 });
  });
});

describe("keys that mean something to JavaScript", () => {
  it("are names like any other, in arguments, prompts, resources and answers", async () => {
    const { url } = await serving([echo]);
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect((await post(url, "tools/call", { name, arguments: {} })).body.error.code).toBe(-32602);
      expect((await post(url, "prompts/get", { name })).body.error.code).toBe(-32602);
      expect((await post(url, "resources/read", { uri: `toolrack://tools/${name}` })).body.error.code).toBe(-32602);
    }
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi","__proto__":{"polluted":true}}}}`;
    await send(url, body);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
