/**
 * The drawing of the house, as tables. ARCHITECTURE.md shows the same in words.
 * A package or folder that is not drawn here may not exist.
 */

/** Package → the packages, or single entries of packages, whose code it may import. */
export const packageArrows = {
  "json-schema": [],
  core: ["json-schema"],
  fetch: [],
  openapi: ["json-schema", "core", "fetch"],
  code: ["json-schema", "core"],
  workers: ["core"],
  agent: ["core", "fetch"],
  store: ["json-schema", "core", "fetch"],
  tools: ["json-schema", "core", "fetch"],
  mcp: ["json-schema", "core", "fetch"],
  server: ["json-schema", "core", "fetch", "openapi", "code", "workers", "agent", "store", "tools", "mcp"],
  cli: ["json-schema", "core", "fetch", "openapi", "code", "workers", "agent", "store", "tools", "mcp", "server"],
  create: [],
  console: ["core/internal/sse", "core/internal/duration", "core/internal/shell-word", "server/client-entries"],
  testkit: ["json-schema", "core", "fetch", "openapi", "code", "store", "tools", "mcp", "server"],
};

/** Packages that are never published, which only tests may import. */
export const privatePackages = ["testkit"];

/** Package → the packages of which it may import types, and nothing else. */
export const typeArrows = {
  console: ["server"],
};

/** Folders (and files) of a package's src, from left to right: each may import every earlier row, and nobody in its own row. */
export const folderRows = {
  "json-schema": [
    ["errors", "util"],
    ["pattern"],
    ["schema"],
    ["format", "normal"],
    ["validate"],
    ["example", "repair", "standard"],
    ["index", "internal"],
  ],
  core: [
    ["errors"],
    ["error-codes"],
    ["util"],
    ["tool", "programs"],
    ["policy", "providers", "grammar", "prompt", "search", "events", "sources"],
    ["scan", "lint", "call", "fit-tools"],
    ["trust", "registry"],
    ["index", "testing", "compat"],
    ["exports"],
  ],
  code: [
    ["diagnostic", "lists", "limits"],
    ["parse", "regex"],
    ["scope"],
    ["check", "labels"],
    ["compile"],
    ["machine"],
    ["builtins", "state"],
    ["program"],
    ["chain"],
    ["index"],
  ],
  workers: [["protocol"], ["link"], ["server", "worker"], ["index"]],
  agent: [
    ["errors", "message"],
    ["model", "sessions", "events"],
    ["models", "memory-sessions", "budget"],
    ["transcript", "running"],
    ["criteria", "context"],
    ["turn"],
    ["calls"],
    ["run"],
    ["agent"],
    ["start-run", "check-agent"],
    ["create-agent"],
    ["as-tool"],
    ["index", "testing"],
  ],
  fetch: [["errors"], ["address"], ["fetch"], ["index", "internal"]],
  openapi: [
    ["fault"],
    ["document", "operation"],
    ["options"],
    ["overlay", "names", "schema"],
    ["read", "request"],
    ["call"],
    ["tools"],
    ["index"],
  ],
  store: [
    ["errors"],
    ["record", "queue"],
    ["query", "access"],
    ["engine"],
    ["engines", "catalog"],
    ["store"],
    ["audit", "usage"],
    ["calls"],
    ["config", "secrets", "lifecycle", "presence", "leases", "answers", "retention", "jobs", "sessions", "tickets"],
    ["tools", "files", "copy"],
    ["index", "testing"],
  ],
  tools: [
    ["operations"],
    ["workspace"],
    [
      "files",
      "runtime",
      "code",
      "web",
      "memory",
      "commerce",
      "publish",
      "media",
      "messages",
      "browser",
      "sessions",
      "automation",
      "canvas",
      "utility",
    ],
    ["open-claw"],
    ["index", "testing"],
  ],
  mcp: [["errors"], ["wire"], ["serve", "upstream", "relay"], ["index"]],
  server: [
    ["errors", "version", "known-servers", "systemd", "client-entries", "javascript"],
    ["config"],
    ["rack"],
    ["telemetry", "feed", "module", "typescript"],
    ["http"],
    ["api"],
    ["routes", "api-types"],
    ["openapi"],
    ["app"],
    ["serve", "local"],
    ["open-server"],
    ["index"],
  ],
  console: [["theme", "api"], ["parts"], ["panels"], ["pages"], ["app"], ["main"]],
  cli: [["errors", "version"], ["connection", "project", "clients"], ["print"], ["commands"], ["program"], ["main"]],
};

/** Folders and files inside one of these folders, drawn in the same way: a folder that has grown rooms of its own. */
export const roomRows = {
  "packages/core/src/policy": [
    ["policy", "approvals"],
    ["sentence"],
    ["catalog"],
    ["entries"],
    ["steps", "paths", "conditions"],
    ["calls"],
    ["gates"],
    ["decide"],
    ["config"],
    ["explain"],
  ],
};

/**
 * Folder of leaves → the folders of leaves that its own leaves may use. A leaf is a file or folder directly inside.
 * Not a leaf: the folder's interface (`sources/source.ts`), and what the leaves share: files that begin with `_`, or the folder `shared`
 * where others use it, too.
 */
export const leafFolders = {
  "packages/core/src/providers/vendors": ["packages/core/src/providers/adapt/passes"],
  "packages/core/src/providers/adapt/passes": [],
  "packages/core/src/prompt/dialects": [],
  "packages/core/src/call/wrappers": [],
  "packages/core/src/call/wrappers/limits": [],
  "packages/core/src/sources": [],
  "packages/core/src/scan/rules": [],
  "packages/store/src/engines": [],
  "packages/store/src/tools/kinds": [],
  "packages/tools/src/messages/channels": [],
  "packages/tools/src/publish/calendars": [],
  "packages/tools/src/web/backends": [],
  "packages/server/src/api": [],
  "packages/server/src/rack/packs": [],
  "packages/cli/src/commands": [],
  "packages/console/src/pages": ["packages/console/src/panels"],
  "packages/console/src/panels": [],
};

/** No source file is longer. */
export const maximumLines = 500;
