/**
 * Holds what tools did against what is on record and what callers were told. `ran` comes from the journal, `lines` from the audit (every
 * line about a call), `answers` from the callers, `stillRunning` from the servers after all of them recovered.
 */
export function countCalls({ ran, lines, answers, stillRunning }) {
  const linesOf = groupBy(lines, ({ callId }) => callId);
  const ranIds = new Set(ran.map(({ callId }) => callId));
  const keyed = new Set(answers.filter(({ isKeyed }) => isKeyed).map(({ token }) => token));
  const runsOf = groupBy(ran, ({ token }) => token);
  const unrecorded = [...ranIds].filter((callId) => !linesOf.has(callId));
  const twice = [...runsOf].filter(([token, runs]) => keyed.has(token) && runs.length > 1).map(([token]) => token);
  const wrong = [];
  for (const [callId, own] of linesOf) if (own.length > 1) wrong.push(`${callId}: ${own.map(({ code }) => code ?? "ok").join(" and ")}`);
  for (const answer of answers) {
    const line = answer.callId === undefined ? undefined : linesOf.get(answer.callId)?.[0];
    if (answer.ok && line !== undefined && !line.ok) wrong.push(`${answer.callId}: answered ok, recorded ${line.code}`);
    if (!answer.ok && !answer.isKeyed && line?.ok === true) wrong.push(`${answer.callId}: answered ${answer.code}, recorded ok`);
    if (answer.code === "CALL_NOT_RECORDED" && !answer.isKeyed && ranIds.has(answer.callId))
      wrong.push(`${answer.callId}: refused, and ran`);
  }
  return {
    answered: answers.length,
    run: ran.length,
    recorded: ranIds.size - unrecorded.length,
    unrecorded,
    twice,
    wrong,
    stillRunning,
    seen: tally(answers),
    slowestMs: Math.max(0, ...answers.map(({ ms }) => ms)),
    withoutRetryAfter: answers.filter(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter).length,
  };
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** "OK 512, CALL_NOT_RECORDED 40" */
function tally(answers) {
  const counts = new Map();
  for (const { status, code } of answers) {
    const what = code === "OK" ? "ok" : status === 0 ? code : `${status} ${code}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([what, count]) => `${what} ${count}`)
    .join(", ");
}
