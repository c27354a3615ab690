/**
 * The message of a program that was made of a chain, without the place in it: 'Line 24: Error: Step "b": …' and the line of the source
 * → 'Step "b": …'. Nobody wrote that line.
 */
export function chainMessage(message: string): string {
  const [, first = message] = /^Line \d+: ([\s\S]*?)(?:\n +\d+ \|[^\n]*)?$/.exec(message) ?? [];
  return first.replace(/^(?:\w*Error: )(?=Step ")/, "");
}
