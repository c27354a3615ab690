import { ToolInputError } from "@toolrack/core";

/** One answer for a session that does not exist and for one that is out of sight: whoever asks cannot tell them apart. */
export function unknownSession(session: string): ToolInputError {
  return new ToolInputError(
    `There is no session ${JSON.stringify(session.slice(0, 120))} that you may use. sessions_list names those that you may.`,
  );
}
