import { describe, expect, it } from "vitest";
import type { Connection } from "../../../src/upstream/connection/client.ts";
import { createObserveRequest } from "../../../src/upstream/connection/observe.ts";
import type { McpSourceOptions, UpstreamRequest } from "../../../src/upstream/upstream.ts";

const connection = { facts: () => ({ protocolVersion: "2026-07-28", session: "s1" }) } as unknown as Connection;
const request = { method: "tools/call", tool: "echo", callId: "call-1" } as const;

function observing(options: object) {
  const told: unknown[] = [];
  const onRequest = (seen: UpstreamRequest) => (told.push(seen), (error?: unknown) => void told.push(error));
  return { told, observe: createObserveRequest({ name: "shop", ...options, onRequest } as unknown as McpSourceOptions) };
}

describe("the observer of a source", () => {
  it.each<[what: string, options: object, place: object]>([
    ["a program", { command: "node" }, { transport: "pipe" }],
    ["https", { url: "https://mcp.example.com/a" }, { transport: "tcp", address: { host: "mcp.example.com", port: 443 } }],
    ["http", { url: "http://mcp.example.com/a" }, { transport: "tcp", address: { host: "mcp.example.com", port: 80 } }],
    ["a port", { url: "https://mcp.example.com:8443/a" }, { transport: "tcp", address: { host: "mcp.example.com", port: 8443 } }],
  ])("is told what is asked of which server, where, and that it was answered: %s", async (_what, options, place) => {
    const { told, observe } = observing(options);
    const answer = { content: [] };
    expect(await observe(connection, request, async () => answer)).toBe(answer);
    expect(told).toEqual([{ ...request, server: "shop", ...place, protocolVersion: "2026-07-28", session: "s1" }, undefined]);
  });

  it("is told when the tool itself answers with an error, which is still its answer", async () => {
    const { told, observe } = observing({ command: "node" });
    const answer = { isError: true };
    expect(await observe(connection, request, async () => answer)).toBe(answer);
    expect(told[1]).toMatchObject({ code: "tool_error", message: "The tool answered with an error." });
    expect(await observe(connection, request, async () => ({ isError: false }))).toEqual({ isError: false });
    expect(told[3]).toBeUndefined();
  });

  it("is told what went wrong, and so is the caller", async () => {
    const { told, observe } = observing({ command: "node" });
    const error = new Error("gone");
    await expect(observe(connection, request, () => Promise.reject(error))).rejects.toBe(error);
    expect(told[1]).toBe(error);
  });

  it("may want nothing but the beginning, or nothing at all", async () => {
    const seen: unknown[] = [];
    const onRequest = (one: UpstreamRequest) => void seen.push(one.tool);
    const begun = createObserveRequest({ name: "shop", command: "node", onRequest } as unknown as McpSourceOptions);
    const without = createObserveRequest({ name: "shop", command: "node" } as McpSourceOptions);
    for (const observe of [begun, without]) expect(await observe(connection, request, async () => ({ a: 1 }))).toEqual({ a: 1 });
    expect(seen).toEqual(["echo"]);
  });
});
