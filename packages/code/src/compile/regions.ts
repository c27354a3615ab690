import { childrenOf, isFunction, type Node } from "../parse/tree.ts";
import { emptyRegion } from "./code.ts";
import type { Control, Emitter } from "./emitter.ts";
import { functionOf } from "../labels/derive.ts";
import { mayMakePromise } from "../labels/promises.ts";
import { Op } from "./ops.ts";

/** A part of a function that runs or not, or more than once, depending on a value. Nothing is emitted where labels are not tracked. */
export interface OpenRegion {
  readonly depth: number;
}

export function openRegion(e: Emitter): OpenRegion {
  const depth = e.contexts;
  if (e.shared.tracked) e.emit(Op.ContextPush);
  e.contexts++;
  return { depth };
}

/** The value on top of the stack decides what follows. */
export function raiseContext(e: Emitter): void {
  if (e.shared.tracked) e.emit(Op.ContextRaise);
}

/** A loop or switch of which the nodes of a region are the body: what leaves it stays in the region. */
interface Around {
  readonly loops?: number;
  readonly switches?: number;
  readonly labels: readonly string[];
}

/** The branches join: what any of them may write takes the label of what decided. */
export function closeRegion(
  e: Emitter,
  region: OpenRegion,
  nodes: readonly (Node | null | undefined)[],
  value: "value" | "default" | false,
  around: Around = { labels: [] },
): void {
  e.contexts = region.depth;
  if (!e.shared.tracked) return;
  const inside = nodes.filter((node): node is Node => node !== null && node !== undefined);
  const ways = waysOut(e, inside, region.depth, around);
  e.emit(Op.ContextJoin, e.shared.regions.length);
  e.shared.regions.push({
    effects: e.shared.effects?.effectsOf(inside, e.here, "inside") ?? [],
    values: value !== false ? (e.shared.effects?.waysTo(inside, e.here, "inside") ?? []) : [],
    ...ways,
    value: value !== false,
    orAbsent: value === "default",
    depth: region.depth,
  });
}

/** A function is about to be called that a label may have chosen: what the others would have written takes it, too. Its value is on top of the stack. */
export function joinCallee(e: Emitter, callee: Node, method: boolean): void {
  if (!e.shared.tracked || functionOf(callee) !== undefined || isFunction(callee)) return;
  const root = callee.type === "MemberExpression" ? (callee.object as Node) : callee;
  if (root.type === "Super" || (root.type === "Identifier" && root.binding === undefined)) return;
  const effects = e.shared.effects?.effectsOf([callee], e.here, "callees") ?? [];
  e.emit(Op.CalleeJoin, e.shared.regions.length, Number(method));
  e.shared.regions.push({ ...emptyRegion, effects });
}

interface Ways {
  escape: number;
  throws: boolean;
  awaits: boolean;
  promises: boolean;
}

/** Where `return`, `break`, `continue` and `throw` inside lead to, as the depth of contexts that is left. Without a budget, everywhere. */
function waysOut(e: Emitter, nodes: readonly Node[], depth: number, around: Around): Ways {
  const ways: Ways = { escape: depth, throws: false, awaits: false, promises: false };
  const budget = e.shared.effects?.exits ?? { left: Infinity };
  let awaited: Node | undefined;
  for (const node of nodes) look(node, around.labels, around.loops ?? 0, false, around.switches);
  return budget.left < 0 ? { escape: -1, throws: true, awaits: true, promises: true } : ways;

  function look(node: Node, labels: readonly string[], loops: number, caught: boolean, breakable = 0): void {
    if (--budget.left < 0) return;
    if (mayMakePromise(node) && node !== awaited) ways.promises = true;
    switch (node.type) {
      case "ReturnStatement":
        ways.escape = -1;
        break;
      case "AwaitExpression":
        ways.awaits = true;
        awaited = node.argument as Node;
        break;
      case "ForOfStatement":
      case "LoopTarget":
        if (node.await === true) ways.awaits = true;
        break;
      case "ThrowStatement":
        if (!caught) {
          const outer = e.tries.at(-1);
          ways.escape = Math.min(ways.escape, outer ?? -1);
          if (outer === undefined) ways.throws = true;
        }
        break;
      case "BreakStatement":
      case "ContinueStatement": {
        const label = (node.label?.name ?? undefined) as string | undefined;
        const inside = label === undefined ? (node.type === "BreakStatement" ? loops + breakable : loops) > 0 : labels.includes(label);
        if (!inside) {
          const control = findControl(e, node.type === "BreakStatement", label);
          if (control !== undefined) ways.escape = Math.min(ways.escape, control.contexts);
        }
        break;
      }
    }
    if (isFunction(node) || node.type === "ClassBody") return;
    for (const child of childrenOf(node)) {
      const inLoop = loopTypes.has(node.type) && child === node.body ? loops + 1 : loops;
      const inTry = caught || (node.type === "TryStatement" && child === node.block && node.handler !== null);
      const inSwitch = node.type === "SwitchStatement" ? breakable + 1 : breakable;
      look(child, node.type === "LabeledStatement" ? [...labels, node.label.name] : labels, inLoop, inTry, inSwitch);
    }
  }
}

export const loopTypes: ReadonlySet<string> = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

/** The statement that a `break` or `continue` leaves. */
export function findControl(e: Emitter, breaks: boolean, label: string | undefined): Control | undefined {
  for (let at = e.controls.length - 1; at >= 0; at--) {
    const control = e.controls[at] as Control;
    if (control.kind === "finally") continue;
    if (label !== undefined ? control.labels.includes(label) : breaks ? !control.labels.includes("\0block") : control.kind === "loop")
      return control;
  }
  return undefined;
}
