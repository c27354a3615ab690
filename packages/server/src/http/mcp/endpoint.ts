import type { Registry } from "@toolrack/core";
import { type McpEndpoint, serveMcp } from "@toolrack/mcp";
import { unlistedNote } from "../../rack/access/unlisted-note.ts";
import type { Door } from "../request/request-scope.ts";

export interface McpEndpointOptions {
  readonly registry: Registry;
  readonly door: Door;
  /** Signs what clients carry from one request to the next. */
  readonly key: string | Uint8Array | undefined;
}

/** A registry over MCP, with the limits of the door in front of it. */
export function openMcpEndpoint({ registry, door, key }: McpEndpointOptions): McpEndpoint {
  const { version, tasks, mcpSessions, mcpPages, config } = door.rack;
  const { bodyBytes: maxBodyBytes, jsonValues: maxBodyValues, bodyTimeoutMs, streamsPerCaller, streams, sessionsPerCaller } = door.limits;
  return serveMcp(registry, {
    version,
    tasks,
    sessionStore: mcpSessions,
    resultPeers: mcpPages,
    // Nobody is waited for longer than for a person at the console.
    answerWithinMs: config.approvals?.waitMs ?? defaultWaitMs,
    notice: (caller) => unlistedNote(door.rack.registry, caller),
    // The guard in front of every route has looked at them.
    allowedHosts: "any",
    allowedOrigins: "any",
    maxBodyBytes,
    maxBodyValues,
    bodyTimeoutMs,
    sessionsPerPrincipal: sessionsPerCaller,
    streams: { perPrincipal: streamsPerCaller, total: streams },
    usedStates: { claim: (id) => isFirst(door, id) },
    ...(key !== undefined && { requestStateKey: key }),
  });
}

const defaultWaitMs = 600_000;

/** What a person agreed to is good once, on whichever server it comes in. */
async function isFirst({ answers }: Door, id: string): Promise<boolean> {
  const claimed = await answers.once({ key: `mcp state ${id}`, request: null, make: async () => true });
  return claimed.outcome === "answered" && claimed.isFirst;
}
