import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const title = "Stores whose database is away, hangs, is full or read-only, and the whole contract of stores behind PgBouncer";

const root = fileURLToPath(new URL("../..", import.meta.url));
const suites = [
  ["PostgreSQL that cannot work", "packages/store/test/postgres-outages.test.ts"],
  ["SQLite that cannot be used", "packages/store/test/sqlite-outages.test.ts"],
  ["PgBouncer in transaction mode, the whole contract", "packages/store/test/pgbouncer.test.ts"],
];

/** Rounds over all of them until the time is over, at least one. */
export async function run({ seconds }) {
  const until = performance.now() + seconds * 1_000;
  const counts = new Map(suites.map(([name]) => [name, { rounds: 0, passed: 0, failed: 0 }]));
  do {
    for (const [name, file] of suites) {
      const { numPassedTests = 0, numFailedTests = 0, success = false, testResults = [] } = await runTests(file);
      const failures = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "failed");
      for (const { fullName, failureMessages } of failures) console.error(`${fullName}\n  ${failureMessages[0]?.split("\n")[0]}`);
      const count = counts.get(name);
      count.rounds += 1;
      count.passed += numPassedTests;
      count.failed += success ? 0 : Math.max(1, numFailedTests);
    }
  } while (performance.now() < until);
  return [
    {
      caption: "Each suite",
      columns: ["suite", "rounds", "passed", "failed", "verdict"],
      rows: [...counts].map(([name, { rounds, passed, failed }]) => [
        name,
        ...[rounds, passed, failed].map(String),
        failed === 0 ? "ok" : "over",
      ]),
    },
  ];
}

/** What vitest counted; nothing where it did not get that far. */
function runTests(file) {
  return new Promise((resolve) => {
    const env = { ...process.env, TOOLRACK_LONG: "1" };
    const child = spawn("npx", ["vitest", "run", file, "--reporter=json"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    child.on("close", () => {
      try {
        resolve(JSON.parse(text.slice(text.indexOf("{"))));
      } catch {
        resolve({});
      }
    });
  });
}
