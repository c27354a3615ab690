import { createScanner, type Node, parse, type ParseError, parseTree, printParseErrorCode, type SyntaxKind } from "jsonc-parser";
import type { FileEditor } from "./editor.ts";

/** JSON, with the comments and trailing commas that editors allow. Lines are put in, so that the form of the others stays. */
export const jsonEditor: FileEditor = {
  empty: "{}\n",
  parse(text) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return value;
    const line = text.slice(0, first.offset).split("\n").length;
    throw new Error(`${printParseErrorCode(first.error)} in line ${line}`);
  },
  set(text, key, name, entry) {
    const root = parseTree(text, [], { allowTrailingComma: true })!;
    const servers = valueAt(root, key);
    if (servers?.type === "null")
      return jsonEditor.set(`${text.slice(0, servers.offset)}{}${text.slice(servers.offset + servers.length)}`, key, name, entry);
    const known = servers && valueAt(servers, name);
    // An old entry goes first, so that the text is the same as if it had never been there.
    if (known !== undefined) return jsonEditor.set(jsonEditor.remove(text, key, name), key, name, entry);
    return servers === undefined ? insert(text, root, key, { [name]: entry }) : insert(text, servers, name, entry);
  },
  remove(text, key, name) {
    const servers = valueAt(parseTree(text, [], { allowTrailingComma: true })!, key);
    const at = servers?.children?.findIndex(({ children: [found] = [] }) => found?.value === name) ?? -1;
    return servers === undefined || at === -1 ? text : cut(text, servers, at);
  },
};

/** Takes a property out as `insert` puts it in. */
function cut(text: string, { offset, length, children = [] }: Node, index: number): string {
  const [before, own, after] = [children[index - 1], children[index]!, children[index + 1]];
  const end = own.offset + own.length;
  const comma = commaAfter(text, end, offset + length);
  const lineStart = /\r?\n[ \t]*$/.exec(text.slice(0, own.offset))?.index;
  if (lineStart !== undefined && comma !== undefined) return text.slice(0, lineStart) + text.slice(comma);
  if (before === undefined)
    return after === undefined
      ? `${text.slice(0, offset + 1)}${text.slice(offset + length - 1)}`
      : text.slice(0, own.offset) + text.slice(after.offset);
  const beforeEnd = before.offset + before.length;
  if (lineStart === undefined) return text.slice(0, beforeEnd) + text.slice(end);
  const lastComma = commaAfter(text, beforeEnd, offset + length)!;
  return text.slice(0, lastComma - 1) + text.slice(lastComma, lineStart) + text.slice(end);
}

/** Throws for a name that stands there twice: which of the two counts differs between parsers. */
function valueAt({ children = [] }: Node, name: string): Node | undefined {
  const found = children.filter(({ children: [key] = [] }) => key?.value === name);
  if (found.length > 1) throw new Error(`it has "${name}" more than once`);
  return found[0]?.children?.[1];
}

/** Adds a property after the last one of an object. */
function insert(text: string, object: Node, name: string, value: unknown): string {
  const { offset, length, children = [] } = object;
  const eol = eolOf(text);
  const outer = /^[ \t]*/.exec(/[^\n]*$/.exec(text.slice(0, offset))![0])![0];
  const last = children.at(-1);
  const line = (indent: string): string => `${indent}${JSON.stringify(name)}: ${printed(text, value, indent)}`;
  if (last === undefined) {
    const indent = outer + indentOf(text);
    const inside = text.slice(offset + 1, offset + length - 1).trimEnd();
    return `${text.slice(0, offset + 1)}${inside}${eol}${line(indent)}${eol}${outer}${text.slice(offset + length - 1)}`;
  }
  const end = last.offset + last.length;
  if (!text.slice(offset, offset + length).includes("\n"))
    return `${text.slice(0, end)}, ${JSON.stringify(name)}: ${JSON.stringify(value)}${text.slice(end)}`;
  const indent = /^[ \t]*/.exec(/[^\n]*$/.exec(text.slice(0, last.offset))![0])![0] || outer + indentOf(text);
  const comma = commaAfter(text, end, offset + length);
  // A comment at the end of the line belongs to it.
  const from = comma ?? end;
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(text.slice(from))![0].trimEnd();
  const at = from + rest.length;
  if (comma !== undefined) return `${text.slice(0, at)}${eol}${line(indent)},${text.slice(at)}`;
  return `${text.slice(0, end)},${text.slice(end, at)}${eol}${line(indent)}${text.slice(at)}`;
}

/** Where the comma after a property ends, if there is one. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(0, to), true);
  scanner.setPosition(from);
  return scanner.scan() === commaToken ? scanner.getTokenOffset() + 1 : undefined;
}

/** SyntaxKind.CommaToken: a constant enum, which cannot be imported as a value. */
const commaToken: SyntaxKind = 5;

function printed(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentOf(text)).replaceAll("\n", `${eolOf(text)}${indent}`);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** What the first indented line has. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
