import { before } from "../parse/source.ts";
import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { namesOf } from "../scope/hoist.ts";
import type { Binding, FunctionInfo, Resolved, Scope } from "../scope/scope.ts";
import { functionOf, originsOf } from "./derive.ts";
import { awaited, anyMember, type Effect, type Mutation, type Root, type Way } from "./effect.ts";
import { givenBy, returnsOf } from "./functions.ts";
import { callsBack, goesOver, mutationOf, storedBy, takesPattern } from "./mutators.ts";
import {
  isIdentity,
  promiseMethods,
  isPure,
  isRunLater,
  keyOf,
  leadsFurther,
  membersIn,
  methodOf,
  type Part,
  spreadOf,
  inBranch,
  withoutChain,
} from "./nodes.ts";
import { below, freeName, literal, newLiteral, step, unlisted } from "./way.ts";

/** Where parts of the tree are seen from: names in `scope` and around it can be reached, others are followed to what they are set to. */
export interface Standpoint {
  readonly from: FunctionInfo;
  readonly scope: Scope;
  readonly hops: (scope: Scope) => number;
}

export interface Effects {
  /** What parts of the tree may write outside of themselves. */
  readonly effectsOf: (nodes: readonly Node[], place: Standpoint, view: View) => readonly Effect[];
  /** The values that expressions may have, as far as they existed before. */
  readonly waysTo: (nodes: readonly Node[], place: Standpoint, view: View) => readonly Way[];
  /** Nodes that may still be looked at for where regions are left. */
  readonly exits: Budget;
}

/** What may still be done for a program: regions stand in regions, and each would look at all that is in it. */
export interface Budget {
  left: number;
}

/** `inside`: of the nodes, for the function they stand in. `outside`: the same for its callers. `callees`: of whatever functions the nodes may be. */
export type View = "inside" | "outside" | "callees";

const maximumEffects = 400;
/** Nodes that are looked at for one list of effects or ways; a program made to have more is taken to do anything. */
const maximumLooks = 4_000;
/** Of the nodes that are walked through, most are names and constants. Regions stand in regions, and each walks through all that is in it. */
const maximumWalked = 4 * maximumLooks;
/** Both together, and the origins of names that are gone through, for all lists of effects of a program. What is left is taken to do anything. */
const maximumOfProgram = 500_000;
const maximumExits = 2_000_000;

/** `builtin`: for our own functions, which give away nothing but their answers. */
export function createEffects(resolved: Resolved, builtin: boolean): Effects {
  const origins = originsOf(resolved.root.node, builtin);
  const budget: Budget = { left: maximumOfProgram };
  const captured = new Map<Node, readonly Binding[]>();
  return {
    exits: { left: maximumExits },
    effectsOf(nodes, place, view) {
      const collector = new Collector(place, nodes, view === "outside", origins, budget, captured);
      for (const node of nodes) {
        if (view === "callees") collector.callees(node);
        else collector.walk(node);
      }
      return collector.overflowed ? [{ kind: "everything" }] : collector.effects;
    },
    waysTo(nodes, place, view) {
      const collector = new Collector(place, nodes, view === "outside", origins, { left: Infinity }, captured);
      const ways = nodes.flatMap((node) => collector.waysTo(node));
      return collector.overflowed || ways.length > maximumEffects ? [unlisted] : ways;
    },
  };
}

class Collector {
  readonly effects: Effect[] = [];
  overflowed = false;
  private readonly seen = new Set<string>();
  private readonly from: FunctionInfo;
  private readonly scope: Scope;
  private readonly hops: (scope: Scope) => number;
  private readonly nodes: readonly Node[];
  private readonly outside: boolean;
  private readonly origins: ReturnType<typeof originsOf>;
  private readonly budget: Budget;
  private readonly captured: Map<Node, readonly Binding[]>;
  /** What stands in a `try` with a `catch`. */
  private readonly tried: Node[] = [];
  /** Names that are set from a part of themselves, or from what holds them. */
  private readonly cyclic = new Set<Binding>();
  /** Expressions that lead further, around the present one; for a name, where it was followed. */
  private depth = 0;
  private readonly entered = new Map<Binding, number>();
  private part: Omit<Part, "node"> = inBranch;
  private looks = 0;
  private walked = 0;

