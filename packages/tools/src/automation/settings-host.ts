import type { CallContext } from "@toolrack/core";

/**
 * The settings of a server, as a tool sees them.
 * Contract: no answer holds a secret, and `propose` changes nothing: a person sees the whole proposal and accepts it or not. Keys about secrets,
 * trust, rights and the server's own access are refused, whoever asks.
 */
export interface SettingsHost {
  read(context: CallContext, key: string | undefined): Promise<readonly ShownSetting[]>;
  /** The keys that can be proposed, with the schemas of their values. */
  schema(): readonly ProposableKey[];
  /** Throws CONFIG_INVALID for what cannot be, and TOOL_NOT_ALLOWED for what may not be proposed. */
  propose(context: CallContext, proposal: NewProposal): Promise<Proposal>;
}

export interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  /** Where it is said: "toolrack.config.yaml:12". */
  readonly origin: string;
}

export interface ProposableKey {
  /** "bundles.<name>" */
  readonly key: string;
  readonly description: string;
  readonly schema: unknown;
}

export interface NewProposal {
  /** Key → its new value; null removes it. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Why, for the person who decides. */
  readonly note?: string | undefined;
}

export interface Proposal {
  /** Among all questions that wait for a person. */
  readonly id: string;
  readonly keys: readonly string[];
  /** ISO 8601. */
  readonly expiresAt: string;
}
