import { hasControl } from "../document/characters.ts";
import { OperationFault } from "../fault.ts";

/** A path of a document, in parts: text, or the name of a parameter in braces. */
export interface PathTemplate {
  readonly path: readonly TemplatePart[];
  readonly query: readonly TemplatePart[];
  /** The names in braces, each once. */
  readonly names: readonly string[];
}

export type TemplatePart = { readonly text: string } | { readonly name: string };

/**
 * "/pets/{id}?full=1#variant": what is behind "#" only tells operations apart and is not sent, what is behind "?" is sent before the other
 * parameters, but for "id={id}" where id is declared as a parameter of the query. Refuses a path that would leave the server's own.
 */
export function readPath(key: string, isQueryName: (name: string) => boolean): PathTemplate {
  const sent = beforeFragment(key);
  const mark = outsideBraces(sent, "?");
  const path = mark < 0 ? sent : sent.slice(0, mark);
  const query = mark < 0 ? "" : withoutDeclared(sent.slice(mark + 1), isQueryName);
  if (sent.includes("\\") || hasControl(sent)) throw new OperationFault("The path contains a backslash or a control character.");
  if (path.split("/").some(isDotSegment)) throw new OperationFault('The path contains "." or ".." as a segment.');
  const parts = partsOf(path.startsWith("/") ? path : `/${path}`);
  const queryParts = partsOf(query);
  const names = [...parts, ...queryParts].flatMap((part) => ("name" in part ? [part.name] : []));
  return { path: parts, query: queryParts, names: [...new Set(names)] };
}

function withoutDeclared(query: string, isQueryName: (name: string) => boolean): string {
  const isDeclared = (pair: string): boolean => {
    const [, name] = /^[^={}]*=?\{([^{}]+)\}$/.exec(pair) ?? [];
    return name !== undefined && isQueryName(name);
  };
  return query
    .split("&")
    .filter((pair) => !isDeclared(pair))
    .join("&");
}

/** ".", "..", and what URLs read as them: "%2e%2E". */
export function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

function beforeFragment(key: string): string {
  const mark = outsideBraces(key, "#");
  return mark < 0 ? key : key.slice(0, mark);
}

function outsideBraces(text: string, mark: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{") depth++;
    else if (character === "}") depth = Math.max(0, depth - 1);
    else if (character === mark && depth === 0) return index;
  }
  return text.indexOf(mark);
}

function partsOf(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of text.matchAll(/\{([^{}]+)\}/g)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ name: match[1]! });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
