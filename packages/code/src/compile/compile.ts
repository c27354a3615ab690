import type { Node } from "../parse/tree.ts";
import { createEffects } from "../labels/effects.ts";
import type { Resolved } from "../scope/scope.ts";
import type { Unit } from "./code.ts";
import { compileExpression } from "./expressions.ts";
import { Emitter, type Parts, type Shared } from "./emitter.ts";
import { compileClass, compileFunction, writeFunction } from "./functions.ts";
import { compileStatement } from "./statements.ts";

const parts: Parts = { expression: compileExpression, statement: compileStatement, function: compileFunction, class: compileClass };

/** Compiles a resolved program. `tracked`: with the instructions that follow labels through branches. Function 0 is the program itself. */
export function compileUnit(text: string, root: Node, resolved: Resolved, tracked: boolean, builtin = false): Unit {
  const effects = tracked ? createEffects(resolved, builtin) : undefined;
  const shared: Shared = {
    tracked,
    functions: [],
    pool: [],
    poolIndex: new Map(),
    regions: [],
    parts,
    ...(effects === undefined ? {} : { effects }),
  };
  writeFunction(new Emitter(shared, resolved.root), root, "program", "function");
  const { functions, pool, regions } = shared;
  return { text, tracked, functions, pool, regions, builtin };
}
