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

/** A share with the bounds between which it lies with a certainty of 95 % (Wilson). */
export function shareOf(list, test) {
  const count = list.length;
  if (count === 0) return "none";
  const share = list.filter(test).length / count;
  const z = 1.96;
  const middle = share + (z * z) / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const [low, high] = [middle - reach, middle + reach].map((one) => Math.max(0, one / (1 + (z * z) / count)));
  return `${percent(share)} (${percent(low)} to ${percent(high)})`;
}
