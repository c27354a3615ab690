/** 1234 → "1.2 s" */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
