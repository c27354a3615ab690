import { type Document, isMap, isScalar, parseDocument, stringify, type YAMLMap } from "yaml";
import type { FileEditor } from "./editor.ts";

/** YAML: lines are put in and taken out, so that comments, quotes and line breaks of the others stay. */
export const yamlEditor: FileEditor = {
  empty: "",
  parse(text) {
    const document = parseDocument(text, { maxAliasCount: 100 } as never);
    const [first] = document.errors;
    if (first !== undefined) throw new Error(first.message);
    return document.toJS({ maxAliasCount: 100 });
  },
  set(text, key, name, entry) {
    const rest = placeOf(text, key, name) === undefined ? text : yamlEditor.remove(text, key, name);
    const servers = serversIn(rest, key);
    const ended = rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`;
    if (servers === undefined && parseDocument(rest).has(key)) return rewritten(rest, (document) => document.set(key, { [name]: entry }));
    if (servers === undefined) return `${ended}${stringify({ [key]: { [name]: entry } }, { lineWidth: 0 })}`;
    if (servers.flow || servers.items.length === 0)
      return rewritten(rest, (document) => document.setIn([key, name], document.createNode(entry)));
    const column = columnOf(ended, startOf(servers, 0));
    const lines = stringify({ [name]: entry }, { lineWidth: 0 })
      .trimEnd()
      .split("\n");
    const { end } = placeAt(ended, servers, servers.items.length - 1);
    const block = lines.map((line) => `${" ".repeat(column)}${line}\n`).join("");
    return `${ended.slice(0, end)}${block}${ended.slice(end)}`;
  },
  remove(text, key, name) {
    const place = placeOf(text, key, name);
    if (place === undefined) return text;
    const servers = serversIn(text, key)!;
    if (servers.flow) return rewritten(text, (document) => document.deleteIn([key, name]));
    if (servers.items.length > 1) return text.slice(0, place.start) + text.slice(place.end);
    // A key without entries would be null.
    const root = parseDocument(text).contents as YAMLMap;
    const at = startOf(
      root,
      root.items.findIndex(({ key: found }) => isScalar(found) && found.value === key),
    );
    return text.slice(0, text.lastIndexOf("\n", at - 1) + 1) + text.slice(place.end);
  },
};

/** Where lines cannot be put in or taken out: comments stay, the form may change. */
function rewritten(text: string, change: (document: Document) => unknown): string {
  const document = parseDocument(text);
  change(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function serversIn(text: string, key: string): YAMLMap | undefined {
  const found = parseDocument(text).get(key, true);
  return isMap(found) ? found : undefined;
}

/** From the beginning of its first line to the beginning of the line after its last. */
function placeOf(text: string, key: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const servers = serversIn(text, key);
  const index = servers?.items.findIndex(({ key: found }) => isScalar(found) && found.value === name) ?? -1;
  return servers === undefined || index === -1 ? undefined : placeAt(text, servers, index);
}

function placeAt(text: string, map: YAMLMap, index: number): { readonly start: number; readonly end: number } {
  const from = startOf(map, index);
  const value = map.items[index]!.value as { readonly range?: readonly [number, number, number] } | null;
  const end = text.indexOf("\n", Math.max((value?.range?.[1] ?? from) - 1, from));
  return { start: text.lastIndexOf("\n", from - 1) + 1, end: end === -1 ? text.length : end + 1 };
}

function startOf(map: YAMLMap, index: number): number {
  return (map.items[index]!.key as { readonly range: readonly [number, number, number] }).range[0];
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}
