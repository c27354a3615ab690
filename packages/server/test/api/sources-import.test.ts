import path from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../rack/programs/mcp-server.mjs", import.meta.url));
const node = process.execPath;

/** One server in the shape of each client, and what it becomes. */
const shapes: Readonly<Record<string, string>> = {
  "mcpServers, with comments": `{
    // mine
    "mcpServers": { "small": { "command": "${node}", "args": ["${program}"], "env": { "API_TOKEN": "t0k3n-of-mine", "LEVEL": "debug" } }, },
  }`,
  "servers of VS Code": JSON.stringify({
    inputs: [],
    servers: { small: { type: "stdio", command: node, args: [program], env: { API_TOKEN: "t0k3n-of-mine", LEVEL: "debug" } } },
  }),
  "context_servers of Zed": JSON.stringify({
    theme: "One Dark",
    context_servers: {
      small: { source: "custom", command: { path: node, args: [program], env: { API_TOKEN: "t0k3n-of-mine", LEVEL: "debug" } } },
    },
  }),
  "mcp_servers of Codex, in TOML": `model = "gpt-5"\n[mcp_servers.small]\ncommand = "${node}"\nargs = ["${program}"]\n[mcp_servers.small.env]\nAPI_TOKEN = "t0k3n-of-mine"\nLEVEL = "debug"\n`,
  "extensions of goose, in YAML": `GOOSE_MODEL: x\nextensions:\n  small:\n    type: stdio\n    enabled: true\n    cmd: ${node}\n    args: [${program}]\n    envs: { API_TOKEN: t0k3n-of-mine, LEVEL: debug }\n`,
};

