import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { hoistLexical, hoistVariables, namesOf } from "./hoist.ts";
import { createScope, declare, type Binding, type FunctionInfo, type Resolved, type Scope } from "./scope.ts";

/** Finds the declaration of every name: `node.binding` of a reference, `node.scope` of a block, `node.info` of a function. */
export function resolveNames(text: string, root: Node): Resolved {
  const resolver = new Resolver(text.includes("var"));
  const info = resolver.enterFunction(root, undefined, undefined);
  return { root: info, functions: resolver.functions, free: resolver.free };
}

class Resolver {
  readonly functions: FunctionInfo[] = [];
  readonly free: Node[] = [];
  /** Without it, nobody has to look for variables all through the functions. */
  private readonly hasVariables: boolean;

  constructor(hasVariables: boolean) {
    this.hasVariables = hasVariables;
  }

  enterFunction(node: Node, parent: FunctionInfo | undefined, outside: Scope | undefined): FunctionInfo {
    let outer = outside;
    if (node.type === "FunctionExpression" && node.id !== null && node.id !== undefined && parent !== undefined) {
      outer = createScope("block", outside, parent);
      declare(outer, node.id.name, "self", 0, node);
      node.selfScope = outer;
    }
    const info = { node, parent, inner: [], locals: 0 } as unknown as FunctionInfo;
    const scope = createScope("function", outer, info);
    (info as { scope: Scope }).scope = scope;
    node.info = info;
    this.functions.push(info);
    parent?.inner.push(info);
    for (const param of node.params as Node[]) for (const name of namesOf(param)) declare(scope, name.name, "param", 0);
    if (node.body.type === "BlockStatement") {
      if (this.hasVariables) hoistVariables(node.body, scope);
      hoistLexical(node.body.body, scope);
    }
    for (const param of node.params as Node[]) this.walkPattern(param, scope, true);
    if (node.body.type === "BlockStatement") for (const statement of node.body.body as Node[]) this.walk(statement, scope);
    else this.walk(node.body, scope);
    return info;
  }

