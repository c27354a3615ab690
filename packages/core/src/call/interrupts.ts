import type { ToolFailure, ToolResult } from "../tool/result.ts";
import type { Call, Wrapper } from "./wrapper.ts";

export type Interrupt = NonNullable<Wrapper["interrupt"]>;

/** What a promise comes to, as a result. */
export interface Outcomes<Value> {
  settled(value: Value): ToolResult;
  thrown(error: unknown): ToolResult;
}

/** What was waited for, or the failure of whatever interrupts it first. One promise, however many may interrupt. */
export function untilInterrupted<Value>(
  awaited: Promise<Value>,
  call: Call,
  interrupts: readonly Interrupt[],
  outcomes: Outcomes<Value>,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const armed: (() => void)[] = [];
    let isOver = false;
    const end = (result: ToolResult | ToolFailure): void => {
      isOver = true;
      resolve(result);
      while (armed.length > 0) armed.pop()!();
    };
    const arm = (interrupt: Interrupt): void => {
      const disarm = interrupt(call, (failure) => void (isOver || end(failure)));
      if (disarm === undefined) return;
      if (isOver) disarm();
      else armed.push(disarm);
    };
    try {
      interrupts.forEach(arm);
    } catch (error) {
      if (!isOver) end(outcomes.thrown(error));
    }
    awaited.then(
      (value) => void (isOver || end(outcomes.settled(value))),
      (error: unknown) => void (isOver || end(outcomes.thrown(error))),
    );
  });
}