  constructor(
    { from, scope, hops }: Standpoint,
    nodes: readonly Node[],
    outside: boolean,
    origins: ReturnType<typeof originsOf>,
    budget: Budget,
    captured: Map<Node, readonly Binding[]>,
  ) {
    this.captured = captured;
    this.from = from;
    this.scope = scope;
    this.hops = hops;
    this.nodes = nodes;
    this.outside = outside;
    this.origins = origins;
    this.budget = budget;
  }

  private spend(work: number): void {
    this.budget.left -= work;
    if (this.budget.left < 0) this.overflowed = true;
  }

  /** Functions inside count as called: whoever makes one in a branch calls it there, most often. */
  walk(root: Node): void {
    const waiting: Part[] = [{ node: root, isLate: false, hasThis: false }];
    for (let part = waiting.pop(); part !== undefined && !this.overflowed; part = waiting.pop()) {
      const { node } = part;
      this.spend(1);
      if (++this.walked > maximumWalked) this.overflowed = true;
      this.part = part;
      this.look(node);
      const hasThis = part.hasThis || (isFunction(node) && node.type !== "ArrowFunctionExpression");
      for (const child of childrenOf(node)) waiting.push({ node: child, isLate: part.isLate || isRunLater(node, child), hasThis });
      for (const made of [node.fieldsFunction, node.staticsFunction] as (Node | undefined)[])
        if (made !== undefined) waiting.push({ ...part, node: made, hasThis: true });
    }
    this.part = inBranch;
  }

  /** The functions that a value may be: those it is set to, and what is found in them. */
  callees(node: Node, following: ReadonlySet<Binding> = new Set()): void {
    if (++this.looks > maximumLooks) {
      this.overflowed = true;
      return;
    }
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
    else if (node.type === "AwaitExpression") this.callees(node.argument, following);
    else if (node.type === "NewExpression") this.callees(node.callee, following);
    else if (node.type === "CallExpression") {
      const fn = functionOf(node.callee);
      if (fn !== undefined) for (const value of returnsOf(fn)) this.callees(value, following);
    } else if (node.type === "ClassDeclaration" || node.type === "ClassExpression") this.walk(node);
  }

  private look(node: Node): void {
    switch (node.type) {
      case "AssignmentExpression":
        this.assigned(node.left, node.right);
        break;
      case "UpdateExpression":
        this.assigned(node.argument, undefined);
        break;
      case "VariableDeclarator":
        this.assigned(node.id, node.init);
        break;
      case "LoopTarget":
        this.assigned(node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left, node.of, true);
        break;
      case "ForOfStatement":
      case "ForInStatement":
        this.assigned(node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left, node.right, true);
        if (node.type === "ForOfStatement") this.goneOver(node.right);
        break;
      case "SpreadElement":
        this.goneOver(node.argument);
        break;
      case "ArrayPattern":
        this.takenApart(node);
        break;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        if (node.id !== null) this.assigned(node.id, undefined);
        break;
      case "UnaryExpression":
        if (node.operator === "delete")
          for (const member of membersIn(withoutChain(node.argument))) this.member(member, [], { removes: true });
        break;
      case "TryStatement":
        if (node.handler !== null && node.handler !== undefined) this.tried.push(node.block as Node);
        break;
      case "CallExpression":
      case "NewExpression":
        this.call(node);
        break;
    }
  }

  private isCaught({ start, end }: Node): boolean {
    return this.tried.some((block) => start >= block.start && end <= block.end);
  }

  private assigned(target: Node, value: Node | null | undefined, part = false): void {
    const given = value === null || value === undefined ? [] : this.waysTo(value);
    if (!part && target.type === "ArrayPattern") for (const on of given) this.add({ kind: "write", on, values: [], iterates: true });
    const values = part || target.type === "ObjectPattern" || target.type === "ArrayPattern" ? given.map(below) : given;
    if (target.type === "MemberExpression") return this.member(target, values);
    for (const name of namesOf(target)) {
      const root = this.rootOf(name.binding as Binding | undefined);
      if (root !== undefined && root.kind !== "param") this.add({ kind: "variable", root, values });
    }
    if (target.type === "ObjectPattern" || target.type === "ArrayPattern")
      for (const inner of membersIn(target)) this.member(inner, values);
  }

