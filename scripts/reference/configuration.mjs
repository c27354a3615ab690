/** What each key of the configuration file says. A key of the schema without a line here stops the generator. */
const words = {
  "server.host": "The address to listen on. Any but loopback needs sign-in. Default: `127.0.0.1`.",
  "server.port": "0 takes any free one. Default: `7333`.",
  "server.allowedHosts": "Names under which clients reach the server, beside the address it listens on.",
  "server.allowedOrigins": "Web pages that may use the API, beside the console.",
  "signIn.jwt.issuer": "Whose tokens are accepted.",
  "signIn.jwt.audience": "For whom they must be made.",
  "signIn.jwt.jwksUrl": "Where the issuer publishes its keys.",
  "signIn.jwt.jwksFile": "A file with the same content, instead.",
  "signIn.jwt.algorithms": "Signatures that count. Default: RS256, ES256, EdDSA.",
  "signIn.jwt.agentClaim": "The claim that names the agent. Default: `sub`.",
  "signIn.jwt.rolesClaim": "The claim that lists the roles. Default: `roles`.",
  "store.sqlite": "A file. Default: `.toolrack/toolrack.db`.",
  "store.postgres": "A connection string, or `env:NAME` for the variable that holds it. `DATABASE_URL` goes before the file.",
  "store.memory": "Nothing outlives the process.",
  workspace: "The folder in which tools with paths may work. Default: the file's own folder.",
  "tools.packs.files": "Reading, writing, changing and finding files of the workspace.",
  "tools.packs.files.root": "Another folder than the workspace.",
  "tools.packs.runtime": "Running programs: `exec` and `process`.",
  "tools.packs.runtime.root": "Another folder than the workspace.",
  "tools.packs.runtime.shell": "Whether `exec` takes a line for a shell: true for /bin/sh, or the path of one. Default: false.",
  "tools.packs.runtime.environment.inherit":
    "Variables of the server that programs see. Default: `PATH`, `HOME`, `LANG`, `TZ` and the like.",
  "tools.packs.runtime.environment.set": "Variables that every program gets.",
  "tools.packs.runtime.environment.accept": "Variables that a call may set. Default: none.",
  "tools.packs.runtime.timeoutMs": "How long a program may run where the call does not say. Default: 120 seconds.",
  "tools.packs.runtime.maxTimeoutMs": "The longest time that a call may ask for. Default: 600 seconds.",
  "tools.packs.runtime.maxOutputChars": "How many characters of each stream a call shows. Default: 30,000.",
  "tools.packs.runtime.maxRunning": "How many background programs may run at once. Default: 16.",
  "tools.packs.code": "Working on a repository: search, edits, tests, git.",
  "tools.packs.code.root": "Another folder than the workspace.",
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
  policy: "Who may use what: see [Policy](policy.md).",
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
  "approvals.askClients": "Whether MCP clients may put the question to the person in front of them. Default: only the owner's.",
  "redaction.fields": "Names of fields that are hidden in results and logs, beside the usual ones.",
  "audit.maxAgeDays": "Older lines are removed. Default: never.",
  "audit.maxRows": "The oldest lines beyond this number are removed. Default: never.",
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
