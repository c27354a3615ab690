import { Op } from "../../compile/ops.ts";
import { toText } from "../convert.ts";
import { makeRegExp } from "../regexps.ts";
import { unset, type Slot, type Value } from "../values.ts";
import { operand, pooled, pop, popLabel, push, take, takeLabels, type Handlers } from "./handler.ts";

export const valueHandlers: Handlers = [
  [Op.Const, (m, f) => push(m, f, f.unit.pool[operand(f)], 0)],
  [Op.Int, (m, f) => push(m, f, operand(f), 0)],
  [Op.Undefined, (m, f) => push(m, f, undefined, 0)],
  [Op.Null, (m, f) => push(m, f, null, 0)],
  [Op.True, (m, f) => push(m, f, true, 0)],
  [Op.False, (m, f) => push(m, f, false, 0)],
  [
    Op.Pop,
    (m, f) => {
      f.stack.pop();
      if (m.tracked) f.stackLabels.pop();
    },
  ],
  [
    Op.Dup,
    (m, f) => {
      f.stack.push(f.stack[f.stack.length - 1]);
      if (m.tracked) f.stackLabels.push(f.stackLabels[f.stackLabels.length - 1] as number);
    },
  ],
  [
    Op.Dup2,
    (m, f) => {
      f.stack.push(f.stack[f.stack.length - 2], f.stack[f.stack.length - 1]);
      if (m.tracked)
        f.stackLabels.push(f.stackLabels[f.stackLabels.length - 2] as number, f.stackLabels[f.stackLabels.length - 1] as number);
    },
  ],
  [
    Op.Swap,
    (m, f) => {
      rotate(f.stack, 2);
      if (m.tracked) rotate(f.stackLabels, 2);
    },
  ],
  [
    Op.Rot3,
    (m, f) => {
      rotate(f.stack, 3);
      if (m.tracked) rotate(f.stackLabels, 3);
    },
  ],
  [
    Op.Rot4,
    (m, f) => {
      rotate(f.stack, 4);
      if (m.tracked) rotate(f.stackLabels, 4);
    },
  ],
  [
    Op.This,
    (m, f) => {
      if (f.self === unset) m.fail("ReferenceError", "A class that extends another calls super(…) in its constructor before it uses this.");
      push(m, f, f.self as Value, f.selfLabel);
    },
  ],
  [Op.NewTarget, (m, f) => push(m, f, f.newTarget, 0)],
  [
    Op.Template,
    (m, f) => {
      const count = operand(f);
      const parts = take(f, count);
      m.beginWork();
      m.touched = 0;
      for (const label of takeLabels(m, f, count)) m.touched |= label;
      let length = 0;
      let text = "";
      for (const part of parts) {
        const piece = toText(m, part);
        length += piece.length;
        text += piece;
      }
      m.allocate(24 + 2 * length);
      m.charge(length >> 10);
      m.joined(length);
      m.endWork();
      push(m, f, text, m.touched);
    },
  ],
  [
    Op.RegExp,
    (m, f) => {
      const pattern = pooled(f);
      const flags = pooled(f);
      push(m, f, makeRegExp(m, pattern, flags), 0);
    },
  ],
  [
    Op.Void,
    (m, f) => {
      pop(f);
      popLabel(m, f);
      push(m, f, undefined, 0);
    },
  ],
];

/** a b c → c a b. */
function rotate(list: (Slot | Value)[], count: number): void {
  const last = list.pop();
  list.splice(list.length - count + 1, 0, last as Value);
}
