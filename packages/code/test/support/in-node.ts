/** A program of the language, run by Node itself. */
export async function nodeRun(source: string, tools: unknown): Promise<{ value: unknown; logs: string[] } | { thrown: string }> {
  const logs: string[] = [];
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (given: unknown, console: unknown) => Promise<unknown>;
  const shown = (value: unknown): string =>
    typeof value === "string"
      ? value
      : value === undefined
        ? "undefined"
        : typeof value === "number"
          ? String(value)
          : (JSON.stringify(value) ?? "undefined");
  try {
    const value = await new AsyncFunction("tools", "console", `"use strict";\n${source}`)(tools, {
      log: (...values: unknown[]) => void logs.push(values.map(shown).join(" ")),
    });
    return { value: JSON.parse(JSON.stringify(value)), logs };
  } catch (error) {
    return { thrown: (error as Error).name };
  }
}
