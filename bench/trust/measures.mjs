export const rank = { info: 0, warning: 1, danger: 2 };

export function worstOf(findings) {
  return findings.reduce((worst, { severity }) => Math.max(worst, rank[severity]), -1);
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** A row of a table: a share that must not be smaller. */
export function least(name, list, test, target) {
  const share = list.filter(test).length / list.length;
  return [name, percent(share), String(list.length), `≥ ${percent(target)}`, share >= target ? "ok" : "over"];
}

/** A row of a table: a share that must not be greater. */
export function most(name, list, test, target) {
  const share = list.filter(test).length / list.length;
  return [name, percent(share), String(list.length), `≤ ${percent(target)}`, share <= target ? "ok" : "over"];
}
