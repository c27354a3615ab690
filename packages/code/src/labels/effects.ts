import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { namesOf } from "../scope/hoist.ts";
import type { Binding, FunctionInfo, Resolved, Scope } from "../scope/scope.ts";
import { originsOf } from "./derive.ts";
import type { Effect, Mutation, Root, Way } from "./effect.ts";
import { mutationOf, pureGlobals } from "./mutators.ts";

/**
 * What parts of the tree may write outside of themselves, seen from a function: names in `scope` and around it can be reached, others are followed to
 * what they are set to.
 */
export type EffectsOf = (
  nodes: readonly Node[],
  from: FunctionInfo,
  scope: Scope,
  hops: (scope: Scope) => number,
  view: View,
) => readonly Effect[];

/** `inside`: of the nodes, for the function they stand in. `outside`: the same for its callers. `callees`: of whatever functions the nodes may be. */
export type View = "inside" | "outside" | "callees";

const maximumEffects = 400;

export function createEffects(resolved: Resolved): EffectsOf {
  const origins = originsOf(resolved.root.node);
  return (nodes, from, scope, hops, view) => {
    const collector = new Collector(from, scope, hops, view === "outside", origins);
    for (const node of nodes) {
      if (view === "callees") collector.callees(node);
      else collector.walk(node);
    }
    return collector.effects;
  };
}

class Collector {
  readonly effects: Effect[] = [];
  private readonly seen = new Set<string>();
  private readonly from: FunctionInfo;
  private readonly scope: Scope;
  private readonly hops: (scope: Scope) => number;
  private readonly outside: boolean;
  private readonly origins: ReturnType<typeof originsOf>;

  constructor(from: FunctionInfo, scope: Scope, hops: (scope: Scope) => number, outside: boolean, origins: ReturnType<typeof originsOf>) {
    this.from = from;
    this.scope = scope;
    this.hops = hops;
    this.outside = outside;
    this.origins = origins;
  }

