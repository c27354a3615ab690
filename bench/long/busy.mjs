import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { currentCommit, readResult } from "../lib/results.mjs";
import { runFiles } from "../lib/run-files.mjs";

export const title =
  "The tests on a machine that is busy with something else: the whole suite, and often those that once looked at a clock";

/** Takes hours: runs only when it is named. */
export const onlyByName = true;

/**
 * BUSY_PART=suite or BUSY_PART=clocks is one of the two tables. BUSY_ONLY="store/test/engines" takes the files of the second whose path contains it.
 * BUSY_ROUNDS=2 is fewer rounds. BUSY_LOAD=elsewhere starts nothing that computes: another program keeps the cores busy already.
 * What was kept stays in the tables, with its commit: rounds of the whole suite until there are three newer ones, and files of the second until
 * they are run again. A round takes half an hour, and all files more than an hour.
 */
export async function run() {
  const { BUSY_PART: part, BUSY_ONLY: only = "", BUSY_ROUNDS: rounds = "50" } = process.env;
  const files = clockFiles.filter((file) => file.includes(only));
  const [whole, clocks] = await whileBusy(async () => [
    part === "clocks" || only !== "" ? undefined : await wholeSuite(Math.min(3, Number(rounds))),
    part === "suite" ? undefined : await clockTests(files, Number(rounds)),
  ]);
  // Read only now: the two parts may run beside each other.
  const kept = readResult("long-busy")?.tables ?? [];
  const keptRows = (wanted) => kept.find(({ caption }) => caption === wanted)?.rows ?? [];
  return [wholeTable(whole, keptRows(wholeCaption)), clockTable(clocks, keptRows(clockCaption))].filter(({ rows }) => rows.length > 0);
}

const wholeCaption = "The whole suite";
const clockCaption = "Each test that once looked at a clock";

async function wholeSuite(rounds) {
  const commit = currentCommit();
  const rows = [];
  for (let round = 1; round <= rounds; round++) {
    const { passed, named, byFile } = await runFiles([]);
    process.stderr.write(`round ${round} of ${rounds}: ${passed} passed, ${named.length} failed\n${messagesOf(byFile)}`);
    rows.push([commit, String(passed), String(named.length), named.join("; "), named.length === 0 ? "ok" : "over"]);
  }
  return rows;
}

/** Why tests failed, a line for each message. */
function messagesOf(byFile) {
  return [...byFile].flatMap(([file, own]) => own.messages.map((message) => `  ${file}: ${message}\n`)).join("");
}

function wholeTable(rows = [], keptRows) {
  return { caption: wholeCaption, columns: ["commit", "passed", "failed", "which", "verdict"], rows: [...keptRows, ...rows].slice(-3) };
}

/** The files in one run; of those with many tests that no clock concerns, some of the tests in a run of their own. */
async function clockTests(files, rounds) {
  const whole = files.filter((file) => !Object.hasOwn(someTests, file));
  const byFile = new Map();
  const parts = files.filter((file) => Object.hasOwn(someTests, file)).map((file) => [file, "-t", someTests[file]]);
  // An empty list would be all files there are.
  for (const chosen of [whole, ...parts].filter((list) => list.length > 0)) {
    process.stderr.write(`${chosen.length > 1 && chosen[1] !== "-t" ? `${chosen.length} files` : chosen[0]}, ${rounds} times …\n`);
    const done = await runFiles(chosen, { ...process.env, TEST_REPEATS: String(rounds) });
    process.stderr.write(messagesOf(done.byFile));
    for (const [file, own] of done.byFile) byFile.set(file, own);
  }
  const rowOf = (file) => {
    const { passed, named } = byFile.get(file) ?? { passed: 0, named: ["was not run"] };
    const facts = [passed + named.length, rounds, currentCommit(), named.length, named.join("; ")].map(String);
    return [file, ...facts, passed > 0 && named.length === 0 ? "ok" : "over"];
  };
  return files.map(rowOf);
}

function clockTable(rows = [], keptRows) {
  const newest = new Map([...keptRows, ...rows].map((row) => [row[0], row]));
  const known = clockFiles.filter((file) => newest.has(file));
  return {
    caption: clockCaption,
    columns: ["file", "tests", "times", "commit", "failed", "which", "verdict"],
    rows: known.map((file) => newest.get(file)),
  };
}