describe("importing the MCP servers of a client", () => {
  it.each(Object.entries(shapes))("takes over %s; credentials become secrets, and programs wait for approval", async (_shape, text) => {
    const { ask, rack } = serverOver(await openTestRack());
    const planned = await ask("POST", "/sources/import", { text, dryRun: true });
    expect(planned.body.sources).toMatchObject([{ name: "small", outcome: "planned", secrets: ["small.API_TOKEN"], missing: [] }]);
    expect(rack.settings.get("sources.small")).toBeUndefined();
    const { body } = await ask("POST", "/sources/import", { text });
    expect(body.sources).toMatchObject([{ name: "small", outcome: "added", state: "waiting-for-approval" }]);
    expect(rack.settings.get("sources.small")?.value).toEqual({
      command: node,
      args: [program],
      env: { API_TOKEN: "secret:small.API_TOKEN", LEVEL: "debug" },
    });
    expect(JSON.stringify([body, planned, (await ask("GET", "/settings")).body])).not.toContain("t0k3n-of-mine");
    await ask("POST", "/sources/small/approve", { identity: body.sources[0].identity });
    await until(() => rack.registry.has("small__say"));
    expect((await ask("POST", "/sources/import", { text })).body.sources).toMatchObject([
      { outcome: "skipped", reason: "it is there already" },
    ]);
  });

  it("maps addresses and headers of every client, and names what is missing", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    const url = "https://mcp.example.com/mcp";
    const json = {
      mcpServers: {
        plain: { url, headers: { Authorization: "Bearer abc", Accept: "text/plain" } },
        windsurf: { serverUrl: url, headers: { Authorization: "Bearer ${env:WIND_TOKEN}" } },
        gemini: { httpUrl: url, headers: { "X-Key": "${input:gem-key}" } },
      },
    };
    const toml = `[mcp_servers.codex]\nurl = "${url}"\nbearer_token_env_var = "CODEX_TOKEN"\nhttp_headers = { "X-Region" = "eu" }\n[mcp_servers.codex.env_http_headers]\n"X-Key" = "CODEX_KEY"\n`;
    const yaml = `extensions:\n  goose: { type: streamable_http, uri: "${url}", env_keys: [], headers: { Authorization: "Bearer abc" } }\n  developer: { type: builtin }\n`;
    const results = [];
    for (const text of [JSON.stringify(json), toml, yaml]) results.push(...(await ask("POST", "/sources/import", { text })).body.sources);
    expect(results.map(({ name, outcome, missing }) => [name, outcome, missing])).toEqual([
      ["plain", "added", []],
      ["windsurf", "added", ["windsurf.Authorization"]],
      ["gemini", "added", ["gemini.X-Key"]],
      ["codex", "added", ["codex.X-Key", "codex.Authorization"]],
      ["goose", "added", []],
      ["developer", "skipped", []],
    ]);
    const of = (id: string): unknown => rack.settings.get(`sources.${id}`)?.value;
    expect(of("plain")).toEqual({ url, headers: { Authorization: "secret:plain.Authorization", Accept: "secret:plain.Accept" } });
    expect(of("windsurf")).toEqual({ url, headers: { Authorization: "Bearer ${secret:windsurf.Authorization}" } });
    expect(of("codex")).toMatchObject({
      headers: {
        "X-Region": "secret:codex.X-Region",
        "X-Key": "secret:codex.X-Key",
        Authorization: "Bearer ${secret:codex.Authorization}",
      },
    });
    expect(of("goose")).toEqual({ url, headers: { Authorization: "secret:goose.Authorization" } });
  });

  it("answers for each server that cannot be taken over, and goes on with the others", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    await ask("PUT", "/sources/taken", { url: "https://one.example.com/mcp" });
    const servers = {
      off: { command: "x", disabled: true },
      "!!!": { command: "x" },
      args: { command: "x", args: ["--api-key", "sk-123456789"] },
      link: { url: "https://example.com/mcp?token=abc" },
      user: { url: "https://me:abc@example.com/mcp" },
      folder: { command: "${env:TOOLS}/x" },
      nowhere: { command: "${env:NOWHERE}/x" },
      taken: { url: "https://two.example.com/mcp" },
      one: { url: "https://three.example.com/mcp" },
      One: { url: "https://four.example.com/mcp" },
    };
    const text = JSON.stringify({ mcpServers: servers });
    const { body } = await ask("POST", "/sources/import", { text, variables: { TOOLS: "/opt" } });
    const told = Object.fromEntries(
      body.sources.map((source: { name: string; outcome: string; reason?: string }) => [source.name, [source.outcome, source.reason]]),
    );
    expect(told).toEqual({
      off: ["skipped", expect.stringContaining("switched off")],
      "!!!": ["failed", expect.stringContaining("no letter or digit")],
      args: ["failed", expect.stringContaining("a credential in args.1")],
      link: ["added", undefined],
      user: ["failed", expect.stringContaining("a credential in url")],
      folder: ["added", undefined],
      nowhere: ["failed", expect.stringContaining('"NOWHERE" is not set')],
      taken: ["failed", expect.stringContaining("--replace")],
      one: ["added", undefined],
      One: ["failed", expect.stringContaining("already called")],
    });
    expect(JSON.stringify(body)).not.toMatch(/sk-123456789|token=abc|me:abc/);
    expect(rack.settings.get("sources.link")?.value).toEqual({ url: "https://example.com/mcp?token=${secret:link.url.1}" });
    const replaced = await ask("POST", "/sources/import", { text, only: ["taken", "ghost"], replace: true });
    expect(replaced.body.sources).toMatchObject([
      { name: "taken", outcome: "replaced" },
      { name: "ghost", outcome: "failed", reason: "the file has no server of this name" },
    ]);
    expect(rack.settings.get("sources.taken")?.value).toEqual({ url: "https://two.example.com/mcp" });
  });

  it("plans nothing that it would refuse to add", async () => {
    const { ask } = serverOver(await openTestRack());
    const servers = {
      unpinned: { command: "npx", args: ["-y", "some-server"] },
      long: { command: "x", env: { TOKEN: "s".repeat(65_537) } },
      named: { command: "x", env: { [`T${"o".repeat(130)}KEN`]: "value" } },
      fine: { command: "x" },
    };
    const text = JSON.stringify({ mcpServers: servers });
    const outcomes = async (dryRun: boolean): Promise<unknown> =>
      (await ask("POST", "/sources/import", { text, dryRun })).body.sources.map(({ name, reason }: { name: string; reason?: string }) => [
        name,
        reason,
      ]);
    const planned = await outcomes(true);
    expect(planned).toEqual([
      ["unpinned", expect.stringContaining("without an exact version")],
      ["long", expect.stringContaining("65,536")],
      ["named", expect.stringContaining("128 characters")],
      ["fine", undefined],
    ]);
    expect(await outcomes(false)).toEqual(planned);
  });

  it("starts programs with relative paths where the file is", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    const folder = temporaryFolder({ "srv.mjs": "" });
    const servers = {
      command: { command: "./srv.mjs" },
      argument: { command: "node", args: ["./srv.mjs"] },
      file: { command: "node", args: ["srv.mjs"] },
      below: { command: "node", args: ["srv.mjs"], cwd: "inner" },
      absolute: { command: "/usr/bin/env", args: ["./srv.mjs"], cwd: "/opt" },
      other: { command: "npx", args: ["-y", "some-server@1.2.3"] },
    };
    const { body } = await ask("POST", "/sources/import", { text: JSON.stringify({ mcpServers: servers }), folder });
    expect(body.sources.filter(({ outcome }: { outcome: string }) => outcome !== "added")).toEqual([]);
    const places = Object.keys(servers).map((id) => {
      const { command, cwd } = rack.settings.get(`sources.${id}`)!.value as { command: string; cwd?: string };
      return [id, command, cwd];
    });
    expect(places).toEqual([
      ["command", path.join(folder, "srv.mjs"), folder],
      ["argument", "node", folder],
      ["file", "node", folder],
      ["below", "node", path.join(folder, "inner")],
      ["absolute", "/usr/bin/env", "/opt"],
      ["other", "npx", undefined],
    ]);
  });

  it("refuses a text that is no such file, and callers who are no admin", async () => {
    const { ask, as } = serverOver(await openTestRack());
    for (const text of ["{", "[mcp_servers", "a: [", "hello", "{}", "x = 1"])
      expect(await ask("POST", "/sources/import", { text })).toMatchObject({ status: 400, body: { code: "CONFIG_INVALID" } });
    const curator = await as("boss", "curator");
    expect((await curator("POST", "/sources/import", { text: "{}" })).status).toBe(403);
  });
});

