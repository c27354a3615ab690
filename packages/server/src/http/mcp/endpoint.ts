import type { Registry } from "@toolrack/core";
import { type McpEndpoint, serveMcp } from "@toolrack/mcp";
import type { Answers } from "@toolrack/store";
import { callerInstructions } from "./caller-instructions.ts";
import type { RequestServices } from "../request/services.ts";

export interface McpEndpointOptions {
  readonly registry: Registry;
  readonly services: RequestServices;
  /** Signs the state of clients between requests. */
  readonly key: string | Uint8Array | undefined;
}

/** A registry over MCP, behind the limits of the HTTP server. */
export function openMcpEndpoint({ registry, services, key }: McpEndpointOptions): McpEndpoint {
  const { version, tasks, mcpSessions, mcpPages, config } = services.rack;
  const {
    bodyBytes: maxBodyBytes,
    jsonValues: maxBodyValues,
    bodyTimeoutMs,
    streamsPerCaller,
    streams,
    sessionsPerCaller,
  } = services.limits;
  return serveMcp(registry, {
    version,
    tasks,
    sessionStore: mcpSessions,
    resultPeers: mcpPages,
    // A client waits no longer than an approval in the console.
    answerWithinMs: config.approvals?.waitMs ?? defaultWaitMs,
    notice: (caller) =>
      callerInstructions({ registry: services.rack.registry, listed: registry, caller, waiting: services.rack.trust.waiting() }),
    ...config.server?.mcp,
    // The guard of the HTTP server has checked them.
    allowedHosts: "any",
    allowedOrigins: "any",
    maxBodyBytes,
    maxBodyValues,
    bodyTimeoutMs,
    sessionsPerPrincipal: sessionsPerCaller,
    streams: { perPrincipal: streamsPerCaller, total: streams },
    usedStates: createUsedStates(services.answers),
    ...(key !== undefined && { requestStateKey: key }),
  });
}

const defaultWaitMs = 600_000;

/** An approval is used once, on any server. */
export function createUsedStates(answers: Answers): { claim(id: string): Promise<boolean> } {
  return {
    async claim(id) {
      const claimed = await answers.once({ key: `mcp state ${id}`, request: null, make: async () => true });
      return claimed.outcome === "answered" && claimed.isFirst;
    },
  };
}