  private goneOver(node: Node): void {
    for (const on of this.waysTo(node)) this.add({ kind: "write", on, values: [], iterates: true });
  }

  /** A parameter that is a pattern goes over its argument, or over a part of it. */
  private takenApart(pattern: Node): void {
    if (!this.outside) return;
    const params = this.from.node.params as Node[];
    const index = params.findIndex(({ start, end }) => pattern.start >= start && pattern.end <= end);
    if (index === -1) return;
    const rest = params[index]?.type === "RestElement" ? { rest: true } : {};
    const on: Way = { root: { kind: "param", index, ...rest }, path: [], deep: params[index] !== pattern };
    this.add({ kind: "write", on, values: [], iterates: true });
  }

  private member(target: Node, values: readonly Way[], more: Mutation = {}): void {
    const key = keyOf(target);
    for (const on of this.waysTo(target.object)) this.add({ kind: "write", on, values, ...more, ...(key === undefined ? {} : { key }) });
  }

  private call(node: Node): void {
    const callee = node.callee as Node;
    if (isFunction(callee)) return;
    const given = node.arguments as Node[];
    const args = given.map((argument) => this.waysTo(argument));
    const owner = callee.type === "MemberExpression" ? (callee.object as Node) : undefined;
    const self = owner === undefined ? [] : this.waysTo(owner);
    const how = { ...spreadOf(given), ...(this.isCaught(node) ? { caught: true } : {}) };
    if (callee.type === "Super")
      return this.add({ kind: "call", callee: { root: { kind: "parent" }, path: [], deep: false }, self, args, ...how });
    const name = owner === undefined || callee.computed === true ? "" : (callee.property.name as string);
    if (owner !== undefined) {
      const mutation = mutationOf(callee, given);
      const values = mutation === undefined ? [] : storedBy(name, args);
      if (mutation !== undefined) for (const on of self) this.add({ kind: "write", on, values, ...mutation });
      if (name === "" || takesPattern.has(name))
        for (const on of args[0] ?? []) this.add({ kind: "write", on, values: [], key: "lastIndex", builtIn: true });
      if (["assign", "freeze", ""].includes(name)) this.writtenByObject(name, args);
    }
    if (goesOver.has(owner === undefined ? callee.name : name)) for (const argument of given) this.goneOver(argument);
    if (!isPure(callee)) for (const way of this.waysTo(callee)) this.add({ kind: "call", callee: way, self, args, ...how });
    // A built-in function may call what it is given; the machine knows when it sees the value.
    const calls = owner === undefined ? callee.type === "Identifier" && callsBack.has(callee.name) : name === "" || callsBack.has(name);
    if (calls)
      for (const [at, list] of (callee.name === "$call" ? args.slice(0, 1) : args).entries())
        // What is written there is looked at as a part of the branch, its parameters with it.
        if (!isFunction(given[at] as Node) || (given.length > 1 && given[at]?.type === "FunctionExpression"))
          for (const way of list)
            this.add({
              kind: "call",
              callee: way,
              self: args.flat(),
              args: [self, ...args],
              any: true,
              ...(promiseMethods.has(name) && { late: true }),
            });
  }

  /** `Object.assign` and `Object.freeze`. */
  private writtenByObject(name: string, args: readonly (readonly Way[])[]): void {
    const [first = [], ...rest] = args;
    for (const on of first) {
      if (name !== "freeze") this.add({ kind: "write", on, values: rest.flat().map(below) });
      if (name !== "assign") this.add({ kind: "write", on, values: [], freezes: true });
    }
  }

  /** The values that an expression may be, as far as they existed before. */
  waysTo(node: Node, following: ReadonlySet<Binding> = new Set()): Way[] {
    this.spend(1);
    if (this.overflowed || ++this.looks > maximumLooks) {
      this.overflowed = true;
      return [];
    }
    if (!leadsFurther.has(node.type)) return this.waysFrom(node, following);
    this.depth++;
    const ways = this.waysFrom(node, following);
    this.depth--;
    return ways;
  }

