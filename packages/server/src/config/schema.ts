import { agentSchema } from "./agents.ts";
import { jobsSchema, startupSchema } from "./jobs.ts";
import type { JsonSchema } from "@toolrack/json-schema";
import { type PackName, resultScanModes, trustChange, trustFirst } from "./config.ts";
import { hooksSchema, schedulesSchema, triggersSchema } from "./automation.ts";
import { overlaySchema, pathsSchema } from "./overlay.ts";
import { openApiSourceSchema } from "./openapi-source.ts";
import { workerSourceSchema } from "./worker-source.ts";

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: text } as const;
const count = { type: "integer", minimum: 1 } as const;
const between = (minimum: number, maximum: number): JsonSchema => ({ type: "integer", minimum, maximum });
const closed = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
/** A number, or "forever". */
const kept = (type: "integer" | "number", minimum: number): JsonSchema => ({ type: [type, "string"], minimum, pattern: "^forever$" });
const byName = (value: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: value, propertyNames: text });

export const bundleSchema: JsonSchema = closed({ description: { type: "string" }, required: texts, optional: texts });
export const sourceTrust: Readonly<Record<"first" | "change", JsonSchema>> = { first: { enum: trustFirst }, change: { enum: trustChange } };

export const maxTools: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 100_000,
  description: "How many tools an MCP server may list. Default: 1000.",
};

export const sourceSchema: JsonSchema = closed({
  type: { ...text, description: "mcp, or a type of source that a module of tools.modules adds." },
  options: { type: "object", description: "Options of a type that a module adds." },
  openapi: openApiSourceSchema,
  workers: workerSourceSchema,
  command: { ...text, description: "A program to start; never a shell line." },
  args: { type: "array", items: { type: "string" } },
  env: byName({ type: "string" }),
  cwd: text,
  allowUnpinned: { type: "boolean" },
  url: { ...text, pattern: "^https?://" },
  headers: byName({ type: "string" }),
  allowHosts: texts,
  passOn: {
    type: "array",
    items: { enum: ["instructions", "prompts", "resources"] },
    description: "What clients get of an MCP server beside its tools.",
  },
  maxTools,
  paths: pathsSchema,
  enabled: { type: "boolean" },
  required: { type: "boolean", description: "Whether the server is ready only while this source is." },
  trust: closed(sourceTrust),
});

/** The options of a pack, true for its defaults, or false. Only options that a file can express. */
const pack = (options: Record<string, JsonSchema>): JsonSchema => ({ ...closed(options), type: ["boolean", "object"] });
const environment = closed({ inherit: texts, set: byName({ type: "string" }), accept: texts });
const confinement = {
  unconfined: { type: "boolean" },
  network: { type: "boolean" },
  readable: texts,
  maxMemoryBytes: { type: "integer", minimum: 67_108_864 },
  maxProcesses: { type: "integer", minimum: 8 },
} as const;
const bash = { ...closed({ allow: texts, forbid: texts }), type: ["boolean", "object"] };
const openrouter = closed({ baseUrl: text, secret: text });
const modelService = closed({ baseUrl: text, model: text, secret: text }, { required: ["baseUrl", "model"] });
const logit = {
  ...closed({ baseUrl: text, model: text, secret: text, agent: text }),
  oneOf: [{ required: ["baseUrl", "model"] }, { required: ["agent"] }],
};
const fetch = closed({ allowHosts: texts, timeoutMs: count, maxBytes: count, maxRedirects: { type: "integer", minimum: 0 } });
const embeddings = closed({ baseUrl: text, model: text, secret: text }, { required: ["baseUrl", "model"] });
const search = closed({ backend: { enum: ["brave", "searxng", "tavily"] }, baseUrl: text, secret: text });

const feeds = { type: "array", items: closed({ name: text, url: text }, { required: ["name", "url"] }) } as const;
const calendars = byName({
  ...closed({ ics: text, caldav: text, username: text, secret: text }),
  oneOf: [{ required: ["ics"] }, { required: ["caldav", "username", "secret"] }],
});
const link = { type: "array", items: closed({ name: text, url: text, icon: text }, { required: ["name", "url"] }) } as const;
const links = closed({ social: link, custom: link, youtubePlaceholder: text });
const notion = closed({ databaseId: text, secret: text, baseUrl: text });

const speech = closed({
  voice: text,
  service: closed({ baseUrl: text, model: text, voice: text, secret: text }, { required: ["baseUrl", "model"] }),
});

