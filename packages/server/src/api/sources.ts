import { shellWord } from "@toolrack/core/internal/shell-word";
import { nearestNames } from "@toolrack/json-schema/internal";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { SourceConfig } from "../config/config.ts";
import { openApiSourceSchema } from "../config/openapi-source.ts";
import { maxTools, sourceTrust } from "../config/schema.ts";
import { workerSourceSchema } from "../config/worker-source.ts";
import { toShownSource } from "../config/shown-source.ts";
import type { Rack, SourceInfo } from "../rack/rack.ts";
import type { ImportedSource } from "../rack/sources/import-sources.ts";
import { ownSecretsOf, withStoredSecrets } from "../rack/sources/stored-secrets.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";

export interface SourceList {
  readonly sources: readonly SourceInfo[];
  readonly next?: number;
}

export interface RemovedSource {
  readonly id: string;
  /** Names of secrets that were made for it, and removed with it. */
  readonly removedSecrets: readonly string[];
  /** Names of secrets that were made for it, and are still there. */
  readonly keptSecrets: readonly string[];
}

/** What became of each server of a file, in its order. */
export interface SourceImport {
  readonly sources: readonly ImportedSource[];
}

export interface SourceAnswers {
  "GET /sources": SourceList;
  "POST /sources/import": SourceImport;
  "PUT /sources/{id}": SourceInfo;
  "POST /sources/{id}/approve": SourceInfo;
  "POST /sources/{id}/refresh": SourceInfo;
  "DELETE /sources/{id}": RemovedSource;
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
    kind: { ...text, description: "built-in, openapi, workers, mcp-stdio, mcp-http, or a type of source that a module adds." },
    state: { enum: ["ready", "failed", "starting", "disabled", "waiting-for-approval"] },
    searched: { const: true, description: "Models find its tools by search, and do not have them listed." },
    tools: texts,
    problems: { ...texts, description: "One line for each tool or operation that was left out." },
    held: { ...texts, description: "Tools that are not served because their definitions wait for a person." },
    origin: text,
    error: text,
    readAt: { type: "number" },
    retryAt: { type: "number", description: "Of a source that failed: when it is tried again, in milliseconds since 1970." },
    required: { const: true, description: "The server is ready only while this source is." },
    connection: text,
    identity: {
      ...text,
      description: "The hash of command, arguments, variables, files and folder, or of type and options: what an admin approves.",
    },
    files: { ...texts, description: "Of a program: the files whose content belongs to its identity." },
    supplies: {
      ...objectOf({ kinds: texts, packs: texts, sources: texts, vendors: texts, wrappers: texts, lintRules: texts }),
      description: "What a module supplies in addition to its tools, by name.",
    },
    config: { type: "object", additionalProperties: true, description: "As it is configured; of variables and headers only the names." },
  },
  ["searched", "held", "error", "readAt", "retryAt", "required", "connection", "identity", "files", "supplies", "config"],
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
    "Add or change a source: an MCP server, an OpenAPI document, or a type that a module adds. A program, or a source of a module, is started only after its identity was approved.",
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
      openapi: openApiSourceSchema,
      workers: workerSourceSchema,
      document: {
        type: "string",
        minLength: 1,
        writeOnly: true,
        description: "With openapi: the text of the document, instead of a url or a file. It is kept in the store.",
      },
      type: { type: "string", minLength: 1, description: "mcp, or a type of source that a module adds. Default: mcp." },
      options: { type: "object", description: "Options of a type that a module adds." },
      maxTools,
      enabled: { type: "boolean" },
      required: { type: "boolean", description: "Whether the server is ready only while this source is. Default: false." },
      trust: {
        type: "object",
        properties: sourceTrust,
        additionalProperties: false,
        description: "How new and changed definitions are treated. Default: each new one waits for a person, and so does each change.",
      },
      storeSecrets: {
        type: "boolean",
        description:
          "Whether values of env and headers that may be credentials are stored as secrets, and only referred to. Default: false.",
      },
      replaceSecrets: { type: "boolean", description: "Whether storeSecrets may overwrite secrets that exist. Default: false." },
    },
    additionalProperties: false,
  },
  answers: ok("The current state of the source.", sourceSchema),
  async run({ rack, identity, params, body }) {
    const { storeSecrets = false, replaceSecrets = false, document, ...rest } = body;
    const id = plainId(params.id);
    const given = document === undefined ? rest : await withDocument(rack, rest, document);
    const { config, secrets } = storeSecrets ? withStoredSecrets(id, given) : { config: given, secrets: new Map<string, string>() };
    // Values that become secrets may name files, too.
    const isChecked = secrets.size > 0 || given.openapi !== undefined;
    const fault = rack.sources.faultOf(id, config) ?? (isChecked ? rack.sources.startFaultOf(id, given) : undefined);
    if (fault !== undefined) throw new Problem(400, "CONFIG_INVALID", fault);
    const taken = replaceSecrets || secrets.size === 0 ? undefined : (await rack.secrets.list()).find(({ name }) => secrets.has(name));
    if (taken !== undefined)
      throw new Problem(
        409,
        "STATE_INVALID",
        `The secret "${taken.name}" exists already. Refer to it as "secret:${taken.name}", or overwrite it with --replace (replaceSecrets).`,
      );
    for (const [name, value] of secrets) await rack.secrets.set(name, value, { by: identity });
    const before = documentOf(rack, id);
    try {
      await rack.settings.set(`sources.${id}`, config, identity);
    } finally {
      for (const kept of new Set([before, config.openapi?.document])) if (kept !== undefined) await rack.sources.forgetDocument(kept);
    }
    return { body: find(rack, id) };
  },
});