  private waysFrom(node: Node, following: ReadonlySet<Binding>): Way[] {
    switch (node.type) {
      case "Identifier":
        if (node.binding === undefined) return [freeName(node.name as string)];
        return this.waysToName(node.binding as Binding, following);
      case "ThisExpression":
      case "Super":
        // That of a function inside is known when the function is applied.
        if (this.part.hasThis) return [];
        return [{ root: { kind: "this" }, path: [], deep: false }];
      case "MemberExpression": {
        const key = methodOf(node);
        return this.waysTo(node.object, following).map((way) => step(way, key));
      }
      case "CallExpression":
      case "NewExpression":
        return this.waysToResult(node, following);
      case "ConditionalExpression":
        return [...this.waysTo(node.consequent, following), ...this.waysTo(node.alternate, following)];
      case "LogicalExpression":
        return [...this.waysTo(node.left, following), ...this.waysTo(node.right, following)];
      case "AssignmentExpression":
        // `a ??= b` is what `a` was, or `b`.
        return [...(node.operator === "=" ? [] : this.waysTo(node.left, following)), ...this.waysTo(node.right, following)];
      case "AwaitExpression":
        return this.waysTo(node.argument, following).map((way) => step(way, awaited));
      case "SpreadElement":
        return this.waysTo(node.argument, following).map((way) => step(way, anyMember));
      case "ChainExpression":
        return this.waysTo(node.expression, following);
      case "SequenceExpression":
        return this.waysTo(node.expressions.at(-1), following);
      case "ArrayExpression":
        return [
          literal(node, "list"),
          ...(node.elements as (Node | null)[]).flatMap((element) => (element === null ? [] : this.waysTo(element, following).map(below))),
        ];
      case "ObjectExpression":
        return [
          literal(node, "object"),
          ...(node.properties as Node[]).flatMap((property) =>
            this.waysTo(property.type === "SpreadElement" ? property.argument : property.value, following).map(below),
          ),
        ];
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        // Whoever has a function can have what it gives.
        return [
          ...this.written(node, following),
          ...[...returnsOf(node), ...givenBy(node)].flatMap((value) => this.waysTo(value, following).map(below)),
        ];
      case "ClassDeclaration":
      case "ClassExpression":
        return [unlisted];
      default:
        return [];
    }
  }

  private waysToResult(node: Node, following: ReadonlySet<Binding>): Way[] {
    const callee = node.callee as Node;
    const pure = isPure(callee);
    if ((pure && !isIdentity(callee)) || callee.type === "Super") return [];
    const args = (node.arguments as Node[]).map((argument) => this.waysTo(argument, following));
    const made = pure && node.type === "NewExpression" ? newLiteral(node) : [];
    if (pure)
      return [
        ...made,
        { root: { kind: "result", callee: [], self: [], args, ...spreadOf(node.arguments as Node[]) }, path: [], deep: false },
      ];
    const member = callee.type === "MemberExpression";
    const self = member ? this.waysTo(callee.object, following) : [];
    const direct = isFunction(callee) ? returnsOf(callee).flatMap((value) => this.waysTo(value, following)) : [];
    const root: Root = {
      kind: "result",
      callee: member || isFunction(callee) ? [] : this.waysTo(callee, following),
      ...(member ? { method: methodOf(callee) } : {}),
      self,
      args,
      ...spreadOf(node.arguments as Node[]),
    };
    return [{ root, path: [], deep: false }, ...direct];
  }

  private waysToName(binding: Binding, following: ReadonlySet<Binding>): Way[] {
    if (following.has(binding)) {
      if (this.depth > (this.entered.get(binding) ?? 0)) this.cyclic.add(binding);
      return [];
    }
    this.entered.set(binding, this.depth);
    const root = this.rootOf(binding);
    const more = new Set(following).add(binding);
    this.spend((this.origins.get(binding)?.length ?? 0) >> 3);
    const origins = (this.origins.get(binding) ?? []).filter(
      (origin) => root === undefined || (origin.held !== true && (this.isInside(origin.node) || this.isOwn(root, origin.node))),
    );
    const ways = origins.flatMap((origin) => {
      const found = this.waysTo(origin.node, more);
      return origin.deep ? found.map(below) : found;
    });
    const all = root === undefined ? ways : [{ root, path: [], deep: this.isTakenApart(binding, root) }, ...ways];
    // It is set from itself: `at = at.next`.
    return this.cyclic.has(binding) ? all.map(below) : all;
  }

