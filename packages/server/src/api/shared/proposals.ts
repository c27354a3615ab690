import type { SchemaOf } from "../../http/route.ts";
import type { ProposedChange, WaitingProposal } from "../../rack/proposals/proposals.ts";
import { listOf, objectOf } from "../_answers.ts";
import { shownCallerSchema } from "./callers.ts";

const text = { type: "string" } as const;

/** A proposed change of settings that waits for a person. */
export const waitingProposalSchema: SchemaOf<WaitingProposal> = objectOf<WaitingProposal>(
  {
    id: { ...text, description: "Among all questions." },
    kind: { const: "proposal" },
    tool: text,
    note: { ...text, description: "Why, as the agent says it." },
    changes: listOf(
      objectOf<ProposedChange>(
        {
          key: text,
          before: { description: "What is in force, without credentials." },
          after: { description: "The whole new value, with the values of variables; null if it is removed." },
        },
        ["before"],
      ),
    ),
    caller: { ...shownCallerSchema, additionalProperties: true } as SchemaOf<WaitingProposal["caller"]>,
    askedAt: { type: "number" },
    expiresAt: { type: "number" },
    digest: { ...text, description: "Send it with the decision." },
  },
  ["note"],
);