function documentOf({ settings }: Pick<Rack, "settings">, id: string): string | undefined {
  return (settings.get(`sources.${id}`)?.value as SourceConfig | undefined)?.openapi?.document;
}

/** The same source over a document that is kept in the store. */
async function withDocument(rack: Rack, source: SourceConfig, text: string): Promise<SourceConfig> {
  const { openapi } = source;
  if (openapi === undefined)
    throw new Problem(400, "REQUEST_INVALID", "document is the text of an OpenAPI document: it needs openapi, which may be {}.");
  if ((openapi.url ?? openapi.file ?? openapi.document) !== undefined)
    throw new Problem(400, "REQUEST_INVALID", "The request has a document, and a url or file of one. Send one of them.");
  return { ...source, openapi: { ...openapi, document: await rack.sources.keepDocument(text) } };
}

const names = { type: "array", items: text } as const;

const importAll = defineRoute({
  method: "POST",
  path: "/sources/import",
  id: "importSources",
  group: "sources",
  summary:
    "Import MCP servers from the configuration file of an editor or another client. Credentials are stored as secrets; programs wait for approval.",
  needs: ["admin"],
  // The file may contain credentials: nothing of it is stored with the request.
  keepsIdempotency: true,
  body: {
    type: "object",
    properties: {
      text: {
        type: "string",
        minLength: 1,
        maxLength: 1_000_000,
        writeOnly: true,
        description:
          "The whole file: JSON with comments, TOML or YAML, with mcpServers, servers, context_servers, mcp_servers or extensions.",
      },
      format: { enum: ["json", "toml", "yaml"], description: "Default: as the text looks." },
      variables: {
        ...values,
        writeOnly: true,
        description: "What ${env:NAME} stands for in variables, headers, commands and folders. The file gets these, and no others.",
      },
      allowVariables: { ...names, description: "Variables that a server may set although they can change what code runs." },
      only: { ...names, description: "The servers to take over, by name. Default: all." },
      replace: { type: "boolean", description: "Whether a source of the same name is replaced. Default: false." },
      allowUnpinned: { type: "boolean", description: "Whether npx, uvx and similar may fetch a package without an exact version." },
      allowHosts: { ...texts, description: "Hosts that may be reached although their address is not public." },
      folder: {
        type: "string",
        minLength: 1,
        maxLength: 4_096,
        description:
          "Where relative paths of its programs begin, on the server's machine: the folder of the file. Default: the folder of the configuration.",
      },
      dryRun: { type: "boolean", description: "Whether it only tells what would come. Default: false." },
    },
    required: ["text"],
    additionalProperties: false,
  },
  answers: ok(
    "What became of each server.",
    objectOf<SourceImport>({
      sources: listOf(
        objectOf<ImportedSource>(
          {
            name: text,
            outcome: { enum: ["added", "replaced", "planned", "skipped", "failed"] },
            reason: text,
            config: { type: "object", additionalProperties: true, description: "Of variables and headers only the names." },
            secrets: { ...names, description: "Names of the secrets that hold its credentials." },
            missing: { ...names, description: "Names of secrets that it needs and that are not set." },
            variables: {
              ...listOf(objectOf({ name: text, field: text, destination: text })),
              description: "The given variables whose values it gets, and the host or program to which they go.",
            },
            state: text,
            identity: { ...text, description: "What an admin approves, for a program." },
          },
          ["reason", "config", "state", "identity"],
        ),
      ),
    }),
  ),
  async run({ rack, identity, body }) {
    // Loaded with the first file: `toolrack list` does without it.
    const { importSources } = await import("../rack/sources/import-sources.ts");
    return { body: { sources: await importSources(rack, body, identity, toShownSource) } };
  },
});

