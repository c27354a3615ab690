import { loadRows } from "../attacks/rows.mjs";
import { attackTables } from "./attacks.mjs";
import { catalogTable } from "./catalog.mjs";
import { configurationTable } from "./configuration.mjs";
import { readEntries } from "./entries.mjs";
import { featureTables } from "./features.mjs";
import { readTagged } from "./tagged-files.mjs";
import { mistakeTables, noticeMistakes } from "./mistakes.mjs";
import { movedTables } from "./moved.mjs";
import { contractSection, errorTable, section } from "./from-source.mjs";
import { commandTables, conventionTable, fieldTable, metricTable, routeTables } from "./tables.mjs";

const core = "packages/core/src";
const store = "packages/store/src";
const fetch = "packages/fetch/src";
const openapi = "packages/openapi/src";
const server = "packages/server/src";
const cli = "packages/cli/src";

/**
 * Pages of the reference that say what the source says, each made from the files it names: `read` answers a file's text, `load` what it
 * exports.
 */
export const pages = [
  {
    path: "docs/reference/errors.md",
    make: (read) =>
      [
        "# Error codes",
        "",
        "Every failure has one of these codes and an HTTP status. [Errors](../guides/errors.md) shows how to use them.",
        "The [store](store.md#error-codes), [fetch](fetch.md#error-codes) and the [server](server.md#error-codes) have their own codes.",
        ...errorTable("toolErrorCodes", read(`${core}/error-codes.ts`)),
        "",
        "## Mistakes in a schema: thrown, also by [@toolrack/json-schema](../guides/json-schema.md) alone",
        ...errorTable("schemaErrorCodes", read("packages/json-schema/src/errors.ts")),
      ].join("\n"),
  },
  {
    path: "docs/reference/what-moved.md",
    make: (read) =>
      [
        "# What moved: the entries of `@toolrack/core`",
        "",
        "The root of `@toolrack/core` exported every public name. Now it exports what an agent author needs on the first day, and each other name has",
        "exactly one home: a subpath of `@toolrack/core`, or the package `@toolrack/json-schema` (`npm install @toolrack/json-schema`). The names",
        "themselves are the same: change the entry that a name is imported from. The lists have the names that were in the root; entries also have new ones. `@toolrack/core/internal` is shared by the packages of this",
        "repository and promises nothing.",
        ...movedTables(readEntries(read)),
      ].join("\n"),
  },
  {
    path: "docs/reference/registry-options.md",
    make: (read) =>
      [
        "# Options of the registry, of a call and of a tool",
        "",
        "All of these are optional. [Services, configuration and secrets](../guides/services.md), [hooks and limits](../guides/hooks-and-limits.md)",
        "and [policy](../guides/policy.md) show them in use.",
        ...section("## `createRegistry(options)`", "RegistryOptions", read(`${core}/registry/options.ts`)),
        ...section("## `limits`", "CallLimits", read(`${core}/call/chain.ts`)),
        ...section("### `limits.rate[]`", "RateLimitRule", read(`${core}/call/wrappers/limits/rate-limit.ts`)),
        ...section("### `limits.retry`", "RetryOptions", read(`${core}/call/wrappers/limits/retry.ts`)),
        ...section("### `limits.loops`", "LoopDetectionOptions", read(`${core}/call/loop-options.ts`)),
        ...section("### `limits.circuitBreaker`", "CircuitBreakerOptions", read(`${core}/call/wrappers/limits/circuit-breaker.ts`)),
        ...section("### `limits.images`", "ImageLimitOptions", read(`${core}/call/check-images.ts`)),
        ...section("## `redaction`", "RedactionOptions", read(`${core}/call/wrappers/redact.ts`)),
        ...section("## `registry.invoke(name, input, options)`", "InvokeOptions", read(`${core}/call/host.ts`)),
        ...section("## `metadata` of a tool", "ToolMetadata", read(`${core}/tool/metadata.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/store.md",
    make: (read) =>
      [
        "# Options and error codes of the store",
        "",
        "The options of `@toolrack/store`. [Records](../guides/records.md) shows them in use.",
        ...section("## `createMemoryStore(options)`, and every other store", "StoreOptions", read(`${store}/store/create-store.ts`)),
        ...section("## `createSqliteStore(options)`", "SqliteEngineOptions", read(`${store}/engines/sqlite/sqlite.ts`)),
        ...section("## `createPostgresStore(options)`", "PostgresEngineOptions", read(`${store}/engines/postgres/postgres.ts`)),
        ...section("## `store.search(query)`", "SearchQuery", read(`${store}/query/search.ts`)),
        ...section("### Which records: of a query and of `changes({ selector })`", "Selector", read(`${store}/query/selector.ts`)),
        ...section("## `store.changes(options)`", "ChangesOptions", read(`${store}/store/store.ts`)),
        ...section("## `recordSource(store, options)`", "RecordSourceOptions", read(`${store}/tools/record-source.ts`)),
        ...section("## `publishTool(store, tool, options)`", "PublishOptions", read(`${store}/tools/publish.ts`)),
        ...section("## `configs.save(tool, values, options)`", "SaveConfigOptions", read(`${store}/config/configs.ts`)),
        ...section("## `createSecrets(store, options)`", "SecretsOptions", read(`${store}/secrets/secrets.ts`)),
        ...section("## `createCallLog(store, options)`", "CallLogOptions", read(`${store}/calls/call-log.ts`)),
        ...section("### `redaction`", "RedactionOptions", read(`${store}/audit/redact.ts`)),
        ...section("## `pruneAudit(store, retention)`", "Retention", read(`${store}/audit/audit.ts`)),
        ...section("## `applyRetention(store, plan)`", "RetentionPlan", read(`${store}/retention/retention.ts`)),
        ...section("## `backUpStore(store, file, options)`", "BackUpOptions", read(`${store}/copy/back-up.ts`)),
        ...section("## `restoreStore(store, file, options)`", "RestoreOptions", read(`${store}/copy/restore.ts`)),
        ...section("## `copyStore(from, to, options)`", "CopyOptions", read(`${store}/copy/copy-store.ts`)),
        ...section("## `createAnswers(store, options)`", "AnswersOptions", read(`${store}/answers/answers.ts`)),
        "",
        "## `Engine`",
        "",
        "What `createStore(engine)` needs of an engine. [Your own store engine](../guides/own-store-engine.md) explains the promises.",
        ...contractSection("### Transactions", "Engine", read(`${store}/engine/engine.ts`)),
        ...contractSection("### Reading records", "Reads", read(`${store}/engine/engine.ts`)),
        ...contractSection("### Writing records, in a transaction", "Writes", read(`${store}/engine/engine.ts`)),
        ...contractSection("### Filling an empty store", "BulkWrites", read(`${store}/engine/engine.ts`)),
        ...contractSection("### Snapshots", "Snapshot", read(`${store}/engine/engine.ts`)),
        ...contractSection("### Reading the audit", "AuditReads", read(`${store}/engine/audit.ts`)),
        ...contractSection("### Writing the audit", "AuditWrites", read(`${store}/engine/audit.ts`)),
        ...contractSection("### A page of the call log", "LogPage", read(`${store}/engine/log.ts`)),
        ...contractSection("### Counting calls", "UsageReads", read(`${store}/engine/usage.ts`)),
        ...contractSection("### Reading notes", "NoteReads", read(`${store}/engine/notes.ts`)),
        ...contractSection("### Writing notes", "NoteWrites", read(`${store}/engine/notes.ts`)),
        ...contractSection("### Which servers are alive", "PresenceReads", read(`${store}/engine/presence.ts`)),
        ...contractSection("### Reporting, and leases", "PresenceWrites", read(`${store}/engine/presence.ts`)),
        ...contractSection("### Reading secrets", "SecretReads", read(`${store}/engine/secrets.ts`)),
        ...contractSection("### Writing secrets", "SecretWrites", read(`${store}/engine/secrets.ts`)),
        ...contractSection("### What retention may remove", "RetentionReads", read(`${store}/engine/retention.ts`)),
        ...contractSection("### Removing it", "RetentionWrites", read(`${store}/engine/retention.ts`)),
        "",
        "## Error codes",
        "",
        'A `StoreError` is thrown for an invalid request, or when the database cannot be used. "Not found", "conflict" and "taken" are not',
        "errors: they are results of a write.",
        ...errorTable("storeErrorCodes", read(`${store}/errors.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/openapi.md",
    make: (read) =>
      [
        "# Options of the OpenAPI reader",
        "",
        "The options of `@toolrack/openapi`. What can be called is in [its README](../../packages/openapi/README.md).",
        ...section("## `readOpenApi(document, options)`", "ReadOpenApiOptions", read(`${openapi}/options.ts`)),
        ...section("## `loadOpenApi(document, options)`", "LoadOpenApiOptions", read(`${openapi}/tools/read-openapi.ts`)),
        ...section("## `openApiSource(options)`", "OpenApiSourceOptions", read(`${openapi}/tools/source.ts`)),
        ...section("## `buildRequest(tool, input, options)`", "BuildRequestOptions", read(`${openapi}/request/request.ts`)),
        ...section("## `callOpenApi(tool, input, options)`", "CallOpenApiOptions", read(`${openapi}/tools/call-openapi.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/fetch.md",
    make: (read) =>
      [
        "# Options and error codes of fetch",
        "",
        "The options of `@toolrack/fetch`.",
        ...section("## `createSafeFetch(options)`", "SafeFetchOptions", read(`${fetch}/fetch/fetch.ts`)),
        ...section("## `fetch(url, request)`", "SafeRequest", read(`${fetch}/fetch/fetch.ts`)),
        "",
        "## Error codes",
        "",
        "A `FetchError` is thrown for a request that was refused, or got no response.",
        ...errorTable("fetchErrorCodes", read(`${fetch}/errors.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/server.md",
    make: (read) =>
      [
        "# Options and error codes of the server",
        "",
        "The options of `openServer`, `serve` and `createApp` of `@toolrack/server`. [Running a server](../guides/run-a-server.md) shows them in use; the",
        "keys of the file are in [the configuration](configuration.md).",
        ...section("## `openServer(options)`; the next two tables are for it, too", "OpenServerOptions", read(`${server}/open-server.ts`)),
        ...section("## `openRack(options)`", "OpenRackOptions", read(`${server}/rack/open.ts`)),
        ...section("## `serve(rack, options)`", "ServeOptions", read(`${server}/serve.ts`)),
        ...section("## `createApp(rack, options)`; most of them also for `serve`", "AppOptions", read(`${server}/app.ts`), {
          limits: "Limits of requests and streams: see below.",
        }),
        ...section("### Allowed hosts and origins: also of `createApp` and `serve`", "GuardOptions", read(`${server}/http/guard/guard.ts`)),
        ...section("### `limits`", "Limits", read(`${server}/config/config.ts`) + read(`${server}/http/limits/limits.ts`)),
        "",
        "## Error codes",
        "",
        "A failed call returns [its own code](errors.md).",
        ...errorTable("serverErrorCodes", read(`${server}/errors.ts`)).map((line) => line.replace(/^## /, "### ")),
      ].join("\n"),
  },
  {
    path: "docs/reference/http-api.md",
    make: async (read, load) =>
      [
        "# The HTTP API, operation by operation",
        "",
        "A server describes these at `/openapi.json`, with every parameter and response. [The HTTP API](../guides/http-api.md) is the guide;",
        "[roles](../guides/http-api.md#signing-in) are explained there. MCP clients use `/mcp`, or `/mcp/search` to see three tools that find the others.",
        ...routeTables((await load(`${server}/routes.ts`)).routes),
      ].join("\n"),
  },
  {
    path: "docs/reference/configuration.md",
    make: async (read, load) =>
      [
        "# Every key of toolrack.config.yaml",
        "",
        "Every key is optional, and an unknown key is an error. A pack is `true` for its defaults, `false` to disable it, or its options.",
        "[Running a server](../guides/run-a-server.md) shows a file; `toolrack init` writes one with comments.",
        ...configurationTable((await load(`${server}/config/schema.ts`)).configSchema),
      ].join("\n"),
  },
  {
    path: "docs/reference/catalog.md",
    make: async (read, load) =>
      [
        "# The catalog of well-known tools",
        "",
        "The 25 tools that policies, groups and profiles know by name, and the four tools for research and publishing. Each has a pack, which is off until a",
        "[configuration](configuration.md) names it (`sessions` is on where agents run), and a host that it stands on: without it, the tool is not offered.",
        ...catalogTable(
          (await load(`${core}/policy/catalog/catalog.ts`)).coreToolCatalog,
          await load("packages/tools/src/index.ts"),
          (await load(`${server}/rack/packs/pack-tools.ts`)).packTools,
        ),
      ].join("\n"),
  },
  {
    path: "docs/reference/metrics.md",
    make: async (read, load) =>
      [
        "# Every metric",
        "",
        "`GET /metrics` writes these for Prometheus, in the text format 0.0.4. [Logs and metrics](../guides/logs-and-metrics.md) is the guide. Counters",
        "start at 0 with the process and only increase. Metrics that do not apply are left out: a store in a file has no connections.",
        ...metricTable((await load(`${server}/telemetry/metrics/metric-list.ts`)).metricList),
      ].join("\n"),
  },
  {
    path: "docs/reference/log-lines.md",
    make: async (read, load) =>
      [
        "# Every field of a log line",
        "",
        "Every line has `level`, `time` and `message`, and those of a server have its name as `server`. The lines `request` and `call` have these fields, if they apply; others have fields of",
        "their own. [Logs and metrics](../guides/logs-and-metrics.md) is the guide.",
        ...fieldTable((await load(`${server}/telemetry/log/line-fields.ts`)).lineFields),
        "",
        "JSON lines repeat some fields under the names of OpenTelemetry's conventions:",
        ...conventionTable((await load(`${server}/telemetry/log/line-fields.ts`)).conventionalFields),
      ].join("\n"),
  },
  {
    path: "docs/reference/command.md",
    make: async (read, load) =>
      [
        "# Every command",
        "",
        "[The command line](../guides/command-line.md) is the guide. Options of every command: `--url <url>` for a running server",
        "(default: `TOOLRACK_URL`, else the server or the store of this folder), `--config <file>`, `--json`, `--no-color`, `--verbose` (says on stderr",
        "which server or store is used). The API key is read from `TOOLRACK_KEY`.",
        "",
        "| exit code | meaning |",
        "| --- | --- |",
        ...Object.values((await load(`${cli}/errors.ts`)).exitCodes).map(({ code, sentence }) => `| ${code} | ${sentence} |`),
        ...commandTables((await load(`${cli}/commands.ts`)).commands),
      ].join("\n"),
  },
  {
    path: "docs/reference/attacks.md",
    make: async () =>
      [
        "# Attacks, and the test of each defence",
        "",
        "Each known attack has an id, and each defence a test named after it. `npm run bench:defences` removes every defence, one after the",
        "other, and fails if a test does not notice. [Security](../guides/security.md) describes what is protected against whom.",
        ...attackTables(await loadRows()),
      ].join("\n"),
  },
  {
    path: "docs/reference/features.md",
    make: () =>
      [
        "# Features, and the test that shows each",
        "",
        "What is asked of a tool plane, row by row, with the test that shows it. The names are those of the tests themselves: a row is named in a",
        "comment above its test, and `npm test` fails for a row that no test shows and that is not marked as open.",
        ...featureTables(readTagged()),
      ].join("\n"),
  },
  {
    path: "docs/reference/mistakes.md",
    make: async (_read, load) =>
      [
        "# Mistakes, and what notices them",
        "",
        "Mistakes that users of the library make, and what they are told. None of them ends as a success. The compiler sees those with a *yes*;",
        "without types, the *definition* (a program that starts) or the *call* answers with the sentence. `npm run mistakes` prints the same,",
        "with the words of the compiler.",
        ...mistakeTables(await noticeMistakes(load)),
      ].join("\n"),
  },
];
