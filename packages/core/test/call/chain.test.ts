import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ContentBlock, ToolResult } from "../../src/tool/result.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "chain-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.code);

describe("the wrappers of a registry", () => {
  // row: F10
  it("can be printed for each tool, in the order in which they run", () => {
    const registry = createRegistry({
      workspace: { root },
      hooks: { before: [() => undefined], after: [() => undefined] },
      redaction: { fields: ["password"] },
      limits: {
        callsPerRun: 5,
        rate: [{ calls: 1, perMs: 1 }],
        loops: {},
        circuitBreaker: {},
        retry: { attempts: 2, backoffMs: 1 },
        concurrency: 2,
      },
    });
    registry.register(
      fakeTool({
        inputSchema: { type: "object", properties: { filePath: { type: "string" } } },
        metadata: { ownerOnly: true, paths: ["filePath"] },
      }),
    );
    expect(registry.wrappers("echo")).toEqual([
      "param-names",
      "owner-only",
      "call-budget",
      "rate-limit",
      "loop-detection",
      "circuit-breaker",
      "before-hooks",
      "workspace-guard",
      "result-size",
      "images",
      "redact",
      "after-hooks",
      "abort",
      "timeout",
      "concurrency",
      "retry",
    ]);
  });

  it("guard the workspace from the very first call on, which waits until the guard is loaded", async () => {
    const registry = createRegistry({ workspace: { root } });
    let runs = 0;
    registry.register(
      fakeTool({ inputSchema: { type: "object", properties: { path: { type: "string" } } }, handler: () => `run ${++runs}` }),
    );
    const first = registry.invoke("echo", { path: "../outside" });
    const second = registry.invoke("echo", { path: "inside.txt" });
    expect([codeOf(await first), codeOf(await second), runs]).toEqual(["PATH_OUTSIDE_WORKSPACE", "ok", 1]);
    expect(codeOf(await registry.invoke("echo", { path: "/etc/passwd" }))).toBe("PATH_OUTSIDE_WORKSPACE");
  });

  it("are only those that have something to do for the tool", () => {
    const registry = createRegistry();
    registry.register(fakeTool({ inputSchema: { type: "object" } }));
    registry.register(
      fakeTool({ name: "limited", version: "1.0.0", inputSchema: { type: "object" }, metadata: { limits: { concurrency: 1 } } }),
    );
    registry.register(fakeTool({ name: "limited", version: "2.0.0", inputSchema: { type: "object" } }));
    expect(registry.wrappers("echo")).not.toContain("concurrency");
    expect(registry.wrappers("limited@1.0.0")).toContain("concurrency");
    expect(registry.wrappers("limited")).not.toContain("concurrency");
  });
});