describe("a file of somebody else", () => {
  const url = "https://mcp.example.com/mcp";
  const importing = async (
    { ask }: Pick<ReturnType<typeof serverOver>, "ask">,
    mcpServers: object,
    options: object = {},
  ): Promise<Record<string, { outcome: string; reason?: string; [more: string]: unknown }>> => {
    const { body } = await ask("POST", "/sources/import", { text: JSON.stringify({ mcpServers }), ...options });
    return Object.fromEntries(body.sources.map((source: { name: string }) => [source.name, source]));
  };

  it("gets no stored secret: a reference is refused, and an input never means a secret that exists", async () => {
    const server = serverOver(await openTestRack());
    await server.rack.secrets.set("prod-db", "s3cret");
    await server.rack.secrets.set("taken.X-Key", "s3cret");
    const told = await importing(server, {
      braces: { url, headers: { "X-Client": "${secret:prod-db}" } },
      plain: { url, headers: { "X-Client": "secret:prod-db" } },
      program: { command: "x", env: { CLIENT: "secret:prod-db" } },
      input: { url, headers: { "X-Client": "${input:prod-db}" } },
      fallback: { url, headers: { "X-Client": "${NOWHERE:-${secret:prod-db}}" } },
      taken: { url, headers: { "X-Key": "${input:any}" } },
    });
    for (const name of ["braces", "plain", "program"])
      expect(told[name]).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/stored secret.*toolrack secrets set/) });
    expect(told["input"]).toMatchObject({ outcome: "added", missing: ["input.X-Client"] });
    expect(told["fallback"]).toMatchObject({ outcome: "added", missing: ["fallback.X-Client"] });
    expect(told["taken"]).toMatchObject({ outcome: "failed", reason: expect.stringContaining('"taken.X-Key", which exists already') });
    const again = await importing(server, { taken: { url, headers: { "X-Key": "${input:any}" } } }, { replace: true });
    expect(again["taken"]).toMatchObject({ outcome: "failed", reason: expect.stringContaining('"taken.X-Key", which exists already') });
    expect(JSON.stringify((await server.ask("GET", "/settings")).body)).not.toContain("prod-db");
  });

  it("gets only the variables that were given, and the plan names each with its destination", async () => {
    const server = serverOver(await openTestRack());
    const servers = { docs: { url, headers: { "X-A": "${CLOUD_A}", "X-B": "v ${env:CLOUD_B}" } } };
    const told = await importing(server, servers, { variables: { CLOUD_A: "value-of-a" }, dryRun: true });
    expect(told["docs"]).toMatchObject({
      outcome: "planned",
      secrets: ["docs.X-A"],
      missing: ["docs.X-B"],
      variables: [{ name: "CLOUD_A", field: "headers.X-A", destination: "https://mcp.example.com" }],
    });
    await importing(server, servers, { variables: { CLOUD_A: "value-of-a" } });
    expect(server.rack.settings.get("sources.docs")?.value).toEqual({
      url,
      headers: { "X-A": "secret:docs.X-A", "X-B": "secret:docs.X-B" },
    });
  });

  it("has no placeholder in an address or an argument, where its value could be read", async () => {
    const told = await importing(
      serverOver(await openTestRack()),
      {
        address: { url: `${url}/\${CLOUD_A}` },
        argument: { command: "x", args: ["--any", "${CLOUD_A}"] },
        input: { command: "x", args: ["${input:any}"] },
      },
      { variables: { CLOUD_A: "value-of-a" } },
    );
    expect(told["address"]).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/placeholder in "url".*headers/) });
    for (const name of ["argument", "input"])
      expect(told[name]).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/placeholder in "args".*env/) });
    expect(JSON.stringify(told)).not.toContain("value-of-a");
  });

  it.each([
    "npm_config_registry",
    "NPM_CONFIG_SCRIPT_SHELL",
    "UV_INDEX_URL",
    "PIP_INDEX_URL",
    "PYTHONSTARTUP",
    "GIT_EXTERNAL_DIFF",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "BUN_CONFIG_REGISTRY",
    "DENO_DIR",
    "RUBYOPT",
    "PERL5LIB",
    "JAVA_TOOL_OPTIONS",
    "YARN_REGISTRY",
    "HTTPS_PROXY",
    "SSL_CERT_FILE",
    "GOPROXY",
    "DOCKER_HOST",
    "PATH",
  ])("does not set %s, which decides what code runs, unless that was allowed; then its value is shown", async (name) => {
    const server = serverOver(await openTestRack());
    const servers = { small: { command: "x", env: { [name]: "https://other.example.com/a" } } };
    expect((await importing(server, servers))["small"]).toMatchObject({
      outcome: "failed",
      reason: expect.stringMatching(new RegExp(`${name}.*--allow-variable ${name}`)),
    });
    expect((await importing(server, servers, { allowVariables: [name], dryRun: true }))["small"]).toMatchObject({
      outcome: "planned",
      config: { loads: { [name]: "https://other.example.com/a" } },
    });
  });

  it("has every value stored as a secret that is not plainly harmless", async () => {
    const server = serverOver(await openTestRack());
    const hidden = {
      DB_PW: "swordfish",
      PIN: "4930",
      AWS_SK: "/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      VAULT_UNSEAL: "hunter",
      DB_URL: "https://db.example/?pw=hunter2",
      ODD: "xsecret:abc",
      API_TOKEN: "debug",
    };
    const shown = { NODE_ENV: "production", VERBOSE: "true", RETRIES: "3", DATA: "/home/ada/data", EMPTY: "" };
    const told = await importing(server, { small: { command: "x", env: { ...hidden, ...shown } } });
    expect(told["small"]).toMatchObject({ outcome: "added", secrets: Object.keys(hidden).map((name) => `small.${name}`) });
    expect(server.rack.settings.get("sources.small")?.value).toMatchObject({ env: shown });
    expect((await importing(server, { link: { url: "https://me:pw@example.com/mcp" } }))["link"]).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("a credential in url"),
    });
    const token = "XrC9mQ0vT4bKz7LpWn2Yd8Ha";
    const addresses = { a: "/mcp?pw=hunter2", b: "/mcp?access_code=1234567", c: `/hooks/${token}/mcp?page=2` };
    const links = Object.entries(addresses).map(([name, address]) => [name, { url: `https://example.com${address}` }] as const);
    const linked = await importing(server, Object.fromEntries(links));
    expect(JSON.stringify(linked)).not.toMatch(/hunter2|1234567|XrC9/);
    expect(linked["c"]).toMatchObject({ outcome: "added", secrets: ["c.url.1"] });
    expect(server.rack.settings.get("sources.c")?.value).toEqual({ url: "https://example.com/hooks/${secret:c.url.1}/mcp?page=2" });
  });

  it("keeps the secrets of two servers apart, and overwrites none that exists without being told", async () => {
    const server = serverOver(await openTestRack());
    const headers = { "b-token": "of-a", "b.token": "dot", "b!token": "mark" };
    const told = await importing(server, { a: { url, headers }, "a-b": { url, headers: { token: "of-a-b" } } });
    const names = Object.values(told).flatMap(({ secrets }) => secrets as string[]);
    expect(new Set(names).size).toBe(4);
    expect((await server.rack.secrets.list()).length).toBe(4);
    await server.ask("DELETE", "/sources/a-b");
    const other = { "a-b": { url, headers: { token: "other" } } };
    expect((await importing(server, other))["a-b"]).toMatchObject({
      outcome: "failed",
      reason: expect.stringMatching(/"a-b.token" exists already.*--replace/),
    });
    const put = { url, headers: { token: "other" }, storeSecrets: true };
    expect(await server.ask("PUT", "/sources/a-b", put)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/"a-b.token" exists already.*--replace/) },
    });
    expect((await server.ask("PUT", "/sources/a-b", { ...put, replaceSecrets: true })).status).toBe(200);
    await server.ask("DELETE", "/sources/a-b");
    expect((await importing(server, other, { replace: true }))["a-b"]).toMatchObject({ outcome: "added" });
  });

  it("takes the secrets that were made for it away with it, and none that something else needs", async () => {
    const server = serverOver(await openTestRack());
    await server.ask("PUT", "/secrets/mine", { value: "of-mine" });
    const headers = { "X-Key": "of-docs", Authorization: "Bearer shared" };
    await importing(server, { docs: { url: "https://example.com/XrC9mQ0vT4bKz7LpWn2Yd8Ha/mcp", headers } });
    await server.ask("PUT", "/sources/other", { url, headers: { a: "secret:docs.Authorization", b: "secret:mine" } });
    const names = async (): Promise<string[]> => (await server.rack.secrets.list()).map(({ name }) => name).sort();
    expect(await names()).toEqual(["docs.Authorization", "docs.X-Key", "docs.url.1", "mine"]);
    expect((await server.ask("DELETE", "/sources/docs?removeSecrets=true")).body).toEqual({
      id: "docs",
      removedSecrets: ["docs.X-Key", "docs.url.1"],
      keptSecrets: [],
    });
    expect((await server.ask("DELETE", "/sources/other?removeSecrets=true")).body).toMatchObject({ removedSecrets: [], keptSecrets: [] });
    expect(await names()).toEqual(["docs.Authorization", "mine"]);
  });
});

