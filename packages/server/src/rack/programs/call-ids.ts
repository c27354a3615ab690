import { createHmac } from "node:crypto";

/**
 * The id of a call of a program. It follows from the program, the number of the call in it and the attempt, so that a program whose record
 * was put back to an earlier state asks for ids that the log has already. Without the key of the servers it cannot be guessed.
 */
export type ProgramCallIds = (program: { readonly id: string; readonly startedAt: number }, number: string, attempt: number) => string;

export function createProgramCallIds(sharedKey: Uint8Array): ProgramCallIds {
  return ({ id, startedAt }, number, attempt) => {
    const mark = createHmac("sha256", sharedKey)
      .update(JSON.stringify(["call of a program", id, number, attempt]))
      .digest("base64url");
    // As for other calls: those of the same time are adjacent in an index.
    return startedAt.toString(36).padStart(9, "0") + mark.slice(0, 24);
  };
}
