import { type AnyTool, defineTool } from "@toolrack/core";
import { verifyAudit } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { expect } from "vitest";
import type { Rack } from "../../src/rack/rack.ts";

/** A tool that counts how often it runs, and the answers that its callers got. */
export interface Counting {
  readonly tool: AnyTool;
  /** Ids of the calls whose handler ran. */
  readonly ran: Set<string>;
  /** Lets those go that wait. */
  release(): void;
}

export function createCounting(): Counting {
  const ran = new Set<string>();
  let release!: () => void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const tool = defineTool({
    name: "work",
    description: "Does something that must not be done unseen.",
    inputSchema: { type: "object", properties: { waits: { type: "boolean" }, load: { type: "string" } } },
    async handler({ waits }, { callId }) {
      expect(ran.has(callId)).toBe(false);
      ran.add(callId);
      if (waits === true) await gate;
      return "done";
    },
  });
  return { tool, ran, release };
}

/** What a caller saw of one call. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly callId: string;
  readonly code: string | undefined;
  readonly text: string;
}

export async function callOver(
  url: string,
  key: string,
  input: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await fetch(`${url}/api/v1/tools/work/call`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ input }),
  });
  const text = await response.text();
  const { callId, code, meta } = JSON.parse(text) as { callId?: string; code?: string; meta?: { callId: string } };
  return { status: response.status, retryAfter: response.headers.get("retry-after"), callId: callId ?? meta!.callId, code, text };
}

/** The result of the call on the wire. */
export async function callOverMcp(url: string, key: string): Promise<unknown> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${key}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "work",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "work", arguments: {}, _meta: meta } }),
  });
  return ((await response.json()) as { readonly result: unknown }).result;
}

/** Calls answered ok, calls run and lines in the audit are the same, each once; nothing is kept, and nothing seems to run. */
export async function expectAllRecorded(rack: Rack, ran: ReadonlySet<string>, answers: readonly Answered[]): Promise<void> {
  await until(() => rack.recording.counts.kept === 0, "Ends of calls were not written.");
  const lines = await rack.calls.list({ tool: "work", limit: 1_000 });
  const recorded = lines.map(({ callId }) => callId);
  expect(new Set(recorded).size).toBe(recorded.length);
  expect([...recorded].sort()).toEqual([...ran].sort());
  const done = answers.filter(({ status }) => status === 200).map(({ callId }) => callId);
  expect(
    lines
      .filter(({ ok }) => ok)
      .map(({ callId }) => callId)
      .sort(),
  ).toEqual(done.sort());
  expect(await rack.calls.running()).toEqual([]);
  expect(await rack.running.listAll()).toEqual([]);
  expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  expect(await rack.recording.missing()).toEqual({ kept: 0, unrecorded: 0 });
}
