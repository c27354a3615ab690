import { filled } from "../../lists.ts";
import { Op } from "../../compile/ops.ts";
import { mayBeIn } from "../effects.ts";
import { mightBe } from "../reach.ts";
import { envAt } from "../ways.ts";
import type { Frame } from "../values.ts";
import type { Machine } from "../machine.ts";
import { nearest } from "../nearest.ts";
import { ArrayValue, Env, ObjectValue, ToolValue, unset, type Slot, type Value } from "../values.ts";
import { operand, pooled, pop, popLabel, push, type Handlers } from "./handler.ts";
import { sizes } from "../sizes.ts";

export const nameHandlers: Handlers = [
  [
    Op.Local,
    (m, f) => {
      const slot = operand(f);
      f.stack.push(f.locals[slot]);
      if (m.tracked) f.stackLabels.push(f.localLabels[slot] as number);
    },
  ],
  [
    Op.LocalChecked,
    (m, f) => {
      const slot = operand(f);
      const name = pooled(f);
      push(m, f, checked(m, f.locals[slot], name), m.tracked ? (f.localLabels[slot] as number) : 0);
    },
  ],
  [
    Op.SetLocal,
    (m, f) => {
      setLocal(m, f, operand(f));
    },
  ],
  [
    Op.InitLocal,
    (m, f) => {
      const slot = operand(f);
      f.locals[slot] = f.stack.pop();
      if (m.tracked) f.localLabels[slot] = (f.stackLabels.pop() as number) | f.context;
    },
  ],
  [
    Op.SetLocalChecked,
    (m, f) => {
      const slot = operand(f);
      checked(m, f.locals[slot], pooled(f));
      setLocal(m, f, slot);
    },
  ],
  [
    Op.Env,
    (m, f) => {
      const env = envAt(f.env, operand(f)) as Env;
      const slot = operand(f);
      const name = pooled(f);
      push(m, f, checked(m, env.slots[slot], name), env.labels?.[slot] ?? 0);
    },
  ],
  [
    Op.SetEnv,
    (m, f) => {
      const env = envAt(f.env, operand(f)) as Env;
      const slot = operand(f);
      checked(m, env.slots[slot], pooled(f));
      setEnv(m, f, env, slot);
    },
  ],
  [
    Op.InitEnv,
    (m, f) => {
      const env = envAt(f.env, operand(f)) as Env;
      setEnv(m, f, env, operand(f));
    },
  ],
  [
    Op.Unset,
    (_m, f) => {
      f.locals[operand(f)] = unset;
    },
  ],
  [
    Op.Enter,
    (m, f) => {
      const size = operand(f);
      m.allocate(sizes.env + 16 * size);
      f.env = new Env(f.env, filled<Slot>(size, unset));
    },
  ],
  [
    Op.Leave,
    (_m, f) => {
      for (let count = operand(f); count > 0; count--) f.env = f.env?.parent;
    },
  ],
  [
    Op.CopyEnv,
    (m, f) => {
      const env = f.env as Env;
      m.allocate(sizes.env + 16 * env.slots.length);
      f.env = new Env(env.parent, env.slots.slice());
      if (env.labels !== undefined) f.env.labels = env.labels.slice();
      f.env.floor = env.floor?.slice();
      f.env.maybe = env.maybe;
    },
  ],
  [
    Op.Argument,
    (m, f) => {
      const index = operand(f);
      push(m, f, f.args[index], (f.argLabels[index] ?? 0) | f.countLabel);
    },
  ],
  [
    Op.RestArguments,
    (m, f) => {
      const index = operand(f);
      const rest = new ArrayValue(f.args.slice(index));
      m.allocate(sizes.array + 16 * rest.items.length);
      if (m.tracked) {
        rest.labels = f.argLabels.slice(index);
        rest.shape = f.countLabel;
      }
      push(m, f, rest, 0);
    },
  ],
  [Op.AssignConst, (m, f) => m.fail("TypeError", `Assignment to constant variable "${pooled(f)}". Declare it with let.`)],
  [Op.Missing, (m, f) => missing(m, f, pooled(f))],
  [
    Op.Global,
    (m, f) => {
      const name = pooled(f);
      const value = globalValue(m, f, name);
      if (value === undefined) missing(m, f, name);
      push(m, f, value, globalLabel(m, f, name));
    },
  ],
];

/** What a name means that the program does not declare. */
export function globalValue(m: Machine, f: Frame, name: string): Value {
  if (name === "tools") return m.toolsValue;
  if (name === "rack" && m.freeTools.some(isOfRack)) return rackValue(m);
  if (name === "input" && !f.unit.builtin) return m.input?.value;
  const value = m.natives.globals.get(name);
  if (value !== undefined) return value;
  return f.unit.builtin ? m.natives.inner.get(name) : undefined;
}

function isOfRack(name: string): boolean {
  return name.startsWith("rack.");
}

/** The functions of the host under `rack`, which no tool can take the place of. */
function rackValue(m: Machine): ObjectValue {
  const rack = new ObjectValue();
  for (const name of m.freeTools.filter(isOfRack)) rack.slots.set(name.slice("rack.".length), new ToolValue(name));
  m.allocate(sizes.object + 200);
  return rack;
}

export function globalLabel(m: Machine, f: Frame, name: string): number {
  return name === "input" && !f.unit.builtin ? (m.input?.label ?? 0) : 0;
}

function missing(m: Machine, f: Frame, name: string): never {
  const near = nearest(m, name, [...m.natives.globals.keys(), "tools"]);
  const tool = m.toolNames.includes(name)
    ? ` Tools are called as tools.${name}(…).`
    : near === undefined
      ? " Declare it first."
      : ` Did you mean ${near}?`;
  m.touched = f.context;
  if (name === "input" && m.input !== undefined)
    m.fail("TypeError", '"input" is a constant and cannot be assigned. Declare a variable of another name.');
  if (name === "input") m.fail("ReferenceError", "input is not defined: this program was started without an input. Declare it first.");
  return m.fail("ReferenceError", `${name} is not defined.${tool}`);
}

function checked(m: Machine, value: Slot, name: string): Value {
  if (value === unset) m.fail("ReferenceError", `"${name}" is used before its declaration. Move the declaration up.`);
  return value as Value;
}

function setLocal(m: Machine, f: Frame, slot: number): void {
  const value = f.stack.pop();
  if (m.tracked) {
    if (f.context !== 0) replaced(m, f, slot, f.locals[slot], value);
    f.localLabels[slot] = (f.stackLabels.pop() as number) | f.context;
  }
  f.locals[slot] = value;
}

/** A label decided that a variable is assigned: it might still hold what it held. */
function replaced(m: Machine, holder: Frame | Env, slot: number, before: Slot, value: Slot): void {
  mightBe(m, value, before);
  mayBeIn(m, holder, slot, before);
}

function setEnv(m: Machine, f: Frame, env: Env, slot: number): void {
  const value = pop(f);
  if (m.tracked && f.context !== 0) replaced(m, env, slot, env.slots[slot], value);
  env.slots[slot] = value;
  if (!m.tracked) return;
  const label = popLabel(m, f) | f.context | (env.floor?.[slot] ?? 0);
  if (label === 0 && env.labels === undefined) return;
  env.labels ??= filled<number>(env.slots.length, 0);
  env.labels[slot] = label;
}
