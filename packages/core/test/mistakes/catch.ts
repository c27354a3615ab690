import type { Mistake } from "./mistake.ts";

/** What noticed a mistake while the program ran, and its sentence. */
export interface Caught {
  readonly by: "definition" | "call";
  readonly sentence: string;
  /** Whether it is one of ours: a `ToolError`, or the result of a call. */
  readonly isExplained: boolean;
}

/** Makes the mistake, and returns what noticed it; undefined for a mistake that ends as a quiet success. */
export async function makeMistake({ define, call }: Mistake): Promise<Caught | undefined> {
  let defined: unknown;
  try {
    defined = await define();
  } catch (error) {
    return thrownBy("definition", error);
  }
  if (call === undefined) return undefined;
  try {
    const answer = (await call(defined)) as { readonly ok?: unknown; readonly error?: unknown } | undefined;
    return answer?.ok === false ? { by: "call", sentence: String(answer.error), isExplained: true } : undefined;
  } catch (error) {
    return thrownBy("call", error);
  }
}

function thrownBy(by: Caught["by"], error: unknown): Caught {
  const isExplained = typeof error === "object" && error !== null && Symbol.for("toolrack.error") in error;
  return { by, sentence: error instanceof Error ? error.message : String(error), isExplained };
}
