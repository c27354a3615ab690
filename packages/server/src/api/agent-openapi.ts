import { isWebAddress } from "@toolrack/fetch/internal";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { bundleParameter, toolsFor } from "./shared/bundles.ts";
import { subjectOf } from "./shared/callers.ts";
import type { ToolDocument } from "./shared/tool-document.ts";

export interface AgentOpenApiAnswers {
  "GET /agents/{id}/openapi.json": ToolDocument;
}

const text = { type: "string" } as const;
const anyObject = { type: "object", additionalProperties: true } as const;

const document = defineRoute({
  method: "GET",
  path: "/agents/{id}/openapi.json",
  id: "describeAgentTools",
  group: "agents",
  isHeavy: true,
  summary: "Describe the tools that an agent may use as an OpenAPI 3.1 document. For the agent itself; a role that sees others reads any.",
  params: {
    type: "object",
    properties: { id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$" } },
    required: ["id"],
    additionalProperties: false,
  },
  query: {
    type: "object",
    properties: {
      ...bundleParameter,
      full: {
        type: "boolean",
        description:
          "Whether descriptions are given in full. Default: shortened to 300 characters, 700 for a parameter, as platforms require.",
      },
      server: {
        type: "string",
        maxLength: 500,
        description: "The base URL of the document. Default: server.publicUrl, or the host of the request.",
      },
    },
    additionalProperties: false,
  },
  answers: ok(
    "One operation for each tool: the call of it, with the agent's key.",
    objectOf<ToolDocument>({
      openapi: { const: "3.1.0" },
      info: objectOf({ title: text, version: text, description: text }),
      servers: listOf(objectOf({ url: text })),
      paths: anyObject,
      components: anyObject,
      security: { type: "array", items: anyObject },
    }),
  ),
  async run(request) {
    // Loaded with the first document: `toolrack list` does without it.
    const { toToolDocument } = await import("./shared/tool-document.ts");
    const { rack, params, query } = request;
    const caller = subjectOf(request, { agent: params.id });
    const tools = toolsFor(request, caller, query.bundle);
    const address = query.server ?? request.origin;
    // Paths are put behind it, and a platform keeps the document with a credential in it.
    if (!isWebAddress(address) || /[?#]/.test(address))
      throw new Problem(
        400,
        "REQUEST_INVALID",
        "server must be an address of http or https without credentials, ? and #. Write one such as https://tools.example.com.",
      );
    return {
      body: toToolDocument(tools, {
        agent: params.id,
        server: `${address.replace(/\/+$/, "")}/api/v1`,
        version: rack.version,
        isFull: query.full === true,
      }),
    };
  },
});

export const agentOpenApiRoutes: RoutesOf<AgentOpenApiAnswers> = [document];
