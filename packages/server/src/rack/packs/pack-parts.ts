import { createRedactor } from "@toolrack/core/internal";
import type { IsOwnAddress } from "@toolrack/fetch";
import type { Secrets } from "@toolrack/store";
import type { WriteAudit } from "../audit/audit.ts";
import type { Canvases } from "../canvas/canvases.ts";
import { createCanvases } from "../canvas/create-canvases.ts";
import { createProposals } from "../proposals/create-proposals.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { Sources } from "../rack.ts";
import type { SettingsManager } from "../settings/settings.ts";
import type { RecordFeed } from "../store/records.ts";
import { openModelOf } from "./_model-of.ts";
import type { PackContext, PackHosts } from "./pack.ts";

export interface PackParts {
  readonly canvases: Canvases;
  /** What packs get of it. */
  readonly context: Pick<PackContext, "canvases" | "hosts" | "modelOf" | "isOwnAddress" | "redact">;
  /** Hands over what was opened after the packs. */
  use(later: Pick<PackHosts, "schedules" | "jobs"> & { readonly sources: Sources }): Proposals;
}

export interface PackPartsOptions {
  readonly feed: RecordFeed;
  readonly settings: SettingsManager;
  readonly secrets: Secrets;
  readonly audit: WriteAudit;
  readonly isOwnAddress: IsOwnAddress;
  now(): number;
}

/** What packs need of the server: pages that are shown, models, and what is opened after them. */
export function createPackParts({ feed, settings, secrets, audit, isOwnAddress, now }: PackPartsOptions): PackParts {
  const { host, ...canvases } = createCanvases({ feed, now });
  let hosts: PackHosts | undefined;
  return {
    canvases,
    context: {
      canvases: host,
      hosts: () => hosts!,
      modelOf: openModelOf(() => settings.config().agents, secrets),
      isOwnAddress,
      redact: (text) => createRedactor({ secrets: secrets.seenValues() }).text(text),
    },
    use(later) {
      const proposals = createProposals({ feed, settings, sources: later.sources, audit, now });
      hosts = { ...later, settings, proposals };
      return proposals;
    },
  };
}
