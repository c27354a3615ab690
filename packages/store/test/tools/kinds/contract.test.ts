import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSafeFetch } from "@toolrack/fetch";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Handler, ImplementationKind } from "../../../src/tools/kinds/kind.ts";
import { httpKind } from "../../../src/tools/kinds/http.ts";
import { localKind } from "../../../src/tools/kinds/local.ts";
import { implementationContract, type ImplementationContractOptions } from "../../../src/testing/implementation-contract.ts";

// The address is a part of the implementations, so the server has to listen before the checks are made.
const server: Server = createServer((request, response) => {
  const { pathname } = new URL(request.url!, "http://x");
  if (pathname === "/never") return;
  response.writeHead(200, { "content-type": "text/plain" }).end(`${pathname} ${request.headers.authorization ?? "without a key"}`);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;

describe("the kind http", () => {
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const checks = implementationContract(() => httpKind(createSafeFetch({ allowHosts: [`127.0.0.1:${port}`] })), {
    runs: [
      { implementation: { endpoint: `${origin}/users/{id}` }, input: { id: 7 }, content: "/users/7 without a key" },
      { implementation: { endpoint: `${origin}/me`, auth: { type: "bearer", secret: "secret:key" } }, content: "/me Bearer abc" },
    ],
    refused: [
      {},
      { endpoint: "https://{host}/x" },
      { endpoint: `${origin}/x`, method: "JUMP" },
      { endpoint: `${origin}/x`, auth: { type: "bearer", secret: "abc" } },
    ],
    waits: { implementation: { endpoint: `${origin}/never` } },
    secrets: { key: "abc" },
  });
  for (const check of checks) it(check.name, check.run);
});

describe("the kind local", () => {
  const handlers: Record<string, Handler> = {
    one: () => "default",
    greet: ({ name }) => `Hello, ${String(name)}.`,
    wait: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  };
  const checks = implementationContract(() => localKind(handlers), {
    runs: [{ implementation: { id: "greet" }, input: { name: "Ada" }, content: "Hello, Ada." }],
    refused: [{ id: "gone" }, { id: "toString" }],
    waits: { implementation: { id: "wait" } },
  });
  for (const check of checks) it(check.name, check.run);
});

describe("a kind that breaks the contract", () => {
  const options: ImplementationContractOptions = { runs: [{ implementation: { text: "a" }, content: "a" }], refused: [{}] };
  const good: ImplementationKind = {
    kind: "text",
    createHandler({ text }) {
      if (typeof text !== "string") throw new Error('"text" must be a string.');
      return () => text;
    },
  };
  const failures = async (kind: ImplementationKind, more: Partial<ImplementationContractOptions> = {}): Promise<string[]> => {
    const failed: string[] = [];
    for (const { name, run } of implementationContract(() => kind, { ...options, ...more }))
      await run().catch(() => failed.push(name.slice(name.indexOf(": ") + 2)));
    return failed;
  };
  const timers: NodeJS.Timeout[] = [];
  afterAll(() => timers.forEach(clearTimeout));
  beforeAll(async () => expect(await failures(good)).toEqual([]));

  it.each<[string, Partial<ImplementationKind>, Partial<ImplementationContractOptions>, string]>([
    ["a name that no definition can have", { kind: "My Kind" }, {}, "has a name"],
    [
      "a handler for everything",
      {
        createHandler:
          ({ text }) =>
          () =>
            String(text),
      },
      {},
      "refuses an implementation that cannot run",
    ],
    ["no handler", { createHandler: () => undefined as never }, {}, "creates a handler or throws"],
    [
      "a timer that it starts too early",
      { createHandler: (...given) => (timers.push(setTimeout(() => {}, 60_000)), good.createHandler(...given)) },
      {},
      "creates a handler without opening anything",
    ],
    [
      "a definition that it changes",
      { createHandler: (...given) => (Object.assign(given[0], { text: "b" }), good.createHandler(...given)) },
      {},
      "creates a handler without opening anything",
    ],
    ["a secret that nobody has", { secrets: () => ["key"] }, {}, "lists the secrets"],
    ["another result", { createHandler: (...given) => (good.createHandler(...given), () => "b") }, {}, "runs as a stored tool"],
    ["a second close that fails", { close: failingTwice() }, {}, "can be closed twice"],
  ])("is found: %s", async (_, change, more, check) => {
    expect((await failures({ ...good, ...change }, more)).join("\n")).toContain(check);
  });

  it("is found: an abort that it ignores", async () => {
    const deaf: ImplementationKind = { ...good, createHandler: (...given) => (good.createHandler(...given), () => new Promise(() => {})) };
    const check = implementationContract(() => deaf, { ...options, waits: { implementation: { text: "a" } } }).find(({ name }) =>
      name.includes("aborted"),
    )!;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = expect(check.run()).rejects.toThrow("the call did not end after its signal was aborted");
    await vi.advanceTimersByTimeAsync(5_000);
    await running;
  });
});

function failingTwice(): () => Promise<void> {
  let count = 0;
  return () => (++count > 1 ? Promise.reject(new Error("closed already")) : Promise.resolve());
}