const channels = byName({
  ...closed(
    {
      type: { enum: ["slack", "telegram", "discord", "email", "webhook"] },
      recipients: texts,
      secret: text,
      baseUrl: text,
      url: text,
      host: text,
      port: between(1, 65_535),
      secure: { type: "boolean" },
      username: text,
      from: text,
    },
    { required: ["type"] },
  ),
  oneOf: [
    { properties: { type: { enum: ["slack", "telegram", "discord"] } }, required: ["secret"] },
    { properties: { type: { const: "email" } }, required: ["host", "from"] },
    { properties: { type: { const: "webhook" } }, required: ["url"] },
  ],
});

/** A pack that a module adds; its options are checked against its own schema once the module is loaded. */
export const modulePackSchema: JsonSchema = { type: ["boolean", "object"] };

const packSchemas: Record<PackName, JsonSchema> = {
  files: pack({ root: text, applyPatchModels: texts }),
  runtime: pack({
    root: text,
    ...confinement,
    shell: { type: ["boolean", "string"] },
    environment,
    timeoutMs: count,
    maxTimeoutMs: count,
    maxOutputChars: count,
    maxRunning: count,
    maxBackgroundMs: count,
  }),
  code: pack({ root: text, ...confinement, bash, gitHooks: { type: "boolean" }, environment, timeoutMs: count }),
  web: pack({ fetch, search }),
  memory: pack({
    folder: text,
    embeddings,
    fetch,
  }),
  commerce: pack({ sample: { type: "boolean" }, paymentSecret: text, embeddings, fetch }),
  publish: pack({ feeds, calendars, links, notion, fetch }),
  media: pack({ root: text, speech, model: modelService, unconfined: { type: "boolean" }, fetch }),
  messages: pack({ root: text, channels, fetch }),
  browser: pack({ root: text, executable: text, allowHosts: texts, idleMs: count, maxSessions: count }),
  sessions: pack({
    sight: { enum: ["self", "tree", "agent", "all"] },
    agentToAgent: texts,
    maxSpawnDepth: { type: "integer", minimum: 0, maximum: 5 },
    maxChildren: count,
    maxRunning: count,
  }),
  automation: pack({}),
  canvas: pack({}),
  utility: pack({ openrouter, logit, fetch }),
  search: pack({ limit: count }),
  programs: pack({}),
};

/** The setting that enables or disables a tool. */
export const switchSchema: JsonSchema = closed({ enabled: { type: "boolean" }, reason: text }, { required: ["enabled"] });

const rate: JsonSchema = closed(
  { calls: count, perMs: count, tool: text, by: { enum: ["caller", "tool"] } },
  { required: ["calls", "perMs"] },
);

/**
 * The schema of the configuration file. The policy validates its own part, with profiles, groups and conditions.
 */
