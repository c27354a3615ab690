import { type Caller, type Registry, type ToolBundle, ToolError } from "@toolrack/core";
import { toFailure } from "@toolrack/core/internal";
import type { McpEndpoint, SeenMessage } from "@toolrack/mcp";
import { type McpOperation, openMcpOperation } from "../../telemetry/trace/mcp-operation.ts";
import type { CallOrigin } from "../../telemetry/trace/origin.ts";
import { openRequestSpan } from "../../telemetry/trace/request-span.ts";
import { readTrace } from "../../telemetry/trace/trace.ts";
import { newCallId } from "../../rack/calls/call-id.ts";
import { listingOnly } from "../../rack/tools/listed-tools.ts";
import type { RequestServices } from "../request/services.ts";
import { type HttpRequest, type Reply, unixSocket, type WholeReply } from "../transport/exchange.ts";
import { identify } from "../sign-in/identify.ts";
import type { Identity } from "../sign-in/identity.ts";
import { Problem } from "../reply/problem.ts";
import { jsonReply, problemReply, securityHeaders, toProblem } from "../reply/respond.ts";
import type { TokenCheck } from "../sign-in/tokens.ts";

/** The registry over MCP, behind the same sign-in, limits and policy as the API. */
export interface McpMount {
  readonly path: string;
  answer(request: HttpRequest): Promise<Reply>;
  /** The metadata by which clients find the issuer of tokens (RFC 9728). */
  describe(request: HttpRequest): WholeReply;
  /** Sessions with stored settings, and open streams. */
  usage(): McpEndpoint["usage"];
  close(): Promise<void>;
}

export interface McpMountOptions {
  readonly services: RequestServices;
  /** The path of the endpoint. */
  readonly path: string;
  /** Only these tools are listed; others are found and called through them. @default all tools of the caller */
  readonly listed?: readonly string[];
  /** What a client is told where one of them is missing. */
  readonly whenMissing?: string;
  readonly tokens: TokenCheck | undefined;
  readonly key: string | Uint8Array | undefined;
  /** "https://tools.example.com". @default the host of each request */
  readonly publicOrigin?: string | undefined;
  /** Adds the configured facts of an agent. */
  readonly callerFor: (identity: Identity) => Caller;
}

