import { append, filled } from "../lists.ts";
import type { FunctionCode, Unit } from "../compile/code.ts";
import { Frame } from "../machine/values.ts";
import type { CallEntry, Job, LogEntry, Machine } from "../machine/machine.ts";
import {
  ArrayValue,
  DateValue,
  Env,
  FunctionValue,
  IteratorValue,
  MapValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  ResolverValue,
  ToolValue,
  unset,
  type GuestObject,
  type IteratorKind,
  type NativeValue,
  type Reached,
  type Reaction,
  type Slot,
  type Value,
} from "../machine/values.ts";

type Row = readonly unknown[];

/** Puts a stored program back into a machine that was made for it. */
export function readMachine(m: Machine, heap: readonly unknown[], stored: unknown): void {
  const reader = new Reader(m, heap as readonly Row[]);
  const roots = stored as Record<string, unknown>;
  m.frame = reader.value(roots.frame) as Frame | undefined;
  append(
    m.queue,
    (roots.queue as Row[]).map((row) => reader.job(row)),
  );
  m.root = reader.value(roots.root) as PromiseValue;
  const input = roots.input as [unknown, number] | null;
  if (input !== null) m.input = { value: reader.value(input[0]) as Value, label: input[1] };
  for (const call of roots.calls as CallEntry[])
    m.calls.push({ ...call, bytes: call.bytes ?? 0, promise: reader.value(call.promise) as PromiseValue });
  append(m.logs, roots.logs as LogEntry[]);
  append(m.warnings, roots.warnings as string[]);
  m.unseen = (roots.unseen as unknown[]).map((value) => reader.value(value) as PromiseValue);
  [m.steps, m.memory, m.outputBytes, m.callCount, m.clock, m.seed] = roots.counters as [number, number, number, number, number, number];
  for (const [context, seed] of roots.seeds as [number, number][]) m.seeds.set(context, seed);
  [m.stores, m.followed] = roots.stores as [number, number];
  for (const [object, reach] of reader.reached(roots.absent) ?? []) m.absent.set(object, reach);
  for (const key of (roots.objectKeys as string[] | undefined) ?? []) m.objectKeys.add(key);
  m.waitsBy = (roots.waitsBy as number | undefined) ?? 0;
  m.carried = (roots.carried as number | undefined) ?? 0;
  for (const length of roots.pieces as number[]) m.pieces.add(length);
  for (const [label, value, at] of (roots.places as [number, unknown, number][] | undefined) ?? [])
    m.thrown.set(label, { value: reader.value(value) as Value, at });
  for (const [label, tool, key] of (roots.missed as [number, string, string][] | undefined) ?? []) m.missed.set(label, { tool, key });
  reader.finish();
}

/** Makes each object when its number is first met, empty; what it holds is filled in afterwards, so that cycles are no matter. */
class Reader {
  private readonly m: Machine;
  private readonly heap: readonly Row[];
  private readonly made: (object | undefined)[];
  private readonly waiting: number[] = [];

  constructor(m: Machine, heap: readonly Row[]) {
    this.m = m;
    this.heap = heap;
    this.made = filled<object | undefined>(heap.length, undefined);
  }

  finish(): void {
    for (let number = this.waiting.pop(); number !== undefined; number = this.waiting.pop())
      this.fill(this.made[number] as object, this.heap[number] as Row);
  }

  value(stored: unknown): unknown {
    if (!Array.isArray(stored)) return stored;
    switch (stored[0]) {
      case "u":
        return undefined;
      case "x":
        return unset;
      case "n":
        return Number(stored[1]);
      case "g":
        return this.native(String(stored[1]));
      case "t":
        return this.m.toolsValue;
      default:
        return this.object(Number(stored[1]));
    }
  }

  private native(name: string): NativeValue {
    const { globals, methods, statics, inner } = this.m.natives;
    const path = name.split(".");
    const found =
      path.length === 1
        ? (globals.get(name) ?? inner.get(name))
        : path.length === 3
          ? methods.get(path[0] as string)?.get(path[2] as string)
          : statics.get(path[0] as string)?.get(path[1] as string);
    return found as NativeValue;
  }

  /** An object whose immutable parts must be known when it is made has them read first: they form no cycles of their own but through functions. */
  private object(number: number): object {
    const known = this.made[number];
    if (known !== undefined) return known;
    const row = this.heap[number];
    if (row === undefined) throw new TypeError("The stored program is damaged.");
    const object = this.create(row, number);
    this.made[number] = object;
    this.waiting.push(number);
    return object;
  }

  private unit(index: unknown): Unit {
    return index === 0 ? this.m.unit : this.m.preludeFunction("Array_map").unit;
  }

