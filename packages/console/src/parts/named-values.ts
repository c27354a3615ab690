/** Lines such as "NAME=value" or "Name: value" as an object; the lines that are neither are named. */
export function readNamedValues(text: string, separator: "=" | ":"): NamedValues {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const at = line.indexOf(separator);
    const name = line.slice(0, at).trim();
    if (at < 1 || !/^[\w.-]+$/.test(name)) wrong.push(line);
    // A name such as "__proto__" would be no property of its own, if it were simply set.
    else Object.defineProperty(values, name, { value: line.slice(at + 1).trim(), enumerable: true, configurable: true, writable: true });
  }
  return { values, wrong };
}

export interface NamedValues {
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: readonly string[];
}

/** "npx -y 'a b' c" → ["npx", "-y", "a b", "c"]: quotes keep spaces together, as in a terminal. */
export function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""));
}