const approve = defineRoute({
  method: "POST",
  path: "/sources/{id}/approve",
  id: "approveSource",
  group: "sources",
  summary:
    "Approve what a source starts: exactly this command, these arguments, variables, files and folder, or this type and these options.",
  needs: ["admin"],
  params: byId,
  body: { type: "object", properties: { identity: text }, required: ["identity"], additionalProperties: false },
  answers: ok("The current state of the source.", sourceSchema),
  async run({ rack, identity, params, body }) {
    const known = find(rack, params.id);
    if (known.identity !== undefined && known.identity !== body.identity)
      throw new Problem(409, "STATE_INVALID", `The source "${known.id}" has changed. Look at it again, and approve its current identity.`);
    const approved = await rack.sources.approve(known.id, body.identity, identity);
    if (approved === undefined)
      throw new Problem(
        409,
        "STATE_INVALID",
        `The source "${known.id}" starts neither a program nor code of a module, so there is nothing to approve.`,
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
    const { id } = find(rack, params.id);
    const refreshed = await rack.sources.refresh(id);
    if (refreshed === undefined) throw notRead(find(rack, id));
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
  query: {
    type: "object",
    properties: {
      removeSecrets: {
        type: "boolean",
        description: "Whether the secrets are removed, too, that were made for it and that nothing else needs. Default: false.",
      },
    },
    additionalProperties: false,
  },
  answers: ok("What was removed.", objectOf<RemovedSource>({ id: text, removedSecrets: texts, keptSecrets: texts })),
  async run({ rack, identity, params, query }) {
    const { id } = find(rack, params.id);
    const key = `sources.${id}`;
    const setting = rack.settings.get(key);
    if (setting === undefined)
      throw new Problem(409, "STATE_INVALID", `The source "${id}" is not one of the setting "sources". ${whereFrom(id)}`);
    const known = new Set((await rack.secrets.list()).map(({ name }) => name));
    const own = ownSecretsOf({ id, config: setting.value as SourceConfig }, rack).filter((name) => known.has(name));
    const document = documentOf(rack, id);
    await rack.settings.set(key, null, identity);
    if (document !== undefined) await rack.sources.forgetDocument(document);
    // The file may bring a source back that a record switched off.
    const removes = query.removeSecrets === true && setting.origin.startsWith("record ");
    if (removes) for (const name of own) await rack.secrets.remove(name, { by: identity });
    return { body: { id, removedSecrets: removes ? own : [], keptSecrets: removes ? [] : own } };
  },
});

export const sourceRoutes: RoutesOf<SourceAnswers> = [list, importAll, put, approve, refresh, remove];

/** "mcp:github" → "github": MCP servers are shown with and without the prefix of the registry. */
function plainId(id: string): string {
  return id.startsWith("mcp:") ? id.slice("mcp:".length) : id;
}

/** The source of this id, with or without "mcp:", or with the type that a module adds. */
function find({ sources }: Pick<Rack, "sources">, id: string): SourceInfo {
  const all = sources.list();
  const found =
    all.find((source) => source.id === id) ?? all.find((source) => source.id === plainId(id) || `${source.kind}:${source.id}` === id);
  if (found === undefined) throw noSource(id, all);
  return found;
}

function noSource(id: string, all: readonly SourceInfo[]): Problem {
  const [near] = nearestNames(
    plainId(id).slice(0, 64),
    all.map((source) => source.id),
    1,
  );
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new Problem(404, "NOT_FOUND", `There is no source "${id.slice(0, 64)}".${hint} ${whereFrom(id)}`);
}

/** Where sources that are not MCP servers come from, and how they are read again. */
function whereFrom(id: string): string {
  if (id.startsWith("module:")) return "Modules are named in tools.modules of the configuration; restart the server to load one again.";
  if (id.startsWith("plugin:")) return "Plugins are added by a module of tools.modules; restart the server to load it again.";
  return "List them with: toolrack sources list";
}

/** A source that exists and has nothing to read now. */
function notRead({ id, state, error }: SourceInfo): Problem {
  const next: Partial<Record<SourceInfo["state"], string>> = {
    "waiting-for-approval": `Look at what it starts, and approve it, with: toolrack sources approve ${shellWord(id)}`,
    disabled: `Switch it on: set sources.${id}.enabled to true.`,
    failed: `It failed: ${error ?? "unknown reason"}`,
  };
  return new Problem(
    409,
    "STATE_INVALID",
    `The source "${id}" is ${state}, so there is nothing to read again. ${next[state] ?? whereFrom(id)}`,
  );
}