describe("the id of a source", () => {
  it("is accepted with and without mcp:, and an unknown one is answered with the next step", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    const added = await ask("PUT", "/sources/mcp:small", { command: node, args: [program] });
    expect(added.body).toMatchObject({ id: "small" });
    await ask("POST", "/sources/mcp:small/approve", { identity: added.body.identity });
    await until(() => rack.registry.has("small__say"));
    expect((await ask("POST", "/sources/mcp:small/refresh")).body).toMatchObject({ id: "small", state: "ready" });
    expect((await ask("POST", "/sources/smal/refresh")).body.detail).toBe(
      'There is no source "smal". Did you mean "small"? List them with: toolrack sources list',
    );
    expect((await ask("POST", "/sources/plugin:x/refresh")).body.detail).toContain(
      "Plugins are added by a module of tools.modules; restart the server",
    );
    expect((await ask("DELETE", "/sources/mcp:small")).status).toBe(200);
    await ask("PUT", "/sources/later", { command: node, args: [program] });
    expect((await ask("POST", "/sources/later/refresh")).body.detail).toContain("toolrack sources approve later");
  });

  it("takes credentials of headers and variables into secrets where that is asked for", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    const { status } = await ask("PUT", "/sources/docs", {
      url: "https://docs.example.com/mcp",
      headers: { Authorization: "Bearer abc" },
      allowHosts: ["docs.example.com"],
      storeSecrets: true,
    });
    expect(status).toBe(200);
    expect(rack.settings.get("sources.docs")?.value).toEqual({
      url: "https://docs.example.com/mcp",
      headers: { Authorization: "secret:docs.Authorization" },
      allowHosts: ["docs.example.com"],
    });
    expect((await rack.secrets.list()).map(({ name }) => name)).toEqual(["docs.Authorization"]);
  });
});
