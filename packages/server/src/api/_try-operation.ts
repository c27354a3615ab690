import { type SecretsPort, ToolError, type ToolResult } from "@toolrack/core";
import { createSafeFetch } from "@toolrack/fetch";
import { describeOpenApiTool, loadOpenApi } from "@toolrack/openapi";
import { findSourceFault } from "../config/checks/source-fault.ts";
import type { OpenApiSourceConfig } from "../config/openapi-source.ts";
import type { RouteRequest } from "../http/route.ts";
import { newCallId } from "../rack/calls/call-id.ts";
import { readDocument } from "../rack/sources/openapi/read-document.ts";
import { toReadOptions } from "../rack/sources/openapi/read-options.ts";
import { createOwnAddressCheck } from "../rack/util/own-address.ts";
import { callerFor } from "./shared/callers.ts";

export interface TriedOperation {
  /** The id of the source that it would be. */
  readonly source: string;
  readonly config: OpenApiSourceConfig;
  /** The document, unless the configuration has its URL. */
  readonly text: string | undefined;
  /** "GET /pets" */
  readonly operation: string;
  readonly input: unknown;
}

/**
 * Calls one operation of a document that nobody saved: as its tool would, under the policy for its name, with the guard of the source's
 * hosts and the secrets that its configuration names. It waits for approval, and is redacted and recorded, like every call. The tool is served to nobody.
 */
export async function tryOperation(request: RouteRequest, tried: TriedOperation): Promise<ToolResult> {
  const { rack, signal } = request;
  const { source, text, operation, input } = tried;
  const config: OpenApiSourceConfig = { ...tried.config, include: [operation], ...(text !== undefined && { document: given }) };
  const fault = unsavedFault(tried) ?? findSourceFault(source, { openapi: config });
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
  const place = `sources.${source}.openapi`;
  const { allowHosts = [], timeoutMs, maxBytes } = config;
  const fetch = createSafeFetch({
    allowHosts,
    allowHostsKey: `${place}.allowHosts`,
    isOwnAddress: createOwnAddressCheck(rack.ownPorts, rack.config.server?.publicUrl),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  const registry = rack.openBeside({ secrets: onlyNamed(rack.secrets, config) });
  try {
    const read = await readDocument(config, { folder: "", fetch, signal, place, stored: async () => text });
    const { tools, refused } = await loadOpenApi(read.text, { ...toReadOptions(source, config), fetch, signal });
    const tool = tools.find((one) => operationOf(one) === operation);
    if (tool === undefined) {
      const reason = refused.find((one) => one.operation === operation)?.reason ?? "the document has no such operation, or it is excluded.";
      throw new ToolError("CONFIG_INVALID", `${operation.slice(0, 200)} is no tool: ${reason}`);
    }
    registry.register(tool);
    return await registry.invoke(tool.name, input, { caller: callerFor(request), callId: newCallId(), signal });
  } finally {
    await registry.close();
    await fetch.close();
  }
}

/** Stands for the text that came with the request. */
const given = `openapi-document-${"0".repeat(64)}`;

/** Files of the server's folder, and documents of its store, are read for sources that somebody saved. */
function unsavedFault({ config: { file, document, overlays, documents }, source }: TriedOperation): string | undefined {
  const [part] = Object.entries({ file, document, overlays, documents }).find(([, value]) => value !== undefined) ?? [];
  if (part === undefined) return undefined;
  return `An operation is tried with the text or the URL of its document; sources.${source}.openapi.${part} is read once the source is saved. Save it, and call its tool.`;
}

function operationOf(tool: Parameters<typeof describeOpenApiTool>[0]): string {
  const { method, path } = describeOpenApiTool(tool);
  return `${method} ${path}`;
}

/** An API gets the secrets that its configuration names, and no others. */
function onlyNamed(secrets: SecretsPort, { secrets: named = {} }: OpenApiSourceConfig): SecretsPort {
  const allowed = new Set(Object.values(named));
  return {
    has: (name) => allowed.has(name) && secrets.has(name),
    get: async (request) => (allowed.has(request.name) ? secrets.get(request) : undefined),
  };
}
