/** What each key of the configuration file says. A key of the schema without a line here stops the generator. */
const words = {
  "server.host": "The address to listen on. Any but loopback needs sign-in. Default: `127.0.0.1`.",
  "server.port": "0 takes any free one. Default: `7333`.",
  "server.publicUrl":
    "Where clients reach the server when a proxy stands before it: `https://tools.example.com`. Its host is allowed, and every address that the server tells of itself begins with it.",
  "server.allowedHosts": "Names under which clients reach the server, beside the address it listens on.",
  "server.requireSignIn":
    "Whether nobody comes in without signing in, also on this machine. Once there is, or was, an API key, and where tokens are accepted, it is so anyway.",
  "server.socket":
    "The path of a Unix socket to listen on, instead of `host` and `port`; from the folder of the file. Whoever comes over it counts as coming from this machine, unless a header says that a proxy passed the request on. A socket that a killed server left behind is replaced; one that is listened on, or another file, never.",
  "server.socketMode": 'Who may connect to the socket, as a text: `"0660"` for the group. Default: `"0600"`, the server\'s own user.',
  "server.tls.cert":
    "A file with the certificate as PEM, followed by those between it and the root. The server then serves HTTPS, with TLS 1.2 or newer. When this file or the key changes, both are read again: new connections use them, and where they cannot be used, the pair before stays in use and the log says why.",
  "server.tls.key": "A file with its private key as PEM. One that other users may read is refused.",
  "server.graceMs": "How long calls may go on when the server stops; then they are cancelled. At most one hour. Default: 10,000.",
  "server.drainDelayMs":
    "How long a server that stops goes on accepting requests, while it says that it is not ready, so that a balancer notices. At most ten minutes. Default: 0.",
  "server.timeouts.headersMs":
    "How long the head of a request, and the handshake of TLS, may take. From 1 second to 10 minutes. Default: 30,000.",
  "server.timeouts.requestMs":
    "How long a whole request may take to arrive, at least `headersMs`. From 1 second to 1 hour. Default: 45,000. A body alone has 15 seconds.",
  "server.timeouts.keepAliveMs":
    "How long a connection stays open without a request; longer than the balancer keeps it, where one reuses connections. From 1 second to 1 hour. Default: 30,000.",
  "server.limits.bodyBytes": "The largest body of a request. More is a 413. Default: 4,194,304.",
  "server.limits.jsonValues":
    "How many values the JSON of one body may have: texts, numbers, lists, objects. More is a 400. Default: 100,000.",
  "server.limits.answerBytes": "The largest answer. More is a 400 that says to ask for less. Default: 16,777,216.",
  "server.limits.requestsPerSecond":
    "Of one caller, on average; twice as many at once. More is a 429, as for all that follow. Default: 1,000.",
  "server.limits.requestsPerCaller": "Requests of one caller that are worked on at the same time, calls among them. Default: 1,000.",
  "server.limits.requests": "The same of all callers together. Default: 20,000.",
  "server.limits.heavyPerCaller":
    "Requests of one caller for usage, exports, checks and searches that may wait; they run one after another. Default: 16.",
  "server.limits.heavy": "The same of all callers together. Default: 256.",
  "server.limits.streamsPerCaller": "Event streams that one caller may have open. Default: 32.",
  "server.limits.streams": "The same of all callers together. Default: 5,000.",
  "server.limits.sessionsPerCaller": "MCP sessions of one caller that something is kept for; its oldest goes first. Default: 100.",
  "server.limits.tasksPerCaller": "MCP tasks of one caller that run at the same time; a further call does not become a task. Default: 100.",
  "server.limits.answersPerCaller": "Answers of one caller that are kept for its Idempotency-Keys; its oldest goes first. Default: 500.",
  "server.allowedOrigins": "Web pages that may use the API, beside the console.",
  "log.level": "Lines of a lower level are not written: `debug`, `info`, `warn`, `error` or `silent`. Default: `info`.",
  "log.format": "`text`: aligned, for people. `json`: one JSON object a line. `auto`: text on a terminal, JSON elsewhere. Default: `auto`.",
  "log.requests": "Whether each request is a line. Default: true.",
  "log.calls": "Whether each call is a line. Default: true.",
  "log.linesPerSecond":
    "Lines beyond this are counted instead of written. Warnings and errors have the same room again for themselves. Default: 2,000.",
  "signIn.jwt.issuer": "Whose tokens are accepted.",
  "signIn.jwt.audience": "For whom they must be made: one name, or a list of which a token needs one.",
  "signIn.jwt.jwksUrl": "Where the issuer publishes its keys.",
  "signIn.jwt.jwksFile": "A file with the same content, instead.",
  "signIn.jwt.algorithms": "Signatures that count. Default: RS256, ES256, EdDSA.",
  "signIn.jwt.agentClaim": "The claim that names the agent. Default: `sub`.",
  "signIn.jwt.rolesClaim": "The claim that lists the roles. Default: `roles`.",
  "signIn.jwt.requireType": "Whether only tokens with `typ: at+jwt` (RFC 9068) are accepted. Default: false.",
  "signIn.jwt.keysMaxAgeMs":
    "How long the issuer's keys are used before they are read again, from 1 second to 1 hour. Default: 300,000. While the issuer cannot be reached, they hold for 1 hour.",
  "store.sqlite": "A file. Default: `.toolrack/toolrack.db`.",
  "store.postgres": "A connection string, or `env:NAME` for the variable that holds it. `DATABASE_URL` goes before the file.",
  "store.memory": "Nothing outlives the process.",
  "store.listenUrl":
    "PostgreSQL behind a connection pooler: a direct connection string, or `env:NAME`, for the one connection that listens for changes of other servers. Default: `store.postgres`.",
  "store.schema": "PostgreSQL: the database schema that holds the tables; made when it is missing. Default: `toolrack`.",
  "store.poolSize": "PostgreSQL: how many connections this server opens at most, beside the one that listens. Default: 10.",
  "store.connectTimeoutMs": "PostgreSQL: how long to wait for a connection, from 100 ms to 2 minutes. Default: 5,000.",
  "store.statementTimeoutMs":
    "PostgreSQL: how long a statement may take before the request is answered with 503, from 100 ms to 10 minutes. A transaction that does nothing for so long is ended, too. Default: 10,000.",
  "store.lockTimeoutMs":
    "How long a write waits for another server (PostgreSQL) or another process (SQLite), from 100 ms to 10 minutes. Default: 5,000.",
  "store.maintenanceTimeoutMs":
    "PostgreSQL: how long a statement of a migration or of maintenance may take, from 1 second to 1 day. Default: 600,000.",
  "store.pollMs":
    "PostgreSQL: how often to look for changes of other servers while `LISTEN` does not work, from 50 ms to 1 minute. Default: 500.",
  workspace:
    "The folder in which tools with paths may work, made when it is missing. The server's own files are never visible in it. Default: `workspace`, beside the file.",
  "tools.packs.files": "Reading, writing, changing and finding files of the workspace.",
  "tools.packs.files.root": "Another folder than the workspace.",
  "tools.packs.runtime": "Running programs: `exec` and `process`.",
  "tools.packs.runtime.root": "Another folder than the workspace.",
  "tools.packs.runtime.unconfined":
    "Whether programs run without isolation, with all that the server's user may do. Default: false, and where nothing isolates them they are refused.",
  "tools.packs.runtime.network": "Whether programs reach the network. Default: false.",
  "tools.packs.runtime.readable":
    "Folders outside of the workspace that programs may read, such as a toolchain in a home directory. Default: none.",
  "tools.packs.runtime.maxMemoryBytes":
    "Memory that a process of an isolated program may have of its own, and all processes of the program together. Not for `unconfined`. Default: 4 GiB.",
  "tools.packs.runtime.maxProcesses": "How many processes an isolated program may have at once. Not for `unconfined`. Default: 1,024.",
  "tools.packs.runtime.shell": "Whether `exec` takes a line for a shell: true for /bin/sh, or the path of one. Default: false.",
  "tools.packs.runtime.environment.inherit":
    "Variables of the server that programs see. Default: `PATH`, `HOME`, `LANG`, `TZ` and the like.",
  "tools.packs.runtime.environment.set": "Variables that every program gets.",
  "tools.packs.runtime.environment.accept": "Variables that a call may set. Default: none.",
  "tools.packs.runtime.timeoutMs": "How long a program may run where the call does not say. Default: 120 seconds.",
  "tools.packs.runtime.maxTimeoutMs": "The longest time that a call may ask for. Default: 600 seconds.",
  "tools.packs.runtime.maxOutputChars": "How many characters of each stream a call shows. Default: 30,000.",
  "tools.packs.runtime.maxRunning": "How many background programs may run at once. Default: 16.",
  "tools.packs.runtime.maxBackgroundMs": "How long a background program may run. Default: one hour.",
  "tools.packs.code": "Working on a repository: search, edits, tests, git.",
  "tools.packs.code.root": "Another folder than the workspace.",
  "tools.packs.code.unconfined": "As for the runtime pack.",
  "tools.packs.code.network": "Whether programs reach the network; `git` needs it to push. Default: false.",
  "tools.packs.code.readable": "As for the runtime pack.",
  "tools.packs.code.maxMemoryBytes": "As for the runtime pack.",
  "tools.packs.code.maxProcesses": "As for the runtime pack.",
  "tools.packs.code.bash": "Switches `bash` on. Default: false.",
  "tools.packs.code.bash.allow": "Only these lines, exactly.",
  "tools.packs.code.bash.forbid": "No line that contains one of these texts.",
  "tools.packs.code.gitHooks": "Whether the hooks of a repository run, which are programs. Default: false.",
  "tools.packs.code.environment.inherit": "As for the runtime pack.",
  "tools.packs.code.environment.set": "As for the runtime pack.",
  "tools.packs.code.environment.accept": "As for the runtime pack.",
  "tools.packs.code.timeoutMs": "How long a program may run. Default: 120 seconds.",
  "tools.packs.web": "Reading and searching the web.",
  "tools.packs.web.search.backend": "Which engine answers `web_search`.",
  "tools.packs.web.search.baseUrl": "Where it is, if not at its usual address.",
  "tools.packs.web.search.secret": "The secret that holds its key.",
  "tools.packs.memory": "Finding and reading notes and records.",
  "tools.packs.memory.folder": "A folder of the workspace with notes in markdown or text.",
  "tools.packs.memory.embeddings.baseUrl": "A service that finds what means the same in other words. Notes are sent to it.",
  "tools.packs.memory.embeddings.model": "Its model.",
  "tools.packs.memory.embeddings.secret": "The secret that holds its key.",
  "tools.packs.commerce": "The tools of a shop.",
  "tools.packs.commerce.sample": "An invented shop to try them on, in memory.",
  "tools.packs.commerce.paymentSecret": "The secret that holds the key of the payment service. Default: `stripe-api-key`.",
  "tools.packs.utility":
    "Small tools for every agent, a gateway to models, and tools that work on records. On unless it is said otherwise.",
  "tools.packs.utility.openrouter.baseUrl": "Where models are asked, if not at the usual address.",
  "tools.packs.utility.openrouter.secret": "The secret that holds the key. Default: `openrouter-api-key`.",
  "tools.packs.search":
    "Three tools by which a model searches, reads and calls the others; an MCP client that goes to `/mcp/search` sees these alone.",
  "tools.packs.search.limit": "How many tools a search answers. Default: 5.",
  "tools.packs.unavailable": "Known tools that this version has no host for, listed with the reason. On unless it is said otherwise.",
  "tools.disabled": "Tools that are switched off.",
  "tools.modules": "Files or packages whose default export is a tool or a list of tools.",
  "sources.<id>.command": "A program to start; never a shell line.",
  "sources.<id>.args": "Its arguments.",
  "sources.<id>.env": "Its variables; values may be `secret:<name>`. Of the server's own it sees only what every program needs.",
  "sources.<id>.cwd": "Where it runs.",
  "sources.<id>.allowUnpinned": "Whether npx, uvx and the like may fetch a package without an exact version. Default: false.",
  "sources.<id>.url": "The address of a server, instead of a program.",
  "sources.<id>.headers": "Sent to this server alone; values may be `secret:<name>`.",
  "sources.<id>.allowHosts": "Hosts, or hosts with a port, that may be reached although their address is not public.",
  "sources.<id>.enabled": "Default: true.",
  policy:
    "Who may use what: see [Policy](policy.md). Agents that are listed neither here nor under `agents` get nothing, unless `policy.unknownAgents` is `allow`.",
  "agents.<id>.description": "For people.",
  "agents.<id>.provider": "Whose models the agent runs on: chooses rules under `byProvider`.",
  "agents.<id>.model": "Likewise.",
  "bundles.<name>.description": "For people.",
  "bundles.<name>.required": "Tools without which the bundle is incomplete.",
  "bundles.<name>.optional": "Tools that are taken where they are there.",
  "limits.timeoutMs": "How long a call may take, where the tool does not say.",
  "limits.concurrency": "How many calls of one tool run at once; the others wait.",
  "limits.maxResultBytes": "The size of a result, where the tool does not say. Default: 262,144.",
  "limits.callsPerRun": "How many calls one run may make.",
  "limits.depth": "How deep tools may call tools. Default: 8.",
  "limits.rate[].calls": "How many calls fit into a stretch of `perMs`.",
  "limits.rate[].perMs": "The length of the stretch.",
  "limits.rate[].tool": "Which tools the rule is for; `*` stands for any text. Default: all.",
  "limits.rate[].by": "What shares one count. Default: each caller counts for each tool.",
  "limits.retry.attempts": "How often a call is tried that failed and calls itself retryable.",
  "limits.retry.backoffMs": "How long to wait before the second try.",
  "limits.loops.warnAt": "After how many equal calls with equal outcomes a call carries a warning. Default: 10.",
  "limits.loops.blockAt": "After how many it is refused. Default: 20.",
  "limits.circuitBreaker.failures": "After how many failures in a row a tool rests.",
  "limits.circuitBreaker.coolDownMs": "How long.",
  "approvals.waitMs": "How long a call waits for a person. Default: 600 seconds.",
  "approvals.sessionMs": "How long a yes for a session holds. Default: a day.",
  "approvals.maxWaiting": "How many calls of one principal may wait for a person at a time. Default: 20.",
  "approvals.maxWaitingTotal": "How many calls may wait for a person altogether. Default: 1,000.",
  "approvals.askClients": "Whether MCP clients may put the question to the person in front of them. Default: only the owner's.",
  "redaction.fields": "Names of fields that are hidden in results and logs, beside the usual ones.",
  "audit.onFailure":
    "What becomes of a call whose start cannot be recorded: `refuse` does not run it and answers 503 `CALL_NOT_RECORDED`, `warn` runs it, counts it in `toolrack_unrecorded_calls_total` and logs an error. Default: `refuse`.",
  "retention.revisionsPerRecord":
    "How many of the newest revisions of a record stay, or `forever`. Tool definitions keep all of theirs, since decisions refer to them. Default: 200.",
  "retention.deletedDays": "How long records that were removed or expired stay, with their history, or `forever`. Default: 90.",
  "retention.approvalsDays":
    "How long questions to a person stay after they were answered or ended, or `forever`. A yes that still holds stays. Default: 30.",
  "retention.tasksHours": "How long tasks of MCP clients stay after they ended, or `forever`. Default: 168.",
  "retention.answersHours": "How long the first answer to a request with an idempotency key is given again. Default: 24.",
  "retention.eventsDays":
    "How long a reader of the events can be away and go on where it was, or `forever`. No change of a record is removed earlier, whatever the other keys say. Default: 7.",
  "retention.auditDays": "Older lines of the audit are removed; an anchor shows where it begins. Default: `forever`.",
  "retention.auditRows": "The oldest lines of the audit beyond this number are removed. Default: `forever`.",
  "audit.maxAgeDays": "The older name of `retention.auditDays`, which goes before it.",
  "audit.maxRows": "The older name of `retention.auditRows`, which goes before it.",
};