/** One program for each core computes all the time. */
async function whileBusy(work) {
  const count = process.env.BUSY_LOAD === "elsewhere" ? 0 : availableParallelism();
  const programs = Array.from({ length: count }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  try {
    return await work();
  } finally {
    for (const program of programs) program.kill("SIGKILL");
  }
}

/** Tests that slept, bounded a time or wait for the clock for a stated reason. */
export const clockFiles = [
  "packages/cli/test/attack-projects.test.ts",
  "packages/console/test/large-and-lost.test.ts",
  "packages/core/test/call/cancelling.test.ts",
  "packages/core/test/call/invoke.test.ts",
  "packages/core/test/call/wrappers/param-names.test.ts",
  "packages/core/test/call/wrappers/redact.test.ts",
  "packages/core/test/call/wrappers/result-size.test.ts",
  "packages/core/test/events.test.ts",
  "packages/core/test/grammar/gbnf.test.ts",
  "packages/core/test/lint/lint.test.ts",
  "packages/core/test/lint/sets.test.ts",
  "packages/core/test/policy/calls/decide.test.ts",
  "packages/core/test/policy/hostile.test.ts",
  "packages/core/test/prompt/find-calls.test.ts",
  "packages/core/test/providers/adapt/adapt.test.ts",
  "packages/core/test/registry/nearest.test.ts",
  "packages/core/test/registry/tool-map.test.ts",
  "packages/core/test/search/tool-index.test.ts",
  "packages/core/test/sources/source-contract.test.ts",
  "packages/core/test/testing/test-tool.test.ts",
  "packages/core/test/tool/params.test.ts",
  "packages/core/test/tool/standard-schema.test.ts",
  "packages/core/test/util/glob.test.ts",
  "packages/core/test/util/heavy-turn.test.ts",
  "packages/core/test/util/json-size.test.ts",
  "packages/core/test/util/path-inside.test.ts",
  "packages/fetch/test/fetch.test.ts",
  "packages/json-schema/test/format/formats.test.ts",
  "packages/json-schema/test/pattern/engines.test.ts",
  "packages/json-schema/test/pattern/pattern.test.ts",
  "packages/json-schema/test/util/nearest.test.ts",
  "packages/json-schema/test/validate/validate.test.ts",
  "packages/mcp/test/attacks-serve.test.ts",
  "packages/mcp/test/serve/http/http.test.ts",
  "packages/mcp/test/serve/protocol.test.ts",
  "packages/mcp/test/serve/stdio/stdio.test.ts",
  "packages/mcp/test/serve/tasks/tasks.test.ts",
  "packages/mcp/test/upstream/calls/call.test.ts",
  "packages/mcp/test/upstream/robust.test.ts",
  "packages/server/test/api/status.test.ts",
  "packages/server/test/api/tools.test.ts",
  "packages/server/test/config/file/file.test.ts",
  "packages/server/test/http/store-outages.test.ts",
  "packages/server/test/http/transport/node.test.ts",
  "packages/server/test/rack/approvals/approvals.test.ts",
  "packages/server/test/rack/calls/call-feed.test.ts",
  "packages/server/test/rack/calls/call-id.test.ts",
  "packages/server/test/rack/calls/shared-calls.test.ts",
  "packages/server/test/rack/cluster/lease.test.ts",
  "packages/server/test/rack/settings/config-changes.test.ts",
  "packages/server/test/serve.test.ts",
  "packages/store/test/calls/end-backlog.test.ts",
  "packages/store/test/engines/log-thread.test.ts",
  "packages/store/test/engines/wake.test.ts",
  "packages/store/test/postgres-outages.test.ts",
  "packages/store/test/postgres.test.ts",
  "packages/store/test/queue/turns.test.ts",
  "packages/store/test/queue/write-queue.test.ts",
  "packages/store/test/sqlite.test.ts",
  "packages/store/test/tools/kinds/contract.test.ts",
  "packages/tools/test/commerce/payment-link.test.ts",
  "packages/tools/test/faults-files.test.ts",
  "packages/tools/test/utility/openrouter.test.ts",
  "packages/tools/test/utility/utility.test.ts",
  "packages/tools/test/web/read-page.test.ts",
  "packages/tools/test/web/web-fetch.test.ts",
  "packages/tools/test/web/web-search.test.ts",
  "bench/test/measure.test.mjs",
  "bench/test/runtimes.test.mjs",
];

const inStores =
  "clock|lease|when it is due|at its time|after each delay|however long|expire|at a time|nobody reads|wake who|under load|are alive|of one caller at once";

/** Which tests of a file look at a clock, where most do not. */
const someTests = {
  "packages/store/test/postgres.test.ts": inStores,
  "packages/store/test/sqlite.test.ts": inStores,
  "packages/console/test/large-and-lost.test.ts": "missed at once|what failed",
  "packages/cli/test/attack-projects.test.ts": "whatever a person agrees to",
};