  /** Functions inside count as called: whoever makes one in a branch calls it there, most often. */
  walk(root: Node): void {
    const waiting: Node[] = [root];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.look(node);
      for (const child of childrenOf(node)) waiting.push(child);
      for (const made of [node.fieldsFunction, node.staticsFunction] as (Node | undefined)[]) if (made !== undefined) waiting.push(made);
    }
  }

  /** The functions that a value may be: those it is set to, and what is found in them. */
  callees(node: Node, following: ReadonlySet<Binding> = new Set()): void {
    if (isFunction(node) || node.type === "ObjectExpression" || node.type === "ArrayExpression") return this.walk(node);
    if (node.type === "Identifier") {
      const binding = node.binding as Binding | undefined;
      if (binding === undefined || following.has(binding)) return;
      const more = new Set(following).add(binding);
      if (binding.init !== undefined) this.callees(binding.init, more);
      for (const origin of this.origins.get(binding) ?? []) this.callees(origin.node, more);
    } else if (node.type === "ConditionalExpression") {
      this.callees(node.consequent, following);
      this.callees(node.alternate, following);
    } else if (node.type === "LogicalExpression") {
      this.callees(node.left, following);
      this.callees(node.right, following);
    } else if (node.type === "AssignmentExpression") this.callees(node.right, following);
    else if (node.type === "MemberExpression") this.callees(node.object, following);
    else if (node.type === "ClassDeclaration" || node.type === "ClassExpression") this.walk(node);
  }

  private look(node: Node): void {
    switch (node.type) {
      case "AssignmentExpression":
        this.assigned(node.left);
        break;
      case "UpdateExpression":
        this.assigned(node.argument);
        break;
      case "VariableDeclarator":
        this.assigned(node.id);
        break;
      case "ForOfStatement":
      case "ForInStatement":
        this.assigned(node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left);
        break;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        if (node.id !== null) this.assigned(node.id);
        break;
      case "UnaryExpression":
        if (node.operator === "delete" && node.argument.type === "MemberExpression") this.member(node.argument, { removes: true });
        break;
      case "CallExpression":
      case "NewExpression":
        this.call(node);
        break;
    }
  }

  private assigned(target: Node): void {
    if (target.type === "MemberExpression") return this.member(target);
    for (const name of namesOf(target)) {
      const root = this.rootOf(name.binding as Binding | undefined);
      if (root !== undefined && root.kind !== "param") this.add({ kind: "variable", root });
    }
    if (target.type === "ObjectPattern" || target.type === "ArrayPattern") for (const inner of membersIn(target)) this.member(inner);
  }

  private member(target: Node, more: Mutation = {}): void {
    const key = keyOf(target);
    for (const on of this.waysTo(target.object)) this.add({ kind: "write", on, ...more, ...(key === undefined ? {} : { key }) });
  }

  private call(node: Node): void {
    const callee = node.callee as Node;
    if (callee.type === "Super" || isFunction(callee)) return;
    if (isPure(callee)) {
      // Arguments that are functions may be called.
      for (const argument of node.arguments as Node[])
        for (const way of this.waysTo(argument)) this.add({ kind: "call", callee: way, self: [], args: [] });
      return;
    }
    const args = (node.arguments as Node[]).map((argument) =>
      this.waysTo(argument.type === "SpreadElement" ? argument.argument : argument),
    );
    const owner = callee.type === "MemberExpression" ? (callee.object as Node) : undefined;
    const self = owner === undefined || owner.type === "Super" ? [] : this.waysTo(owner);
    if (owner !== undefined) {
      const mutation = mutationOf(callee, node.arguments);
      if (mutation !== undefined) for (const on of self) this.add({ kind: "write", on, ...mutation });
      if (owner.type === "Identifier" && owner.binding === undefined && owner.name === "Object") {
        const change = callee.property.name === "freeze" ? { grows: true } : {};
        for (const on of args[0] ?? []) this.add({ kind: "write", on, ...change });
      }
    }
    for (const way of this.waysTo(callee)) this.add({ kind: "call", callee: way, self, args });
    // A built-in function may call what it is given; the machine knows when it sees the value.
    if (owner !== undefined)
      for (const list of args) for (const way of list) this.add({ kind: "call", callee: way, self: [], args: [self, ...args] });
  }

  /** The values that an expression may be, as far as they existed before. */
  private waysTo(node: Node, following: ReadonlySet<Binding> = new Set(), deep = false): Way[] {
    switch (node.type) {
      case "Identifier":
        return this.waysToName(node.binding as Binding | undefined, following, deep);
      case "ThisExpression":
        return [{ root: { kind: "this" }, path: [], deep }];
      case "MemberExpression": {
        if (node.object.type === "Super") return [];
        const key = keyOf(node);
        return this.waysTo(node.object, following, deep || key === undefined).map((way) =>
          way.deep || key === undefined ? { ...way, deep: true } : { ...way, path: [...way.path, key] },
        );
      }
      case "CallExpression":
      case "NewExpression": {
        if (isPure(node.callee) && !isIdentity(node.callee)) return [];
        const parts = [
          ...(node.callee.type === "MemberExpression" ? [node.callee.object as Node] : [node.callee as Node]),
          ...(node.arguments as Node[]),
        ];
        return parts.flatMap((part) => this.waysTo(part, following, true));
      }
      case "ConditionalExpression":
        return [...this.waysTo(node.consequent, following, deep), ...this.waysTo(node.alternate, following, deep)];
      case "LogicalExpression":
        return [...this.waysTo(node.left, following, deep), ...this.waysTo(node.right, following, deep)];
      case "AssignmentExpression":
        return this.waysTo(node.right, following, deep);
      case "AwaitExpression":
      case "SpreadElement":
        return this.waysTo(node.argument, following, deep);
      case "ChainExpression":
        return this.waysTo(node.expression, following, deep);
      case "SequenceExpression":
        return this.waysTo(node.expressions.at(-1), following, deep);
      case "ArrayExpression":
        return (node.elements as (Node | null)[]).flatMap((element) => (element === null ? [] : this.waysTo(element, following, true)));
      case "ObjectExpression":
        return (node.properties as Node[]).flatMap((property) =>
          this.waysTo(property.type === "SpreadElement" ? property.argument : property.value, following, true),
        );
      default:
        return [];
    }
  }

  private waysToName(binding: Binding | undefined, following: ReadonlySet<Binding>, deep: boolean): Way[] {
    if (binding === undefined || following.has(binding)) return [];
    const root = this.rootOf(binding);
    if (root !== undefined) return [{ root, path: [], deep }];
    const more = new Set(following).add(binding);
    return (this.origins.get(binding) ?? []).flatMap((origin) => this.waysTo(origin.node, more, deep || origin.deep));
  }

  /** A name that can be reached where the effect is applied. */
  private rootOf(binding: Binding | undefined): Root | undefined {
    if (binding === undefined) return undefined;
    if (this.outside && binding.scope.owner === this.from) {
      const index = (this.from.node.params as Node[]).findIndex((param) => namesOf(param).some((name) => name.binding === binding));
      return index === -1 || binding.kind !== "param" ? undefined : { kind: "param", index };
    }
    for (let at: Scope | undefined = this.outside ? this.from.scope.parent : this.scope; at !== undefined; at = at.parent) {
      if (at !== binding.scope) continue;
      if (binding.slot === -1) return undefined;
      if (binding.captured) return { kind: "env", hops: this.hops(binding.scope), slot: binding.slot };
      return binding.scope.owner === this.from ? { kind: "local", slot: binding.slot } : undefined;
    }
    return undefined;
  }

  private add(effect: Effect): void {
    const key = JSON.stringify(effect);
    if (this.seen.has(key) || this.effects.length >= maximumEffects) return;
    this.seen.add(key);
    this.effects.push(effect);
  }
}

/** A key that is known from the text. */
function keyOf(member: Node): string | undefined {
  if (member.computed !== true) return member.property.name as string;
  return member.property.type === "Literal" ? String(member.property.value) : undefined;
}

function membersIn(pattern: Node): Node[] {
  if (pattern.type === "MemberExpression") return [pattern];
  if (pattern.type === "ObjectPattern")
    return (pattern.properties as Node[]).flatMap((property) => membersIn(property.value ?? property.argument));
  if (pattern.type === "ArrayPattern")
    return (pattern.elements as (Node | null)[]).flatMap((element) => (element === null ? [] : membersIn(element)));
  if (pattern.type === "AssignmentPattern") return membersIn(pattern.left);
  return pattern.type === "RestElement" ? membersIn(pattern.argument) : [];
}

/** Functions of the language that write nothing, and tools: `Math.max`, `tools.send`. */
function isPure(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.binding === undefined && callee.name !== "Object";
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee as { object: Node } & Node;
  if (object.type !== "Identifier" || object.binding !== undefined || !pureGlobals.has(object.name)) return false;
  return !(object.name === "Object" && (callee.property.name === "assign" || callee.property.name === "freeze"));
}

/** Answers what it is given, or a part of it. */
function isIdentity(callee: Node): boolean {
  return callee.type === "MemberExpression" && ["Object", "Array", "Promise"].includes(callee.object.name);
}
