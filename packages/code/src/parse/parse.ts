import type { Diagnostic } from "../diagnostic.ts";
import { after, before, declaresType, lineOf, placeOf, readSource, withoutTypeModules } from "./source.ts";
import { NestedTooDeeply, nestedTooDeeply } from "./bounded-depth.ts";
import { eraseTypes } from "./erase-types.ts";
import { parseJavaScript, parseTypeScript } from "./parsers.ts";
import type { Node } from "./tree.ts";

export interface ParsedProgram {
  readonly text: string;
  /** The program as one async arrow function; types are erased. Offsets are those of the text plus the length of what stands before it. */
  readonly root: Node;
}

/** Parses a program, as JavaScript if it is that, else as TypeScript. */
export function parseProgram(source: string): ParsedProgram | Diagnostic {
  const { text, exported } = readSource(source);
  const parsed = parseText(text, exported);
  if (!("kind" in parsed)) return parsed;
  const other = withoutTypeModules(text);
  if (other === text) return parsed;
  const again = parseText(other, exported);
  return "kind" in again ? parsed : again;
}

function parseText(text: string, exported: boolean): ParsedProgram | Diagnostic {
  const wrapped = before + text + after;
  try {
    const root = parseWrapped(wrapped);
    if (root === undefined) return syntaxError(text, text.length, "The program closes a brace or parenthesis that it did not open.");
    unwrapSole(root, exported);
    return { text, root };
  } catch (error) {
    if (isTooDeep(error)) return syntaxError(text, 0, nestedTooDeeply);
    const { pos, message } = error as { pos?: number; message: string };
    const offset = (pos ?? before.length) - before.length;
    const left = leftOut.find(({ pattern }) => pattern.test(message));
    return left === undefined
      ? syntaxError(text, offset, explain(message, text, offset))
      : syntaxError(text, offset, left.message, "unsupported");
  }
}

function parseWrapped(wrapped: string): Node | undefined {
  const [body, hasTypes] = (declaresType(wrapped) && parseTyped(wrapped)) || parseEither(wrapped);
  const root = body[0]?.expression as Node | undefined;
  if (body.length !== 1 || root?.type !== "ArrowFunctionExpression" || root.end !== wrapped.length - 1) return undefined;
  if (hasTypes) eraseTypes(root);
  return root;
}

type Parsed = readonly [body: Node[], hasTypes: boolean];

/** Most programs with types declare one at the start of a line. Where a type is declared, the text cannot be JavaScript: looking for that first would be for nothing. */
function parseTyped(wrapped: string): Parsed | undefined {
  try {
    const { body } = parseTypeScript(wrapped);
    const statements = (body[0]?.expression?.body?.body ?? []) as Node[];
    return statements.some(({ type }) => type === "TSInterfaceDeclaration" || type === "TSTypeAliasDeclaration") ? [body, true] : undefined;
  } catch (error) {
    if (isTooDeep(error)) throw error;
    return undefined;
  }
}

function isTooDeep(error: unknown): boolean {
  return error instanceof NestedTooDeeply || error instanceof RangeError;
}

function parseEither(wrapped: string): Parsed {
  try {
    return [parseJavaScript(wrapped).body as Node[], false];
  } catch (first) {
    if (isTooDeep(first)) throw first;
    try {
      return [parseTypeScript(wrapped).body as Node[], true];
    } catch (second) {
      if (isTooDeep(second)) throw second;
      // The parser that came further knows better what is wrong.
      throw ((second as { pos?: number }).pos ?? 0) > ((first as { pos?: number }).pos ?? 0) ? second : first;
    }
  }
}

/** A program that is one function: `async () => { … }`, `export default async function () { … }`, `(async () => { … })()`. */
function unwrapSole(root: Node, exported: boolean): void {
  const statements = (root.body.body as Node[]).filter((statement) => statement.type !== "EmptyStatement");
  const sole = statements[0];
  if (sole === undefined) return;
  if (exported) {
    const rest = statements.filter((statement) => statement !== sole);
    if (sole.type === "FunctionDeclaration" || isPlainFunction(sole.expression)) {
      replaceBody(root, sole.type === "FunctionDeclaration" ? sole : (sole.expression as Node), rest);
    }
    return;
  }
  if (statements.length !== 1 || sole.type !== "ExpressionStatement") return;
  const expression = sole.expression as Node;
  if (isPlainFunction(expression)) replaceBody(root, expression, []);
  else if (expression.type === "CallExpression" && expression.arguments.length === 0 && isPlainFunction(expression.callee)) {
    replaceBody(root, expression.callee as Node, []);
  }
}

function isPlainFunction(node: Node | undefined): boolean {
  if (node === undefined || node === null) return false;
  return (
    (node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression") && node.params.length === 0 && node.generator !== true
  );
}

function replaceBody(root: Node, from: Node, rest: Node[]): void {
  if (from.params.length > 0 || from.generator === true) return;
  const body = from.body as Node;
  const own: Node[] =
    body.type === "BlockStatement" ? body.body : [{ type: "ReturnStatement", start: body.start, end: body.end, argument: body }];
  root.body.body = [...rest, ...own];
}

/** What the parser refuses because of where a program stands, and the language leaves out. */
const leftOut: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: /'import' and 'export'|import declaration|Unexpected import/i,
    message: '"import" and "export" are not supported. Only `tools` are available; see tools.search.',
  },
  { pattern: /'with' in strict mode/, message: '"with" is not supported. Name the object each time.' },
];

function syntaxError(text: string, offset: number, message: string, kind: Diagnostic["kind"] = "syntax"): Diagnostic {
  const place = placeOf(text, offset);
  return { kind, message: `Line ${place.line}: ${message}\n${lineOf(text, place.line)}`, ...place };
}

/** "Unexpected token (3:4)" → a sentence without the place, which is that of the text around the program. */
function explain(message: string, text: string, offset: number): string {
  const plain = message.replace(/\s*\(\d+:\d+\)$/, "");
  if (/^Unexpected token$/.test(plain)) {
    const found = /^\S{1,20}/.exec(text.slice(Math.max(0, offset)))?.[0];
    return found === undefined ? "The program ends too early; a bracket, brace or quote is not closed." : `Unexpected "${found}".`;
  }
  return plain.endsWith(".") ? plain : `${plain}.`;
}
