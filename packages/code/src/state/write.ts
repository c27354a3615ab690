import type { Unit } from "../compile/code.ts";
import { Frame, type ExceptionHandler } from "../machine/values.ts";
import type { Job, Machine } from "../machine/machine.ts";
import {
  ArrayValue,
  DateValue,
  Env,
  FunctionValue,
  IteratorValue,
  MapValue,
  NativeValue,
  ObjectValue,
  PromiseValue,
  RegExpValue,
  ResolverValue,
  ToolsValue,
  ToolValue,
  unset,
  type GuestObject,
  type Reached,
  type Reaction,
} from "../machine/values.ts";

/** Numbers objects when they are first met, breadth first from the roots. */
export function writeMachine(m: Machine): { heap: unknown[]; roots: unknown } {
  const writer = new Writer(m.unit);
  const roots = {
    frame: writer.value(m.frame),
    queue: m.queue.map((job) => writer.job(job)),
    root: writer.value(m.root),
    input: m.input === undefined ? null : [writer.value(m.input.value), m.input.label],
    calls: m.calls.map((call) => ({ ...call, promise: writer.value(call.promise) })),
    logs: m.logs,
    warnings: m.warnings,
    unseen: m.unseen.filter((promise) => !promise.handled).map((promise) => writer.value(promise)),
    counters: [m.steps, m.memory, m.outputBytes, m.callCount, m.clock, m.seed],
    seeds: [...m.seeds],
    stores: [m.stores, m.followed],
    absent: writer.reached(m.absent),
    objectKeys: [...m.objectKeys],
    carried: m.carried,
    waitsBy: m.waitsBy,
    pieces: [...m.pieces],
    missed: [...m.missed].map(([label, { tool, key }]) => [label, tool, key]),
    places: [...m.thrown].map(([label, { value, at }]) => [label, writer.value(value), at]),
  };
  return { heap: writer.finish(), roots };
}

class Writer {
  private readonly numbers = new Map<object, number>();
  private readonly objects: object[] = [];
  private readonly unit: Unit;

  constructor(unit: Unit) {
    this.unit = unit;
  }

  /** The rows of all objects; writing one may add more. */
  finish(): unknown[] {
    const rows: unknown[] = [];
    for (let at = 0; at < this.objects.length; at++) rows.push(this.row(this.objects[at] as object));
    return rows;
  }

