import { afterEach, describe, expect, it, vi } from "vitest";
import { toPrettyLine } from "../../../src/telemetry/log/pretty-line.ts";
import { keepLog } from "./lines.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const time = String.raw`\d\d:\d\d:\d\d`;

describe("a line in a terminal", () => {
  it("tells of a call who called what, how it ended and how long it took, without the ids of traces and requests", () => {
    const { log, text } = keepLog({ format: "pretty" });
    const ids = { principal: "key anna", requestId: "r1", traceId: "t1", spanId: "s1", callId: "c1" };
    log.info("call", { tool: "echo", agent: "anna", decision: "allowed", status: 200, durationMs: 0.412, ...ids });
    log.warn("call", { tool: "slow", decision: "allowed", status: 504, code: "TIMED_OUT", durationMs: 445_947.6, ...ids });
    const [first, second] = text().split("\n");
    expect(first).toMatch(new RegExp(`^${time}  call     echo  by anna  allowed  0\\.4 ms  c1$`));
    expect(second).toMatch(new RegExp(`^${time} WARN  call     slow  by an unknown agent  allowed TIMED_OUT  7 min 26 s  c1$`));
  });

  it("tells of a request its route, status, duration and caller", () => {
    const { log, text } = keepLog({ format: "pretty" });
    log.info("request", { route: "GET /api/v1/tools", status: 200, durationMs: 12.3, agent: "owner", requestId: "r1" });
    log.info("request", { route: "POST /mcp", status: 403, code: "ROLE_MISSING", durationMs: 1_234, mcpMethod: "tools/call" });
    expect(text()).toMatch(new RegExp(`^${time}  request  GET /api/v1/tools  200  12 ms  by owner\n`));
    expect(text()).toMatch(new RegExp(`\n${time}  request  POST /mcp  tools/call  403 ROLE_MISSING  1\\.2 s\n$`));
  });

  it("shows the other fields of any other message, and a stack on lines of its own", () => {
    const { log, text } = keepLog({ format: "pretty" });
    log.info("Server ready.", { url: "http://127.0.0.1:1", tools: 3, "gen_ai.tool.name": "x", trace_id: "t" });
    log.error("A stream failed.", { error: new Error("It broke.") });
    const [ready, failed, ...stack] = text().split("\n");
    expect(ready).toMatch(new RegExp(`^${time}  Server ready\\. url=http://127\\.0\\.0\\.1:1 tools=3$`));
    expect(failed).toMatch(new RegExp(`^${time} ERROR  A stream failed\\. error=It broke\\.$`));
    expect(stack[0]).toMatch(/^ {4}at /);
  });

  it("LG6: names that hold line breaks, escape codes or marks of direction stay inside of it", () => {
    const hostile = 'x\n10:00:00  ERROR forged\r\u001B[2J\u009B31m\u202Eabc\u2028"=y';
    const lines = [
      ["call", { tool: hostile, agent: hostile, decision: hostile, code: hostile, callId: hostile }],
      ["request", { route: hostile, status: hostile, code: hostile, agent: hostile, mcpMethod: hostile }],
      [hostile, { [hostile]: hostile, nested: { deep: hostile }, error: { message: hostile, stack: "" } }],
    ] as const;
    for (const [message, fields] of lines) {
      const text = toPrettyLine("info", message, fields, false);
      expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    }
  });

  it("is chosen by itself on a terminal, in colour unless NO_COLOR is set; elsewhere lines are JSON; and the configuration decides first", () => {
    const write = (options: Parameters<typeof keepLog>[0]): string => {
      const { log, text } = keepLog(options);
      log.info("call", { tool: "echo", agent: "anna" });
      return text();
    };
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("TERM", "xterm");
    expect(write({ isTerminal: true })).toContain("\u001B[36mecho\u001B[0m");
    expect(write({ isTerminal: false })).toMatch(/^\{"level":"info"/);
    expect(write({ isTerminal: true, format: "json" })).toMatch(/^\{"level":"info"/);
    expect(write({ isTerminal: true, format: "text" })).toContain("INFO");
    expect(write({ isTerminal: false, format: "pretty" })).toMatch(new RegExp(`^${time}  call     echo`));
    vi.stubEnv("NO_COLOR", "1");
    expect(write({ isTerminal: true })).not.toContain("\u001B");
  });
});
