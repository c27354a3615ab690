import { definitionPrint, isObject, verifyProof } from "@toolrack/core/internal";
import type { DefinitionProof, MerkleHead } from "@toolrack/core/trust";
import { type BreadcrumbStore, type JsonObject, type LoggedDefinition, openDefinitionLog, proveEntry, verifyHead } from "@toolrack/store";
import { kindOfKey } from "./noted-texts.ts";
import type { ToolOrigin } from "./overlay-origins.ts";
import { textForm } from "./text-form.ts";

/** The newest entry about a tool, or the one with this index; undefined where the log has none. */
export async function findEntry(
  store: BreadcrumbStore,
  { source, tool }: Partial<ToolOrigin>,
  index?: number,
): Promise<LoggedDefinition | undefined> {
  const query = {
    ...(source !== undefined && { source }),
    ...(tool !== undefined && { tool }),
    limit: 1,
    ...(index !== undefined && { before: index + 1 }),
  };
  const [entry] = await openDefinitionLog(store).list(query);
  return index === undefined || entry?.index === index ? entry : undefined;
}

export function proofOf(store: BreadcrumbStore, entry: LoggedDefinition, since?: MerkleHead): Promise<DefinitionProof> {
  return proveEntry(store, entry, since);
}

/** What a check of a proof finds. */
export type ProofVerification =
  | {
      readonly ok: true;
      readonly entry: Readonly<Record<string, unknown>>;
      readonly head: DefinitionProof["head"];
      /** "unchecked": it fits the key in the proof, and nobody said which key is to be trusted. */
      readonly signature: "valid" | "unchecked" | "absent";
    }
  | { readonly ok: false; readonly reason: string };

export interface VerifyOptions {
  /** A head that was kept from before. */
  readonly since?: MerkleHead;
  /** The public key that signs heads, in hexadecimal digits. */
  readonly publicKey?: string;
  /** The definition that the entry is said to be about. */
  readonly definition?: unknown;
}

/** Checks a proof with nothing but its text: no server, no store. */
export function checkProof(proof: unknown, { since, publicKey, definition }: VerifyOptions = {}): ProofVerification {
  const check = verifyProof(proof, since && { since });
  if (!check.ok) return check;
  const { entry, head } = check;
  const { signature } = proof as DefinitionProof;
  if (publicKey !== undefined && signature === undefined) return { ok: false, reason: "The head of the proof is not signed." };
  if (signature !== undefined && !verifyHead({ head, signature }, publicKey))
    return {
      ok: false,
      reason:
        publicKey === undefined || publicKey === signature.publicKey
          ? "The signature is not of this head: the head or the signature was changed."
          : "The head was signed with another key than the one that you gave.",
    };
  const prints: readonly unknown[] = definition === undefined ? [entry["print"]] : printsOf(definition, String(entry["tool"]));
  if (!prints.includes(entry["print"]))
    return { ok: false, reason: `The definition has the print ${String(prints[0])}, and the entry is about ${String(entry["print"])}.` };
  return { ok: true, entry, head, signature: signature === undefined ? "absent" : publicKey === undefined ? "unchecked" : "valid" };
}

/** The print of a definition of that kind: as it is on record, or as an MCP server sends a prompt. */
function printsOf(definition: unknown, tool: string): readonly string[] {
  const kind = kindOfKey(tool);
  const print = definitionPrint(definition, kind);
  if (kind !== "prompt" || !isObject(definition)) return [print];
  return [print, definitionPrint(textForm("prompt", definition as JsonObject), kind)];
}
