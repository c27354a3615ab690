import { isDeepStrictEqual } from "node:util";

/** Tools that answer from a table: `errors[key]` is thrown, else `table[key]`, else `table["*"]`. */
export function tableTools(tools) {
  return Object.fromEntries(
    tools.map(({ name, key, table, errors = {} }) => [
      name,
      async (input) => {
        const row = (key ?? []).map((field) => input?.[field] ?? "").join("|");
        if (Object.hasOwn(errors, row)) throw new Error(errors[row]);
        if (Object.hasOwn(table, row)) return structuredClone(table[row]);
        return structuredClone(table["*"]);
      },
    ]),
  );
}

/** What is wrong with the outcome of a program; undefined when nothing is. */
export function programMistake({ expect }, result) {
  if (result.ok !== expect.ok) return result.ok ? "it ran" : result.error.message;
  if (expect.ok && !isDeepStrictEqual(result.value, expect.value)) return `value ${JSON.stringify(result.value)}`;
  if (!expect.ok && (result.error.kind !== expect.kind || !result.error.message.includes(expect.message)))
    return `error ${JSON.stringify(result.error)}`;
  const calls = result.calls.map(({ tool, input }) => [tool, input]);
  if (!isDeepStrictEqual(calls, expect.calls)) return `calls ${JSON.stringify(calls)}`;
  const logs = result.logs.map(({ text }) => text);
  if (!isDeepStrictEqual(logs, expect.logs)) return `logs ${JSON.stringify(logs)}`;
  return undefined;
}