describe("a registry with limits", () => {
  it("refuses the fourth call of three per minute, and says when to come again", async () => {
    const clock = createFakeClock();
    const registry = createRegistry({ clock, limits: { rate: [{ calls: 3, perMs: 60_000 }] } });
    registry.register(fakeTool());
    for (let call = 0; call < 3; call++) expect(codeOf(await registry.invoke("echo", {}))).toBe("ok");
    await clock.advance(1_000);
    expect(await registry.invoke("echo", {})).toMatchObject({ code: "RATE_LIMITED", status: 429, retryable: true, retryAfterMs: 59_000 });
    expect(codeOf(await registry.invoke("echo", {}, { caller: { agent: "another" } }))).toBe("ok");
    await clock.advance(59_000);
    expect(codeOf(await registry.invoke("echo", {}))).toBe("ok");
  });

  it("lets a tool rest after its third failure, marks it, and tries it again after the pause", async () => {
    const clock = createFakeClock();
    let works = false;
    const registry = createRegistry({ clock, limits: { circuitBreaker: { failures: 3, coolDownMs: 1_000 } } });
    registry.register(fakeTool({ handler: () => (works ? "fine" : Promise.reject(new Error("down"))) }));
    for (let call = 0; call < 3; call++) expect(codeOf(await registry.invoke("echo", {}))).toBe("TOOL_FAILED");
    expect(registry.entries()).toMatchObject([{ state: "resting" }]);
    expect(await registry.invoke("echo", {})).toMatchObject({ code: "CIRCUIT_OPEN", status: 503, retryAfterMs: 1_000 });
    works = true;
    await clock.advance(1_000);
    expect(codeOf(await registry.invoke("echo", {}))).toBe("ok");
    expect(registry.entries()).toMatchObject([{ state: "ready" }]);
  });

  it("refuses the twenty-sixth call of a run that has twenty-five, whatever the tool", async () => {
    const registry = createRegistry({ limits: { callsPerRun: 25 } });
    registry.register(fakeTool());
    registry.register(fakeTool({ name: "other" }));
    const caller = { run: "run-1" };
    for (let call = 0; call < 25; call++) expect(codeOf(await registry.invoke(call % 2 ? "echo" : "other", {}, { caller }))).toBe("ok");
    const refused = await registry.invoke("echo", {}, { caller });
    expect(refused).toMatchObject({ code: "BUDGET_EXCEEDED", status: 429 });
    expect(!refused.ok && refused.error).toContain("25 calls");
    expect(codeOf(await registry.invoke("echo", {}, { caller: { run: "run-2" } }))).toBe("ok");
  });

  // row: F12
  it("runs five of twenty calls at once, starts them in the order they came, and all finish", async () => {
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const registry = createRegistry({ limits: { concurrency: 5 } });
    registry.register(
      fakeTool({
        inputSchema: { type: "object" },
        handler: async ({ n }: { n: number }) => {
          started.push(n);
          most = Math.max(most, ++running);
          await settle();
          running--;
          return String(n);
        },
      }),
    );
    const results = await registry.callAll(Array.from({ length: 20 }, (_, n) => ({ name: "echo", input: { n } })));
    expect(results.map((result) => result.ok && Number(result.content))).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(started).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(most).toBe(5);
  });

  // row: F27
  it("tries again what may be tried again: one result, and meta says how many attempts", async () => {
    const clock = createFakeClock();
    let attempts = 0;
    const registry = createRegistry({ clock, limits: { retry: { attempts: 3, backoffMs: 10, jitter: 0 } } });
    registry.register(fakeTool({ handler: () => (++attempts < 3 ? { ok: false, error: "Busy.", retryable: true } : "done") }));
    const ended: unknown[] = [];
    registry.subscribe((event) => void (event.type === "call-end" && ended.push(event.result)));
    const call = registry.invoke("echo", {});
    await clock.advance(1_000);
    const result = await call;
    expect(result).toMatchObject({ ok: true, content: "done", meta: { attempts: 3 } });
    expect(ended).toEqual([result]);
    expect((await registry.invoke("echo", {})).meta.attempts).toBeUndefined();
  });

  // row: F27
  it("never tries an input error again", async () => {
    let attempts = 0;
    const registry = createRegistry({ limits: { retry: { attempts: 3, backoffMs: 0 } } });
    registry.register(
      fakeTool({ handler: () => (attempts++, { ok: false, error: "No such table.", code: "INPUT_INVALID", retryable: true }) }),
    );
    expect(codeOf(await registry.invoke("echo", {}))).toBe("INPUT_INVALID");
    expect(codeOf(await registry.invoke("echo", { text: 5 }))).toBe("INPUT_INVALID");
    expect(attempts).toBe(1);
  });

  it("stops a run that makes the same call with the same outcome again and again", async () => {
    const registry = createRegistry({ limits: { loops: { warnAt: 2, blockAt: 3 } } });
    registry.register(fakeTool());
    const codes: string[] = [];
    for (let call = 0; call < 4; call++) codes.push(codeOf(await registry.invoke("echo", { text: "same" }, { caller: { run: "r" } })));
    expect(codes).toEqual(["ok", "ok", "ok", "LOOP_DETECTED"]);
  });

  it("counts the calls that tools make like any other", async () => {
    const registry = createRegistry({ limits: { callsPerRun: 3 } });
    registry.register(fakeTool());
    const codes: string[] = [];
    registry.register(
      fakeTool({
        name: "outer",
        handler: async (_, { call }) => {
          for (let nested = 0; nested < 3; nested++) codes.push(codeOf(await call("echo", {})));
          return "done";
        },
      }),
    );
    await registry.invoke("outer", {}, { caller: { run: "r" } });
    expect(codes).toEqual(["ok", "ok", "BUDGET_EXCEEDED"]);
  });

  it("lets tools work in the workspace only, also where a hook changes the path", async () => {
    writeFileSync(join(root, "inside.txt"), "");
    const inputSchema = { type: "object", properties: { path: { type: "string" } } };
    const registry = createRegistry({
      workspace: { root },
      hooks: { before: [({ input }) => (input["path"] === "hook" ? { input: { path: "../out" } } : undefined)] },
    });
    registry.register(fakeTool({ inputSchema, metadata: { paths: ["path"] }, handler: () => "read" }));
    expect(codeOf(await registry.invoke("echo", { path: "inside.txt" }))).toBe("ok");
    for (const path of ["../out", "/etc/passwd", "hook"])
      expect(codeOf(await registry.invoke("echo", { path }))).toBe("PATH_OUTSIDE_WORKSPACE");
  });

  // row: F9
  it("passes on images rightly labelled, puts a text for those that are too large, and leaves text alone", async () => {
    const png = (width: number, height: number): string => {
      const header = Buffer.alloc(33);
      header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
      header.writeUInt32BE(width, 16);
      header.writeUInt32BE(height, 20);
      header.set([8, 6], 24);
      return header.toString("base64");
    };
    const blocks: ContentBlock[] = [
      { type: "text", text: "two pictures" },
      { type: "image", data: png(10, 10), mimeType: "image/jpeg" },
      { type: "image", data: png(5_000, 10), mimeType: "image/png" },
    ];
    const registry = createRegistry();
    registry.register(fakeTool({ handler: () => blocks }));
    const result = await registry.invoke("echo", {});
    expect(result).toMatchObject({
      ok: true,
      blocks: [
        { type: "text", text: "two pictures" },
        { type: "image", mimeType: "image/png" },
        { type: "text", text: expect.stringContaining("5000 × 10 px") },
      ],
    });
  });

  it("cuts a result that is too large, and says so", async () => {
    const registry = createRegistry({ limits: { maxResultBytes: 1_000 } });
    registry.register(fakeTool({ handler: () => "x".repeat(5_000) }));
    registry.register(fakeTool({ name: "own", metadata: { limits: { maxResultBytes: 100 } }, handler: () => "x".repeat(200) }));
    const [cut, own] = [await registry.invoke("echo", {}), await registry.invoke("own", {})];
    expect(cut.ok && cut.content.length).toBeLessThanOrEqual(1_000);
    expect(own.ok && own.content.length).toBeLessThanOrEqual(100);
    expect(cut.meta.warnings).toHaveLength(1);
  });

  it("takes hidden fields and known secrets out of results, failures and their issues", async () => {
    const registry = createRegistry({ redaction: { fields: ["password"], values: () => ["hunter2"] } });
    const inputSchema = { type: "object", properties: { password: { type: "string", maxLength: 3 } } };
    registry.register(fakeTool({ inputSchema, handler: () => ({ password: "abc", note: "hunter2" }) }));
    expect(await registry.invoke("echo", { password: "abc" })).toMatchObject({
      ok: true,
      data: { password: "[redacted]", note: "[redacted]" },
    });
    expect(JSON.stringify(await registry.invoke("echo", { password: "correct horse" }))).not.toContain("correct horse");
  });
});
