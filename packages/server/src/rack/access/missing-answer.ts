import type { Caller, Registry } from "@toolrack/core";
import type { PacksConfig } from "../../config/config.ts";
import type { Rack } from "../rack.ts";
import { lackingPackOf } from "../packs/pack-tools.ts";
import type { Grants } from "../trust/grants.ts";
import { heldSentence, waitingGrantSentence, waitingSentence } from "../trust/waiting-sentences.ts";
import type { Overlays } from "../trust/overlays.ts";
import type { Trust } from "../trust/trust.ts";

export interface MissingParts {
  readonly trust: Pick<Trust, "held" | "heldAt">;
  readonly grants: Pick<Grants, "waitingFor">;
  readonly overlays: Pick<Overlays, "calledSo">;
  readonly registry: Pick<Registry, "view">;
  readonly definitionFaults: Rack["definitionFaults"];
  readonly config: { readonly tools?: { readonly packs?: PacksConfig } };
}

export interface MissingAnswer {
  readonly code: "TOOL_HELD" | "TOOL_UNAVAILABLE" | "TOOL_NOT_FOUND";
  readonly error: string;
}

/**
 * What a call of a name without a tool is told, where more can be said than that it was not found: the definition waits for a person, the tool waits for a
 * grant, nothing here can run its stored definition, or its pack is off or not set up. Undefined for other names, and for callers whose policy hides the name.
 */
export function missingAnswer(parts: MissingParts, name: string, caller: Caller): MissingAnswer | undefined {
  const error = sentenceAbout(parts, name);
  const fault = error === undefined ? faultOf(parts, name) : undefined;
  const lacking = error === undefined ? lackingPackOf(name, parts.config.tools?.packs) : undefined;
  if ((error ?? fault ?? lacking) === undefined || !parts.registry.view(caller).decisionAbout({ name }).allowed) return undefined;
  if (error !== undefined) return { code: "TOOL_HELD", error };
  if (fault !== undefined)
    return {
      code: "TOOL_UNAVAILABLE",
      error: `Tool "${name}" cannot run on this server: ${fault.replace(`Tool "${name}": `, "")}`,
    };
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