  /** What a name is set to in the part that is looked at is not yet its value where that part did not run. */
  private isInside(node: Node): boolean {
    return this.nodes.some(({ start, end }) => node.start >= start && node.end <= end);
  }

  /** A parameter may be its default, or what its function sets it to. */
  private isOwn(root: Root, { start, end }: Node): boolean {
    return root.kind === "param" && start >= this.from.node.start && end <= this.from.node.end;
  }

  /** A parameter that is a pattern holds a part of its argument. */
  private isTakenApart(binding: Binding, root: Root): boolean {
    if (root.kind !== "param") return false;
    const param = (this.from.node.params as Node[])[root.index] as Node;
    const plain = param.type === "AssignmentPattern" ? (param.left as Node) : param;
    return plain.type !== "Identifier" || plain.binding !== binding;
  }

  /** A function whose text is in the part that is looked at. */
  private written(node: Node, following: ReadonlySet<Binding>): Way[] {
    const chain = new Set<Scope>();
    const base = this.outside ? this.from.scope.parent : this.scope;
    for (let at = base; at !== undefined; at = at.parent) chain.add(at);
    const missing: Scope[] = [];
    let at = (node.info as FunctionInfo).scope.parent;
    for (; at !== undefined && !chain.has(at); at = at.parent) if (at.size > 0) missing.unshift(at);
    if (at === undefined || !this.isInside(node)) return [unlisted];
    const named = missing.length === 0 ? [] : this.capturedBy(node).filter(({ scope }) => missing.includes(scope));
    const held = named.map((binding) => ({
      level: missing.indexOf(binding.scope),
      slot: binding.slot,
      values: this.waysToName(binding, following),
    }));
    const start = node.start - before.length;
    return [{ root: { kind: "written", start, hops: this.hops(at), above: missing.length, held }, path: [], deep: false }];
  }

  /** The names in a function that it does not declare itself. */
  private capturedBy(fn: Node): readonly Binding[] {
    const known = this.captured.get(fn);
    if (known !== undefined) return known;
    const found = new Set<Binding>();
    const waiting: Node[] = [fn];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.spend(1);
      const binding = node.type === "Identifier" ? (node.binding as Binding | undefined) : undefined;
      if (binding?.captured === true && binding.slot !== -1) found.add(binding);
      for (const child of childrenOf(node)) waiting.push(child);
    }
    this.captured.set(fn, [...found]);
    return [...found];
  }

  /** A name that can be reached where the effect is applied. */
  private rootOf(binding: Binding | undefined): Root | undefined {
    if (binding === undefined) return undefined;
    if (this.outside && binding.scope.owner === this.from) {
      const index = (this.from.node.params as Node[]).findIndex((param) => namesOf(param).some((name) => name.binding === binding));
      if (index === -1 || binding.kind !== "param") return undefined;
      return { kind: "param", index, ...(this.from.node.params[index].type === "RestElement" ? { rest: true } : {}) };
    }
    for (let at: Scope | undefined = this.outside ? this.from.scope.parent : this.scope; at !== undefined; at = at.parent) {
      if (at !== binding.scope) continue;
      if (binding.slot === -1) return undefined;
      if (binding.captured) return { kind: "env", hops: this.hops(binding.scope), slot: binding.slot };
      return binding.scope.owner === this.from ? { kind: "local", slot: binding.slot } : undefined;
    }
    return undefined;
  }

  private add(made: Effect): void {
    const effect = this.part.isLate && made.kind !== "everything" ? { ...made, late: true } : made;
    const key = JSON.stringify(effect);
    if (this.seen.has(key)) return;
    if (this.effects.length >= maximumEffects) this.overflowed = true;
    if (!this.overflowed) this.effects.push(effect);
    this.seen.add(key);
  }
}
