/** Attacks on tool systems in general, S1 to S34: what stands against each today, and the test that shows it. */

const core = "packages/core";
const fetch = "packages/fetch";
const store = "packages/store";
const tools = "packages/tools";
const mcp = "packages/mcp";
const server = "packages/server";
const onServer = `${server}/test/attacks.test.ts`;
const onMcp = `${mcp}/test/attacks-serve.test.ts`;
const fromUpstream = `${mcp}/test/attacks-upstream.test.ts`;

export const rows = [
  {
    id: "S1",
    attack: "a tool's description tells the model to do something else",
    later: "a scanner of descriptions comes with the lock of definitions; until then `approved` offers only what somebody has read",
  },
  {
    id: "S2",
    attack: "such text stands in any other field of a definition",
    test: fromUpstream,
    name: "S2, S3:",
    breaks: [
      {
        file: `${mcp}/src/upstream/definitions.ts`,
        find: "fingerprint({ identity, definition })",
        replace: "fingerprint({ identity, definition: { name, description: definition.description } })",
      },
    ],
    note: "The fingerprint that approvals are bound to covers every field. A scanner comes with the lock of definitions.",
  },
  {
    id: "S3",
    attack: "a definition changes after it was approved",
    test: fromUpstream,
    name: "S2, S3:",
    breaks: [{ file: `${mcp}/src/upstream/definitions.ts`, find: "approved[name] === print", replace: "true" }],
  },
  {
    id: "S4",
    attack: "an approved tool comes back under another name, or from another server",
    test: fromUpstream,
    name: "S4:",
    breaks: [
      { file: `${mcp}/src/upstream/definitions.ts`, find: "fingerprint({ identity, definition })", replace: "fingerprint({ definition })" },
    ],
  },
  {
    id: "S4",
    attack: "an approved tool comes back under another name, or from another server",
    test: fromUpstream,
    name: "S4:",
    breaks: [
      {
        file: `${mcp}/src/upstream/definitions.ts`,
        find: "!(Object.hasOwn(approved, name) && approved[name] === print)",
        replace: "Object.hasOwn(approved, name) && approved[name] !== print",
      },
    ],
  },
  {
    id: "S5",
    attack: "a server takes the name of another server's tool, or of a built-in one",
    test: fromUpstream,
    name: "S5:",
    breaks: [
      { file: `${mcp}/src/upstream/names.ts`, find: "const plain = `${server}${separator}${tool}`;", replace: "const plain = tool;" },
    ],
  },
  {
    id: "S5",
    attack: "a server lists one name twice",
    test: fromUpstream,
    name: "S5:",
    breaks: [{ file: `${mcp}/src/upstream/definitions.ts`, find: "if (names.has(tool.name))", replace: "if (false)" }],
  },
  {
    id: "S5",
    attack: "a name that looks like another one",
    test: `${core}/test/lint/sets.test.ts`,
    name: "S5:",
    breaks: [{ file: `${core}/src/lint/set-rules/look-alike-name.ts`, find: "twins.get(letter) ?? letter", replace: "letter" }],
  },
  {
    id: "S6",
    attack: "a result steers the terminal that shows it",
    test: "packages/cli/test/print/safe.test.ts",
    name: "S6:",
    breaks: [
      { file: "packages/cli/src/print/safe.ts", find: 'stripVTControlCharacters(String(text ?? ""))', replace: 'String(text ?? "")' },
    ],
    note: "Marking results as untrusted, and asking before data of one leaves through another tool, are not built yet.",
  },
  {
    id: "S7",
    attack: "a tool begins to answer otherwise than its definition says",
    test: fromUpstream,
    name: "S7:",
    breaks: [{ file: `${core}/src/call/invoke.ts`, find: 'call.host.outputValidation !== "off"', replace: "false" }],
  },
  {
    id: "S8",
    attack: "an OAuth proxy is made to act for somebody else",
    test: onServer,
    name: "S8:",
    breaks: [
      {
        file: `${server}/src/http/respond.ts`,
        find: '"x-content-type-options": "nosniff",',
        replace: '"x-content-type-options": "nosniff", "set-cookie": "consent=yes",',
      },
    ],
    note: "There is no OAuth proxy to confuse. The test holds that no route sets a cookie or redirects.",
  },
  {
    id: "S9",
    attack: "the caller's token is passed on",
    test: onServer,
    name: "S9:",
    breaks: [
      {
        file: `${server}/src/http/handle.ts`,
        find: "      route: name,\n      status,",
        replace: '      route: name,\n      from: request.header("authorization"),\n      status,',
      },
      { file: `${server}/src/telemetry/redact.ts`, find: 'text.replaceAll(apiKey, "trk_[redacted]")', replace: "text" },
    ],
  },
  {
    id: "S9",
    attack: "a server echoes the credentials that it was given",
    test: fromUpstream,
    name: "S9: a server's credentials",
    breaks: [{ file: `${mcp}/src/upstream/scrub.ts`, find: "shown.replaceAll(secret, mark)", replace: "shown" }],
  },
  {
    id: "S9",
    attack: "what is known of a caller is told to a server",
    test: fromUpstream,
    name: "S9: nothing of the caller",
    breaks: [
      {
        file: `${mcp}/src/upstream/call.ts`,
        find: "{ name: target.name, arguments: input, ...answers }",
        replace: "{ name: target.name, arguments: { ...input, caller: context.caller }, ...answers }",
      },
    ],
  },
  {
    id: "S10",
    attack: "one user's request runs with another's rights",
    test: onServer,
    name: "S10, S11:",
    breaks: [
      {
        file: `${server}/src/http/identify.ts`,
        find: "found = door.signIn(request);",
        replace: "found = (globalThis as { first?: Identity | Promise<Identity> }).first ??= door.signIn(request);",
      },
    ],
  },
  {
    id: "S10",
    attack: "whoever is not signed in is taken for somebody",
    test: onMcp,
    name: "S10 cross-user",
    breaks: [
      {
        file: `${mcp}/src/serve/http/listen-http.ts`,
        find: "if (caller === undefined) response.writeHead(401).end();",
        replace: "if (caller === undefined) answer(request, response, { sender: 'somebody' });",
      },
    ],
  },
  {
    id: "S10",
    attack: "a credential goes to a server that it was not meant for",
    test: fromUpstream,
    name: "S10:",
    breaks: [
      {
        file: `${mcp}/src/upstream/guarded-fetch.ts`,
        find: "Object.entries(options.headers)) headers.set(name, value);",
        replace:
          "Object.entries(((globalThis as { sent?: Readonly<Record<string, string>> }).sent ??= options.headers))) headers.set(name, value);",
      },
    ],
  },
  {
    id: "S11",
    attack: "an answer reaches another client",
    test: onMcp,
    name: "S11 cross-client",
    breaks: [
      {
        file: `${mcp}/src/serve/http/modern-door.ts`,
        find: '    era: "modern",\n    message,',
        replace: '    era: "modern",\n    message: ((globalThis as { first?: RequestMessage }).first ??= message),',
      },
    ],
  },
  {
    id: "S12",
    attack: "somebody reads or ends another's call",
    test: onServer,
    name: "S12:",
    breaks: [
      {
        file: `${server}/src/api/calls.ts`,
        find: "return seesOthers(identity) || caller.agent === identity.agent;",
        replace: "return seesOthers(identity) || caller.agent !== undefined;",
      },
    ],
  },
  {
    id: "S12",
    attack: "the id of a call is guessed",
    test: onServer,
    name: "S12:",
    breaks: [{ file: `${server}/src/rack/call-id.ts`, find: "const randomLength = 24;", replace: "const randomLength = 8;" }],
  },
  {
    id: "S12",
    attack: "somebody reads, changes or ends another's task",
    test: onMcp,
    name: "answers for a task to its owner alone",
    breaks: [{ file: `${mcp}/src/serve/tasks/task-methods.ts`, find: "task.owner !== exchange.principal", replace: "false" }],
  },
  {
    id: "S12",
    attack: "somebody reads the rest of another's result",
    test: onMcp,
    name: "gives a page of a long result",
    breaks: [{ file: `${mcp}/src/serve/handles.ts`, find: "found.principal !== principal", replace: "false" }],
  },
  {
    id: "S12",
    attack: "a session is stolen",
    test: onMcp,
    name: "refuses a session of somebody else",
    breaks: [{ file: `${mcp}/src/serve/http/sessions.ts`, find: "session.principal !== principal", replace: "false" }],
  },
  {
    id: "S13",
    attack: "a request state is changed on the way",
    test: onMcp,
    name: "are refused with any bit changed",
    breaks: [
      { file: `${mcp}/src/serve/signer.ts`, find: "!timingSafeEqual(given, expected)", replace: "false" },
      {
        file: `${mcp}/src/serve/signer.ts`,
        find: 'expected.toString("base64url") === sealed.slice(dot + 1)',
        replace: "expected.length > 0",
      },
    ],
  },
  {
    id: "S13",
    attack: "a request state is used for another request",
    test: onMcp,
    name: "are refused for another principal",
    breaks: [{ file: `${mcp}/src/serve/request-state.ts`, find: "if (state.subject !== digest(subject))", replace: "if (false)" }],
  },
  {
    id: "S13",
    attack: "a request state is used after its time",
    test: onMcp,
    name: "are refused for another principal",
    breaks: [{ file: `${mcp}/src/serve/request-state.ts`, find: "if (state.expiresAt <= Date.now())", replace: "if (false)" }],
  },
  {
    id: "S13",
    attack: "a request state is used twice",
    test: onMcp,
    name: "let exactly one of many uses",
    breaks: [
      {
        file: `${mcp}/src/serve/request-state.ts`,
        find: "if (!(await ledger.claim(state.id, state.expiresAt)))",
        replace: "if (false)",
      },
    ],
  },
  {
    id: "S14",
    attack: "a web page reaches the server under another name (DNS rebinding)",
    test: onServer,
    name: "S14:",
    breaks: [
      { file: `${server}/src/http/guard.ts`, find: "if (!hosts.has(name) && !hosts.has(host)", replace: "if (false && !hosts.has(host)" },
    ],
  },
  {
    id: "S14",
    attack: "a page of another origin uses the server",
    test: onServer,
    name: "S14:",
    breaks: [{ file: `${server}/src/http/guard.ts`, find: "hostOfOrigin(origin) !== host", replace: "false" }],
  },
  {
    id: "S14",
    attack: "the same over MCP",
    test: onMcp,
    name: "S14 DNS rebinding",
    breaks: [{ file: `${mcp}/src/serve/http/door.ts`, find: "if (fault !== undefined) return turnAway(403, fault);", replace: "" }],
  },
  {
    id: "S14",
    attack: "the address of a server leads inward",
    test: fromUpstream,
    name: "S14:",
    breaks: [
      { file: `${mcp}/src/upstream/guarded-fetch.ts`, find: "createAgents(guardedLookup)", replace: "createAgents(undefined)" },
      {
        file: `${mcp}/src/upstream/guarded-fetch.ts`,
        find: "if (!isTrusted) request.once",
        replace: "if (false) request.once",
      },
    ],
  },
  {
    id: "S15",
    attack: "a server that other machines reach without signing in",
    test: onServer,
    name: "S15:",
    breaks: [{ file: `${server}/src/serve.ts`, find: "const isExposed = !isLoopbackName(host);", replace: "const isExposed = false;" }],
  },
  {
    id: "S15",
    attack: "a server listens on every address by default",
    test: onServer,
    name: "S15:",
    breaks: [{ file: `${server}/src/serve.ts`, find: 'const { host = "127.0.0.1", port', replace: 'const { host = "localhost", port' }],
  },
  {
    id: "S15",
    attack: "an MCP endpoint that other machines reach without signing in",
    test: onMcp,
    name: "S15 open by default",
    breaks: [{ file: `${mcp}/src/serve/http/listen-http.ts`, find: "signIn === undefined && !isLoopback(host)", replace: "false" }],
  },
  {
    id: "S16",
    attack: "a form on a web page starts a program",
    test: onServer,
    name: "S16: a page",
    breaks: [{ file: `${server}/src/http/body.ts`, find: "if (!isJson(type)) {", replace: "if (false) {" }],
  },
  {
    id: "S16",
    attack: "somebody without the role adds a program",
    test: onServer,
    name: "S16: a page",
    breaks: [
      {
        file: `${server}/src/http/identify.ts`,
        find: 'needs !== "anyone" && !needs.some((role) => identity.roles.has(role))',
        replace: "false",
      },
    ],
  },
  {
    id: "S16",
    attack: "markup in a name or result runs in the browser",
    test: onServer,
    name: "S16: markup",
    breaks: [{ file: `${server}/src/http/respond.ts`, find: "default-src 'none'; ", replace: "" }],
  },
  {
    id: "S17",
    attack: "a URL names a private address",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: refuses addresses",
    breaks: [
      { file: `${fetch}/src/address/check-url.ts`, find: "isIP(host) !== 0 && !isPublicAddress(host)", replace: "false" },
      { file: `${fetch}/src/fetch/connect.ts`, find: 'isPublicAddress(socket.remoteAddress ?? "")', replace: "true" },
    ],
  },
  {
    id: "S17",
    attack: "an address of the inside passes for a public one",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: are those of the internet",
    breaks: [
      {
        file: `${fetch}/src/address/public.ts`,
        find: 'if (address.kind() === "ipv4") return address.range() === "unicast";',
        replace: 'if (address.kind() === "ipv4") return address.range() !== "loopback";',
      },
    ],
  },
  {
    id: "S17",
    attack: "a name resolves to a private address",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: refuses names",
    breaks: [
      {
        file: `${fetch}/src/address/lookup.ts`,
        find: "first === undefined || !addresses.every(({ address }) => isPublicAddress(address))",
        replace: "first === undefined",
      },
      { file: `${fetch}/src/fetch/connect.ts`, find: 'isPublicAddress(socket.remoteAddress ?? "")', replace: "true" },
    ],
  },
  {
    id: "S17",
    attack: "a redirect leads to a private address",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: refuses a redirect",
    breaks: [
      {
        file: `${fetch}/src/fetch/fetch.ts`,
        find: "const next = readUrl(new URL(location, url), allowed);",
        replace: "const next = new URL(location, url);",
      },
    ],
  },
  {
    id: "S17",
    attack: "a stored tool's endpoint is a private address",
    test: `${store}/test/tools/record-source.test.ts`,
    name: "S17:",
    breaks: [
      { file: `${fetch}/src/address/check-url.ts`, find: "isIP(host) !== 0 && !isPublicAddress(host)", replace: "false" },
      { file: `${fetch}/src/fetch/connect.ts`, find: 'isPublicAddress(socket.remoteAddress ?? "")', replace: "true" },
    ],
  },
  {
    id: "S18",
    attack: "a reference in a schema makes the server fetch something",
    test: onServer,
    name: "S18:",
    breaks: [
      {
        file: `${core}/src/schema/engine/resources.ts`,
        find: "const resource = findResource(uri);",
        replace: "void fetch(uri).catch(() => undefined);\n    const resource = findResource(uri);",
      },
    ],
  },
  {
    id: "S18",
    attack: "a schema that is far larger than it looks",
    test: `${core}/test/schema/hostile.test.ts`,
    name: "S18: that are larger",
    breaks: [{ file: `${core}/src/schema/read-schema.ts`, find: "if (++size.values > schemaLimits.values)", replace: "if (false)" }],
  },
  {
    id: "S19",
    attack: "a pattern that takes for ever",
    test: `${core}/test/attacks.test.ts`,
    name: "S19: no pattern",
    breaks: [{ file: `${core}/src/schema/pattern.ts`, find: "canRunNatively(regex)", replace: "true" }],
  },
  {
    id: "S19",
    attack: "a glob that takes for ever",
    test: `${core}/test/attacks.test.ts`,
    name: "S19: no glob",
    breaks: [
      {
        file: `${core}/src/policy/match.ts`,
        find: "  const { prefix, inner, suffix } = glob;",
        replace:
          '  if (!new RegExp(`^${glob.text.replaceAll("*", ".*")}$`).test(text)) return false;\n  const { prefix, inner, suffix } = glob;',
      },
    ],
  },
  {
    id: "S20",
    attack: "a shell reads a command or its arguments",
    test: fromUpstream,
    name: "S20:",
    breaks: [{ file: `${mcp}/src/upstream/stdio.ts`, find: "shell: false,", replace: "shell: true," }],
  },
  {
    id: "S20",
    attack: "a shell reads what a tool hands to a program",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S20:",
    breaks: [
      {
        file: `${tools}/src/operations/node-processes.ts`,
        find: "windowsHide: true,",
        replace: "windowsHide: true,\n        shell: true,",
      },
    ],
  },
  {
    id: "S21",
    attack: "adding a server starts a program that nobody agreed to",
    test: onServer,
    name: "S21:",
    breaks: [{ file: `${server}/src/rack/sources.ts`, find: "if (source.command === undefined) return true;", replace: "return true;" }],
  },
  {
    id: "S21",
    attack: "a started server sees every variable of this process",
    test: fromUpstream,
    name: "S21: a server inherits",
    breaks: [
      {
        file: `${mcp}/src/upstream/stdio.ts`,
        find: "[...inherited, ...(options.inheritEnv ?? [])]",
        replace: "Object.keys(process.env)",
      },
    ],
  },
  {
    id: "S21",
    attack: "another command stands behind an approved name",
    test: fromUpstream,
    name: "S21: another command",
    breaks: [
      {
        file: `${mcp}/src/upstream/fingerprint.ts`,
        find: "fingerprint({ command, args, env, inheritEnv, cwd: cwd ?? null })",
        replace: "fingerprint({ command, args })",
      },
    ],
  },
  {
    id: "S22",
    attack: "a path leads out of the workspace",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S22: are refused by every tool",
    breaks: [
      {
        file: `${core}/src/util/path-inside.ts`,
        find: 'if (below === undefined) return refuse("a link in it leads out of the workspace");',
        replace: "if (below === undefined) return { ok: true, path: target };",
      },
    ],
  },
  {
    id: "S22",
    attack: "a path is written in a way that a careless check does not read",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S22: are refused by every tool",
    breaks: [
      { file: `${core}/src/util/path-inside.ts`, find: "const readings = pathReadings(path);", replace: "const readings = [path];" },
    ],
  },
  {
    id: "S22",
    attack: "a folder beside the workspace has a name that begins like it",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S22: are refused by every tool",
    breaks: [
      {
        file: `${core}/src/util/path-inside.ts`,
        find: "const start = root.endsWith(sep) ? root : root + sep;",
        replace: "const start = root;",
      },
      {
        file: `${core}/src/util/path-inside.ts`,
        find: "return `${from}${sep}`.startsWith(wanted)",
        replace: "return from.startsWith(wanted)",
      },
    ],
  },
  {
    id: "S22",
    attack: "a folder is swapped for a link after it was checked",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S22: gets nothing",
    breaks: [
      {
        file: `${core}/src/util/open-inside.ts`,
        find: "if (!isInside(realRoot, await readlink(`/proc/self/fd/${folder.fd}`))) throw swapped(path);",
        replace: "",
      },
      {
        file: `${core}/src/util/open-inside.ts`,
        find: "constants.O_RDONLY | constants.O_DIRECTORY | neverFollow",
        replace: "constants.O_RDONLY | constants.O_DIRECTORY",
      },
    ],
  },
  {
    id: "S23",
    attack: "an argument changes the path of the request that it is part of",
    test: `${store}/test/tools/record-source.test.ts`,
    name: "S23:",
    breaks: [
      {
        file: `${store}/src/tools/kinds/_http-url.ts`,
        find: "return encodeURIComponent(Buffer.from(text).toString());",
        replace: "return text;",
      },
      {
        file: `${store}/src/tools/kinds/_http-url.ts`,
        find: 'if (url.origin !== origin || url.pathname.split("/").length !== fixedSegments)',
        replace: "if (false)",
      },
    ],
  },
  {
    id: "S23",
    attack: 'an argument is ".." in some spelling',
    test: `${store}/test/tools/record-source.test.ts`,
    name: "S23:",
    breaks: [
      { file: `${store}/src/tools/kinds/_http-url.ts`, find: 'text === "" || /^(\\.|%2e){1,2}$/i.test(text)', replace: 'text === ""' },
    ],
  },
  {
    id: "S23",
    attack: "a line break in an argument adds a header",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S23:",
    breaks: [
      {
        file: `${fetch}/src/fetch/headers.ts`,
        find: 'typeof value !== "string" || !/^[\\t\\x20-\\x7e\\x80-\\xff]*$/.test(value)',
        replace: 'typeof value !== "string"',
      },
    ],
  },
  {
    id: "S24",
    attack: "a list shows what may not be called",
    test: onServer,
    name: "S24:",
    breaks: [
      {
        file: `${server}/src/api/_tools.ts`,
        find: "if (all) return entries.map",
        replace: "if (all || entries.length > 0) return entries.map",
      },
    ],
  },
  {
    id: "S24",
    attack: "what is hidden can be called all the same",
    test: onServer,
    name: "S24:",
    breaks: [
      {
        file: `${core}/src/registry/permission.ts`,
        find: "if (decision(tool.name, caller)?.allowed !== true) return hidden(tool, caller);",
        replace: "",
      },
      {
        file: `${core}/src/registry/create.ts`,
        find: 'if (verdict.outcome === "allow") return undefined;',
        replace: 'if (verdict.outcome !== "ask") return undefined;',
      },
    ],
  },
  {
    id: "S24",
    attack: "the same over MCP",
    test: onMcp,
    name: "S24 lists and calls",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: "const { tools } = registry.view(caller);",
        replace: "const tools = registry.list();",
      },
    ],
  },
  {
    id: "S24",
    attack: "the library, HTTP and the command answer differently",
    test: "packages/cli/test/surfaces.test.ts",
    name: "(S24)",
    breaks: [
      {
        file: `${server}/src/api/_tools.ts`,
        find: "if (all) return entries.map",
        replace: "if (all || entries.length > 0) return entries.map",
      },
    ],
  },
  {
    id: "S25",
    attack: "a header or a body claims to come from somebody else",
    test: onServer,
    name: "S25:",
    breaks: [{ file: `${server}/src/api/_callers.ts`, find: 'if (!identity.roles.has("admin"))', replace: "if (false)" }],
  },
  {
    id: "S25",
    attack: "headers of a request name another tool than its body",
    test: onMcp,
    name: "decides by the body",
    breaks: [
      {
        file: `${mcp}/src/serve/http/era.ts`,
        find: "readHeaderValue(sent) !== params[field]",
        replace: "false",
      },
    ],
  },
  {
    id: "S26",
    attack: "a key stands twice in one object",
    test: onServer,
    name: "S26:",
    breaks: [{ file: `${server}/src/http/json.ts`, find: "if (Object.hasOwn(made, key))", replace: "if (false)" }],
  },
  {
    id: "S26",
    attack: "a large number is silently rounded",
    test: onServer,
    name: "S26:",
    breaks: [{ file: `${server}/src/http/json.ts`, find: "if (isRounded && !Number.isNaN(value))", replace: "if (false)" }],
  },
  {
    id: "S27",
    attack: "a word that is searched for is read as SQL",
    test: onServer,
    name: "S27:",
    breaks: [
      {
        file: `${store}/src/engines/_sql/audit.ts`,
        find: 'narrowed.where("subject", "=", filter.subject)',
        replace: "narrowed.where(sql<boolean>`subject = ${sql.raw(`'${filter.subject}'`)}`)",
      },
    ],
  },
  {
    id: "S28",
    attack: "a tool tells its secret in a result",
    test: onServer,
    name: "S28:",
    breaks: [
      {
        file: `${core}/src/call/wrappers/redact.ts`,
        find: "const content = redactor.text(result.content);",
        replace: "const content = result.content;",
      },
    ],
  },
  {
    id: "S28",
    attack: "a tool tells its secret in an error",
    test: onServer,
    name: "S28:",
    breaks: [{ file: `${core}/src/call/wrappers/redact.ts`, find: "error: redactor.text(error),", replace: "error," }],
  },
  {
    id: "S28",
    attack: "a secret stands in the log",
    test: onServer,
    name: "S28:",
    breaks: [
      { file: `${server}/src/telemetry/log.ts`, find: "redact({ message, fields }) as", replace: "({ message, fields }) as" },
      { file: `${core}/src/call/context.ts`, find: "log[level](redactor.text(message)", replace: "log[level](message" },
    ],
  },
  {
    id: "S29",
    attack: "a proxy keeps one user's answer for another",
    test: onServer,
    name: "S29:",
    breaks: [{ file: `${server}/src/http/respond.ts`, find: '"cache-control": "no-store"', replace: '"cache-control": "max-age=60"' }],
  },
  {
    id: "S29",
    attack: "a list that was made for one caller is given to another",
    test: onMcp,
    name: "gives two users with different rights",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: "    isAnonymous,\n    agent,",
        replace: "    isAnonymous,",
      },
    ],
  },
  {
    id: "S29",
    attack: "a list that hides something is marked as public",
    test: onMcp,
    name: "marks a list public only",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: 'isAnonymous && tools.length === count ? "public" : "private"',
        replace: '"public"',
      },
    ],
  },
  {
    id: "S30",
    attack: "one caller takes all streams",
    test: onServer,
    name: "S30:",
    breaks: [{ file: `${server}/src/http/streams.ts`, find: "if (own >= streamsPerCaller)", replace: "if (false)" }],
  },
  {
    id: "S30",
    attack: "a body has no end",
    test: onServer,
    name: "S30:",
    breaks: [{ file: `${server}/src/http/web.ts`, find: "if (bytes > maxBytes) return undefined;", replace: "" }],
  },
  {
    id: "S30",
    attack: "a tool answers without end",
    test: onServer,
    name: "S30:",
    breaks: [
      {
        file: `${core}/src/call/wrappers/result-size.ts`,
        find: "return cutBlocks(cutContent(result, call, maxBytes), call, maxBytes, maxMediaBytes);",
        replace: "return result;",
      },
    ],
  },
  {
    id: "S30",
    attack: "a body comes one byte at a time",
    test: onMcp,
    name: "keeps a bounded number of streams",
    breaks: [
      { file: `${mcp}/src/serve/http/streams.ts`, find: "if (own >= perPrincipal || taken >= total) return undefined;", replace: "" },
    ],
  },
  {
    id: "S31",
    attack: "a package that was taken over is fetched at the next start",
    test: `${server}/test/config/unpinned-package.test.ts`,
    name: "S31: is refused",
    breaks: [
      {
        file: `${server}/src/config/source-fault.ts`,
        find: "allowUnpinned === true ? undefined : findUnpinnedPackage(source)",
        replace: "undefined as string | undefined",
      },
    ],
  },
  {
    id: "S31",
    attack: "a range or a tag passes for a version",
    test: `${server}/test/config/unpinned-package.test.ts`,
    name: "S31: is found unpinned",
    breaks: [
      {
        file: `${server}/src/config/unpinned-package.ts`,
        find: "!isLocal(spec) && !isExact(spec)",
        replace: '!isLocal(spec) && !spec.slice(1).includes("@")',
      },
    ],
  },
  {
    id: "S31",
    attack: "a package runs a script while it is installed",
    test: fromUpstream,
    name: "S31:",
    breaks: [{ file: `${mcp}/src/upstream/stdio.ts`, find: "if (fetchesPackages.test(options.command))", replace: "if (false)" }],
  },
  {
    id: "S32",
    attack: "an agent agrees to its own call",
    test: onServer,
    name: "S32:",
    breaks: [
      {
        file: `${server}/src/api/approvals.ts`,
        find: 'if (question.caller.agent === identity.agent && !identity.roles.has("owner"))',
        replace: "if (false)",
      },
    ],
  },
  {
    id: "S32",
    attack: "an answer is used for other arguments than those that were shown",
    test: onServer,
    name: "S32:",
    breaks: [
      { file: `${server}/src/api/approvals.ts`, find: "if (question.digest !== body.digest)", replace: "if (false)" },
      {
        file: `${server}/src/rack/approvals.ts`,
        find: 'decision.digest !== undefined && decision.digest !== record.context["digest"]',
        replace: "false",
      },
    ],
  },
  {
    id: "S32",
    attack: "the program of an agent answers for the person",
    test: `${server}/test/rack/mcp-clients.test.ts`,
    name: "(S32)",
    breaks: [
      { file: `${server}/src/rack/approver.ts`, find: "(askClients || request.caller.owner === true ? client : desk)", replace: "client" },
    ],
  },
  {
    id: "S32",
    attack: "nobody can be asked, and the call goes on",
    test: `${mcp}/test/serve/approvals.test.ts`,
    name: "S32:",
    breaks: [
      {
        file: `${mcp}/src/serve/run-tool.ts`,
        find: "      if (response === undefined) return result;\n      approvals.push({ digest: ticket.digest, answer: toAnswer(response) });",
        replace:
          '      approvals.push({ digest: ticket.digest, answer: response === undefined ? { action: "accept" } : toAnswer(response) });',
      },
    ],
  },
  {
    id: "S33",
    attack: "a line of the audit is edited",
    test: onServer,
    name: "S33:",
    breaks: [{ file: `${store}/src/audit/audit.ts`, find: "if (hashRow(row, options.key) !== row.hash)", replace: "if (false)" }],
  },
  {
    id: "S33",
    attack: "a line of the audit is removed",
    test: onServer,
    name: "S33:",
    breaks: [
      { file: `${store}/src/audit/audit.ts`, find: "if (row.number !== last.number + 1)", replace: "if (false)" },
      { file: `${store}/src/audit/audit.ts`, find: "if (row.previous !== last.hash)", replace: "if (false)" },
    ],
  },
  {
    id: "S34",
    attack: "a file nests without end",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: a file that is nested",
    breaks: [{ file: `${store}/src/files/parse.ts`, find: "> maxLevels)", replace: "> Infinity)" }],
  },
  {
    id: "S34",
    attack: "an import is larger than anything honest",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: more bytes",
    breaks: [{ file: `${store}/src/files/read-plain-file.ts`, find: "if (found.size > maxBytes)", replace: "if (false)" }],
  },
  {
    id: "S34",
    attack: "an import has more records than anything honest",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: more bytes",
    breaks: [{ file: `${store}/src/files/transfer.ts`, find: "if (values.length > left)", replace: "if (false)" }],
  },
  {
    id: "S34",
    attack: "a link among the files leads somewhere else",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: a link and a pipe",
    breaks: [
      {
        file: `${store}/src/files/read-plain-file.ts`,
        find: "constants.O_RDONLY | neverFollow",
        replace: "constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)",
      },
    ],
  },
  {
    id: "S34",
    attack: "an id names a file outside of the folder",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: an id cannot",
    breaks: [{ file: `${store}/src/files/transfer.ts`, find: "[^A-Za-z0-9._@+~-]", replace: "[^A-Za-z0-9._@+~/-]" }],
  },
  {
    id: "S34",
    attack: "a small configuration unfolds into a huge one",
    test: `${server}/test/config/bombs.test.ts`,
    name: "S34:",
    breaks: [{ file: `${server}/src/config/positions.ts`, find: "maxAliasCount: 0", replace: "maxAliasCount: -1" }],
    note: "Nothing is imported from archives.",
  },
];
