import { agentSettings } from "./agent-settings.mjs";
import { elsewhereSettings } from "./elsewhere-settings.mjs";
import { packSettings } from "./pack-settings.mjs";

/** What each key of the configuration file says. A key of the schema without a line here stops the generator. */
const words = {
  "server.host": "The address to listen on. Any address but loopback requires sign-in. Default: `127.0.0.1`.",
  "server.port": "The port to listen on; 0 selects a free one. Default: `7333`.",
  "server.publicUrl":
    "The address that clients use, if a proxy is in front of the server: `https://tools.example.com`. Its host is allowed, and the server uses it in every URL of its own.",
  "server.allowedHosts": "Further host names that clients may use, in addition to the address that the server listens on.",
  "server.requireSignIn":
    "Whether every request must sign in, also from this machine. Always true once an API key was created, and if tokens are accepted.",
  "server.socket":
    "The path of a Unix socket to listen on, instead of `host` and `port`; relative to the folder of the file. Requests over it count as requests from this machine, unless a header shows that a proxy forwarded them. The stale socket of a killed server is replaced; a socket in use, or another file, never.",
  "server.socketMode": 'Who may connect to the socket, as a text: `"0660"` for the group. Default: `"0600"`, the server\'s own user.',
  "server.tls.cert":
    "A PEM file with the certificate, followed by the intermediate certificates. The server then serves HTTPS, with TLS 1.2 or newer. When this file or the key changes, both are read again for new connections; if they are invalid, the previous pair stays in use and the log has the reason.",
  "server.tls.key": "A PEM file with the private key. A file that other users can read is refused.",
  "server.graceMs":
    "How long running calls may continue when the server stops; then they are cancelled. At most one hour. Default: 10,000.",
  "server.metrics.oldNames":
    "Whether `/metrics` also has the durations of calls under the name of earlier versions, `toolrack_call_duration_seconds`. Default: `false`.",
  "server.drainDelayMs":
    "How long a stopping server still accepts requests while it reports that it is not ready, so that a load balancer notices. At most ten minutes. Default: 0.",
  "server.mcp.instructions":
    "A text for the model, which begins the instructions of the MCP endpoint. What the caller may use, and how it is searched, follows. At most 10,000 characters.",
  "server.mcp.toolFields":
    "Fields that tools in `tools/list` have at their top, for clients that read them there: `category`, `optionality`. They are always in `_meta`. Default: none.",
  "server.mcp.toolPrompts":
    "Whether each tool with a usage hint or examples also has an MCP prompt, `use-<tool>`. Clients show all prompts in a menu. Default: `false`.",
  "server.timeouts.headersMs":
    "How long the headers of a request, and the TLS handshake, may take. From 1 second to 10 minutes. Default: 30,000.",
  "server.timeouts.requestMs":
    "How long a whole request may take to arrive, at least `headersMs`. From 1 second to 1 hour. Default: 45,000. The limit for the body alone is 15 seconds.",
  "server.timeouts.keepAliveMs":
    "How long an idle connection stays open; set it longer than the idle timeout of a load balancer that reuses connections. From 1 second to 1 hour. Default: 30,000.",
  "server.limits.bodyBytes": "The largest body of a request. More is a 413. Default: 4,194,304.",
  "server.limits.jsonValues":
    "The maximum number of values in the JSON of a body: strings, numbers, arrays, objects. More is a 400. Default: 100,000.",
  "server.limits.answerBytes": "The largest response. More is a 400 that suggests a smaller request. Default: 16,777,216.",
  "server.limits.requestsPerSecond":
    "For each caller, on average; bursts of twice as many are allowed. More is a 429, as for the following limits. Default: 1,000.",
  "server.limits.requestsPerCaller": "Concurrent requests of one caller, including calls. Default: 1,000.",
  "server.limits.requests": "The same for all callers together; those who need no sign-in have a quarter of it. Default: 20,000.",
  "server.limits.heavyPerCaller":
    "Queued requests of one caller for usage, exports, checks and searches; they run one after another. Default: 16.",
  "server.limits.heavy": "The same for all callers together; those who need no sign-in have a quarter of it. Default: 256.",
  "server.limits.streamsPerCaller": "Open event streams of one caller. Default: 32.",
  "server.limits.streams": "The same for all callers together. Default: 5,000.",
  "server.limits.sessionsPerCaller": "MCP sessions of one caller for which settings are stored; the oldest is dropped first. Default: 100.",
  "server.limits.tasksPerCaller": "Concurrent MCP tasks of one caller; a further call does not become a task. Default: 100.",
  "server.limits.answersPerCaller": "Stored answers of one caller for its Idempotency-Keys; the oldest is dropped first. Default: 500.",
  "server.allowedOrigins": "Origins of web pages that may use the API, in addition to the console.",
  "log.level": "The lowest level that is logged: `debug`, `info`, `warn`, `error` or `silent`. Default: `info`.",
  "log.format":
    "`pretty`: short lines for people. `text`: every field as key=value. `json`: one JSON object a line. `auto`: pretty on a terminal, JSON elsewhere. Default: `auto`.",
  "log.requests": "Whether every request is logged. Default: true.",
  "log.calls": "Whether every call is logged. Default: true.",
  "log.linesPerSecond":
    "Lines beyond this limit are counted instead of written. Warnings and errors have a limit of their own, of the same size. Default: 2,000.",
  "signIn.jwt.issuer": "The issuer whose tokens are accepted.",
  "signIn.jwt.audience": "The accepted audience: a name, or a list of which a token needs one.",
  "signIn.jwt.jwksUrl": "The URL where the issuer publishes its keys.",
  "signIn.jwt.jwksFile": "A file with the keys, instead of the URL.",
  "signIn.jwt.algorithms": "Accepted signature algorithms. Default: RS256, ES256, EdDSA.",
  "signIn.jwt.agentClaim": "The claim that names the agent. Default: `sub`.",
  "signIn.jwt.rolesClaim": "The claim that lists the roles. Default: `roles`.",
  "signIn.jwt.requireType": "Whether only tokens with `typ: at+jwt` (RFC 9068) are accepted. Default: false.",
  "signIn.jwt.keysMaxAgeMs":
    "How long the issuer's keys are used before they are read again, from 1 second to 1 hour. Default: 300,000. If the issuer cannot be reached, they are used for up to 1 hour.",
  "store.sqlite": "The file of the SQLite database. Default: `.toolrack/toolrack.db`.",
  "store.postgres":
    "A connection string, or `env:NAME` for the variable that holds it. The variable `DATABASE_URL` takes precedence over the file.",
  "store.memory": "Whether everything is kept in memory and lost when the process ends. Default: false.",
  "store.listenUrl":
    "PostgreSQL behind a connection pooler: a direct connection string, or `env:NAME`, for the connection that receives changes of other servers. Default: `store.postgres`.",
  "store.schema": "PostgreSQL: the database schema that holds the tables; created if it is missing. Default: `toolrack`.",
  "store.poolSize": "PostgreSQL: the maximum number of connections of this server, in addition to the one that listens. Default: 10.",
  "store.connectTimeoutMs": "PostgreSQL: how long to wait for a connection, from 100 ms to 2 minutes. Default: 5,000.",
  "store.statementTimeoutMs":
    "PostgreSQL: how long a statement may take before the request is answered with 503, from 100 ms to 10 minutes. A transaction that is idle for that long is ended, too. Default: 10,000.",
  "store.lockTimeoutMs":
    "How long a write waits for another server (PostgreSQL) or another process (SQLite), from 100 ms to 10 minutes. Default: 5,000.",
  "store.maintenanceTimeoutMs":
    "PostgreSQL: how long a statement of a migration or of maintenance may take, from 1 second to 1 day. Default: 600,000.",
  "store.pollMs":
    "PostgreSQL: how often to poll for changes of other servers if `LISTEN` does not work, from 50 ms to 1 minute. Default: 500.",
  workspace:
    "The folder that file tools work in; created if it is missing. Tools never see the server's own files in it. Default: `workspace`, next to the file.",
  "tools.packs.files": "Reads, writes, edits and searches files of the workspace.",
  "tools.packs.files.root": "A folder to use instead of the workspace.",
  "tools.packs.files.applyPatchModels":
    'The models that are offered `apply_patch`, as patterns of names. An empty list offers it to every caller, also where the model is not known. Default: `["gpt-*", "*codex*"]`.',
  "tools.packs.runtime": "Runs programs: `exec` and `process`.",
  "tools.packs.runtime.root": "A folder to use instead of the workspace.",
  "tools.packs.runtime.unconfined":
    "Whether programs run without isolation, with all rights of the server's user. Default: false; if no isolation is available, programs are refused.",
  "tools.packs.runtime.network": "Whether programs have network access. Default: false.",
  "tools.packs.runtime.readable":
    "Folders outside the workspace that programs may read, such as a toolchain in a home directory. Default: none.",
  "tools.packs.runtime.maxMemoryBytes":
    "The memory limit of each process of an isolated program, and of all its processes together. Not for `unconfined`. Default: 4 GiB.",
  "tools.packs.runtime.maxProcesses": "The maximum number of processes of an isolated program. Not for `unconfined`. Default: 1,024.",
  "tools.packs.runtime.shell": "Whether `exec` accepts a shell command line: true for /bin/sh, or the path of a shell. Default: false.",
  "tools.packs.runtime.environment.inherit":
    "Variables of the server that programs see. Default: `PATH`, `HOME`, `LANG`, `TZ` and the like.",
  "tools.packs.runtime.environment.set": "Variables that every program gets.",
  "tools.packs.runtime.environment.accept": "Variables that a call may set. Default: none.",
  "tools.packs.runtime.timeoutMs": "The default timeout of a program. Default: 120 seconds.",
  "tools.packs.runtime.maxTimeoutMs": "The longest timeout that a call may set. Default: 600 seconds.",
  "tools.packs.runtime.maxOutputChars": "How many characters of each output stream are returned. Default: 30,000.",
  "tools.packs.runtime.maxRunning": "The maximum number of background programs. Default: 16.",
  "tools.packs.runtime.maxBackgroundMs": "How long a background program may run. Default: one hour.",
  "tools.packs.code": "Works on a repository: search, edits, tests, git.",
  "tools.packs.code.root": "A folder to use instead of the workspace.",
  "tools.packs.code.unconfined": "As for the runtime pack.",
  "tools.packs.code.network": "Whether programs have network access; `git` needs it to push. Default: false.",
  "tools.packs.code.readable": "As for the runtime pack.",
  "tools.packs.code.maxMemoryBytes": "As for the runtime pack.",
  "tools.packs.code.maxProcesses": "As for the runtime pack.",
  "tools.packs.code.bash": "Enables `bash`. Default: false.",
  "tools.packs.code.bash.allow": "Allow only these command lines, exactly.",
  "tools.packs.code.bash.forbid": "Refuse command lines that contain one of these strings.",
  "tools.packs.code.gitHooks": "Whether git hooks of the repository run. Default: false.",
  "tools.packs.code.environment.inherit": "As for the runtime pack.",
  "tools.packs.code.environment.set": "As for the runtime pack.",
  "tools.packs.code.environment.accept": "As for the runtime pack.",
  "tools.packs.code.timeoutMs": "How long a program may run. Default: 120 seconds.",
  "tools.packs.web": "Reads and searches the web.",
  "tools.packs.web.search.backend": "The search engine behind `web_search`.",
  "tools.packs.web.search.baseUrl": "Its address, if it is not the usual one.",
  "tools.packs.web.search.secret": "The secret that holds its key.",
  "tools.packs.memory": "Finds and reads notes and records.",
  "tools.packs.memory.folder": "A folder of the workspace with notes in Markdown or plain text.",
  "tools.packs.memory.embeddings.baseUrl": "The address of an embedding service for semantic search. Notes are sent to it.",
  "tools.packs.memory.embeddings.model": "Its model.",
  "tools.packs.memory.embeddings.secret": "The secret that holds its key.",
  "tools.packs.commerce": "The tools of a shop.",
  "tools.packs.commerce.sample": "Whether the tools work on a sample shop, in memory. Default: false.",
  "tools.packs.commerce.paymentSecret": "The secret that holds the key of the payment service. Default: `stripe-api-key`.",
  "tools.packs.commerce.embeddings.baseUrl":
    "The address of an embedding service, so that `product_lookup` also finds products by meaning. Names and descriptions of products are sent to it.",
  "tools.packs.commerce.embeddings.model": "Its model.",
  "tools.packs.commerce.embeddings.secret": "The secret that holds its key.",
  ...packSettings,
  "tools.disabled": "Tools that are disabled.",
  "tools.actions":
    "By tool and action: `false` disables one value of the tool's parameter `action`. The tool's schema no longer lists it, and a call of it fails with `TOOL_DISABLED`. Only `false` disables an action. Example: `{ git: { push: false } }`. Default: all are enabled.",
  "tools.records.allowHosts":
    "Hosts, or hosts with a port, that tools of the kind `http` in records may reach although their address is private. No wildcards. This server itself stays refused unless it is named with its port, and the metadata service of a cloud unless its address is named. Default: none.",
  "tools.modules":
    "Files of JavaScript or TypeScript, or packages, whose default export is a tool, a list of tools, or the value of `defineModule`: see [Server modules](../guides/server-modules.md). A module may add packs, which are then keys of `tools.packs`.",
  "tools.requireModules":
    "Whether the server refuses to start if a module cannot be loaded. Set it if a module adds a wrapper that calls must not run without. Default: false, so that the other tools are served.",
  "tools.plugins.folder":
    "A folder with [plugins](../guides/plugins.md), from the folder of the file. It must not lie where tools can write. Changes need a restart.",
  "tools.plugins.allow":
    "The plugins that are loaded, by the name of their file without its ending, or of their folder: `voice` is `voice.mjs` or `voice/index.mjs`. Nothing else is imported, and links are refused. Default: none.",
  "tools.outputValidation":
    "Whether the output of a tool is checked against its output schema. `warn`: what does not match is listed in `meta.warnings` of the result. `strict`: it is an error, `OUTPUT_INVALID`. Default: `warn`.",
  "tools.repairInputs":
    'Whether a near-miss input (`"5"` for 5, a single value for a list) is read as it was meant; `meta.repairs` of the result lists each change. Default: false, so that the call fails with `INPUT_INVALID`.',
  "tools.aliases": "Other names of tools, in calls: `shell: exec`. A tool with that very name comes first.",
  "tools.aliases.<name>": "The name of the tool that is meant. Its own name counts for the policy.",
  "sources.<id>.type": "`mcp`, or a type of source that a module of `tools.modules` adds. Default: `mcp`.",
  "sources.<id>.options": "Options of a type that a module adds.",
  ...elsewhereSettings,
  "sources.<id>.openapi.url": "An API that an OpenAPI document describes, instead of an MCP server: the address of the document.",
  "sources.<id>.openapi.file":
    "The document as a file of the project, `.json`, `.yaml` or `.yml`, from the folder of this file; not where agents may write.",
  "sources.<id>.openapi.document":
    "The document as it is kept in the store. The server sets it when a source is added with the text of its document.",
  "sources.<id>.openapi.baseUrl": "The address of the API. Default: the server that the document names.",
  "sources.<id>.openapi.include":
    'Only these operations: `"tag:pets"`, `"GET"`, `"GET /pets/*"`, `"/pets/**"`, or an operationId. Default: all.',
  "sources.<id>.openapi.exclude": "Not these operations.",
  "sources.<id>.openapi.rename": 'operationId, or `"GET /pets"`, → the name of the tool.',
  "sources.<id>.openapi.group": "A policy group for all tools, or group → the operations in it.",
  "sources.<id>.openapi.secrets": "Security scheme → the name of its secret. Default: the scheme's own name.",
  "sources.<id>.openapi.overlays": "OpenAPI Overlays 1.0, as files of the project, applied in this order.",
  "sources.<id>.openapi.documents":
    "Files of the project for references to other documents, which are never fetched: the name or URL in the reference → the file.",
  "sources.<id>.openapi.contentType": "Media types of bodies, best first. Default: JSON before others.",
  "sources.<id>.openapi.allowHosts":
    "Hosts, or hosts with a port, that are allowed although their address is private: of the document, and of the API.",
  "sources.<id>.openapi.refreshMinutes": "How often the document is read again, from 1 minute to a week. Default: on demand.",
  "sources.<id>.openapi.search":
    "Whether models find the tools by search, instead of having all of them listed. Default: true from 101 tools on.",
  "sources.<id>.openapi.timeoutMs": "How long a request to the API may take. Default: 30,000.",
  "sources.<id>.openapi.maxBytes": "The longest answer of the API. Default: 10,485,760.",
  "sources.<id>.openapi.maxPages":
    "Adds the parameter `max_pages` to tools whose answers have pages: that many are read in one call. Default: not added.",
  "sources.<id>.openapi.resultFields":
    "Adds the parameter `result_fields`, by which a model takes parts of a large JSON answer. Default: false.",
  "sources.<id>.openapi.descriptionLength":
    "The longest description of a tool or a parameter. Where one is shortened, the tool `<id>__describe_operation` gives it whole. Default: 1,000.",
  "sources.<id>.command": "A program to start, without a shell.",
  "sources.<id>.args": "Its arguments.",
  "sources.<id>.env":
    "Its environment variables; values may be `secret:<name>`. Of the server's own variables it gets only those that every program needs.",
  "sources.<id>.cwd": "Its working directory.",
  "sources.<id>.allowUnpinned": "Whether npx, uvx and the like may fetch a package without an exact version. Default: false.",
  "sources.<id>.url": "The URL of an MCP server, instead of a program.",
  "sources.<id>.headers": "HTTP headers for this server; values may be `secret:<name>`.",
  "sources.<id>.allowHosts": "Hosts, or hosts with a port, that are allowed although their address is private.",
  "sources.<id>.passOn":
    "What clients get of an MCP server beside its tools: `instructions`, `prompts`, `resources`. It is pinned and held like tools. Default: nothing.",
  "sources.<id>.maxTools": "How many tools an MCP server may list; one that lists more fails. Default: 1,000.",
  "sources.<id>.paths.folder":
    "The folder that no path of its tools may leave, relative to this file. Default: none, the [workspace does not bound them](../guides/use-mcp-servers.md#paths).",
  "sources.<id>.paths.parameters": "The parameters that hold paths. Default: `path`.",
  "sources.<id>.enabled": "Whether the source is used. Default: true.",
  "sources.<id>.required": "Whether `/ready` returns 503 while the source is not there. Default: false.",
  "sources.<id>.trust.first":
    "What happens to a tool that was not seen before: `pin` serves it, `scan` serves it unless the scanner finds a warning or danger, `ask` lets it wait for a person. Default: `trust.first`; `ask` for a source that was added over the API.",
  "sources.<id>.trust.change":
    "What happens when a definition changes in more than its wording: `hold` serves the tool no longer until a person agrees, `keep-old` lets models keep the approved text and schema and checks arguments against both, `follow` serves the change unless the scanner finds danger. Default: `trust.change`.",
  "overlays.<source>.<tool>.name": "The name of the tool here. The key is its name at the source.",
  "overlays.<source>.<tool>.title": "Its title.",
  "overlays.<source>.<tool>.description": "The description that models read.",
  "overlays.<source>.<tool>.hidden": "`true`: the tool is neither listed nor callable.",
  "overlays.<source>.<tool>.parameters.<name>.description": "The description of a parameter.",
  "overlays.<source>.<tool>.parameters.<name>.hidden": "The parameter is taken out; for one that is not required.",
  "overlays.<source>.<tool>.parameters.<name>.value": "The parameter is taken out, and every call has this value. Not for secrets.",
  "overlays.<source>.<tool>.parameters.<name>.enum": "The values that are left.",
  "overlays.<source>.<tool>.parameters.<name>.minimum": "A tighter limit than the tool has.",
  "overlays.<source>.<tool>.parameters.<name>.maximum": "The same.",
  "overlays.<source>.<tool>.parameters.<name>.minLength": "The same, for a text.",
  "overlays.<source>.<tool>.parameters.<name>.maxLength": "The same.",
  "overlays.<source>.<tool>.parameters.<name>.minItems": "The same, for a list.",
  "overlays.<source>.<tool>.parameters.<name>.maxItems": "The same.",
  "overlays.<source>.<tool>.paths.folder":
    "A folder that its paths may not leave, relative to this file, in addition to what bounds them already.",
  "overlays.<source>.<tool>.paths.parameters": "Parameters that hold paths, in addition to those that are checked already.",
  "overlays.<source>.<tool>.groups": "Policy groups that are added.",
  "overlays.<source>.<tool>.tags": "Tags that are added.",
  "overlays.<source>.<tool>.limits.timeoutMs": "How long a call may take; `false`: as long as it needs.",
  "overlays.<source>.<tool>.limits.maxResultBytes": "How long a result may be.",
  "overlays.<source>.<tool>.limits.concurrency": "How many calls may run at a time.",
  "overlays.<source>.<tool>.annotations.readOnly": "In place of what the source says.",
  "overlays.<source>.<tool>.annotations.destructive": "The same.",
  "overlays.<source>.<tool>.annotations.idempotent": "The same.",
  "overlays.<source>.<tool>.annotations.openWorld": "The same.",
  policy:
    "Who may use which tools: see [Policy](policy.md). Agents that are listed neither here nor under `agents` get no tools, unless `policy.unknownAgents` is `allow`.",
  ...agentSettings,
  "bundles.<name>.description": "For people.",
  "bundles.<name>.required": "Tools without which the bundle is incomplete.",
  "bundles.<name>.optional": "Tools that are included if they exist.",
  "limits.timeoutMs":
    "The timeout of a handler in milliseconds, if the tool has none of its own; waits for people do not count. `false`: none. Default: 300,000.",
  "search.embeddings.url":
    "The address of a service with the embeddings API of OpenAI, without `/embeddings` at its end: `http://localhost:11434/v1`. Its host may be a private one; redirects are not followed. The service reorders the first 50 tools that a search finds by words, and gets the query and the texts of these tools, never a tool that the caller may not see. If it fails, tools are ordered by words for 30 seconds, and a warning is logged. Default: words alone.",
  "search.embeddings.model": "The name of the model.",
  "search.embeddings.secret": "The secret that holds the key, sent as a bearer token. Default: no key is sent.",
  "search.embeddings.weight": "The weight of meaning against words, from 0 to 1. Default: 0.5.",
  "search.embeddings.timeoutMs":
    "For all requests of one search, from 100 ms to 1 minute; after it the answer is ordered by words. Default: 3,000.",
  "limits.concurrency": "The maximum number of concurrent calls of a tool; further calls wait.",
  "limits.maxResultBytes": "The maximum size of a result, if the tool has no limit of its own. Default: 262,144.",
  "limits.callsPerRun": "The maximum number of calls in a run.",
  "limits.depth": "How deeply calls of tools by tools may be nested. Default: 8.",
  "limits.inputKeys": "How many keys all objects of an input may have together. Default: 20,000.",
  "limits.rate[].calls": "The maximum number of calls within `perMs`.",
  "limits.rate[].perMs": "The length of the window.",
  "limits.rate[].tool": "The tools that the rule applies to; `*` matches any text. Default: all.",
  "limits.rate[].by": "What is counted together. Default: each caller and tool separately.",
  "limits.retry.attempts": "How many times a call that failed with a retryable error is tried.",
  "limits.retry.backoffMs": "The delay before the second attempt.",
  "limits.loops.warnAt": "After how many identical calls with identical results a warning is added to the result. Default: 10.",
  "limits.loops.blockAt": "After how many identical calls the call is refused. Default: 20.",
  "limits.circuitBreaker.failures": "After how many consecutive failures a tool is paused.",
  "limits.circuitBreaker.coolDownMs": "How long the tool is paused.",
  "approvals.waitMs": "How long a call waits for approval. Default: 600 seconds.",
  "approvals.sessionMs": "How long an approval for a session is valid. Default: one day.",
  "approvals.maxWaiting": "How many calls of one principal may wait for approval at the same time. Default: 20.",
  "approvals.maxWaitingTotal": "How many calls may wait for approval in total. Default: 1,000.",
  "approvals.askClients": "Whether MCP clients may ask their own user for approval. Default: only the owner's client.",
  "jobs.slots": "How many jobs this server runs at the same time. Default: 8.",
  "jobs.slotsPerCaller": "How many jobs of one caller this server runs at the same time. Default: 4.",
  "jobs.maxWaitingPerCaller": "How many jobs of one caller may wait; a further one is refused. Default: 1,000.",
  "startup.<name>": "By name of a tool that is called when the server starts. Of several servers on one store, one calls it.",
  "startup.<name>.mode":
    "`once`: called once, when the server starts; when another server takes over that started later, by that one. `continuous`: called again whenever it ends, after a delay that grows while it fails. `disabled`: not called. Default: `once`.",
  "startup.<name>.priority": "Higher ones are called first, from 0 to 100. Default: 50.",
  "startup.<name>.wait_for":
    "Other tools under `startup` that come first: one with the mode `once` has to have succeeded, a continuous one to have begun.",
  "startup.<name>.input": "The input of the call. Default: `{}`.",
  "startup.<name>.agent": "The agent that it is called as; its policy applies. Default: `startup`.",
  "schedules.<id>": "By id: a tool that is called at times.",
  "schedules.<id>.agent": "The agent that it is called as; its policy applies when it runs.",
  "schedules.<id>.tool": "The tool.",
  "schedules.<id>.input": "The input of the call. Default: `{}`.",
  "schedules.<id>.at": "Once, at a time with its offset: `2026-12-24T18:00:00+01:00`.",
  "schedules.<id>.everyMs": "Every so often, at least every 10,000 ms.",
  "schedules.<id>.from": "The first time of `everyMs`. Default: when the schedule was made.",
  "schedules.<id>.cron": 'Minute, hour, day, month, weekday: `"0 7 * * 1-5"`. Needs `tz`.',
  "schedules.<id>.seconds": "Whether `cron` has a field for seconds before the others. Default: false.",
  "schedules.<id>.tz": "The time zone of `cron`: `Europe/Berlin`.",
  "schedules.<id>.missed":
    "Times that passed while no server ran: `skip` all, run the latest `once`, or run `all`, at most 100. Default: `once`.",
  "schedules.<id>.graceMs": "How late the latest missed time may run. Default: one hour.",
  "schedules.<id>.overlap": "The run before is not over: `skip` this one, `queue` it, or `replace` the one before. Default: `skip`.",
  "schedules.<id>.jitterMs": "Each run begins up to so much later. Default: 0.",
  "schedules.<id>.description": "For people.",
  "triggers.<id>": "By id: a tool that is called after events.",
  "triggers.<id>.agent": "The agent that it is called as.",
  "triggers.<id>.tool": "The tool.",
  "triggers.<id>.input.<name>.from": "JSON Pointer to the value: `/record/title`; the empty text is everything.",
  "triggers.<id>.input.<name>.value": "Always this.",
  "triggers.<id>.input.<name>.default": "Where there is nothing at `from`. Default: the parameter is left out.",
  "triggers.<id>.input": "Parameter → `{ from }`, a JSON Pointer into the event, or `{ value }`. Default: the event is the input.",
  "triggers.<id>.ownEvents": "Whether what the agent did itself counts. Default: false.",
  "triggers.<id>.perMinute": "More events in a minute pause it. Default: 60.",
  "triggers.<id>.description": "For people.",
  "hooks.allowHosts":
    "Hosts, or hosts with a port, that webhooks may be sent to although their address is private, and without TLS. Default: none.",
  "hooks.timeoutMs": "How long a receiver may take to answer. Default: 15,000.",
  "hooks.out.<id>": "By id: a webhook that is sent.",
  "hooks.out.<id>.url": "Where to; https, unless `allowHosts` names the host.",
  "hooks.out.<id>.secrets": "Names of secrets, the newest first; messages are signed with each of them.",
  "hooks.out.<id>.description": "For people.",
  "hooks.in.<name>": "By name: a webhook that is taken, at `POST /hooks/<name>`.",
  "hooks.in.<name>.agent": "The agent that the calls run as.",
  "hooks.in.<name>.tool": "The tool.",
  "hooks.in.<name>.input.<name>.from": "JSON Pointer to the value: `/record/title`; the empty text is everything.",
  "hooks.in.<name>.input.<name>.value": "Always this.",
  "hooks.in.<name>.input.<name>.default": "Where there is nothing at `from`. Default: the parameter is left out.",
  "hooks.in.<name>.input":
    "Parameter → `{ from }`, a JSON Pointer into `{ id, at, headers, body }`, or `{ value }`. Default: the body is the input.",
  "hooks.in.<name>.verify": "`signature`: Standard Webhooks. `key`: the secret as `Authorization: Bearer`. Default: `signature`.",
  "hooks.in.<name>.headers": "Names of headers that the mapping may read. Default: none.",
  "hooks.in.<name>.bodyBytes": "The largest body. Default: 262,144.",
  "hooks.in.<name>.secrets": "Names of secrets, the newest first; each of them counts.",
  "hooks.in.<name>.description": "For people.",
  "triggers.<id>.on": "Which events; every part that is given must hold.",
  "triggers.<id>.on.types": "Types of events.",
  "triggers.<id>.on.tool": "Only ends of calls of this tool.",
  "triggers.<id>.on.agent": "Only ends of calls of this agent.",
  "triggers.<id>.on.schema_name": "Only records of this schema.",
  "triggers.<id>.on.tag": "Only records with this tag.",
  "triggers.<id>.on.anyTags": "With at least one of these.",
  "triggers.<id>.on.allTags": "With all of these.",
  "triggers.<id>.on.noneTags": "With none of these.",
  "triggers.<id>.on.where[].path": "The field: `context.price`.",
  "triggers.<id>.on.where[].op": "How it is compared: `eq`, `lt`, `contains` and others, as in a search.",
  "triggers.<id>.on.where[].value": "What with.",
  "triggers.<id>.on.where": 'Fields compared: `{ path: "context.price", op: "lt", value: 10 }`; all must hold.',
  "hooks.out.<id>.on": "Which events; every part that is given must hold.",
  "hooks.out.<id>.on.types": "Types of events.",
  "hooks.out.<id>.on.tool": "Only ends of calls of this tool.",
  "hooks.out.<id>.on.agent": "Only ends of calls of this agent.",
  "hooks.out.<id>.on.schema_name": "Only records of this schema.",
  "hooks.out.<id>.on.tag": "Only records with this tag.",
  "hooks.out.<id>.on.anyTags": "With at least one of these.",
  "hooks.out.<id>.on.allTags": "With all of these.",
  "hooks.out.<id>.on.noneTags": "With none of these.",
  "hooks.out.<id>.on.where[].path": "The field: `context.price`.",
  "hooks.out.<id>.on.where[].op": "How it is compared: `eq`, `lt`, `contains` and others, as in a search.",
  "hooks.out.<id>.on.where[].value": "What with.",
  "hooks.out.<id>.on.where": 'Fields compared: `{ path: "context.price", op: "lt", value: 10 }`; all must hold.',
  "trust.first": "The default of `sources.<id>.trust.first` for sources in the file. Default: `scan`.",
  "trust.change": "The default of `sources.<id>.trust.change`. Default: `hold`.",
  "trust.enforce":
    "Whether what waits for a person is held. `false` serves it and only reports it, to see what would be held. Default: true.",
  "scan.results":
    "What happens to results in which the scanner finds danger. `off`: results are not scanned. `warn`: the call has a warning, which the caller, MCP clients (`_meta`) and the audit log see. `mark`: the text is also marked as untrusted. `ask`: it reaches the caller only after a person agreed. Default: `off`.",
  "scan.sources": "By id of a source, instead of `scan.results`.",
  "scan.tools": "By name of a tool, instead of what is said of its source.",
  "scan.sources.<name>": "By id of a source, instead of `scan.results`.",
  "scan.tools.<name>": "By name of a tool, instead of what is said of its source.",
  "scan.accept[].digest": "The digest of a finding, as `toolrack scan --json` shows it: the finding is accepted for this text alone.",
  "scan.accept[].rule": "The rule of the finding. Default: every rule.",
  "scan.accept[].reason": "Why it was accepted; shown with the finding.",
  "redaction.fields": "Further fields whose values are hidden in results and logs, in addition to the built-in ones.",
  "audit.onFailure":
    "What happens to a call whose start cannot be recorded: `refuse` does not run it and answers 503 `CALL_NOT_RECORDED`, `warn` runs it, counts it in `toolrack_unrecorded_calls_total` and logs an error. Default: `refuse`.",
  "retention.revisionsPerRecord":
    "How many of the newest revisions of a record are kept, or `forever`. All revisions of tool definitions are kept, since decisions refer to them. Default: 200.",
  "retention.deletedDays": "How long deleted and expired records are kept, with their history, or `forever`. Default: 90.",
  "retention.approvalsDays":
    "How long approval requests are kept after they ended, or `forever`. An approval that is still valid is kept. Default: 30.",
  "retention.sessionsDays":
    "After how many days without a change a session of an agent is ended; as many days after its end it is removed with its messages. Default: `forever`.",
  "retention.tasksHours": "How long finished tasks of MCP clients are kept, or `forever`. Default: 168.",
  "retention.answersHours": "How long the answer to a request with an idempotency key is kept and returned again. Default: 24.",
  "retention.eventsDays":
    "How long a reader of the event stream may be disconnected and still resume, or `forever`. No change of a record is removed earlier, regardless of the other keys. Default: 7.",
  "retention.auditDays": "Older entries of the audit log are removed; an anchor marks the new beginning. Default: `forever`.",
  "retention.auditRows": "The maximum number of entries of the audit log; the oldest are removed. Default: `forever`.",
  "audit.maxAgeDays": "The older name of `retention.auditDays`, which takes precedence.",
  "audit.maxRows": "The older name of `retention.auditRows`, which takes precedence.",
};

