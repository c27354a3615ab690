export const title = "Faults of stores and servers under load: what ran, what is on record, what callers were told";

/** Every fault that fits into `seconds`. Nothing may run unrecorded, a key may not run twice, and no call may have a wrong end. */
export async function run({ seconds }) {
  const [{ bundleServers }, { faults }, { runFault }] = await Promise.all([
    import("../lib/bundle.mjs"),
    import("../faults/servers/faults.mjs"),
    import("../faults/servers/run.mjs"),
  ]);
  const modules = await bundleServers("faults");
  const only = process.env.FAULTS_ONLY;
  const rows = [];
  for (const fault of faults.filter(({ name }) => only === undefined || name.includes(only))) {
    if ((fault.atLeastSeconds ?? 0) > seconds) {
      rows.push([
        fault.name,
        ...Array.from({ length: columns.length - 3 }, () => ""),
        `not run: takes --seconds ${fault.atLeastSeconds}`,
        "",
      ]);
      continue;
    }
    process.stderr.write(`${fault.name} …\n`);
    rows.push(await toRow(fault, runFault(modules, fault)));
  }
  return [{ caption: "Each fault", columns, rows }];
}

const columns = [
  "fault",
  "calls answered",
  "run",
  "recorded",
  "unrecorded",
  "run twice",
  "wrong ends",
  "still running",
  "recovered in",
  "slowest answer",
  "audit",
  "what callers saw",
  "verdict",
];

async function toRow({ name }, running) {
  try {
    const { answered, run, recorded, unrecorded, twice, wrong, stillRunning, recoveredMs, slowestMs, audit, seen, withoutRetryAfter } =
      await running;
    for (const [what, list] of Object.entries({ unrecorded, twice, wrong }))
      if (list.length > 0) console.error(`${name}, ${what}: ${list.slice(0, 5).join("; ")}`);
    const isGood =
      unrecorded.length + twice.length + wrong.length + stillRunning + withoutRetryAfter === 0 &&
      recoveredMs !== undefined &&
      audit === "intact";
    const counts = [answered, run, recorded, unrecorded.length, twice.length, wrong.length, stillRunning].map(String);
    const times = [recoveredMs === undefined ? "not" : `${(recoveredMs / 1_000).toFixed(1)} s`, `${(slowestMs / 1_000).toFixed(1)} s`];
    return [
      name,
      ...counts,
      ...times,
      audit,
      seen + (withoutRetryAfter > 0 ? `; 503 without Retry-After ${withoutRetryAfter}` : ""),
      isGood ? "ok" : "over",
    ];
  } catch (error) {
    return [name, ...Array.from({ length: columns.length - 3 }, () => ""), `could not be run: ${error.message.split("\n")[0]}`, "over"];
  }
}
