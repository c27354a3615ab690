import type { Machine } from "./machine.ts";
import { ownText } from "./own-text.ts";
import { sizes } from "./sizes.ts";
import {
  ArrayValue,
  Env,
  Frame,
  FunctionValue,
  GuestObject,
  IteratorValue,
  MapValue,
  ObjectValue,
  PromiseValue,
  type Reached,
  RegExpValue,
  ResolverValue,
  unset,
} from "./values.ts";

export interface Measured {
  readonly bytes: number;
  readonly objects: number;
  /** How much text was copied. */
  readonly copied: number;
}

/**
 * Measures what a program holds: everything that can be reached from its frames, queue and calls. Texts are made to take what is counted for
 * them: each distinct one is held once, and keeps no longer one alive that it was cut from.
 */
export function measure(m: Machine): Measured {
  const walk = new Walk();
  walk.visit(m.frame);
  walk.visit(m.root);
  walk.visit(m.input?.value);
  for (const job of m.queue) {
    walk.bytes += sizes.reaction;
    if (job.kind === "subscribe") {
      walk.visit(job.from);
      walk.visit(job.to);
    } else {
      walk.visit(job.promise);
      walk.reaction(job.reaction);
    }
  }
  for (const promise of m.unseen) walk.visit(promise);
  for (const frame of m.waiting) walk.visit(frame);
  walk.reached(m.absent);
  walk.written(m.written);
  for (const literal of m.literals.values()) walk.visit(literal);
  for (const { value } of m.thrown.values()) walk.visit(value);
  for (const { tool, key } of m.missed.values()) walk.bytes += sizes.slot + 2 * (tool.length + key.length);
  for (const key of m.objectKeys) walk.bytes += sizes.slot + 2 * key.length;
  for (const call of m.calls) {
    walk.bytes += sizes.object + call.bytes + sizes.label * Object.keys(call.inputLabels).length;
    if (call.state === "waiting" || call.state === "started") walk.visit(call.promise);
  }
  for (const log of m.logs) walk.bytes += sizes.small + 2 * log.text.length;
  for (const warning of m.warnings) walk.bytes += sizes.text + 2 * warning.length;
  walk.finish();
  return walk;
}

let measurements = 0;

class Walk implements Measured {
  bytes = 0;
  objects = 0;
  copied = 0;
  private readonly mark = ++measurements;
  private readonly texts = new Map<string, string>();
  private readonly left: object[] = [];

  /** The text as it is to be held. */
  text(value: string): string {
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const own = ownText(value);
    this.bytes += sizes.text + 2 * value.length;
    if (value.length < shortText) return own;
    this.copied += value.length;
    this.texts.set(own, own);
    return own;
  }

  visit(value: unknown): void {
    if (typeof value === "string") this.bytes += sizes.text + 2 * value.length;
    else if (typeof value === "object" && value !== null && (value as Env).mark !== this.mark) {
      (value as Env).mark = this.mark;
      this.objects++;
      this.left.push(value);
    } else if (typeof value === "number" && !Number.isInteger(value)) this.bytes += 16;
  }

