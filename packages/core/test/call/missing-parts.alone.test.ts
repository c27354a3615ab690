import { describe, expect, it, vi } from "vitest";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { defineTool } from "../../src/tool/tool.ts";
import type { ToolResult } from "../../src/tool/result.ts";

vi.mock("../../src/call/wrappers/workspace-guard.ts", () => {
  throw new Error("The file is gone.");
});
vi.mock("../../src/call/wrappers/redact.ts", () => {
  throw new Error("The file is gone.");
});

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.code);

describe("a part that is loaded late and cannot be loaded", () => {
  it("fails the calls with paths, and no others, where it is the guard of the workspace", async () => {
    const registry = createRegistry({ workspace: { root: import.meta.dirname } });
    const ran: string[] = [];
    const withPath = { type: "object", properties: { path: { type: "string" } } };
    const withText = { type: "object", properties: { text: { type: "string" } } };
    registry.register(fakeTool({ inputSchema: withPath, handler: () => void ran.push("echo") }));
    registry.register(fakeTool({ name: "other", inputSchema: withText, handler: () => void ran.push("other") }));
    const calls = [registry.invoke("echo", { path: "inside.txt" }), registry.invoke("other", {})];
    expect((await Promise.all(calls)).map(codeOf)).toEqual(["TOOL_FAILED", "ok"]);
    expect(ran).toEqual(["other"]);
  });

  it("runs no handler where it is what hides fields of results", async () => {
    const registry = createRegistry({ redaction: { fields: ["password"] } });
    let runs = 0;
    registry.register(fakeTool({ inputSchema: { type: "object" }, handler: () => ({ runs: ++runs, password: "4711" }) }));
    const result = await registry.invoke("echo", {});
    expect(codeOf(result)).toBe("TOOL_FAILED");
    expect(JSON.stringify(result)).not.toContain("4711");
    expect(runs).toBe(0);
  });

  it("gives no secret to a handler where it is what hides secrets", async () => {
    const registry = createRegistry({ secrets: createMemorySecrets({ key: "s3cret-4711" }) });
    registry.register(
      defineTool({
        name: "pay",
        description: "Pays.",
        inputSchema: { type: "object" },
        metadata: { secrets: ["key"] },
        handler: (_input, { secret }) => secret("key"),
      }),
    );
    const result = await registry.invoke("pay", {});
    expect(codeOf(result)).toBe("TOOL_FAILED");
    expect(JSON.stringify(result)).not.toContain("4711");
  });
});
