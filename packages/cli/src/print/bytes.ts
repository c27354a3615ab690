/** 715 → "715 bytes"; 12_400_000 → "12.4 MB" */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [size, unit] = (
    [
      [1e12, "TB"],
      [1e9, "GB"],
      [1e6, "MB"],
    ] as const
  ).find(([one]) => bytes >= one) ?? [1e3, "kB"];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
