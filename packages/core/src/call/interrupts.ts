import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Armed, Call, Waiting, Wrapper } from "./wrapper.ts";

export type Interrupt = NonNullable<Wrapper["interrupt"]>;

/** Called at the end of a wait, one of the three. */
export interface WaitEndings<Value, OneCall extends Call> {
  settled(call: OneCall, value: Value): ToolResult | Promise<ToolResult>;
  thrown(call: OneCall, error: unknown): ToolResult | Promise<ToolResult>;
  interrupted(call: OneCall, failure: ToolFailure): ToolResult | Promise<ToolResult>;
}

/** The awaited value, or the failure of the first interrupt. One promise for any number of interrupts. */
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

/** One object without closures, because one is created for every call with a signal or a deadline. */
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

/** Ends the wait and disarms the other interrupts; false if it had already ended. */
function claimEnd(wait: { isOver: boolean; readonly armed: Armed | undefined }): boolean {
  if (wait.isOver) return false;
  wait.isOver = true;
  for (let { armed } = wait; armed !== undefined; armed = armed.next) armed.disarm();
  return true;
}
