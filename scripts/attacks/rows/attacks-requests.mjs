import { core, fetch, store, tools, mcp, server, onServer, onMcp, fromUpstream } from "../places.mjs";

/** Attacks on tool systems in general, S14 to S23: requests, addresses, schemas, programs, paths. */
export const rows = [
  {
    id: "S14",
    attack: "a web page reaches the server under another name (DNS rebinding)",
    test: onServer,
    name: "S14:",
    breaks: [
      {
        file: `${core}/src/util/request-guard.ts`,
        find: "if (known === undefined) return true;",
        replace: "if (known !== null) return true;",
      },
    ],
  },
  {
    id: "S14",
    attack: "a page of another origin uses the server",
    test: onServer,
    name: "S14:",
    breaks: [{ file: `${core}/src/util/request-guard.ts`, find: "isKnownPage(page, wanted) ?", replace: "isKnownPage !== undefined ?" }],
  },
  {
    id: "S14",
    attack: "the same over MCP",
    test: onMcp,
    name: "S14 DNS rebinding",
    breaks: [
      {
        file: `${mcp}/src/serve/http/http-handler.ts`,
        find: "if (fault !== undefined) return turnAway(403, guardMessage(fault));",
        replace: "if (fault !== undefined) guardMessage(fault);",
      },
    ],
  },
  {
    id: "S14",
    attack: "a page of another site opens streams of an MCP endpoint without saying its origin",
    test: `${mcp}/test/serve/http/guard.test.ts`,
    name: "without saying its origin",
    breaks: [{ file: `${core}/src/util/request-guard.ts`, find: "return isForeign ? {", replace: "return isForeign && !isForeign ? {" }],
  },
  {
    id: "S14",
    attack: "the address of a server leads inward",
    test: fromUpstream,
    name: "S14:",
    breaks: [
      {
        file: `${mcp}/src/upstream/http/guarded-fetch.ts`,
        find: "createAgents(createSafeLookup(systemResolve))",
        replace: "createAgents(undefined)",
      },
      {
        file: `${mcp}/src/upstream/http/guarded-fetch.ts`,
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
    breaks: [
      {
        file: `${server}/src/serve.ts`,
        find: "const isExposed = socket === undefined && !isLoopbackName(host);",
        replace: "const isExposed = false;",
      },
    ],
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
    breaks: [
      {
        file: `${mcp}/src/serve/http/listen-http.ts`,
        find: 'signIn === undefined && host !== "localhost" && !isLoopbackAddress(host)',
        replace: "false",
      },
    ],
  },
  {
    id: "S16",
    attack: "a form on a web page starts a program",
    test: onServer,
    name: "S16: a page",
    breaks: [{ file: `${server}/src/http/request/body.ts`, find: "if (!isJson(type)) {", replace: "if (false) {" }],
  },
  {
    id: "S16",
    attack: "somebody without the role adds a program",
    test: onServer,
    name: "S16: a page",
    breaks: [
      {
        file: `${server}/src/http/sign-in/identify.ts`,
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
    breaks: [{ file: `${server}/src/http/reply/respond.ts`, find: "default-src 'none'; ", replace: "" }],
  },
  {
    id: "S17",
    attack: "a URL names a private address",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: refuses addresses",
    breaks: [
      { file: `${fetch}/src/address/check-url.ts`, find: "isIP(host) !== 0 && !isPublicAddress(host)", replace: "false" },
      { file: `${fetch}/src/fetch/connect.ts`, find: "isPublicAddress(address) ? undefined : ", replace: "true ? undefined : " },
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
        find: "addresses.every(({ address }) => isPublicAddress(address))",
        replace: "true",
      },
      { file: `${fetch}/src/fetch/connect.ts`, find: "isPublicAddress(address) ? undefined : ", replace: "true ? undefined : " },
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
        find: "const next = readUrl(new URL(location, url), allowed, key);",
        replace: "const next = new URL(location, url);",
      },
    ],
  },
  {
    id: "S17",
    attack: "an allowed name leads to the metadata service of a cloud",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: never reaches the metadata service",
    breaks: [{ file: `${fetch}/src/address/reserved.ts`, find: "if (!isMetadataAddress(address) || ", replace: "if (true || " }],
  },
  {
    id: "S17",
    attack: "an allowed host without a port opens the server itself",
    test: `${fetch}/test/fetch.test.ts`,
    name: "S17: reaches an address of its own process",
    breaks: [{ file: `${fetch}/src/address/reserved.ts`, find: "if (!isOwnAddress(address, port, host) || ", replace: "if (true || " }],
  },
  {
    id: "S17",
    attack: "a stored tool's endpoint is a private address",
    test: `${store}/test/tools/record-source.test.ts`,
    name: "S17:",
    breaks: [
      { file: `${fetch}/src/address/check-url.ts`, find: "isIP(host) !== 0 && !isPublicAddress(host)", replace: "false" },
      { file: `${fetch}/src/fetch/connect.ts`, find: "isPublicAddress(address) ? undefined : ", replace: "true ? undefined : " },
    ],
  },
  {
    id: "S18",
    attack: "a reference in a schema makes the server fetch something",
    test: onServer,
    name: "S18:",
    breaks: [
      {
        file: "packages/json-schema/src/validate/engine/resources.ts",
        find: "const resource = findResource(uri);",
        replace: "void fetch(uri).catch(() => undefined);\n    const resource = findResource(uri);",
      },
    ],
  },
  {
    id: "S18",
    attack: "a schema that is far larger than it looks",
    test: "packages/json-schema/test/validate/hostile.test.ts",
    name: "S18: that are larger",
    breaks: [
      { file: "packages/json-schema/src/schema/read-shape.ts", find: "if (++size.values > schemaLimits.values)", replace: "if (false)" },
    ],
  },
  {
    id: "S19",
    attack: "a pattern that takes for ever",
    test: `${core}/test/attacks.test.ts`,
    name: "S19: no pattern",
    breaks: [{ file: "packages/json-schema/src/pattern/pattern.ts", find: "canRunNatively(regex)", replace: "true" }],
  },
  {
    id: "S19",
    attack: "a glob that takes for ever",
    test: `${core}/test/attacks.test.ts`,
    name: "S19: no glob",
    breaks: [
      {
        file: `${core}/src/util/glob.ts`,
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
    breaks: [{ file: "packages/core/src/programs/start-program.ts", find: "shell: false,", replace: "shell: true," }],
  },
  {
    id: "S20",
    attack: "a shell reads what a tool hands to a program",
    test: `${tools}/test/attacks-files.test.ts`,
    name: "S20:",
    breaks: [
      {
        file: "packages/core/src/programs/start-program.ts",
        find: "shell: false,",
        replace: "shell: true,",
      },
    ],
  },
  {
    id: "S21",
    attack: "adding a server starts a program that nobody agreed to",
    test: onServer,
    name: "S21:",
    breaks: [
      {
        file: `${server}/src/rack/sources/sources.ts`,
        find: 'return identity === undefined ? "" : approvals.allow(id, identity, origin);',
        replace: 'return "";',
      },
    ],
  },
  {
    id: "S21",
    attack: "a started server sees every variable of this process",
    test: fromUpstream,
    name: "S21: a server inherits",
    breaks: [
      {
        file: `${mcp}/src/upstream/stdio/stdio.ts`,
        find: "[...programVariables, ...(options.inheritEnv ?? [])]",
        replace: "Object.keys(process.env)",
      },
    ],
  },
  {
    id: "S21",
    attack: "a started server reads a descriptor that was left open for this process",
    test: `${mcp}/test/upstream/stdio/processes.test.ts`,
    name: "S21: gets no descriptor",
    breaks: [
      {
        file: "packages/core/src/programs/descriptors.ts",
        find: "if (others.length === 0) return",
        replace: "if (others.length >= 0) return",
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
        file: `${mcp}/src/upstream/tools/fingerprint.ts`,
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
        find: "const start = root.endsWith(nodePath.sep) ? root : root + nodePath.sep;",
        replace: "const start = root;",
      },
      {
        file: `${core}/src/util/path-inside.ts`,
        find: "return `${from}${nodePath.sep}`.startsWith(wanted)",
        replace: "return from.startsWith(wanted)",
      },
    ],
  },
  {
    id: "S22",
    attack: "a folder is swapped for a link after it was checked",
    test: `${tools}/test/attacks-files.alone.test.ts`,
    name: "S22: gets nothing of",
    breaks: [
      {
        file: `${core}/src/util/open-inside.ts`,
        find: "if (!isInside(realRoot, realFolder)) throw swapped(path);",
        replace: "",
      },
    ],
  },
  {
    id: "S22",
    attack: "the folder of a file is swapped for a link after it was checked",
    test: `${tools}/test/attacks-files.alone.test.ts`,
    name: "S22: gets nothing of",
    breaks: [
      {
        file: `${core}/src/util/open-inside.ts`,
        find: "if (!isInside(realRoot, realFolder)) throw swapped(path);",
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
];