  private create(row: Row, _number: number): object {
    switch (row[0]) {
      case "K": {
        const unit = this.unit(row[1]);
        return new Frame(unit, unit.functions[Number(row[2])] as FunctionCode, undefined, undefined, undefined, [], []);
      }
      case "E":
        return new Env(undefined, []);
      case "O":
        return new ObjectValue();
      case "A":
        return new ArrayValue([]);
      case "F": {
        const unit = this.unit(row[2]);
        return new FunctionValue(unit, unit.functions[Number(row[3])] as FunctionCode, undefined, undefined);
      }
      case "P":
        return new PromiseValue();
      case "M":
        return new MapValue(row[2] === true);
      case "D":
        return new DateValue(Number(this.value(row[2])));
      case "X":
        return new RegExpValue(String(row[2]), String(row[3]));
      case "I":
        return new IteratorValue("", row[3] as IteratorKind);
      case "R":
        return new ResolverValue(undefined as unknown as PromiseValue, row[3] === true);
      case "T":
        return new ToolValue(String(row[2]));
      default:
        throw new TypeError("The stored program is damaged.");
    }
  }

  private values(stored: unknown): Value[] {
    return (stored as unknown[]).map((value) => this.value(value) as Value);
  }

  private map(stored: unknown): Map<string, never> | undefined {
    return stored === null || stored === undefined
      ? undefined
      : new Map((stored as [string, unknown][]).map(([key, value]) => [key, this.value(value) as never]));
  }

  reached(stored: unknown): Reached | undefined {
    if (stored === null || stored === undefined) return undefined;
    return new Map((stored as [unknown, number][]).map(([object, reach]) => [this.value(object) as GuestObject, reach]));
  }

  private bySlot(stored: unknown): Frame["maybe"] {
    if (stored === null || stored === undefined) return undefined;
    return new Map((stored as [number, unknown][]).map(([slot, reached]) => [slot, this.reached(reached) as Reached]));
  }

  job(row: Row): Job {
    if (row[0] === "s") return { kind: "subscribe", from: this.value(row[1]) as PromiseValue, to: this.value(row[2]) as PromiseValue };
    return { kind: "reaction", reaction: this.reaction(row[1] as Row), promise: this.value(row[2]) as PromiseValue };
  }

  private reaction(row: Row): Reaction {
    if (row[0] === "f") {
      const frame = this.value(row[1]) as Frame;
      if (this.m.tracked) this.m.waiting.add(frame);
      return { kind: "resume", frame, label: row[2] as number };
    }
    if (row[0] === "a") return { kind: "adopt", result: this.value(row[1]) as PromiseValue };
    return {
      kind: "then",
      fulfilled: this.value(row[1]) as Value,
      rejected: this.value(row[2]) as Value,
      result: this.value(row[3]) as PromiseValue,
      label: Number(row[4]),
    };
  }

  private fill(object: object, row: Row): void {
    if (object instanceof Frame) return this.fillFrame(object, row);
    if (object instanceof Env) {
      set(object, "parent", this.value(row[1]));
      append(object.slots, this.values(row[2]) as Slot[]);
      if (row[3] !== null) object.labels = [...(row[3] as number[])];
      if (row.length > 4) {
        if (row[4] !== null) object.floor = [...(row[4] as number[])];
        object.maybe = this.bySlot(row[5]);
      }
      return;
    }
    const guest = object as GuestObject;
    if (Array.isArray(row[1])) {
      const [shape, all, frozen, frozenBy, maybe, instead, tainted, holds] = row[1] as [
        number,
        number,
        boolean,
        number | undefined,
        unknown,
        unknown,
        [string, { stores: number; label: number }][] | null,
        boolean | null | undefined,
      ];
      guest.shape = shape;
      guest.all = all;
      guest.frozen = frozen;
      if (frozenBy !== undefined)
        guest.hints = {
          frozenBy,
          maybe: this.reached(maybe),
          instead: this.reached(instead),
          holds: holds ?? undefined,
          tainted: tainted === null ? undefined : new Map(tainted),
        };
    }
    if (object instanceof ObjectValue) {
      for (const [key, value] of row[2] as [string, unknown][]) object.slots.set(key, this.value(value) as Value);
      if (row.length > 3) {
        object.labels = this.map(row[3]);
        object.cls = this.value(row[4]) as FunctionValue | undefined;
        if (row[5] !== null) object.hidden = new Set(row[5] as string[]);
        if (row[6] !== null) object.origin = row[6] as string;
        if (row[7] !== null) object.failure = row[7] as "tool" | "refused";
      }
    } else if (object instanceof ArrayValue) {
      object.items = this.values(row[2]);
      if (row[3] !== null) object.labels = (row[3] as (number | null)[]).map((label) => label ?? 0);
      object.extra = this.value(row[4]) as ObjectValue | undefined;
      object.cls = this.value(row[5]) as FunctionValue | undefined;
    } else if (object instanceof FunctionValue) this.fillFunction(object, row);
    else if (object instanceof PromiseValue) this.fillPromise(object, row);
    else if (object instanceof MapValue) this.fillMap(object, row);
    else if (object instanceof DateValue) {
      object.label = Number(row[3]);
      object.cls = this.value(row[4]) as FunctionValue | undefined;
    } else if (object instanceof RegExpValue) {
      object.lastIndex = this.value(row[4]) as Value;
      object.label = Number(row[5]);
      object.cls = this.value(row[6]) as FunctionValue | undefined;
    } else if (object instanceof IteratorValue) {
      set(object, "target", this.value(row[2]));
      [, , , , object.at, object.done, object.label] = row as unknown as [0, 0, 0, 0, number, boolean, number];
    } else if (object instanceof ResolverValue) set(object, "promise", this.value(row[2]));
  }

