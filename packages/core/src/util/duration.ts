/** 0.42 → "0.4 ms"; 42 → "42 ms"; 1_234 → "1.23 s"; 445_947.6 → "7 min 26 s"; 7_500_000 → "2 h 5 min"; 90_000_000 → "1 d 1 h" */
export function showDuration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const [size, unit, part, partUnit] = steps.find(([, , , , below]) => seconds < below) ?? days;
  const whole = Math.floor(seconds / size);
  const rest = Math.floor((seconds % size) / part);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${partUnit}`;
}

type Step = readonly [size: number, unit: string, part: number, partUnit: string, below: number];
const steps: readonly Step[] = [
  [60, "min", 1, "s", 3_600],
  [3_600, "h", 60, "min", 86_400],
];
const days: Step = [86_400, "d", 3_600, "h", Number.POSITIVE_INFINITY];
