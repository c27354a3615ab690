import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { declare, type Scope } from "./scope.ts";

/** The names that a pattern binds, with the nodes that do. */
export function namesOf(pattern: Node | null, found: Node[] = []): Node[] {
  if (pattern === null || pattern === undefined) return found;
  switch (pattern.type) {
    case "Identifier":
      found.push(pattern);
      break;
    case "ObjectPattern":
      for (const property of pattern.properties as Node[])
        namesOf(property.type === "RestElement" ? property.argument : property.value, found);
      break;
    case "ArrayPattern":
      for (const element of pattern.elements as (Node | null)[]) namesOf(element, found);
      break;
    case "AssignmentPattern":
      namesOf(pattern.left, found);
      break;
    case "RestElement":
      namesOf(pattern.argument, found);
      break;
    case "TSParameterProperty":
      namesOf(pattern.parameter, found);
      break;
  }
  return found;
}

/** Declares every `var` of a function, wherever it stands. */
export function hoistVariables(body: Node, scope: Scope): void {
  const waiting: Node[] = [body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "VariableDeclaration" && node.kind === "var") {
      for (const declarator of node.declarations as Node[]) {
        for (const name of namesOf(declarator.id)) declare(scope, name.name, "var", 0).assigned = true;
      }
    }
    for (const child of childrenOf(node)) if (!isFunction(child) && child.type !== "ClassBody") waiting.push(child);
  }
}

/** Declares what a list of statements declares for its block: let, const, classes, enums, functions. */
export function hoistLexical(statements: readonly Node[], scope: Scope): void {
  for (const statement of statements) {
    if (statement.type === "VariableDeclaration" && statement.kind !== "var") {
      for (const declarator of statement.declarations as Node[]) {
        const simple = declarator.id.type === "Identifier" ? (declarator.init ?? undefined) : undefined;
        for (const name of namesOf(declarator.id)) declare(scope, name.name, statement.kind, declarator.end, simple);
      }
    } else if (statement.type === "ClassDeclaration") declare(scope, statement.id.name, "class", statement.end, statement);
    else if (statement.type === "TSEnumDeclaration") declare(scope, statement.id.name, "const", statement.end);
    else if (statement.type === "FunctionDeclaration") declare(scope, statement.id.name, "function", 0, statement);
  }
}