/** The same in every pack that makes requests. */
const fetchWords = {
  allowHosts: "Hosts that may be reached although their address is not public.",
  timeoutMs: "For a whole request with its redirects.",
  maxBytes: "The longest answer that is read.",
  maxRedirects: "How many are followed.",
};

/** A table of every key that the schema of the file has. */
export function configurationTable(schema) {
  const rows = keysOf(schema, "").map(({ key, type }) => {
    const text = words[key] ?? fetchWords[/\.fetch\.(\w+)$/.exec(key)?.[1]];
    if (text === undefined) throw new Error(`scripts/reference/configuration.mjs says nothing about ${key}.`);
    return `| \`${key}\` | ${type} | ${text} |`;
  });
  return ["", "| key | value | what it says |", "| --- | --- | --- |", ...rows];
}

/** { tools: { disabled: […] } } → "tools.disabled"; what is kept by name is "sources.<id>.…". */
function keysOf(schema, key) {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, value]) => keysOf(value, key === "" ? name : `${key}.${name}`));
  const byName = schema.properties === undefined && schema.additionalProperties?.properties;
  if (byName) return keysOf(schema.additionalProperties, `${key}.${key === "bundles" ? "<name>" : "<id>"}`);
  if (schema.items?.properties) return keysOf(schema.items, `${key}[]`);
  const isLeaf = schema.properties === undefined || Array.isArray(schema.type);
  return isLeaf ? [{ key, type: typeOf(schema) }, ...below] : below;
}

function typeOf({ type, enum: values, properties, items, additionalProperties }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (Array.isArray(type)) return type.map((one) => typeNames[one] ?? one).join(" or ");
  if (items !== undefined) return "list of texts";
  if (type === "object" && properties === undefined && additionalProperties !== undefined) return "texts by name";
  return typeNames[type] ?? type;
}

const typeNames = { string: "text", integer: "whole number", boolean: "true or false", object: "options" };
