import { errorTable, section } from "./from-source.mjs";

const core = "packages/core/src";
const store = "packages/store/src";
const fetch = "packages/fetch/src";

/** Pages of the reference that say what the source says, each made from the files it names. */
export const pages = [
  {
    path: "docs/reference/errors.md",
    make: (read) =>
      [
        "# Error codes",
        "",
        "Every failure has one of these codes, and the HTTP status that goes with it. [Errors](../guides/errors.md) shows how to use them.",
        "The [store](store.md#error-codes) and [fetch](fetch.md#error-codes) have codes of their own.",
        ...errorTable("errorCodes", read(`${core}/errors.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/registry-options.md",
    make: (read) =>
      [
        "# Options of the registry, of a call and of a tool",
        "",
        "None of these is needed. [Services, configuration and secrets](../guides/services.md), [hooks and limits](../guides/hooks-and-limits.md)",
        "and [policy](../guides/policy.md) show them at work.",
        ...section("## `createRegistry(options)`", "RegistryOptions", read(`${core}/registry/options.ts`)),
        ...section("## `limits`", "CallLimits", read(`${core}/call/chain.ts`)),
        ...section("### `limits.rate[]`", "RateLimitRule", read(`${core}/call/wrappers/rate-limit.ts`)),
        ...section("### `limits.retry`", "RetryOptions", read(`${core}/call/wrappers/retry.ts`)),
        ...section("### `limits.loops`", "LoopDetectionOptions", read(`${core}/call/wrappers/loop-detection.ts`)),
        ...section("### `limits.circuitBreaker`", "CircuitBreakerOptions", read(`${core}/call/wrappers/circuit-breaker.ts`)),
        ...section("### `limits.images`", "ImageLimitOptions", read(`${core}/call/wrappers/images.ts`)),
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
        "What the functions of `@toolrack/store` can be told. [Records](../guides/records.md) shows them at work.",
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
        ...section("## `createCallLog(store, options)`", "CallLogOptions", read(`${store}/audit/call-log.ts`)),
        ...section("### `redaction`", "RedactionOptions", read(`${store}/audit/redact.ts`)),
        ...section("### The audit: of the log, of secrets, and of `verifyAudit`", "AuditOptions", read(`${store}/audit/audit.ts`)),
        ...section("## `pruneAudit(store, retention)`", "Retention", read(`${store}/audit/audit.ts`)),
        ...section("## `createAnswers(store, options)`", "AnswersOptions", read(`${store}/answers/answers.ts`)),
        "",
        "## Error codes",
        "",
        'A `StoreError` is thrown for a mistake in what was asked, or when the database does not answer. "Not found", "conflict" and "taken"',
        "are no errors: a write answers them.",
        ...errorTable("storeErrorCodes", read(`${store}/errors.ts`)),
      ].join("\n"),
  },
  {
    path: "docs/reference/fetch.md",
    make: (read) =>
      [
        "# Options and error codes of fetch",
        "",
        "What `@toolrack/fetch` can be told.",
        ...section("## `createSafeFetch(options)`", "SafeFetchOptions", read(`${fetch}/fetch/fetch.ts`)),
        ...section("## `fetch(url, request)`", "SafeRequest", read(`${fetch}/fetch/fetch.ts`)),
        "",
        "## Error codes",
        "",
        "A `FetchError` is thrown for a request that was not made, or has no answer.",
        ...errorTable("fetchErrorCodes", read(`${fetch}/errors.ts`)),
      ].join("\n"),
  },
];
