/** What the starter file of a project has beyond the defaults. */
export interface StarterProject {
  /** For tools.modules. */
  readonly modules: readonly string[];
  /** Each agent gets the tools that it names, and no others. */
  readonly agents: Readonly<Record<string, { readonly description: string; readonly allow: readonly string[] }>>;
}

/** The file that `toolrack init` writes: every section, with its defaults. A project has its own tools and agents in it, and no built-in tools. */
export function starterConfig(project?: StarterProject): string {
  const packs = project === undefined;
  const agents = Object.entries(project?.agents ?? {});
  return `# Toolrack configuration. Every key is optional. To enable a line that is commented out, remove its "# ".
# Changes of the policy take effect when you save; changes that could run a program wait for \`toolrack config approve\`. An invalid file
# is reported, and the last valid one stays in force. Changes made through the API or the console override this file, key by key.

server:
  host: 127.0.0.1 # any other address requires sign-in: an API key, or signIn.jwt
  port: 7333
#   publicUrl: https://tools.example.com # the address that clients use, if a proxy is in front
#   requireSignIn: true # also on this machine; always true once an API key was created
#   socket: ./run/toolrack.sock # a Unix socket, instead of host and port
#   socketMode: "0600" # who may connect to it
#   tls: { cert: ./tls/cert.pem, key: ./tls/key.pem } # HTTPS; the files are read again when they change
#   graceMs: 10000 # how long running calls may continue when the server stops
#   drainDelayMs: 0 # how long it still accepts requests before that, while it reports "not ready"
#   timeouts: { headersMs: 30000, requestMs: 45000, keepAliveMs: 30000 }
#   mcp: { instructions: "Tools of the support team.", toolPrompts: false } # what MCP clients are told
#   limits: { requestsPerSecond: 100, streamsPerCaller: 8 } # for each caller

# signIn:
#   jwt:
#     issuer: https://login.example.com/
#     audience: toolrack
#     jwksUrl: https://login.example.com/.well-known/jwks.json
#     requireType: false # true accepts only tokens with typ: at+jwt
#     keysMaxAgeMs: 300000

# Where records, settings, secrets and the audit log are stored. The variable DATABASE_URL takes precedence.
store:
  sqlite: .toolrack/toolrack.db
#   postgres: env:DATABASE_URL # instead of sqlite, for several servers
#   listenUrl: env:DIRECT_DATABASE_URL # a direct connection, if postgres is behind a pooler such as PgBouncer
#   poolSize: 10 # database connections of this server
#   connectTimeoutMs: 5000
#   statementTimeoutMs: 10000
#   lockTimeoutMs: 5000

# The folder that file tools work in; created if it is missing. Tools never see the server's own files in it.
workspace: ./workspace

tools:
  # Built-in packs: true for the defaults, false to disable one, or an object with options.
  packs:
    files: ${packs}
    utility: ${packs}
    # programs: true # run_code: a model writes one program instead of many calls
    runtime: false # runs programs, isolated by bubblewrap; { network: true } gives them network access
  disabled: []
#   actions: { git: { push: false } } # disabled values of a tool's parameter "action": not listed, and refused
#   records: { allowHosts: ["wiki.internal:8080"] } # private hosts that HTTP records may reach
${project === undefined ? "#   modules: [./my-tools.ts]" : `  modules: [${project.modules.join(", ")}]`} # JavaScript or TypeScript; default export: a tool, a list of tools, or a value of defineModule
#   requireModules: true # do not start if a module cannot be loaded
#   plugins: { folder: ./plugins, allow: [voice] } # loads ./plugins/voice.mjs, and nothing else of the folder
#   outputValidation: warn # off, or strict: an output that does not match the output schema of its tool is an error
#   repairInputs: true # read near-miss inputs ("5" for 5) as they were meant, and list that in the result

# MCP servers whose tools are served too. Set the values of secrets with: toolrack secrets set <name>
sources:
#   github:
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-github@2025.4.8"] # an exact version, so that every start runs the same program
#     env: { GITHUB_TOKEN: "secret:GITHUB_TOKEN" }
#   docs:
#     url: https://docs.example.com/mcp
#     headers: { Authorization: "secret:DOCS_TOKEN" }
#     required: true # /ready answers 503 until this source is there
#     passOn: [prompts, resources] # what clients get beside its tools, once it is approved as they are; instructions is the third
#   petstore: # an API with an OpenAPI document: each operation is a tool
#     openapi: { url: "https://petstore3.swagger.io/api/v3/openapi.json", include: ["tag:pet"], secrets: { api_key: PETSTORE_KEY } }
#   gpu: # handlers that run on workers: toolrack worker tools.ts --connect … --pool gpu
#     workers: { connect: "nats://broker.internal:4222", keys: ["ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], user: toolrack, password: "secret:BROKER_PASSWORD" }
#   help:
#     type: faq # a type of source that a module adds
#     options: { file: ./faq.json }

# What happens when one of these sources has a new or changed definition. What waits: toolrack approvals
# trust:
#   first: scan # a new tool is served unless the scanner finds something; pin: always; ask: each waits for a person
#   change: hold # a changed tool is not served until a person agrees; keep-old: models keep the approved definition; follow: it is served
#   enforce: true # false: report only

# How tools of these sources are shown and called here. Tools have the names that they have at their source.
# overlays:
#   github:
#     create_issue: { name: new_issue, parameters: { owner: { value: acme } } } # renamed; every call has this owner, and no model sees it
#     delete_repository: { hidden: true }

# Who may use which tools. Entries are names, globs (web_*), groups (group:fs) or plugins.
# To see why a tool is allowed or hidden: toolrack policy explain <tool> --agent <id>
policy:
  unknownAgents: deny # agents that are listed neither here nor under agents get no tools; allow: they get the default tools
  tools:
    deny: []
    ask: [] # calls of these tools wait for approval by a person: toolrack approvals
  agents:
${lines(agents, ([id, { allow }]) => `    ${id}: { tools: { allow: [${allow.join(", ")}] } }`)}#     support:
#       tools: { allow: [read, "web_*"], deny: ["group:runtime"] }

# Every agent that may use tools. Its provider and model select rules under policy … tools.byProvider.
agents:
${lines(agents, ([id, { description }]) => `  ${id}: { description: ${description} }`)}#   support: { description: Answers customers, provider: openai, model: gpt-5 }

# Named sets of tools for a kind of agent.
bundles:
#   research: { description: Reads and searches, required: [web_search], optional: [web_fetch] }

limits:
  timeoutMs: 120000 # of a handler; waits for people do not count. Without this line: 300000
#   callsPerRun: 25
#   rate: [{ calls: 60, perMs: 60000 }]
#   circuitBreaker: { failures: 5, coolDownMs: 30000 }

# search:
#   embeddings: # a service with the embeddings API of OpenAI reorders the tools that a search finds
#     url: http://localhost:11434/v1
#     model: nomic-embed-text
#     secret: EMBEDDINGS_KEY # the secret that holds its key, if it needs one

approvals:
  waitMs: 600000 # a call that is not approved within this time is refused
#   maxWaiting: 20 # how many calls of one caller may wait at the same time

# scan:
#   results: warn # results that give orders to the model; off, warn, mark or ask; by source and tool below
#   sources: { web: ask }

# audit:
#   onFailure: refuse # a call whose start cannot be recorded does not run; warn: it runs, is counted, and an error is logged

# How long old data is kept; "forever" keeps it. These are the defaults.
retention:
  eventsDays: 7 # how long a reader of the event stream may be disconnected and resume; nothing is removed earlier
#   revisionsPerRecord: 200 # of each record; all revisions of tool definitions are kept
#   deletedDays: 90 # deleted and expired records, with their history
#   auditDays: forever

log: # written to standard error: readable lines in a terminal, JSON lines otherwise
  level: info # debug, info, warn, error or silent
#   requests: false # do not log every request
#   calls: false # do not log every call

redaction:
  fields: [] # further fields whose values are hidden in results, logs and records, in addition to password, token, …
`;
}

function lines<Entry>(entries: readonly Entry[], toLine: (entry: Entry) => string): string {
  return entries.map((entry) => `${toLine(entry)}\n`).join("");
}
