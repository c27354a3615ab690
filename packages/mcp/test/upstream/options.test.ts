import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { mcpSource, type McpSourceOptions } from "@toolrack/mcp";
import { checkOptions } from "../../src/upstream/options.ts";
import { upstreamIdentity } from "../../src/upstream/tools/fingerprint.ts";

const refusal = (options: object): string => {
  try {
    mcpSource({ name: "hand", ...options } as McpSourceOptions);
    return "";
  } catch (error) {
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    return (error as Error).message;
  }
};

describe("options of an upstream", () => {
  it("name one server: a program or an address", () => {
    expect(refusal({})).toContain("either a command");
    expect(refusal({ command: "node", url: "https://example.com" })).toContain("either a command");
    expect(refusal({ command: "" })).toContain("must be texts");
    expect(refusal({ command: "node", args: "a b" })).toContain("must be texts");
    expect(refusal({ command: "node", args: [1] })).toContain("must be texts");
    expect(refusal({ command: "node", env: { A: 1 } })).toContain("env must be");
    expect(refusal({ command: "node", inheritEnv: "PATH" })).toContain("inheritEnv must be");
    expect(refusal({ url: "https://example.com", auth: { kind: "password" } })).toContain("auth.kind must be");
    expect(refusal({ url: "https://example.com", auth: { kind: "client-credentials", clientId: "a", clientSecret: "b" } })).toContain(
      "name the issuer",
    );
  });

  it("are refused where an address cannot be spoken to", () => {
    expect(refusal({ url: "example.com/mcp" })).toContain("must be an address");
    expect(refusal({ url: "file:///etc/passwd" })).toContain("http or https");
    expect(refusal({ url: "https://user:password@example.com" })).toContain("Send a header instead");
    expect(refusal({ url: "https://example.com", allowHosts: ["*"] })).toContain("must be a host");
  });

  it("cannot set headers that belong to the protocol, or that end early", () => {
    for (const name of ["Mcp-Session-Id", "MCP-Method", "host", "Content-Length", "transfer-encoding"]) {
      expect(refusal({ url: "https://example.com", headers: { [name]: "x" } })).toContain("set by the protocol");
    }
    for (const headers of [{ "a b": "x" }, { a: "x\r\nb: y" }, { a: 1 }]) {
      expect(refusal({ url: "https://example.com", headers })).toContain("cannot be sent");
    }
  });

  it("are taken where they are known, for a program and for an address", () => {
    const both = { approved: false, identity: undefined, secret: () => "", onRequest: () => undefined, prompts: true, resources: true };
    const numbers = Object.fromEntries(Object.keys(checkOptions({ name: "hand", command: "node" })).map((name) => [name, 1_000]));
    expect(refusal({ ...both, ...numbers, command: "node", args: ["a"], env: { A: "1" }, inheritEnv: ["PATH"], cwd: "/" })).toBe("");
    expect(refusal({ ...both, ...numbers, url: "https://example.com", headers: { a: "1" }, allowHosts: ["example.com"] })).toBe("");
    expect(refusal({ url: "https://example.com", auth: { kind: "provider", provider: {} } })).toBe("");
  });

  it("stop a program before it is started, by what beforeStart throws", async () => {
    expect(refusal({ command: "node", beforeStart: "check" })).toContain("beforeStart must be a function");
    expect(refusal({ url: "https://example.com", beforeStart: () => undefined })).toContain('"beforeStart" is not known here');
    const file = join(temporaryFolder(), "started");
    const args = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(file)}, "")`];
    const beforeStart = (): void => {
      throw new Error("It is another program now.");
    };
    const source = mcpSource({ name: "hand", command: process.execPath, args, beforeStart });
    await expect(source.list({ signal: new AbortController().signal })).rejects.toThrow("It is another program now.");
    await source.close();
    expect(existsSync(file)).toBe(false);
  });

  it("that are not known, and numbers that are none, are refused", () => {
    expect(refusal({ command: "node", timeout: 1 })).toContain('"timeout" is not known here');
    expect(refusal({ command: "node", headers: {} })).toContain('"headers" is not known here');
    expect(refusal(JSON.parse('{"command": "node", "__proto__": {}}') as object)).toContain('"__proto__" is not known here');
    for (const graceMs of [0, -1, Number.NaN, "5"]) expect(refusal({ command: "node", graceMs })).toContain("graceMs must be a number");
  });

  it("have a default for every number, and no timer is longer than timers can be", () => {
    const defaults = {
      connectTimeoutMs: 30_000,
      listTimeoutMs: 15_000,
      callTimeoutMs: 120_000,
      graceMs: 300_000,
      refreshMs: 300_000,
      backoffMs: 500,
      maxBackoffMs: 60_000,
      maxFailures: 5,
      maxMessageBytes: 10_485_760,
      maxTools: 1_000,
    };
    expect(checkOptions({ name: "hand", command: "node" })).toEqual(defaults);
    for (const name of Object.keys(defaults)) {
      expect(checkOptions({ name: "hand", command: "node", [name]: 0.5 })).toEqual({ ...defaults, [name]: 0.5 });
      expect(checkOptions({ name: "hand", url: "https://example.com/mcp", [name]: Infinity })).toEqual({
        ...defaults,
        [name]: 2_147_483_647,
      });
      expect(refusal({ command: "node", [name]: 0 })).toBe(`MCP server "hand": ${name} must be a number above 0.`);
    }
  });

  it("may all be there, each kind of server having its own", () => {
    const common = { name: "hand", approved: {}, secret: () => undefined } as object;
    const stdio = { ...common, command: "node", args: ["a"], env: { A: "b" }, inheritEnv: ["PATH"], cwd: "/" };
    const http = { ...common, url: "http://example.com/mcp", headers: { "X-Key": "k" }, allowHosts: ["example.com"] };
    expect(refusal(stdio)).toBe("");
    expect(refusal(http)).toBe("");
    for (const auth of [{ kind: "provider" }, { kind: "client-credentials", issuer: "https://i", clientId: "a", clientSecret: "b" }])
      expect(refusal({ ...http, auth })).toBe("");
    for (const missing of ["issuer", "clientId", "clientSecret"]) {
      const auth = { kind: "client-credentials", issuer: "https://i", clientId: "a", clientSecret: "b", [missing]: undefined };
      expect(refusal({ ...http, auth })).toContain("auth must name the issuer, the clientId and the clientSecret.");
    }
    expect(refusal({ command: "node", url: undefined })).toContain("either a command");
    for (const name of ["headers", "auth", "allowHosts"])
      expect(refusal({ command: "node", [name]: undefined })).toContain("is not known here");
    for (const name of ["args", "env", "inheritEnv", "cwd"])
      expect(refusal({ url: "https://example.com", [name]: undefined })).toContain("is not known here");
  });

  it("are refused with a character that no program or protocol takes", () => {
    const zero = "a\0b";
    expect(refusal({ command: zero })).toContain("command and args must be texts");
    expect(refusal({ command: "node", args: [zero] })).toContain("command and args must be texts");
    expect(refusal({ command: "node", env: { A: zero } })).toContain("env must be an object of texts");
    expect(refusal({ command: "node", inheritEnv: [zero] })).toContain("inheritEnv must be a list of names");
    for (const value of ["a\nb", "a\rb", zero])
      expect(refusal({ url: "https://example.com", headers: { a: value } })).toContain("cannot be sent");
    for (const name of ["accept", "Last-Event-Id", "connection", "content-type"])
      expect(refusal({ url: "https://example.com", headers: { [name]: "x" } })).toBe(
        `MCP server "hand": the header "${name}" is set by the protocol.`,
      );
    expect(refusal({ url: "https://example.com", headers: { "x-host": "x", "x-accept": "y" } })).toBe("");
    for (const url of ["https://user@example.com", "https://:password@example.com"])
      expect(refusal({ url })).toContain("must not contain a user name or password");
  });

  it("hold an approved server to its command or address", () => {
    const identity = upstreamIdentity({ name: "hand", command: "node", args: ["a"] });
    expect(refusal({ command: "node", args: ["a"], identity })).toBe("");
    expect(refusal({ command: "node", args: ["b"], identity })).toContain("its command or address is not the approved one");
  });
});
