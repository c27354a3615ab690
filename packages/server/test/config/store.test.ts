import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";

const issuesOf = (text: string): readonly string[] => {
  const read = readConfig(text, "toolrack.config.yaml");
  return read.ok ? [] : read.issues.map(({ message }) => message);
};

describe("the store in the configuration", () => {
  it("takes limits and a direct connection beside the one place where it keeps things", () => {
    const limits = "connectTimeoutMs: 1000\n  statementTimeoutMs: 2000\n  lockTimeoutMs: 500\n  maintenanceTimeoutMs: 60000\n  pollMs: 200";
    expect(issuesOf(`store:\n  postgres: env:A\n  listenUrl: env:B\n  schema: tools\n  poolSize: 20\n  ${limits}\n`)).toEqual([]);
    expect(issuesOf("store: { statementTimeoutMs: 2000 }\n")).toEqual([]); // DATABASE_URL says where
  });

  it.each([
    "poolSize: 0",
    "poolSize: 2000",
    "statementTimeoutMs: 5",
    "lockTimeoutMs: 0",
    "connectTimeoutMs: 1e9",
    "pollMs: 1",
    "schema: A-b",
  ])("refuses %s", (line) => {
    expect(issuesOf(`store:\n  postgres: env:A\n  ${line}\n`)).toHaveLength(1);
  });

  it("refuses two engines, and repeats none of their values", () => {
    expect(issuesOf("store:\n  sqlite: a.db\n  memory: true\n")).toEqual([
      "toolrack.config.yaml:3:3 store has both sqlite and memory. Keep one of them.",
    ]);
    const issues = issuesOf("store:\n  sqlite: a.db\n  postgres: postgres://me:hidden@db/x\n");
    expect(issues).toHaveLength(1);
    expect(issues[0]).not.toMatch(/hidden|a\.db/);
  });
});
