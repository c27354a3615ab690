import type { Registry } from "@toolrack/core";
import { type McpEndpoint, serveMcp } from "@toolrack/mcp";
import type { Answers } from "@toolrack/store";
import { callerInstructions } from "./caller-instructions.ts";
import type { RequestServices } from "../request/services.ts";

export interface McpEndpointOptions {
  readonly registry: Registry;
  readonly services: RequestServices;
  /** The bundle whose tools are all that the registry has. Then clients do not get what sources say beside their tools. */
  readonly bundle?: string;
  /** The tools of the bundle at the moment, also those that are not there. */
  readonly names?: () => ReadonlySet<string>;
  /** Signs the state of clients between requests. */
  readonly key: string | Uint8Array | undefined;
}

/** A registry over MCP, behind the limits of the HTTP server. */
export function openMcpEndpoint({ registry, services, bundle, names, key }: McpEndpointOptions): McpEndpoint {
  const { version, tasks, mcpSessions, mcpPages, config, texts } = services.rack;
  const {
    bodyBytes: maxBodyBytes,
    jsonValues: maxBodyValues,
    bodyTimeoutMs,
    streamsPerCaller,
    streams,
    sessionsPerCaller,
  } = services.limits;
  const passesTextsOn = bundle === undefined;
  const endpoint = serveMcp(registry, {
    version,
    tasks,
    sessionStore: mcpSessions,
    resultPeers: mcpPages,
    // A client waits no longer than an approval in the console.
    answerWithinMs: config.approvals?.waitMs ?? defaultWaitMs,
    notice(caller) {
      const own = names?.();
      return [
        callerInstructions({
          registry: passesTextsOn ? services.rack.registry : registry,
          listed: registry,
          bundle,
          caller,
          waiting: services.rack.trust.waiting().filter(({ tool }) => own === undefined || own.has(tool)),
        }),
        ...(passesTextsOn ? texts.instructionsFor(caller) : []),
      ].join("\n\n");
    },
    beforeList: services.rack.sources.gathered,
    ...(passesTextsOn && { prompts: texts.promptsFor, resources: texts.resourcesFor }),
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
  if (!passesTextsOn) return endpoint;
  const stop = texts.onChange(() => {
    endpoint.notify.promptsChanged();
    endpoint.notify.resourcesChanged();
  });
  const close = async (): Promise<void> => {
    stop();
    await endpoint.close();
  };
  return Object.create(endpoint, { close: { value: close } }) as McpEndpoint;
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