  /** A primitive as itself, what JSON lacks as `["n", …]`, an object as `["r", number]`. */
  value(value: unknown): unknown {
    if (value === undefined) return ["u"];
    if (value === unset) return ["x"];
    if (typeof value === "number")
      return Number.isFinite(value) && !Object.is(value, -0) ? value : ["n", Object.is(value, -0) ? "-0" : String(value)];
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof NativeValue) return ["g", value.name];
    if (value instanceof ToolsValue) return ["t"];
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.objects.push(value) - 1;
      this.numbers.set(value, number);
    }
    return ["r", number];
  }

  job(job: Job): unknown {
    if (job.kind === "subscribe") return ["s", this.value(job.from), this.value(job.to)];
    return ["j", this.reaction(job.reaction), this.value(job.promise)];
  }

  private list(values: Iterable<unknown>): unknown[] {
    return Array.from(values, (value) => this.value(value));
  }

  private map(values: ReadonlyMap<string, unknown> | undefined): unknown {
    return values === undefined ? null : [...values].map(([key, value]) => [key, this.value(value)]);
  }

  reached(reached: Reached | undefined): unknown {
    return reached === undefined ? null : [...reached].map(([object, reach]) => [this.value(object), reach]);
  }

  private bySlot(maybe: Frame["maybe"]): unknown {
    return maybe === undefined ? null : [...maybe].map(([slot, reached]) => [slot, this.reached(reached)]);
  }

  private reaction(reaction: Reaction): unknown {
    if (reaction.kind === "resume") return ["f", this.value(reaction.frame), reaction.label];
    if (reaction.kind === "adopt") return ["a", this.value(reaction.result)];
    return ["t", this.value(reaction.fulfilled), this.value(reaction.rejected), this.value(reaction.result), reaction.label];
  }

  private row(object: object): unknown {
    if (object instanceof Frame) return this.frameRow(object);
    if (object instanceof Env) {
      const row = ["E", this.value(object.parent), this.list(object.slots), object.labels ?? null];
      return object.floor === undefined && object.maybe === undefined ? row : [...row, object.floor ?? null, this.bySlot(object.maybe)];
    }
    const { shape, all, frozen, hints } = object as GuestObject;
    const common =
      hints !== undefined
        ? [
            shape,
            all,
            frozen,
            hints.frozenBy,
            this.reached(hints.maybe),
            this.reached(hints.instead),
            hints.tainted === undefined ? null : [...hints.tainted],
            hints.holds ?? null,
          ]
        : shape !== 0 || all !== 0 || frozen
          ? [shape, all, frozen]
          : 0;
    if (object instanceof ObjectValue) {
      const { slots, labels, cls, hidden, origin, failure } = object;
      const rest =
        cls === undefined && hidden === undefined && origin === undefined && failure === undefined && labels === undefined
          ? []
          : [this.map(labels), this.value(cls), hidden === undefined ? null : [...hidden], origin ?? null, failure ?? null];
      return ["O", common, this.map(slots), ...rest];
    }
    if (object instanceof ArrayValue)
      return ["A", common, this.list(object.items), object.labels ?? null, this.value(object.extra), this.value(object.cls)];
    if (object instanceof FunctionValue) {
      const { cls } = object;
      const parts =
        cls === undefined
          ? null
          : [this.value(cls.parent), this.map(cls.methods), this.value(cls.fields), cls.fieldKeys, cls.staticFieldKeys];
      return [
        "F",
        common,
        this.unitOf(object.unit),
        object.code.index,
        this.value(object.env),
        this.value(object.self),
        object.name,
        this.value(object.home),
        object.homeStatic,
        parts,
        this.map(object.slots),
        this.map(object.labels),
      ];
    }
    if (object instanceof PromiseValue) {
      const { state, locked, label, settledBy, timing, mayThrow, outcome, handled, call } = object;
      return [
        "P",
        common,
        state,
        locked,
        this.value(object.value),
        [label, settledBy, timing, mayThrow, outcome],
        handled,
        object.reactions.map((reaction) => this.reaction(reaction)),
        this.value(object.frame),
        call ?? null,
      ];
    }
    if (object instanceof MapValue)
      return [
        "M",
        common,
        object.isSet,
        this.list(object.keys),
        this.list(object.values),
        object.keyLabels ?? null,
        object.labels ?? null,
        this.value(object.cls),
      ];
    if (object instanceof DateValue) return ["D", common, this.value(object.time), object.label, this.value(object.cls)];
    if (object instanceof RegExpValue)
      return ["X", common, object.source, object.flags, this.value(object.lastIndex), object.label, this.value(object.cls)];
    if (object instanceof IteratorValue) return ["I", common, this.value(object.target), object.kind, object.at, object.done, object.label];
    if (object instanceof ResolverValue) return ["R", common, this.value(object.promise), object.rejects];
    if (object instanceof ToolValue) return ["T", common, object.name];
    throw new TypeError("This object cannot be stored.");
  }

  /** 0 for the program, 1 for our own functions. */
  private unitOf(unit: Unit): number {
    return unit === this.unit ? 0 : 1;
  }

  private frameRow(frame: Frame): unknown {
    const tracked = frame.unit.tracked;
    return [
      "K",
      this.unitOf(frame.unit),
      frame.fn.index,
      this.value(frame.func),
      frame.pc,
      this.value(frame.env),
      this.list(frame.stack),
      this.list(frame.locals),
      frame.handlers.map((handler: ExceptionHandler) => [handler.pc, this.value(handler.env), handler.contexts]),
      this.value(frame.self),
      this.list(frame.args),
      this.value(frame.newTarget),
      this.value(frame.caller),
      this.value(frame.promise),
      this.value(frame.settles),
      frame.depth,
      tracked
        ? [
            frame.stackLabels,
            frame.localLabels,
            frame.argLabels,
            frame.contexts,
            frame.selfLabel,
            frame.context,
            frame.entry,
            frame.mayThrow,
            frame.timing,
            frame.countLabel,
            this.bySlot(frame.maybe),
          ]
        : 0,
    ];
  }
}
