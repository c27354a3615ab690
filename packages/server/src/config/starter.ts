/** The text that `toolrack init` writes: everything that can be said, with what holds while nothing is said. */
export function starterConfig(): string {
  return `# Toolrack's configuration. Every key is optional. To use a line that is commented out, remove its "# ".
# A saved policy holds at once, what could run a program waits for \`toolrack config approve\`; a mistake is reported, and what was
# there before stays in force. What is changed through the API or the console overrides this file, key by key.

server:
  host: 127.0.0.1 # anything else needs sign-in: a key, or signIn.jwt
  port: 7333
#   publicUrl: https://tools.example.com # where clients reach it, behind a proxy
#   requireSignIn: true # also on this machine; so it is anyway once there was a key
#   socket: ./run/toolrack.sock # a Unix socket, instead of host and port
#   socketMode: "0600" # who may connect to it
#   tls: { cert: ./tls/cert.pem, key: ./tls/key.pem } # HTTPS; the files are read again when they change
#   graceMs: 10000 # how long calls may go on when the server stops
#   drainDelayMs: 0 # how long it goes on accepting requests before, while it says that it is not ready
#   timeouts: { headersMs: 30000, requestMs: 45000, keepAliveMs: 30000 }
#   limits: { requestsPerSecond: 100, streamsPerCaller: 8 } # of one caller

# signIn:
#   jwt:
#     issuer: https://login.example.com/
#     audience: toolrack
#     jwksUrl: https://login.example.com/.well-known/jwks.json
#     requireType: false # true accepts only tokens with typ: at+jwt
#     keysMaxAgeMs: 300000

# Where records, settings, secrets and the audit live. DATABASE_URL, where it is set, goes before this.
store:
  sqlite: .toolrack/toolrack.db
#   postgres: env:DATABASE_URL # instead, for several servers
#   listenUrl: env:DIRECT_DATABASE_URL # past a connection pooler such as PgBouncer, for messages between servers
#   poolSize: 10 # connections of this server
#   connectTimeoutMs: 5000
#   statementTimeoutMs: 10000
#   lockTimeoutMs: 5000

# The folder in which tools with paths may work, made when it is missing. The server's own files are never visible in it.
workspace: ./workspace

tools:
  # The built-in packs: true for their defaults, false to leave one out, or their options.
  packs:
    files: true
    utility: true
    runtime: false # runs programs, isolated by bubblewrap; { network: true } lets them reach the network
  disabled: []
#   modules: [./my-tools.js] # their default export is a tool or a list of tools

# MCP servers whose tools hang here too. Values of secrets are set with: toolrack secrets set <name>
sources:
#   github:
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-github@2025.4.8"] # an exact version, always the same program
#     env: { GITHUB_TOKEN: "secret:GITHUB_TOKEN" }
#   docs:
#     url: https://docs.example.com/mcp
#     headers: { Authorization: "secret:DOCS_TOKEN" }

# Who may use what. Entries are names, globs (web_*), groups (group:fs) or plugins. Ask: toolrack policy explain <tool> --agent <id>
policy:
  unknownAgents: deny # an agent that is not listed here or under agents gets nothing; allow lets every agent in
  tools:
    deny: []
    ask: [] # each call of these waits for a person: toolrack approvals
  agents:
#     support:
#       tools: { allow: [read, "web_*"], deny: ["group:runtime"] }

# Every agent that may use tools, and what is known of it: the provider and the model choose rules under policy …tools.byProvider.
agents:
#   support: { description: Answers customers, provider: openai, model: gpt-5 }

# Named sets of tools for one kind of agent.
bundles:
#   research: { description: Reads and searches, required: [web_search], optional: [web_fetch] }

limits:
  timeoutMs: 120000
#   callsPerRun: 25
#   rate: [{ calls: 60, perMs: 60000 }]
#   circuitBreaker: { failures: 5, coolDownMs: 30000 }

approvals:
  waitMs: 600000 # a call that nobody decides about by then is refused
#   maxWaiting: 20 # calls of one caller that may wait at a time

# audit:
#   onFailure: refuse # a call whose start cannot be recorded does not run; warn runs it, counts it and logs an error

# How long old data stays: "forever" keeps it. What stands here are the defaults.
retention:
  eventsDays: 7 # so long a reader of the events can be away; nothing is removed earlier
#   revisionsPerRecord: 200 # of each record; tool definitions keep all
#   deletedDays: 90 # removed and expired records, with their history
#   auditDays: forever

log: # on standard error: text in a terminal, JSON lines elsewhere
  level: info # debug, info, warn, error or silent
#   requests: false # no line for each request
#   calls: false # no line for each call

redaction:
  fields: [] # names of fields whose values never leave in results, logs and records, beside password, token, …
`;
}