  private list(values: unknown[]): void {
    this.bytes += sizes.item * values.length;
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (typeof value === "string") values[at] = this.text(value);
      else this.visit(value);
    }
  }

  /** The slots as they are to be held. A new map where a key is replaced, since somebody may be going through the old one. */
  private slots<Held>(slots: Map<string, Held>): Map<string, Held> {
    this.bytes += sizes.slot * slots.size;
    let hasLongKey = false;
    for (const [key, value] of slots) {
      if (key.length >= shortText) hasLongKey = true;
      else this.bytes += 2 * key.length;
      if (typeof value === "string") slots.set(key, this.text(value) as Held);
      else this.visit(value);
    }
    return hasLongKey ? new Map([...slots].map(([key, value]) => [this.text(key), value])) : slots;
  }

  private labels(labels: Map<unknown, unknown> | readonly number[] | undefined): void {
    if (labels !== undefined) this.bytes += labels instanceof Map ? sizes.object + sizes.label * labels.size : 8 * labels.length;
  }

  reached(reached: Reached | undefined): void {
    if (reached === undefined) return;
    this.labels(reached);
    for (const held of reached.keys()) this.visit(held);
  }

  reaction(reaction: PromiseValue["reactions"][number]): void {
    this.bytes += sizes.reaction;
    if (reaction.kind === "resume") this.visit(reaction.frame);
    else this.visit(reaction.result);
    if (reaction.kind === "then") {
      this.visit(reaction.fulfilled);
      this.visit(reaction.rejected);
    }
  }

  written(written: Env["written"]): void {
    for (const { fn, held } of written?.values() ?? []) {
      this.bytes += sizes.entry;
      this.visit(fn);
      for (const reached of held) this.reached(reached);
    }
  }

  finish(): void {
    for (let at = this.left.pop(); at !== undefined; at = this.left.pop()) {
      if (at instanceof GuestObject && at.hints !== undefined) {
        this.bytes += sizes.small;
        this.reached(at.hints.maybe);
        this.reached(at.hints.instead);
        this.labels(at.hints.tainted);
      }
      this.contents(at);
    }
  }

  private contents(at: object): void {
    if (at instanceof Frame) this.frame(at);
    else if (at instanceof Env) {
      this.bytes += sizes.env;
      this.list(at.slots);
      this.labels(at.labels);
      this.labels(at.floor);
      for (const reached of at.maybe?.values() ?? []) this.reached(reached);
      this.written(at.written);
      this.visit(at.parent);
    } else if (at instanceof ObjectValue) {
      this.bytes += sizes.object + (at.hidden === undefined ? 0 : sizes.object);
      at.slots = this.slots(at.slots);
      this.labels(at.labels);
      this.visit(at.cls);
    } else if (at instanceof ArrayValue) {
      this.bytes += sizes.array;
      this.list(at.items);
      this.labels(at.labels);
      this.visit(at.extra);
      this.visit(at.cls);
    } else if (at instanceof MapValue) this.map(at);
    else if (at instanceof FunctionValue) this.func(at);
    else if (at instanceof PromiseValue) {
      this.bytes += sizes.promise;
      if (typeof at.value === "string") at.value = this.text(at.value);
      else this.visit(at.value);
      this.visit(at.frame);
      for (const reaction of at.reactions) this.reaction(reaction);
    } else {
      this.bytes += sizes.small;
      if (at instanceof ResolverValue) this.visit(at.promise);
      else if (at instanceof IteratorValue) this.visit(at.target);
      else if (at instanceof RegExpValue) {
        this.bytes += 2 * at.source.length;
        this.visit(at.lastIndex);
      }
    }
  }

  private map(map: MapValue): void {
    this.bytes += sizes.map + (sizes.entry - sizes.item) * map.keys.length;
    map.keys.forEach((key, at) => {
      if (typeof key !== "string") return key === unset ? undefined : this.visit(key);
      const own = this.text(key);
      if (key.length < shortText) return;
      map.keys[at] = own;
      // Only a key that was removed before is replaced.
      map.index.delete(key);
      map.index.set(own, at);
    });
    this.list(map.values);
    this.labels(map.keyLabels);
    this.labels(map.labels);
    this.visit(map.cls);
  }

  private func(func: FunctionValue): void {
    this.bytes += sizes.func;
    func.name = this.text(func.name);
    this.visit(func.env);
    this.visit(func.self);
    this.visit(func.home);
    if (func.slots !== undefined) func.slots = this.slots(func.slots);
    this.labels(func.labels);
    const { cls } = func;
    if (cls === undefined) return;
    this.bytes += sizes.cls;
    cls.methods = this.slots(cls.methods);
    this.list(cls.fieldKeys);
    this.list(cls.staticFieldKeys);
    this.visit(cls.instance);
    this.visit(cls.fields);
    this.visit(cls.parent);
  }

  private frame(frame: Frame): void {
    this.bytes += sizes.frame;
    this.list(frame.stack);
    this.list(frame.locals);
    this.list(frame.args);
    for (const labels of [frame.stackLabels, frame.localLabels, frame.argLabels, frame.contexts]) this.labels(labels);
    for (const handler of frame.handlers) this.visit(handler.env);
    for (const reached of frame.maybe?.values() ?? []) this.reached(reached);
    this.visit(frame.env);
    this.visit(frame.func);
    this.visit(frame.self);
    this.visit(frame.newTarget);
    this.visit(frame.caller);
    this.visit(frame.promise);
    this.visit(frame.settles);
  }
}

/** Shorter ones hold nothing but themselves. */
const shortText = 13;
