/** "notes" → "agent:helper:notes"; a whole key stays as it is. */
export function keyOf(agent: string, name: string): string {
  return name.startsWith("agent:") ? name : `agent:${agent}:${name}`;
}
