import type { Caller } from "../tool/context.ts";
import type { ErrorCode } from "../errors.ts";

/** One way into a registry: the library, HTTP, MCP, the command line … */
export interface Surface {
  readonly name: string;
  /** The names that this caller is shown. */
  list(caller: Caller): Promise<readonly string[]>;
  /** Calls a tool with an input that it takes; answers the code of the failure, or undefined for a success. */
  call(tool: string, caller: Caller): Promise<ErrorCode | undefined>;
}

/** A place where a surface showed what it does not allow, or allowed what it does not show. */
export interface SurfaceFault {
  readonly surface: string;
  readonly tool: string;
  readonly listed: boolean;
  readonly outcome: ErrorCode | "called";
}

/** What a call of a listed tool may answer: it ran, or a person has to be asked. */
const openOutcomes: ReadonlySet<string> = new Set(["called", "APPROVAL_REQUIRED"]);

/** Lists and calls every tool on every surface: what is listed must be callable or askable, and nothing else may be. All surfaces must show the same. */
export async function findSurfaceFaults(
  surfaces: readonly Surface[],
  tools: readonly string[],
  caller: Caller,
): Promise<readonly SurfaceFault[]> {
  const faults: SurfaceFault[] = [];
  const first = new Set(await surfaces[0]?.list(caller));
  for (const surface of surfaces) {
    const shown = new Set(await surface.list(caller));
    for (const tool of tools) {
      const outcome = (await surface.call(tool, caller)) ?? "called";
      const listed = shown.has(tool);
      if (listed !== openOutcomes.has(outcome) || listed !== first.has(tool)) faults.push({ surface: surface.name, tool, listed, outcome });
    }
  }
  return faults;
}
