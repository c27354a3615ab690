import type { WaitingDefinition } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { showWaitingDefinition } from "./_waiting-definition.ts";

/** The definition of a source's tool that waits under this name. */
export async function seenDefinition(connection: Connection, tool: string): Promise<WaitingDefinition | undefined> {
  const { waiting } = await connection.ask("GET /definitions/{tool}", { params: { tool } }).catch(() => ({ waiting: undefined }));
  return waiting;
}

export interface SeenDecision {
  readonly connection: Connection;
  readonly terminal: Terminal;
  readonly hash: string | undefined;
  readonly reason: string;
  readonly isReject: boolean;
  readonly isDecision: boolean;
}

/** Shows the definition, or decides about exactly the one with this hash. */
export async function decideSeen(found: WaitingDefinition, decision: SeenDecision): Promise<void> {
  const { connection, terminal, hash, reason, isReject, isDecision } = decision;
  const { id, tool, digest } = found;
  if (!isDecision) return terminal.answer(found, () => showWaitingDefinition(found, terminal));
  const body = { approved: !isReject, digest: hash ?? digest, reason };
  const decided = await connection.ask("POST /approvals/{id}/decide", { params: { id }, body });
  terminal.answer(decided, () =>
    isReject ? `The definition of ${safe(tool)} was refused.` : `The definition of ${safe(tool)} is approved.`,
  );
}
