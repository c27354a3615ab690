import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Armed, Call, Waiting, Wrapper } from "./wrapper.ts";

export type Interrupt = NonNullable<Wrapper["interrupt"]>;

/** What a promise comes to, as a result of its call. */
export interface Outcomes<Value, OneCall extends Call> {
  settled(call: OneCall, value: Value): ToolResult;
  thrown(call: OneCall, error: unknown): ToolResult;
}

/** What was waited for, or the failure of whatever interrupts it first. One promise, however many may interrupt. */
export function untilInterrupted<Value, OneCall extends Call>(
  awaited: Promise<Value>,
  call: OneCall,
  interrupts: readonly Interrupt[],
  outcomes: Outcomes<Value, OneCall>,
): Promise<ToolResult> {
  const wait = new Wait();
  const result = new Promise<ToolResult>((resolve) => void (wait.resolve = resolve));
  try {
    for (const interrupt of interrupts) wait.arm(interrupt(call, wait));
  } catch (error) {
    if (!wait.isOver) wait.finish(outcomes.thrown(call, error));
  }
  awaited.then(
    (value) => void (wait.isOver || wait.finish(outcomes.settled(call, value))),
    (error: unknown) => void (wait.isOver || wait.finish(outcomes.thrown(call, error))),
  );
  return result;
}

/** One object and no closures for all that may end a wait: these are made for every call that has a signal or a deadline. */
class Wait implements Waiting {
  resolve: ((result: ToolResult) => void) | undefined = undefined;
  isOver = false;
  first: Armed | undefined = undefined;
  others: Armed[] | undefined = undefined;

  end(failure: ToolFailure): void {
    if (!this.isOver) this.finish(failure);
  }

  arm(armed: Armed | undefined): void {
    if (armed === undefined) return;
    if (this.isOver) armed.disarm();
    else if (this.first === undefined) this.first = armed;
    else (this.others ??= []).push(armed);
  }

  finish(result: ToolResult): void {
    this.isOver = true;
    this.resolve!(result);
    this.first?.disarm();
    if (this.others !== undefined) for (const armed of this.others) armed.disarm();
  }
}