export const configSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "toolrack.config.yaml",
  ...closed({
    server: closed({
      host: text,
      port: { type: "integer", minimum: 0, maximum: 65_535 },
      publicUrl: { ...text, pattern: "^https?://" },
      allowedHosts: texts,
      requireSignIn: { type: "boolean" },
      allowedOrigins: texts,
      socket: text,
      socketMode: { type: "string", pattern: "^0?[0-7]{3}$" },
      tls: closed({ cert: text, key: text }, { required: ["cert", "key"] }),
      graceMs: between(0, 3_600_000),
      drainDelayMs: between(0, 600_000),
      mcp: closed({
        instructions: { type: "string", minLength: 1, maxLength: 10_000 },
        toolPrompts: { type: "boolean" },
        toolFields: { type: "array", items: { enum: ["category", "optionality"] }, uniqueItems: true },
      }),
      metrics: closed({ oldNames: { type: "boolean" } }),
      timeouts: closed({
        headersMs: between(1_000, 600_000),
        requestMs: between(1_000, 3_600_000),
        keepAliveMs: between(1_000, 3_600_000),
      }),
      limits: closed({
        bodyBytes: count,
        jsonValues: count,
        answerBytes: count,
        requestsPerSecond: count,
        requestsPerCaller: count,
        requests: count,
        heavyPerCaller: count,
        heavy: count,
        streamsPerCaller: count,
        streams: count,
        sessionsPerCaller: count,
        tasksPerCaller: count,
        answersPerCaller: count,
      }),
    }),
    signIn: closed({
      jwt: closed(
        {
          issuer: text,
          audience: { type: ["string", "array"], minLength: 1, minItems: 1, items: text },
          jwksUrl: { ...text, pattern: "^https?://" },
          jwksFile: text,
          algorithms: texts,
          agentClaim: text,
          rolesClaim: text,
          requireType: { type: "boolean" },
          keysMaxAgeMs: { type: "integer", minimum: 1_000, maximum: 3_600_000 },
        },
        { required: ["issuer", "audience"] },
      ),
    }),
    store: closed({
      sqlite: text,
      postgres: text,
      memory: { type: "boolean" },
      listenUrl: text,
      schema: { ...text, pattern: "^[a-z_][a-z0-9_]{0,48}$" },
      poolSize: { type: "integer", minimum: 1, maximum: 1_000 },
      connectTimeoutMs: { type: "integer", minimum: 100, maximum: 120_000 },
      statementTimeoutMs: { type: "integer", minimum: 100, maximum: 600_000 },
      lockTimeoutMs: { type: "integer", minimum: 100, maximum: 600_000 },
      maintenanceTimeoutMs: { type: "integer", minimum: 1_000, maximum: 86_400_000 },
      pollMs: { type: "integer", minimum: 50, maximum: 60_000 },
    }),
    workspace: text,
    tools: closed({
      packs: closed(packSchemas),
      disabled: texts,
      actions: byName(byName({ type: "boolean" })),
      records: closed({
        allowHosts: texts,
        processes: closed(
          {
            programs: { ...texts, minItems: 1 },
            timeoutMs: { type: "integer", minimum: 1, maximum: 3_600_000 },
            maxMemoryBytes: { type: "integer", minimum: 16_777_216 },
            network: { type: "boolean" },
            readable: texts,
            unconfined: { type: "boolean" },
          },
          { required: ["programs"] },
        ),
      }),
      modules: texts,
      requireModules: { type: "boolean" },
      plugins: closed({ folder: text, allow: texts }, { required: ["folder"] }),
      outputValidation: { enum: ["off", "warn", "strict"] },
      repairInputs: { type: "boolean" },
      aliases: byName({ ...text, pattern: "^[A-Za-z0-9_.-]{1,128}$" }),
    }),
    sources: byName(sourceSchema),
    overlays: byName(byName(overlaySchema)),
    policy: { type: "object" },
    agents: byName(agentSchema),
    bundles: byName(bundleSchema),
    limits: closed({
      timeoutMs: { anyOf: [count, { enum: [false] }] },
      concurrency: count,
      maxResultBytes: count,
      callsPerRun: count,
      depth: count,
      inputKeys: count,
      rate: { type: "array", items: rate },
      retry: closed({ attempts: count, backoffMs: { type: "integer", minimum: 0 } }, { required: ["attempts", "backoffMs"] }),
      loops: closed({ warnAt: count, blockAt: count }),
      circuitBreaker: closed({ failures: count, coolDownMs: count }),
    }),
    search: closed({
      embeddings: closed(
        {
          url: { ...text, pattern: "^https?://" },
          model: text,
          secret: text,
          weight: { type: "number", minimum: 0, maximum: 1 },
          timeoutMs: between(100, 60_000),
        },
        { required: ["url", "model"] },
      ),
    }),
    approvals: closed({ waitMs: count, sessionMs: count, maxWaiting: count, maxWaitingTotal: count, askClients: { type: "boolean" } }),
    jobs: jobsSchema,
    startup: byName(startupSchema),
    trust: closed({ ...sourceTrust, enforce: { type: "boolean" } }),
    scan: closed({
      results: { enum: resultScanModes },
      sources: byName({ enum: resultScanModes }),
      tools: byName({ enum: resultScanModes }),
      accept: {
        type: "array",
        items: closed(
          { digest: { ...text, pattern: "^sha256:[0-9a-f]{64}$" }, rule: text, reason: text },
          { required: ["digest", "reason"] },
        ),
      },
    }),
    schedules: schedulesSchema,
    triggers: triggersSchema,
    hooks: hooksSchema,
    log: closed({
      level: { enum: ["debug", "info", "warn", "error", "silent"] },
      format: { enum: ["auto", "pretty", "text", "json"] },
      requests: { type: "boolean" },
      calls: { type: "boolean" },
      linesPerSecond: count,
    }),
    redaction: closed({ fields: texts }),
    retention: closed({
      revisionsPerRecord: kept("integer", 1),
      deletedDays: kept("number", 1),
      approvalsDays: kept("number", 1),
      tasksHours: kept("number", 1),
      sessionsDays: kept("number", 1),
      answersHours: { type: "number", minimum: 1 },
      eventsDays: kept("number", 1),
      auditDays: kept("number", 1),
      auditRows: kept("integer", 1),
    }),
    audit: closed({ maxAgeDays: { type: "number", exclusiveMinimum: 0 }, maxRows: count, onFailure: { enum: ["refuse", "warn"] } }),
  }),
};

/** The same for a file that names modules, which may add packs. */
export const configSchemaWithModules: JsonSchema = withModulePacks(configSchema);

function withModulePacks(schema: JsonSchema): JsonSchema {
  const { properties } = schema as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const tools = properties["tools"] as { readonly properties: Readonly<Record<string, object>> };
  const packs = { ...tools.properties["packs"], additionalProperties: modulePackSchema };
  return { ...(schema as object), properties: { ...properties, tools: { ...tools, properties: { ...tools.properties, packs } } } };
}
