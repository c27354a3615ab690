import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { SourceInfo } from "../rack/rack.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";

export interface SourceList {
  readonly sources: readonly SourceInfo[];
  readonly next?: number;
}

export interface SourceAnswers {
  "GET /sources": SourceList;
  "PUT /sources/{id}": SourceInfo;
  "POST /sources/{id}/approve": SourceInfo;
  "POST /sources/{id}/refresh": SourceInfo;
  "DELETE /sources/{id}": undefined;
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const byId = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 64 } },
  required: ["id"],
  additionalProperties: false,
} as const;
const values = { type: "object", additionalProperties: text } as const;

const sourceSchema = objectOf<SourceInfo>(
  {
    id: text,
    kind: { ...text, description: "built-in, mcp-stdio, mcp-http, or a type of source that a module adds." },
    state: { enum: ["ready", "failed", "starting", "disabled", "waiting-for-approval"] },
    tools: texts,
    problems: { ...texts, description: "One line for each tool that was left out." },
    origin: text,
    error: text,
    readAt: { type: "number" },
    connection: text,
    identity: {
      ...text,
      description: "The hash of command, arguments, variables and folder, or of type and options: what an admin approves.",
    },
    supplies: {
      ...objectOf({ kinds: texts, packs: texts, sources: texts, vendors: texts, wrappers: texts, lintRules: texts }),
      description: "What a module supplies in addition to its tools, by name.",
    },
    config: { type: "object", additionalProperties: true, description: "As it is configured; of variables and headers only the names." },
  },
  ["error", "readAt", "connection", "identity", "supplies", "config"],
);

const list = defineRoute({
  method: "GET",
  path: "/sources",
  id: "listSources",
  group: "sources",
  summary: "List the sources of tools and their state.",
  needs: ["subscriber", "curator", "admin"],
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok("The sources.", objectOf<SourceList>({ sources: listOf(sourceSchema), next: nextOffset }, ["next"])),
  run({ rack, query }) {
    const { items: sources, ...rest } = pageOf(rack.sources.list(), query as PageQuery);
    return { body: { sources, ...rest } };
  },
});

const put = defineRoute({
  method: "PUT",
  path: "/sources/{id}",
  id: "putSource",
  group: "sources",
  summary:
    "Add or change a source: an MCP server, or a type that a module adds. A program, or a source of a module, is started only after its identity was approved.",
  needs: ["admin"],
  params: byId,
  body: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "A program, started without a shell." },
      args: texts,
      env: { ...values, description: 'Values may be "secret:<name>".' },
      cwd: text,
      allowUnpinned: { type: "boolean", description: "Whether npx, uvx and similar may fetch a package without an exact version." },
      url: text,
      headers: { ...values, description: 'Values may be "secret:<name>".' },
      allowHosts: { ...texts, description: "Hosts that may be reached although their address is not public." },
      type: { type: "string", minLength: 1, description: "mcp, or a type of source that a module adds. Default: mcp." },
      options: { type: "object", description: "Options of a type that a module adds." },
      enabled: { type: "boolean" },
    },
    additionalProperties: false,
  },
  answers: ok("The current state of the source.", sourceSchema),
  async run({ rack, identity, params, body }) {
    const fault = rack.sources.faultOf(params.id, body);
    if (fault !== undefined) throw new Problem(400, "CONFIG_INVALID", fault);
    await rack.settings.set(`sources.${params.id}`, body, identity);
    return { body: find(rack.sources.list(), params.id) };
  },
});

const approve = defineRoute({
  method: "POST",
  path: "/sources/{id}/approve",
  id: "approveSource",
  group: "sources",
  summary: "Approve what a source starts: exactly this command, these arguments, variables and folder, or this type and these options.",
  needs: ["admin"],
  params: byId,
  body: { type: "object", properties: { identity: text }, required: ["identity"], additionalProperties: false },
  answers: ok("The current state of the source.", sourceSchema),
  async run({ rack, identity, params, body }) {
    const known = find(rack.sources.list(), params.id);
    if (known.identity !== undefined && known.identity !== body.identity)
      throw new Problem(409, "STATE_INVALID", `The source "${params.id}" has changed. Look at it again, and approve its current identity.`);
    const approved = await rack.sources.approve(params.id, body.identity, identity);
    if (approved === undefined)
      throw new Problem(
        409,
        "STATE_INVALID",
        `The source "${params.id}" starts neither a program nor code of a module, so there is nothing to approve.`,
      );
    return { body: approved };
  },
});

const refresh = defineRoute({
  method: "POST",
  path: "/sources/{id}/refresh",
  id: "refreshSource",
  group: "sources",
  summary: "Read the tools of a source again, now.",
  needs: ["curator", "admin"],
  params: byId,
  answers: ok("The current state of the source.", sourceSchema),
  async run({ rack, params }) {
    const refreshed = await rack.sources.refresh(params.id);
    if (refreshed === undefined) throw noSource(params.id);
    return { body: refreshed };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/sources/{id}",
  id: "removeSource",
  group: "sources",
  summary: "Remove a source and its tools.",
  needs: ["admin"],
  params: byId,
  answers: nothing,
  async run({ rack, identity, params }) {
    const key = `sources.${params.id}`;
    if (rack.settings.get(key) === undefined) throw noSource(params.id);
    await rack.settings.set(key, null, identity);
    return { status: 204 };
  },
});

export const sourceRoutes: RoutesOf<SourceAnswers> = [list, put, approve, refresh, remove];

function find<Source extends { readonly id: string }>(sources: readonly Source[], id: string): Source {
  const found = sources.find((source) => source.id === id);
  if (found === undefined) throw noSource(id);
  return found;
}

function noSource(id: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no source "${id.slice(0, 64)}".`);
}
