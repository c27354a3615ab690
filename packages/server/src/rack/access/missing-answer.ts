import type { Caller, Registry } from "@toolrack/core";
import type { PacksConfig } from "../../config/config.ts";
import type { Rack } from "../rack.ts";
import type { AbsentSource, AbsentTools } from "../sources/absent-tools.ts";
import { lackingPackOf } from "../packs/pack-tools.ts";
import type { Grants } from "../trust/grants.ts";
import { heldSentence, waitingGrantSentence, waitingSentence } from "../trust/waiting-sentences.ts";
import type { Overlays } from "../trust/overlays.ts";
import type { Trust } from "../trust/trust.ts";

export interface MissingParts {
  readonly trust: Pick<Trust, "held" | "heldAt">;
  readonly grants: Pick<Grants, "waitingFor">;
  readonly overlays: Pick<Overlays, "calledSo">;
  readonly absent: Pick<AbsentTools, "holderOf" | "holderAt">;
  readonly registry: Pick<Registry, "view">;
  readonly definitionFaults: Rack["definitionFaults"];
  readonly config: { readonly tools?: { readonly packs?: PacksConfig } };
}

export interface MissingAnswer {
  readonly code: "TOOL_HELD" | "TOOL_UNAVAILABLE" | "TOOL_NOT_FOUND";
  readonly error: string;
  /** Of a tool that comes back with its source. */
  readonly retryAfterMs?: number;
}

/**
 * What a call of a name without a tool is told, where more can be said than that it was not found: the definition waits for a person, the tool waits for a
 * grant, its source is away, nothing here can run its stored definition, or its pack is off or not set up. Undefined for other names, and for callers
 * whose policy hides the name.
 */
export function missingAnswer(parts: MissingParts, name: string, caller: Caller): MissingAnswer | undefined {
  const error = sentenceAbout(parts, name);
  const fault = error === undefined ? faultOf(parts, name) : undefined;
  const absent = (error ?? fault) === undefined ? absentHolder(parts, name) : undefined;
  const lacking = (error ?? fault ?? absent) === undefined ? lackingPackOf(name, parts.config.tools?.packs) : undefined;
  if ((error ?? fault ?? absent ?? lacking) === undefined || !parts.registry.view(caller).decisionAbout({ name }).allowed) return undefined;
  if (error !== undefined) return { code: "TOOL_HELD", error };
  if (fault !== undefined)
    return {
      code: "TOOL_UNAVAILABLE",
      error: `Tool "${name}" cannot run on this server: ${fault.replace(`Tool "${name}": `, "")}`,
    };
  if (absent !== undefined) return unavailable(name, absent);
  const { pack, isHost, state, setting } = lacking!;
  const fact = isHost ? "was not found, as no host is configured for it" : "was not found";
  return {
    code: "TOOL_NOT_FOUND",
    error: `Tool "${name}" ${fact}: it is in the pack "${pack}", which ${state}. Set ${setting} in toolrack.config.yaml; a running server has to be restarted.`,
  };
}

function faultOf({ definitionFaults }: MissingParts, name: string): string | undefined {
  return [...definitionFaults().values()].find(({ tool }) => tool === name)?.reason;
}

/** By its own name, and by the name that an overlay gives it. */
function absentHolder({ absent, overlays }: MissingParts, name: string): AbsentSource | undefined {
  for (const origin of overlays.calledSo(name)) {
    const holder = absent.holderAt(origin);
    if (holder !== undefined) return holder;
  }
  return absent.holderOf(name);
}

/** A source that is connecting is asked for again soon. */
const connectingMs = 5_000;

/** Not why: what a source says about itself is for operators. */
function unavailable(name: string, { source, retryAfterMs }: AbsentSource): MissingAnswer {
  const [fact, next] =
    retryAfterMs === undefined
      ? ["which is still connecting", "Call it again in a moment."]
      : ["which cannot be reached", `The source is tried again in ${Math.ceil(retryAfterMs / 1_000)} s.`];
  return {
    code: "TOOL_UNAVAILABLE",
    error: `Tool "${name}" belongs to the source "${source}", ${fact}. ${next}`,
    retryAfterMs: retryAfterMs ?? connectingMs,
  };
}

/** By its own name, and by the name that an overlay gives it. */
function sentenceAbout({ trust, grants, overlays }: MissingParts, name: string): string | undefined {
  const held = trust.held(name);
  if (held !== undefined) return heldSentence(held, name);
  const grant = grants.waitingFor(({ shownAs }) => shownAs === name);
  if (grant !== undefined) return waitingGrantSentence(grant, name);
  for (const origin of overlays.calledSo(name)) {
    const sentence = waitingSentence({ trust, grants }, origin, name);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}
