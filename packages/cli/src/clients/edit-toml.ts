import { parse } from "smol-toml";
import type { FileEditor } from "./editor.ts";

/** TOML: the entry is a table of its own at the end of the file, so that nothing else has to be rewritten. */
export const tomlEditor: FileEditor = {
  empty: "",
  parse,
  set(text, key, name, entry) {
    const rest = hasTable(text, key, name) ? tomlEditor.remove(text, key, name) : text;
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = [`[${key}.${toKey(name)}]`, ...Object.entries(entry).map(([field, value]) => `${toKey(field)} = ${toToml(value)}`)];
    const before = rest === "" ? "" : rest.endsWith("\n") ? `${rest}${eol}` : `${rest}${eol}${eol}`;
    return `${before}${lines.join(eol)}${eol}`;
  },
  remove(text, key, name) {
    const kept: string[] = [];
    let removed: string[] = [];
    let isOurs = false;
    for (const { line, header } of linesOf(text)) {
      if (header !== undefined) {
        const was = isOurs;
        isOurs = isBelow(header, [key, name]);
        // The empty line that stood before the table goes with it.
        if (isOurs && !was && kept.at(-1)?.trim() === "") kept.pop();
        if (isOurs) removed = [];
        else if (was) {
          if (kept.length > 0 && kept.at(-1)?.trim() !== "") kept.push("");
          kept.push(...commentsAtEnd(removed));
        }
      }
      (isOurs ? removed : kept).push(line);
    }
    const last = isOurs ? commentsAtEnd(removed) : [];
    if (last.length > 0) kept.push(...(kept.length === 0 ? [] : [""]), ...last);
    const left = kept.join("\n");
    return left === "" || left.endsWith("\n") ? left : `${left}\n`;
  },
};

/** The comments after the last value of a table: they are about what follows. */
function commentsAtEnd(lines: readonly string[]): readonly string[] {
  const below = lines.slice(lines.findLastIndex((line) => !/^\s*(#|$)/.test(line)) + 1);
  const first = below.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : below.slice(first);
}

function hasTable(text: string, key: string, name: string): boolean {
  return linesOf(text).some(({ header = [] }) => isBelow(header, [key, name]));
}

/** Each line, and the table that begins there. What stands in a text of several lines begins none. */
function linesOf(text: string): readonly { readonly line: string; readonly header?: readonly string[] | undefined }[] {
  let quotes: string | undefined;
  return text.split("\n").map((line) => {
    const wasInside = quotes !== undefined;
    for (const [mark] of line.matchAll(/"""|'''|\\.|"(?!"")(?:[^"\\]|\\.)*"|'(?!'')[^']*'|#.*/g)) {
      const isMark = mark === '"""' || mark === "'''";
      if (isMark && quotes === undefined) quotes = mark;
      else if (mark === quotes) quotes = undefined;
    }
    return wasInside ? { line } : { line, header: headerOf(line) };
  });
}

/** `[mcp_servers."my server"]` → ["mcp_servers", "my server"]. */
function headerOf(line: string): readonly string[] | undefined {
  const inside = /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
  if (inside === undefined) return undefined;
  const parts = [...inside.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(?:\.|$)/g)];
  return parts.map(([, double, single, bare]) => double ?? single ?? bare!);
}

function isBelow(header: readonly string[], path: readonly string[]): boolean {
  return header.length >= path.length && path.every((part, index) => header[index] === part);
}

function toKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Texts of JSON are texts of TOML, but for one character. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([field, inner]) => `${toKey(field)} = ${toToml(inner)}`);
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
}