/** The same in every pack that makes requests. */
const fetchWords = {
  allowHosts: "Hosts that are allowed although their address is private.",
  timeoutMs: "The timeout of a request, including redirects.",
  maxBytes: "The maximum size of a response.",
  maxRedirects: "How many redirects are followed.",
};

/** A table of every key that the schema of the file has. */
export function configurationTable(schema) {
  const rows = keysOf(schema, "").map(({ key, type }) => {
    const text = words[key] ?? fetchWords[/\.fetch\.(\w+)$/.exec(key)?.[1]];
    if (text === undefined) throw new Error(`scripts/reference/configuration.mjs says nothing about ${key}.`);
    return `| \`${key}\` | ${type} | ${text} |`;
  });
  return ["", "| key | value | meaning |", "| --- | --- | --- |", ...rows];
}

/** { tools: { disabled: […] } } → "tools.disabled"; what is kept by name is "sources.<id>.…". */
function keysOf(schema, key) {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => keysOf(value, key === "" ? name : `${key}.${name}`));
  const byName = schema.properties === undefined && schema.additionalProperties?.properties;
  const nested = schema.properties === undefined && schema.additionalProperties?.additionalProperties?.properties;
  if (nested) return keysOf(schema.additionalProperties.additionalProperties, `${key}.<source>.<tool>`);
  if (byName) return keysOf(schema.additionalProperties, `${key}.${namedKeys.has(key) ? "<name>" : "<id>"}`);
  if (schema.items?.properties) return keysOf(schema.items, `${key}[]`);
  const isLeaf = schema.properties === undefined || Array.isArray(schema.type);
  return isLeaf ? [{ key, type: typeOf(schema) }, ...below] : below;
}

const namedKeys = new Set([
  "tools.packs.messages.channels",
  "tools.packs.publish.calendars",
  "bundles",
  "overlays.<source>.<tool>.parameters",
  "startup",
  "triggers.<id>.input",
  "hooks.in",
  "hooks.in.<name>.input",
]);

function typeOf({ const: only, type, enum: values, anyOf, properties, items, additionalProperties }) {
  if (only !== undefined) return `\`${only}\``;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (Array.isArray(type)) return type.map((one) => typeNames[one] ?? one).join(" or ");
  if (items !== undefined) return "list of texts";
  if (type === "object" && properties === undefined && additionalProperties !== undefined) return "texts by name";
  return typeNames[type] ?? type ?? "any value";
}

const typeNames = { array: "list", string: "text", integer: "whole number", boolean: "true or false", object: "options" };