  walk(node: Node, scope: Scope): void {
    switch (node.type) {
      case "Identifier":
        this.refer(node, scope, false);
        return;
      case "FunctionDeclaration":
        this.bindName(node.id, scope);
        this.enterFunction(node, scope.owner, scope);
        return;
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.enterFunction(node, scope.owner, scope);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.walkClass(node, scope);
        return;
      case "BlockStatement":
      case "StaticBlock":
        this.walkBlock(node, node.body, scope);
        return;
      case "SwitchStatement": {
        this.walk(node.discriminant, scope);
        const inner = createScope("switch", scope, scope.owner);
        node.scope = inner;
        for (const clause of node.cases as Node[]) hoistLexical(clause.consequent, inner);
        for (const clause of node.cases as Node[]) {
          if (clause.test !== null) this.walk(clause.test, inner);
          for (const statement of clause.consequent as Node[]) this.walk(statement, inner);
        }
        return;
      }
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement": {
        const inner = createScope("block", scope, scope.owner);
        node.scope = inner;
        const head = (node.init ?? node.left) as Node | null;
        if (head?.type === "VariableDeclaration") hoistLexical([head], inner);
        if (node.type !== "ForStatement") for (const name of inner.bindings.values()) name.init = undefined;
        for (const child of childrenOf(node)) {
          if (child === node.left && child.type !== "VariableDeclaration") this.walkPattern(child, inner, false);
          else this.walk(child, inner);
        }
        return;
      }
      case "CatchClause": {
        const inner = createScope("block", scope, scope.owner);
        node.scope = inner;
        for (const name of namesOf(node.param)) declare(inner, name.name, "catch", 0);
        if (node.param !== null && node.param !== undefined) this.walkPattern(node.param, inner, true);
        this.walk(node.body, inner);
        return;
      }
      case "VariableDeclaration":
        for (const declarator of node.declarations as Node[]) {
          if (declarator.init !== null) this.walk(declarator.init, scope);
          this.walkPattern(declarator.id, scope, true);
        }
        return;
      case "AssignmentExpression":
        this.walkPattern(node.left, scope, false);
        this.walk(node.right, scope);
        return;
      case "UpdateExpression":
        this.walkPattern(node.argument, scope, false);
        return;
      case "MemberExpression":
        this.walk(node.object, scope);
        if (node.computed === true) this.walk(node.property, scope);
        return;
      case "Property":
        if (node.computed === true) this.walk(node.key, scope);
        this.walk(node.value, scope);
        return;
      case "LabeledStatement":
        this.walk(node.body, scope);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
        return;
      case "TSEnumDeclaration":
        this.bindName(node.id, scope);
        for (const member of (node.members ?? node.body?.members ?? []) as Node[])
          if (member.initializer) this.walkEnum(member.initializer, scope);
        return;
      default:
        for (const child of childrenOf(node)) this.walk(child, scope);
    }
  }

  /** Members of an enum may name earlier members, which are found when it is compiled. */
  private walkEnum(node: Node, scope: Scope): void {
    if (node.type === "Identifier") {
      const binding = find(scope, node.name);
      if (binding !== undefined) this.refer(node, scope, false);
      return;
    }
    for (const child of childrenOf(node)) this.walkEnum(child, scope);
  }

  private walkBlock(node: Node, statements: readonly Node[], scope: Scope): void {
    const inner = createScope("block", scope, scope.owner);
    node.scope = inner;
    hoistLexical(statements, inner);
    for (const statement of statements) this.walk(statement, inner);
  }

  private walkClass(node: Node, scope: Scope): void {
    const inner = createScope("block", scope, scope.owner);
    node.scope = inner;
    if (node.type === "ClassDeclaration") this.bindName(node.id, scope);
    if (node.id !== null && node.id !== undefined) declare(inner, node.id.name, "const", node.end);
    if (node.superClass !== null && node.superClass !== undefined) this.walk(node.superClass, inner);
    const fields: Node[] = [];
    const statics: Node[] = [];
    for (const member of node.body.body as Node[]) {
      if (member.computed === true) this.walk(member.key, inner);
      if (member.type === "PropertyDefinition") (member.static === true ? statics : fields).push(member);
      else if (member.type === "StaticBlock") statics.push(member);
      else if (member.value !== null && member.value !== undefined) this.walk(member.value, inner);
    }
    node.fieldsFunction = this.initializer(node, fields, inner);
    node.staticsFunction = this.initializer(node, statics, inner);
  }

  /** Fields are set by a function of their own, which has the instance (or the class) as `this`. */
  private initializer(node: Node, members: readonly Node[], scope: Scope): Node | undefined {
    if (members.length === 0) return undefined;
    const made: Node = {
      type: "FunctionExpression",
      start: node.start,
      end: node.end,
      id: null,
      params: [],
      async: false,
      body: { type: "BlockStatement", start: node.start, end: node.end, body: [] },
      members,
    };
    const info = this.enterFunction(made, scope.owner, scope);
    for (const member of members) {
      if (member.type === "StaticBlock") this.walkBlock(member, member.body, info.scope);
      else if (member.value !== null && member.value !== undefined) this.walk(member.value, info.scope);
    }
    return made;
  }

  /** Names in a pattern that is bound or assigned; defaults and computed keys in it are ordinary expressions. */
  private walkPattern(pattern: Node | null, scope: Scope, binds: boolean): void {
    if (pattern === null || pattern === undefined) return;
    switch (pattern.type) {
      case "Identifier":
        if (binds) this.bindName(pattern, scope);
        else this.refer(pattern, scope, true);
        return;
      case "ObjectPattern":
        for (const property of pattern.properties as Node[]) {
          if (property.type === "RestElement") this.walkPattern(property.argument, scope, binds);
          else {
            if (property.computed === true) this.walk(property.key, scope);
            this.walkPattern(property.value, scope, binds);
          }
        }
        return;
      case "ArrayPattern":
        for (const element of pattern.elements as (Node | null)[]) this.walkPattern(element, scope, binds);
        return;
      case "AssignmentPattern":
        this.walkPattern(pattern.left, scope, binds);
        this.walk(pattern.right, scope);
        return;
      case "RestElement":
        this.walkPattern(pattern.argument, scope, binds);
        return;
      case "TSParameterProperty":
        this.walkPattern(pattern.parameter, scope, binds);
        return;
      default:
        this.walk(pattern, scope);
    }
  }

  private bindName(node: Node | null, scope: Scope): void {
    if (node === null || node === undefined) return;
    node.binding = find(scope, node.name);
  }

  private refer(node: Node, scope: Scope, assigns: boolean): void {
    const binding = find(scope, node.name);
    if (binding === undefined) {
      this.free.push(node);
      return;
    }
    node.binding = binding;
    node.at = scope.owner;
    if (assigns) binding.assigned = true;
    if (node.start < binding.readyAt || binding.scope.kind === "switch") binding.early = true;
    if (binding.scope.owner !== scope.owner) binding.captured = true;
  }
}

function find(scope: Scope, name: string): Binding | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const binding = at.bindings.get(name);
    if (binding !== undefined) return binding;
  }
  return undefined;
}

/** Whether a node is a function whose calls can be followed. */
export function isFunctionValue(node: Node | undefined): boolean {
  return node !== undefined && isFunction(node);
}
