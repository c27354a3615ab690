import type { SchemaOf } from "../../http/route.ts";
import type { Asked } from "../../rack/trust/grant-asks.ts";
import type { GrantInfo, WaitingGrant } from "../../rack/trust/grants.ts";
import { listOf, objectOf } from "../_answers.ts";

const text = { type: "string" } as const;
const texts = listOf<string>(text);
const asks = {
  ...objectOf<Asked>({ programs: texts, hosts: texts, readsFiles: texts, writesFiles: texts, permissions: texts, secrets: texts }, [
    "programs",
    "hosts",
    "readsFiles",
    "writesFiles",
    "permissions",
    "secrets",
  ]),
  description: "Resources that the tool declares: hosts, secrets, files, programs.",
};
const grantOrigin = {
  sourceId: text,
  source: { ...text, description: "The identity of the source." },
  tool: { ...text, description: "The name at the source." },
  asks,
  print: { ...text, description: "The print of the definition that the grant is for." },
} as const;

export const grantSchema: SchemaOf<GrantInfo> = objectOf<GrantInfo>(
  {
    id: text,
    ...grantOrigin,
    reason: text,
    by: text,
    at: text,
    until: text,
    state: {
      enum: ["in-force", "lost", "unused"],
      description: "lost: the definition or the source is another one now. unused: the source does not list the tool now.",
    },
  },
  ["until"],
);

/** A tool that is not served because nobody granted what it asks for. */
export const waitingGrantSchema: SchemaOf<WaitingGrant> = objectOf<WaitingGrant>({
  id: { ...text, description: "The id that the grant will have." },
  kind: { const: "grant" },
  ...grantOrigin,
  shownAs: text,
  isChanged: { type: "boolean", description: "Whether an earlier definition of the tool had a grant." },
});
