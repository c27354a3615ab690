import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Armed, Call, Waiting, Wrapper } from "./wrapper.ts";

export type Interrupt = NonNullable<Wrapper["interrupt"]>;

/** What the three ends of a wait come to. */
export interface WaitEndings<Value, OneCall extends Call> {
  settled(call: OneCall, value: Value): ToolResult | Promise<ToolResult>;
  thrown(call: OneCall, error: unknown): ToolResult | Promise<ToolResult>;
  interrupted(call: OneCall, failure: ToolFailure): ToolResult | Promise<ToolResult>;
}

/** What was waited for, or the failure of whatever interrupts it first. One promise, however many may interrupt. */
export function untilInterrupted<Value, OneCall extends Call>(
  awaited: Promise<Value>,
  call: OneCall,
  interrupts: readonly Interrupt[],
  endings: WaitEndings<Value, OneCall>,
): Promise<ToolResult> {
  const wait = new Wait(call, endings);
  const result = new Promise<ToolResult>((resolve) => void (wait.resolve = resolve));
  try {
    for (const interrupt of interrupts) wait.arm(interrupt(call, wait));
    awaited.then(
      (value) => wait.settle(value),
      (error: unknown) => wait.fail(error),
    );
  } catch (error) {
    wait.fail(error);
  }
  return result;
}

/** One object and no closures for all that may end a wait: these are made for every call that has a signal or a deadline. */
class Wait<Value, OneCall extends Call> implements Waiting {
  readonly call: OneCall;
  readonly endings: WaitEndings<Value, OneCall>;
  resolve: ((result: ToolResult | Promise<ToolResult>) => void) | undefined = undefined;
  isOver = false;
  armed: Armed | undefined = undefined;

  constructor(call: OneCall, endings: WaitEndings<Value, OneCall>) {
    this.call = call;
    this.endings = endings;
  }

  arm(armed: Armed | undefined): void {
    if (armed === undefined) return;
    if (this.isOver) return armed.disarm();
    armed.next = this.armed;
    this.armed = armed;
  }

  settle(value: Value): void {
    if (claimEnd(this)) this.resolve!(this.endings.settled(this.call, value));
  }

  fail(error: unknown): void {
    if (claimEnd(this)) this.resolve!(this.endings.thrown(this.call, error));
  }

  end(failure: ToolFailure): void {
    if (claimEnd(this)) this.resolve!(this.endings.interrupted(this.call, failure));
  }
}

/** Ends the wait and lets go of what else might have; false where it was over before. */
function claimEnd(wait: { isOver: boolean; readonly armed: Armed | undefined }): boolean {
  if (wait.isOver) return false;
  wait.isOver = true;
  for (let { armed } = wait; armed !== undefined; armed = armed.next) armed.disarm();
  return true;
}
