/**
 * Measures several subjects in one process, as CPU time, interleaved: many short rounds, each subject once in every round and in
 * another place of the order each time, so that whatever disturbs the machine disturbs all of them.
 *
 * `subjects` are `{ name, run, target? }`: `run` does the work once, and may be asynchronous; `target` is the ratio to the unit that
 * must not be exceeded. `unit` is the name of the subject that counts as 1. Rejects when a subject throws.
 * `cpu` gives the microseconds that were used so far.
 * Answers a row for each subject, in the order given: `{ name, ns, ratio, target?, verdict? }`, where `ns` is the median over the
 * rounds, `ratio` the median of the quotients within each round, and `verdict` "ok" or "over".
 */
export async function measure(subjects, { unit, rounds = defaultRounds, ...options }) {
  const course = await prepareCourse(subjects, { unit, ...options });
  for (let round = 0; round < rounds; round++) await course.runRound(round);
  return course.rows();
}

export const defaultRounds = 40;

/** The same in the hands of the caller: everything is warm, `runRound` takes one sample of each subject, `rows` sums up. */
export async function prepareCourse(subjects, { unit, roundMs = 10, warmupMs = 200, cpu = cpuOfProcess }) {
  if (!subjects.some(({ name }) => name === unit)) throw new Error(`There is no subject named "${unit}" to be the unit.`);
  await unlearn();
  const runners = [];
  for (const { name, run } of subjects) runners.push(await prepare(name, run, { warmupMs, roundMs, cpu }));
  return {
    async runRound(round) {
      for (let place = 0; place < runners.length; place++) {
        const runner = runners[(round + place) % runners.length];
        runner.samples.push((await cpuMicroseconds(runner, runner.operations)) * (1_000 / runner.operations));
      }
    },
    rows: () => toRows(subjects, new Map(runners.map(({ name, samples }) => [name, samples])), unit),
  };
}

/** The middle value; the mean of the two in the middle when their number is even. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Rows from the nanoseconds of each subject in every round. Quotients are taken within a round: a machine that is slower for half of
 * the rounds changes the medians of two subjects in different rounds, but hardly their ratio in one.
 */
export function toRows(subjects, samples, unit) {
  return subjects.map(({ name, target }) => {
    const own = samples.get(name);
    const ns = median(own);
    const ratio = median(own.map((sample, round) => sample / samples.get(unit)[round]));
    return target === undefined ? { name, ns, ratio } : { name, ns, ratio, target, verdict: ratio <= target ? "ok" : "over" };
  });
}

/** Warms a subject up until the compiler has settled, and finds how many operations fill one round. */
async function prepare(name, run, { warmupMs, roundMs, cpu }) {
  const runner = { name, run, cpu, loop: isPromise(run()) ? asyncLoop : syncLoop, operations: 1, samples: [] };
  for (let micros = 0, spent = 0; spent < warmupMs * 1_000; spent += micros) {
    micros = await cpuMicroseconds(runner, runner.operations);
    if (micros < roundMs * 1_000) runner.operations *= 2;
    else runner.operations = Math.max(1, Math.round((runner.operations * roundMs * 1_000) / micros));
  }
  return runner;
}

async function cpuMicroseconds({ run, loop, cpu }, operations) {
  const before = cpu();
  await loop(run, operations);
  return cpu() - before;
}

function cpuOfProcess() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Where results go, so that no compiler may leave the work away because nobody looks at it. */
const sink = { value: undefined };

function syncLoop(run, operations) {
  for (let done = 0; done < operations; done++) sink.value = run();
}

async function asyncLoop(run, operations) {
  for (let done = 0; done < operations; done++) sink.value = await run();
}

/**
 * Shows both loops several functions before anything counts. A loop that has only ever called one function gets that function
 * inlined, and then half of its work moved out of the loop: the first subject seemed sixteen times faster than its own copy.
 */
async function unlearn() {
  const strangers = [() => 1, () => "2", () => [3], () => ({ four: 4 })];
  for (const stranger of [...strangers, ...strangers]) {
    syncLoop(stranger, 1_000);
    await asyncLoop(stranger, 1_000);
  }
}

function isPromise(value) {
  return typeof value?.then === "function";
}
