import type { Frame } from "./values.ts";
import type { Machine } from "./machine.ts";
import { react, timingSoFar, toPromise } from "./promises.ts";
import { deliverTo } from "./returns.ts";
import { noteTiming } from "./timing.ts";
import type { Value } from "./values.ts";

/** `await`: the frame leaves the stack and is kept by the promise; its caller goes on with the promise of the function. */
export function suspend(m: Machine, f: Frame, value: Value, label: number): void {
  const promise = toPromise(m, value, label);
  // Which promise is awaited decides when the frame goes on, and with what; so does whether it is one.
  const chosen = value === promise ? label : label & m.waitsBy;
  if (m.tracked) {
    const decides = f.context | chosen;
    if (decides !== 0) noteTiming(m, f, decides);
    f.timing |= timingSoFar(promise);
    m.waiting.add(f);
  }
  react(m, promise, { kind: "resume", frame: f, label: chosen });
  m.frame = f.caller;
  if (f.promise !== undefined) deliverTo(m, f, f.promise, 0);
}
