/** A tool's stored definition: "random" → "tool-def-random"; an id of any record stays as it is. */
export function recordIdOf(name: string): string {
  return /^tool-(def|config|bundle)-|^setting-|^registry-/.test(name) ? name : `tool-def-${name}`;
}
