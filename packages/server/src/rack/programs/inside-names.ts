/** The functions that find tools inside a program. A tool of the same name goes first: they are then found under `rack` alone. */
export function insideFunctions(taken: readonly string[]): readonly string[] {
  return ["search", "describe"].flatMap((name) => (taken.includes(name) ? [`rack.${name}`] : [name, `rack.${name}`]));
}

/** How a program calls one of them. */
export function insideCall(name: "search" | "describe", taken: readonly string[]): string {
  return taken.includes(name) ? `rack.${name}` : `tools.${name}`;
}
