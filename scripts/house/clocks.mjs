import { lineAt } from "./read.mjs";

/** Test files that look at a real clock or set a real timer, each with the reason why nothing else would do. */
export const clockExceptions = {
  "packages/cli/test/attack-projects.test.ts": "answers questions all the time, as somebody does who has stopped reading them",
  "packages/console/test/_demo.mjs": "a tool of the demonstration that takes its time",
  "packages/core/test/call/invoke.test.ts": "compares two readings of one clock: what a call reports and what is seen from outside",
  "packages/server/test/rack/cluster/lease.test.ts":
    "only time tells whether a process that was paused holds a lock; if it does, it is paused again",
  "packages/store/src/testing/contract/_expect.ts": "asks again until a condition holds, as `until` of the test kit does",
  "packages/store/test/queue/turns.test.ts": "its timers are those of a fake clock",
  "packages/store/test/tools/kinds/contract.test.ts": "a handler that leaves a timer behind is what the contract has to find",
  "bench/test/runtimes.test.mjs": "workerd does not tell that a request has begun",
};

/** Tests and their helpers, except programs that tests start. */
const isTest = (path) =>
  (/^(packages\/[^/]+\/test|scripts\/test|bench\/test)\//.test(path) || path.startsWith("packages/store/src/testing/contract/")) &&
  /\.(ts|tsx|mjs)$/.test(path) &&
  !/\/(fixtures|programs)\//.test(path);

/** Text in quotes is not code of the test: as a rule, it is a program that the test starts. Comments are not code either. */
const quoted = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`/g;

const realTime =
  /\bsetTimeout\(|\bsleep\(|\bscheduler\.wait\(|\bperformance\.now\(|\bhrtime\b|\bDate\.now\(\)\s*-\s*[A-Za-z]|-\s*Date\.now\(\)|\bdurationMs\)\.toBe(?:Less|Close)/g;

/** `vi.waitFor` and `vi.waitUntil` give up after a second unless they are told otherwise. */
function shortWaits(code) {
  return [...code.matchAll(/\bvi\.wait(?:For|Until)(?=\()/g)].flatMap(({ 0: name, index }) => {
    const from = index + name.length;
    let [end, open] = [from, 0];
    do open += { "(": 1, ")": -1 }[code[end++]] ?? 0;
    while (open > 0 && end < code.length);
    return /\b(?:timeout|patient)\b|,\s*\d\d_000,?\s*\)$/.test(code.slice(from, end))
      ? []
      : [{ index, what: `${name}( without a timeout` }];
  });
}

/** What vitest.config.ts gives every test. */
const usualLimitMs = 120_000;

/** A contract that is published runs under limits of its users. */
const isOurs = (path) => !path.includes("/src/");

/** A test or hook with less time than all others have: `}, 60_000);` at its end, or `{ timeout: 60_000 }` before its function. */
function shortLimits(code) {
  const atEnd = /(?<=^[ \t]*\}, |\b(?:it|test|(?:before|after)(?:All|Each))\b[^\n]*, )([\d_]+)(?=,?\s*\);?$)/gm;
  const before = /(?<=\b(?:it|test)\b[^\n]*, \{ timeout: )([\d_]+)(?= \}, (?:async )?\()/g;
  return [atEnd, before].flatMap((limit) =>
    [...code.matchAll(limit)]
      .filter(([digits]) => Number(digits.replaceAll("_", "")) <= usualLimitMs && Number(digits.replaceAll("_", "")) >= 1_000)
      .map(({ 0: digits, index }) => ({ index, what: `a limit of ${digits} ms`, next: "Leave it out: every test has two minutes." })),
  );
}

const otherWays =
  "Wait for a condition (until), let the event loop turn (turns), take a fake clock, or count CPU time (cpuTime): see @toolrack/testkit.";

/**
 * A test that sleeps, or holds the time that something takes below a bound, fails on a busy machine, or proves nothing on a fast one.
 * An exception that is no longer needed is a finding, too.
 */
export function findRealTime(files, exceptions = clockExceptions) {
  const found = files
    .filter(({ path }) => isTest(path))
    .flatMap(({ path, text }) => {
      const code = text.replaceAll(quoted, (part) => part.replaceAll(/[^\n]/g, " "));
      return [
        ...[...code.matchAll(realTime)].map((match) => ({ index: match.index, what: match[0].trim() })),
        ...shortWaits(code),
        ...(isOurs(path) ? shortLimits(code) : []),
      ].map(({ index, what, next = otherWays }) => ({ path, line: lineAt(code, index), what, next }));
    });
  const needed = new Set(found.map(({ path }) => path));
  const known = new Set(files.map(({ path }) => path));
  return [
    ...found
      .filter(({ path }) => !Object.hasOwn(exceptions, path))
      .map(({ path, line, what, next }) => ({ path, line, sentence: `"${what}" makes the test depend on the clock. ${next}` })),
    ...Object.keys(exceptions)
      .filter((path) => known.has(path) && !needed.has(path))
      .map((path) => ({ path, line: 1, sentence: "No longer looks at the clock. Remove it from scripts/house/clocks.mjs." })),
  ];
}