export function mountMcp({ services, path, listed, whenMissing = "", tokens, key, publicOrigin, callerFor }: McpMountOptions): McpMount {
  const { registry, listed: listedRegistry, settings } = services.rack;
  const bundleNamed = (name: string): ToolBundle | undefined => settings.bundles().find((one) => one.name === name);
  /** By the bundle that the client chose; "" for none. Each is kept: there are as many as there were bundles. */
  const opened = new Map<string, Promise<McpEndpoint>>();
  const endpoints = new Set<McpEndpoint>();

  /** Loaded for the first client: the command line opens an app without any. */
  async function open(bundle: string): Promise<McpEndpoint> {
    const { openMcpEndpoint } = await import("./endpoint.ts");
    const names = (): ReadonlySet<string> => {
      if (bundle === "") return new Set(listed);
      const { required = [], optional = [] } = bundleNamed(bundle) ?? {};
      return new Set([...required, ...optional]);
    };
    const only = bundle === "" && listed === undefined ? listedRegistry : listingOnly(listedRegistry, names);
    // What is searched for is called although it is not listed; a bundle is all that its client has.
    const shown = bundle === "" ? only : callingOnly(only, names, bundle);
    const endpoint = openMcpEndpoint({ registry: shown, services, key, ...(bundle !== "" && { bundle, names }) });
    endpoints.add(endpoint);
    return endpoint;
  }

  async function visit(request: HttpRequest, seen: SeenRequest): Promise<Reply> {
    const bundle = listed === undefined ? (new URLSearchParams(request.query).get("bundle") ?? "") : "";
    if (listed?.some((name) => !registry.has(name))) throw new Problem(404, "NOT_FOUND", whenMissing);
    const identity = await identify({ needs: "anyone" }, services, request);
    const { principal, credential } = identity;
    seen.identity = identity;
    if (bundle !== "" && bundleNamed(bundle) === undefined)
      throw new Problem(404, "NOT_FOUND", `There is no bundle "${bundle.slice(0, 100)}". Connect to ${path} for all tools.`);
    const leave = services.requests.enter(principal);
    const opening = opened.get(bundle) ?? open(bundle);
    opened.set(bundle, opening);
    const mcp = await opening.catch((error: unknown) => {
      opened.delete(bundle);
      leave();
      throw error;
    });
    const visitor = {
      caller: callerFor(identity),
      principal,
      onAnswer(status: number, isStream: boolean) {
        seen.operation?.answered(status, isStream);
        seen.onAnswer(status);
      },
      onMessage(message: SeenMessage) {
        seen.operation = openMcpOperation({
          message,
          server: services.rack.servers.name,
          origin: seen.origin,
          header: (name) => request.header(name),
          isTool: (name) => registry.has(name),
          durations: services.server.metrics.operations,
          isUnixSocket: request.remoteAddress === unixSocket,
        });
      },
      onResult: (error: string | undefined) => seen.operation?.result(error),
      trace: seen.origin,
      ...(credential !== undefined && { signal: credential.signal, ...(credential.id !== undefined && { credential: credential.id }) }),
    };
    return {
      headers: securityHeaders,
      handler: {
        node(incoming, outgoing) {
          // A client that went while it signed in is not told of again.
          if (outgoing.destroyed) leave();
          else outgoing.once("close", leave);
          mcp.node(incoming, outgoing, visitor);
        },
        fetch: (web) => mcp.fetch(web, visitor).finally(leave),
      },
    };
  }

  return {
    path,
    async answer(request) {
      const startedAt = performance.now();
      const route = `${request.method} ${path}`;
      const span = openRequestSpan(
        services.rack.servers.name,
        route,
        readTrace(request.header("traceparent"), request.header("tracestate")),
      );
      const origin: CallOrigin = { requestId: request.id, ...span.traceContext };
      const seen: SeenRequest = {
        origin,
        onAnswer(status, code) {
          const { agent, principal } = seen.identity ?? {};
          const seconds = (performance.now() - startedAt) / 1_000;
          span.end(status, agent);
          services.note({ route, status, seconds, origin, code, agent, principal });
        },
      };
      try {
        return await visit(request, seen);
      } catch (error) {
        const problem = toProblem(error);
        services.rack.storeWatch.notice(error);
        seen.onAnswer(problem.status, problem.code);
        return problemReply(
          tokens === undefined ? problem : withMetadata(problem, `${publicOrigin ?? request.origin}${metadataPath(path)}`),
        );
      }
    },
    describe(request) {
      if (tokens === undefined)
        return problemReply(new Problem(404, "NOT_FOUND", "This server accepts API keys only; no issuer of tokens is configured."));
      const resource = `${publicOrigin ?? request.origin}${path}`;
      return jsonReply(200, { resource, authorization_servers: [tokens.issuer], bearer_methods_supported: ["header"] });
    },
    usage: () =>
      [...endpoints].reduce((sum, { usage }) => ({ sessions: sum.sessions + usage.sessions, streams: sum.streams + usage.streams }), {
        sessions: 0,
        streams: 0,
      }),
    close: async () => void (await Promise.all([...opened.values()].map(async (one) => (await one).close()))),
  };
}

/** The facts of a request when it is answered. */
interface SeenRequest {
  readonly origin: CallOrigin;
  identity?: Identity;
  operation?: McpOperation;
  readonly onAnswer: (status: number, code?: string) => void;
}

/** The same registry, which answers a call of another tool as if there were none. */
function callingOnly(registry: Registry, namesNow: () => ReadonlySet<string>, bundle: string): Registry {
  const invoke: Registry["invoke"] = (name, input, options) => {
    if (namesNow().has(registry.get(name)?.name ?? name)) return registry.invoke(name, input, options);
    const message = `The bundle "${bundle}" of this connection has no tool "${name.slice(0, 128)}". List the tools to see what there is.`;
    return Promise.resolve(
      toFailure(new ToolError("TOOL_NOT_FOUND", message), { callId: options?.callId ?? newCallId(), tool: name, durationMs: 0 }),
    );
  };
  return Object.create(registry, { invoke: { value: invoke } }) as Registry;
}

/** The path of the metadata of an endpoint (RFC 9728, section 3.1). */
export function metadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path}`;
}

function withMetadata(problem: Problem, metadataUrl: string): Problem {
  if (problem.status !== 401) return problem;
  return new Problem(401, problem.code, problem.message, {
    headers: { "www-authenticate": `Bearer realm="toolrack", resource_metadata="${metadataUrl}"` },
  });
}
