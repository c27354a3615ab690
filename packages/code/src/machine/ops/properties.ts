import { Op } from "../../compile/ops.ts";
import { findInClass, findStatic } from "../classes.ts";
import { toKey } from "../convert.ts";
import type { Frame } from "../values.ts";
import type { Machine } from "../machine.ts";
import { getItem, getMethod, getProperty } from "../properties.ts";
import { readMember } from "../reach.ts";
import { explainMissing } from "../explain.ts";
import { ArrayValue, FunctionValue, type Value } from "../values.ts";
import { deleteProperty, setItem, setProperty } from "../write-properties.ts";
import { operand, pooled, pop, popLabel, push, type Handlers } from "./handler.ts";

export const propertyHandlers: Handlers = [
  [
    Op.Get,
    (m, f) => {
      const key = pooled(f);
      const base = pop(f);
      const where = popLabel(m, f);
      m.touched = where;
      if (base === undefined || base === null) explainMissing(m, f, base, key);
      const value = getProperty(m, base, key);
      if (m.touched !== 0) readMember(m, base, value, false, key);
      push(m, f, value, m.touched);
    },
  ],
  [
    Op.GetElement,
    (m, f) => {
      const key = pop(f);
      const base = pop(f);
      const byKey = popLabel(m, f);
      m.touched = byKey | popLabel(m, f);
      const value = getElement(m, f, base, key);
      if (m.touched !== 0) readMember(m, base, value, byKey !== 0, typeof key === "string" ? key : undefined);
      push(m, f, value, m.touched);
    },
  ],
  [
    Op.GetMethod,
    (m, f) => {
      const key = pooled(f);
      const base = f.stack[f.stack.length - 1] as Value;
      m.touched = m.tracked ? (f.stackLabels[f.stackLabels.length - 1] as number) : 0;
      if (base === undefined || base === null) explainMissing(m, f, base, key);
      const value = getMethod(m, base, key);
      if (m.touched !== 0) readMember(m, base, value, false, key);
      push(m, f, value, m.touched);
    },
  ],
  [
    Op.GetMethodElement,
    (m, f) => {
      const key = pop(f);
      const base = f.stack[f.stack.length - 1] as Value;
      const byKey = popLabel(m, f);
      m.touched = m.tracked ? byKey | (f.stackLabels[f.stackLabels.length - 1] as number) : 0;
      if (base === undefined || base === null) explainMissing(m, f, base, typeof key === "object" ? "…" : String(key));
      const value = base instanceof ArrayValue && typeof key === "number" ? getElement(m, f, base, key) : getMethod(m, base, toKey(m, key));
      if (m.touched !== 0) readMember(m, base, value, byKey !== 0, typeof key === "string" ? key : undefined);
      push(m, f, value, m.touched);
    },
  ],
  [
    Op.Set,
    (m, f) => {
      const key = pooled(f);
      const value = pop(f);
      const base = pop(f);
      const label = popLabel(m, f);
      const where = popLabel(m, f);
      m.touched = label | where;
      if (base === undefined || base === null) explainMissing(m, f, base, key, true);
      setProperty(m, base, key, value, label | f.context, where, f.context);
      push(m, f, value, label);
    },
  ],
  [
    Op.SetElement,
    (m, f) => {
      const value = pop(f);
      const key = pop(f);
      const base = pop(f);
      const label = popLabel(m, f);
      const where = popLabel(m, f) | popLabel(m, f);
      m.touched = label | where;
      if (base === undefined || base === null) explainMissing(m, f, base, typeof key === "object" ? "…" : String(key), true);
      if (base instanceof ArrayValue && typeof key === "number" && key >= 0 && Number.isInteger(key)) {
        setItem(m, base, key, value, label | f.context, where, f.context);
      } else setProperty(m, base, toKey(m, key), value, label | f.context, where, f.context);
      push(m, f, value, label);
    },
  ],
  [
    Op.Delete,
    (m, f) => {
      const key = pooled(f);
      const base = pop(f);
      const where = popLabel(m, f);
      m.touched = where;
      push(m, f, deleteProperty(m, base, key, where, f.context), where);
    },
  ],
  [
    Op.DeleteElement,
    (m, f) => {
      const key = pop(f);
      const base = pop(f);
      const where = popLabel(m, f) | popLabel(m, f);
      m.touched = where;
      push(m, f, deleteProperty(m, base, toKey(m, key), where, f.context), where);
    },
  ],
  [
    Op.ToKey,
    (m, f) => {
      const key = pop(f);
      m.touched = popLabel(m, f);
      push(m, f, typeof key === "number" && key >= 0 ? key : toKey(m, key), m.touched);
    },
  ],
  [
    Op.GetSuper,
    (m, f) => {
      const key = toKey(m, pop(f));
      popLabel(m, f);
      const home = f.func?.home;
      const parent = home?.cls?.parent;
      m.touched = 0;
      let value: Value;
      if (f.func?.homeStatic === true)
        value = parent instanceof FunctionValue ? findStatic(parent, key)?.value : getProperty(m, parent, key);
      else {
        value = findInClass(parent, key);
        if (value === undefined && (key === "toString" || key === "hasOwnProperty")) value = m.natives.methods.get("Object")?.get(key);
      }
      push(m, f, f.self as Value, f.selfLabel);
      push(m, f, value, m.touched);
    },
  ],
  [
    Op.CheckObject,
    (m, f) => {
      const base = f.stack[f.stack.length - 1] as Value;
      m.touched = m.tracked ? (f.stackLabels[f.stackLabels.length - 1] as number) : 0;
      if (base === undefined || base === null)
        m.fail("TypeError", `Cannot take ${base === null ? "null" : "undefined"} apart into { … }. Give it a default: ?? {}.`);
    },
  ],
  [
    Op.GetFieldKey,
    (m, f) => {
      const home = f.func?.home?.cls;
      const keys = f.func?.homeStatic === true ? home?.staticFieldKeys : home?.fieldKeys;
      push(m, f, keys?.[operand(f)], 0);
    },
  ],
];

function getElement(m: Machine, f: Frame, base: Value, key: Value): Value {
  if (typeof key === "number" && key >= 0 && Number.isInteger(key)) {
    if (base instanceof ArrayValue) return getItem(m, base, key);
    if (typeof base === "string") {
      m.read(base.length);
      return base[key];
    }
  }
  if (base === undefined || base === null) explainMissing(m, f, base, typeof key === "object" ? "…" : String(key));
  return getProperty(m, base, toKey(m, key));
}
