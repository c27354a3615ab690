import { describe, expect, it } from "vitest";
import { mcpSource, type McpSourceOptions } from "@toolrack/mcp";

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

  it("that are not known, and numbers that are none, are refused", () => {
    expect(refusal({ command: "node", timeout: 1 })).toContain('"timeout" is not known here');
    expect(refusal({ command: "node", headers: {} })).toContain('"headers" is not known here');
    expect(refusal(JSON.parse('{"command": "node", "__proto__": {}}') as object)).toContain('"__proto__" is not known here');
    for (const graceMs of [0, -1, Number.NaN, "5"]) expect(refusal({ command: "node", graceMs })).toContain("graceMs must be a number");
  });
});
