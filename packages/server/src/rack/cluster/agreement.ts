import { within } from "@toolrack/core/internal";
import type { Logger } from "@toolrack/core";
import type { ServerInfo, Servers, ServerStatus } from "./servers.ts";

/** Whether the servers of one store have the same master key, configuration and version. */
export interface Agreement {
  /** What this server reports to the others about itself, now. */
  self(): ServerInfo;
  /** How each other active server differs from this one. */
  differences(): Promise<readonly ServerDifference[]>;
  /** The same; empty if the store does not answer within two seconds. */
  knownDifferences(): Promise<readonly ServerDifference[]>;
  /** Compares now, and logs what changed since the last comparison. */
  compare(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerDifference {
  /** The name of the other server. */
  readonly server: string;
  readonly hasOtherMasterKey: boolean;
  /** Sections of the configuration that differ: "policy", "sources". */
  readonly sections: readonly string[];
  /** The version of the other server, if it differs. */
  readonly version?: string;
  /** A warning needs an operator; another version is mostly a rolling upgrade. */
  readonly level: "warning" | "note";
  readonly message: string;
}

export interface AgreementOptions {
  readonly servers: Servers;
  /** What this server reports to the others about itself, now. */
  readonly self: () => ServerInfo;
  readonly log: Logger;
}

/** Compares this server with the others every few seconds. Each change is logged once. */
export function followAgreement({ servers, self, log }: AgreementOptions): Agreement {
  let told = new Map<string, ServerDifference>();
  let comparing: Promise<void> | undefined;

  const differences = async (): Promise<readonly ServerDifference[]> => differencesFrom(self(), await servers.list());

  async function compareNow(): Promise<void> {
    const found = new Map((await differences()).map((one) => [one.server, one]));
    for (const [server, difference] of found) {
      const { message, level, hasOtherMasterKey, sections, version } = difference;
      if (told.get(server)?.message === message) continue;
      const facts = { server, hasOtherMasterKey, sections, ...(version !== undefined && { version }) };
      if (level === "warning") log.warn(message, facts);
      else log.info(message, facts);
    }
    for (const server of told.keys())
      if (!found.has(server)) log.info("A server of this store no longer differs from this one, or has ended.", { server });
    told = found;
  }

  const compare = (): Promise<void> => (comparing ??= compareNow().finally(() => (comparing = undefined)));
  const timer = setInterval(() => {
    // An outage of the store is reported elsewhere.
    compare().catch(() => undefined);
  }, compareMs);
  timer.unref();
  return {
    self,
    differences,
    async knownDifferences() {
      const outcome = await within(differences(), 2_000);
      return outcome.ok ? outcome.value : [];
    },
    compare,
    async close() {
      clearInterval(timer);
      await comparing?.catch(() => undefined);
    },
  };
}

const compareMs = 5_000;

/** The active servers of `all` that differ from a server with these facts. What a server does not report is not compared. */
export function differencesFrom(
  self: ServerInfo,
  all: readonly Pick<ServerStatus, "name" | "isThis" | "status" | "info">[],
): readonly ServerDifference[] {
  return all.flatMap(({ name, isThis, status, info }): ServerDifference[] => {
    if (isThis || status !== "active") return [];
    const hasOtherMasterKey = self.keyId !== undefined && info.keyId !== undefined && self.keyId !== info.keyId;
    const sections = differingSections(self, info);
    const version = info.version !== undefined && info.version !== self.version ? info.version : undefined;
    if (!hasOtherMasterKey && sections.length === 0 && version === undefined) return [];
    const level = hasOtherMasterKey || sections.length > 0 ? "warning" : "note";
    const message = explain(
      nameOf(name, info),
      hasOtherMasterKey,
      sections,
      version === undefined ? undefined : [self.version ?? "unknown", version],
    );
    return [{ server: name, hasOtherMasterKey, sections, ...(version !== undefined && { version }), level, message }];
  });
}

/** Sections of the configuration that differ between two servers. */
export function differingSections({ config: own = {} }: ServerInfo, { config: other = {} }: ServerInfo): readonly string[] {
  // Only sections that both report: another version may have more.
  return Object.keys(own).filter((section) => Object.hasOwn(other, section) && own[section] !== other[section]);
}

function explain(
  other: string,
  hasOtherMasterKey: boolean,
  sections: readonly string[],
  versions: readonly [string, string] | undefined,
): string {
  const who = `The server ${other} of the same store`;
  return [
    ...(sections.length > 0
      ? [
          `${who} has another configuration than this one (${sections.join(", ")}), so the two decide differently about the same call. Give both the same file, and approve or restart where a change waits.`,
        ]
      : []),
    ...(hasOtherMasterKey
      ? [`${who} has another master key, so neither opens what the other seals. Set the same TOOLRACK_MASTER_KEY on both.`]
      : []),
    ...(versions === undefined ? [] : [`${who} is of version ${versions[1]}, and this one of ${versions[0]}. Finish the upgrade.`]),
  ].join(" ");
}

/** "k3Jx0Q (host web-2, process 71)" */
function nameOf(name: string, { host, pid }: ServerInfo): string {
  const where = [...(host === undefined ? [] : [`host ${host}`]), ...(pid === undefined ? [] : [`process ${pid}`])].join(", ");
  return where === "" ? shortName(name) : `${shortName(name)} (${where})`;
}

/** The distinctive part of a server's name. */
export function shortName(name: string): string {
  return name.slice(-6);
}
