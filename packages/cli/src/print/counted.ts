/** 1, "tool" → "1 tool"; 2,000, "tool" → "2,000 tools" */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}