  private fillFunction(object: FunctionValue, row: Row): void {
    set(object, "env", this.value(row[4]));
    set(object, "self", this.value(row[5]));
    object.name = String(row[6]);
    object.home = this.value(row[7]) as FunctionValue | undefined;
    object.homeStatic = row[8] === true;
    const parts = row[9] as Row | null;
    if (parts !== null) {
      object.cls = {
        parent: this.value(parts[0]) as Value,
        methods: this.map(parts[1]) as Map<string, Value>,
        fields: this.value(parts[2]) as FunctionValue | undefined,
        fieldKeys: [...(parts[3] as string[])],
        staticFieldKeys: [...(parts[4] as string[])],
      };
    }
    object.slots = this.map(row[10]);
    object.labels = this.map(row[11]);
  }

  private fillPromise(object: PromiseValue, row: Row): void {
    object.state = row[2] as PromiseValue["state"];
    object.locked = row[3] === true;
    object.value = this.value(row[4]) as Value;
    [object.label, object.settledBy, object.timing, object.mayThrow, object.outcome] = row[5] as [number, number, number, number, number];
    object.handled = row[6] === true;
    object.reactions = (row[7] as Row[]).map((reaction) => this.reaction(reaction));
    object.frame = this.value(row[8]) as Frame | undefined;
    if (row[9] !== null) object.call = Number(row[9]);
  }

  private fillMap(object: MapValue, row: Row): void {
    append(object.keys, this.values(row[3]));
    append(object.values, this.values(row[4]));
    while (object.removed < object.keys.length && object.keys[object.removed] === unset) object.removed++;
    object.keys.forEach((key, at) => {
      if (key !== unset) object.index.set(key as Value, at);
    });
    if (row[5] !== null) object.keyLabels = (row[5] as (number | null)[]).map((label) => label ?? 0);
    if (row[6] !== null) object.labels = (row[6] as (number | null)[]).map((label) => label ?? 0);
    object.cls = this.value(row[7]) as FunctionValue | undefined;
  }

  private fillFrame(frame: Frame, row: Row): void {
    set(frame, "func", this.value(row[3]));
    frame.pc = Number(row[4]);
    frame.env = this.value(row[5]) as Env | undefined;
    append(frame.stack, this.values(row[6]) as Slot[]);
    frame.locals.length = 0;
    append(frame.locals, this.values(row[7]) as Slot[]);
    for (const handler of row[8] as Row[])
      frame.handlers.push({ pc: Number(handler[0]), env: this.value(handler[1]) as Env | undefined, contexts: Number(handler[2]) });
    frame.self = this.value(row[9]) as Slot;
    frame.args = this.values(row[10]);
    frame.newTarget = this.value(row[11]) as Value;
    frame.caller = this.value(row[12]) as Frame | undefined;
    frame.promise = this.value(row[13]) as PromiseValue | undefined;
    frame.settles = this.value(row[14]) as PromiseValue | undefined;
    frame.depth = Number(row[15]);
    if (row[16] === 0) return;
    const labels = row[16] as [number[], number[], number[], number[], number, number, number, number, number, number, unknown];
    append(frame.stackLabels, labels[0]);
    frame.localLabels.length = 0;
    append(frame.localLabels, labels[1]);
    frame.argLabels = [...labels[2]];
    append(frame.contexts, labels[3]);
    [, , , , frame.selfLabel, frame.context, frame.entry, frame.mayThrow, frame.timing, frame.countLabel] = labels;
    frame.maybe = this.bySlot(labels[10]);
  }
}

/** Fields that never change again once an object is complete. */
function set<T extends object, K extends keyof T>(object: T, key: K, value: unknown): void {
  (object as Record<K, unknown>)[key] = value;
}
