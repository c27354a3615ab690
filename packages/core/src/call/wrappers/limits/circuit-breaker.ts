import type { ErrorCode } from "../../../errors.ts";
import type { Clock } from "../../../util/clock.ts";
import type { Call, Wrapper } from "../../wrapper.ts";
import { createBoundedMap } from "./_bounded-map.ts";
import { requireCount, requireMs } from "../../require-number.ts";

export interface CircuitBreakerOptions {
  /** How many failures in a row open the circuit. @default 5 */
  failures?: number;
  /** How long an open circuit refuses every call. @default 30_000 */
  coolDownMs?: number;
  /** How many failing tools are watched; the least recently called are dropped. @default 10_000 */
  maxTools?: number;
}

export type CircuitState = "closed" | "open" | "half-open";

export interface CircuitBreaker extends Wrapper {
  /** For lists: calls are refused while "open"; when "half-open", one call is let through as a trial. */
  state(toolName: string): CircuitState;
}

/** Stops calling a tool that fails repeatedly. After a pause, one trial call closes or opens the circuit. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const limit = requireCount("failures", options.failures ?? 5);
  const coolDownMs = requireMs("coolDownMs", options.coolDownMs ?? 30_000);
  const circuits = createBoundedMap<Circuit>(requireCount("maxTools", options.maxTools ?? 10_000, 2));
  const isClosed = (circuit: Circuit | undefined): boolean => circuit === undefined || circuit.failures < limit;

  const countFailure = (call: Call, circuit: Circuit | undefined): void => {
    const { clock } = call;
    const failures = (circuit?.failures ?? 0) + 1;
    circuits.set(call.tool.name, { failures, restsUntil: clock.now() + coolDownMs, trial: undefined, clock });
  };

  return {
    name: "circuit-breaker",
    beforeRun(call) {
      const circuit = circuits.get(call.tool.name);
      if (circuit === undefined || isClosed(circuit)) return undefined;
      const now = call.clock.now();
      if (now >= circuit.restsUntil) {
        circuit.trial = call;
        circuit.restsUntil = now + coolDownMs; // so that a trial which never ends is followed by another
        return undefined;
      }
      const retryAfterMs = Math.ceil(circuit.restsUntil - now);
      const error = `Tool "${call.tool.name}" failed ${circuit.failures} times in a row. Call it again in ${retryAfterMs} ms.`;
      return call.fail("CIRCUIT_OPEN", error, { retryable: true, retryAfterMs });
    },
    finish(result, call) {
      const circuit = circuits.get(call.tool.name);
      const decides = isClosed(circuit) || circuit?.trial === call; // calls begun before the rest say nothing new
      if (!decides) return result;
      if (result.ok) {
        if (circuit !== undefined) circuits.delete(call.tool.name);
      } else if (faultsOfTool.has(result.code)) countFailure(call, circuit);
      else if (circuit?.trial === call) {
        circuit.trial = undefined;
        circuit.restsUntil = call.clock.now(); // the trial did not reach the tool, so the next call is one
      }
      return result;
    },
    state(toolName) {
      const circuit = circuits.get(toolName);
      if (circuit === undefined || isClosed(circuit)) return "closed";
      return circuit.trial !== undefined || circuit.clock.now() >= circuit.restsUntil ? "half-open" : "open";
    },
  };
}

interface Circuit {
  readonly failures: number;
  restsUntil: number;
  /** The trial call after the pause. */
  trial: Call | undefined;
  /** Of the last failed call, since `state` is read outside of calls. */
  readonly clock: Clock;
}

/** Failures of the tool. Refusals, wrong inputs and aborts do not change the circuit. */
const faultsOfTool: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TOOL_FAILED",
  "TIMEOUT",
  "OUTPUT_INVALID",
  "RESULT_INVALID",
  "RESULT_TOO_LARGE",
  "SOURCE_FAILED",
]);
