import { filled } from "../../lists.ts";
import { Op } from "../../compile/ops.ts";
import { joinChoice, joinRegion } from "../contexts.ts";
import { GuestThrow } from "../errors.ts";
import { iterationLabel, iteratorOf, nextOf } from "../iterate.ts";
import { listedKeys } from "../keys.ts";
import type { Region } from "../../compile/code.ts";
import type { Machine } from "../machine.ts";
import { ArrayValue, isObject, IteratorValue, unset } from "../values.ts";
import { longCode } from "../long-code.ts";
import { operand, pop, popLabel, push, type Handlers } from "./handler.ts";
import { sizes } from "../sizes.ts";

/** Thrown between two instructions to leave the loop; the program goes on later. */
export const paused: unique symbol = Symbol("paused");

function count(m: Machine): void {
  if (++m.steps >= m.stop) {
    if (m.steps > m.limits.steps) m.stepLimit();
    if (m.stop < m.limits.steps) throw paused;
  }
}

export const controlHandlers: Handlers = [
  [Op.Step, (m) => count(m)],
  [
    Op.Loop,
    (m, f) => {
      const to = f.code[f.pc] as number;
      m.steps += longCode(f.pc - to);
      f.pc = to;
      count(m);
    },
  ],
  [
    Op.Jump,
    (m, f) => {
      const to = f.code[f.pc] as number;
      // `continue` may go back.
      if (to < f.pc) m.steps += longCode(f.pc - to);
      f.pc = to;
    },
  ],
  [
    Op.JumpFalse,
    (m, f) => {
      const value = f.stack.pop();
      if (m.tracked) f.stackLabels.pop();
      if (value) f.pc++;
      else f.pc = f.code[f.pc] as number;
    },
  ],
  [
    Op.JumpTrue,
    (m, f) => {
      const value = f.stack.pop();
      if (m.tracked) f.stackLabels.pop();
      if (value) f.pc = f.code[f.pc] as number;
      else f.pc++;
    },
  ],
  [
    Op.JumpFalseKeep,
    (_m, f) => {
      f.pc = f.stack[f.stack.length - 1] ? f.pc + 1 : (f.code[f.pc] as number);
    },
  ],
  [
    Op.JumpTrueKeep,
    (_m, f) => {
      f.pc = f.stack[f.stack.length - 1] ? (f.code[f.pc] as number) : f.pc + 1;
    },
  ],
  [
    Op.JumpNullishKeep,
    (_m, f) => {
      const value = f.stack[f.stack.length - 1];
      f.pc = value === undefined || value === null ? (f.code[f.pc] as number) : f.pc + 1;
    },
  ],
  [
    Op.JumpNotNullishKeep,
    (_m, f) => {
      const value = f.stack[f.stack.length - 1];
      f.pc = value === undefined || value === null ? f.pc + 1 : (f.code[f.pc] as number);
    },
  ],
  [
    Op.JumpNotUndefined,
    (_m, f) => {
      f.pc = f.stack[f.stack.length - 1] === undefined ? f.pc + 1 : (f.code[f.pc] as number);
    },
  ],
  [
    Op.Try,
    (_m, f) => {
      f.handlers.push({ pc: operand(f), env: f.env, contexts: f.contexts.length });
    },
  ],
  [
    Op.EndTry,
    (_m, f) => {
      f.handlers.pop();
    },
  ],
  [
    Op.Throw,
    (m, f) => {
      const value = pop(f);
      throw new GuestThrow(value, popLabel(m, f) | f.context);
    },
  ],
  [
    Op.Unwind,
    (m, f) => {
      f.handlers.length = operand(f);
      for (let hops = operand(f); hops > 0; hops--) f.env = f.env?.parent;
      const contexts = operand(f);
      if (m.tracked) f.contexts.length = contexts;
    },
  ],
  [
    Op.Iterate,
    (m, f) => {
      const value = pop(f);
      const label = popLabel(m, f);
      m.touched = label;
      push(m, f, iteratorOf(m, value, label), label);
    },
  ],
  [
    Op.Next,
    (m, f) => {
      const iterator = f.locals[operand(f)] as IteratorValue;
      m.touched = 0;
      if (m.tracked) f.context |= iterationLabel(iterator);
      const value = nextOf(m, iterator);
      if (value === unset) f.pc = f.code[f.pc] as number;
      else {
        f.pc++;
        push(m, f, value, m.touched);
      }
    },
  ],
  [
    Op.NextOrUndefined,
    (m, f) => {
      const iterator = f.locals[operand(f)] as IteratorValue;
      m.touched = 0;
      const value = nextOf(m, iterator);
      push(m, f, value === unset ? undefined : value, m.touched);
    },
  ],
  [
    Op.RestIterator,
    (m, f) => {
      const iterator = f.locals[operand(f)] as IteratorValue;
      const rest = new ArrayValue([]);
      m.allocate(sizes.array);
      m.touched = 0;
      if (m.tracked) rest.shape = iterationLabel(iterator);
      for (;;) {
        m.touched = 0;
        const value = nextOf(m, iterator);
        if (value === unset) break;
        m.charge(1);
        m.allocate(16);
        rest.items.push(value);
        if (m.tracked && m.touched !== 0) (rest.labels ??= filled<number>(rest.items.length - 1, 0))[rest.items.length - 1] = m.touched;
      }
      if (rest.labels !== undefined) for (let at = 0; at < rest.items.length; at++) rest.labels[at] ??= 0;
      push(m, f, rest, 0);
    },
  ],
  [
    Op.Keys,
    (m, f) => {
      const value = pop(f);
      const label = popLabel(m, f);
      const keys = new ArrayValue(listedKeys(m, value));
      m.allocate(sizes.array + 16 * keys.items.length);
      if (m.tracked) keys.all = label | (isObject(value) ? value.shape | value.all : 0);
      push(m, f, new IteratorValue(keys, "values"), label);
    },
  ],
  [
    Op.ContextPush,
    (_m, f) => {
      f.contexts.push(f.context);
    },
  ],
  [
    Op.ContextRaise,
    (_m, f) => {
      f.context |= f.stackLabels[f.stackLabels.length - 1] as number;
    },
  ],
  [Op.CalleeJoin, (m, f) => joinChoice(m, f, f.unit.regions[operand(f)] as Region, operand(f) === 1)],
  [Op.ContextJoin, (m, f) => joinRegion(m, f, f.unit.regions[operand(f)] as Region)],
];
