import type { Logger } from "@toolrack/core";
import type { LogHeads } from "../trust/log-heads.ts";
import type { ServerInfo } from "./server-info.ts";
import type { Servers, ServerStatus } from "./servers.ts";

/** Whether the servers of one store have the same master key, configuration and version. */
export interface Agreement {
  /** How each other active server differs from this one. */
  differences(): Promise<readonly ServerDifference[]>;
  /** The same, where the list of servers was read before. */
  differencesOf(all: readonly ListedServer[]): Promise<readonly ServerDifference[]>;
  /** Compares now, and logs what changed since the last comparison. */
  compare(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerDifference {
  /** The name of the other server. */
  readonly server: string;
  readonly hasOtherMasterKey: boolean;
  /** Whether it has seen another log of definitions than this server. */
  readonly hasOtherLog: boolean;
  /** Sections of the configuration that differ: "policy", "sources". */
  readonly sections: readonly string[];
  /** The version of the other server, if it differs. */
  readonly version?: string;
  /** A warning needs an operator; another version is mostly a rolling upgrade. */
  readonly level: "warning" | "note";
  readonly message: string;
}

export interface AgreementOptions {
  readonly servers: Pick<Servers, "name" | "self" | "list">;
  /** The heads of the log of definitions. */
  readonly heads: LogHeads;
  readonly log: Logger;
}

export type ListedServer = Pick<ServerStatus, "name" | "isThis" | "status" | "info">;

/** Compares this server with the others every few seconds. Each change is logged once. */
export function followAgreement({ servers, heads, log }: AgreementOptions): Agreement {
  let told = new Map<string, ServerDifference>();
  let comparing: Promise<void> | undefined;

  const differencesOf = async (all: readonly ListedServer[]): Promise<readonly ServerDifference[]> => {
    const found = differencesFrom(servers.self(), all);
    return [...found, ...(await findOtherLogs(heads, servers.name, all))];
  };
  const differences = async (): Promise<readonly ServerDifference[]> => differencesOf(await servers.list());

  async function compareNow(): Promise<void> {
    const found = new Map((await differences()).map((one) => [`${one.server}${one.hasOtherLog ? " log" : ""}`, one]));
    for (const [key, difference] of found) {
      const { server, message, level, hasOtherMasterKey, sections, version } = difference;
      if (told.get(key)?.message === message) continue;
      const facts = { otherServer: server, hasOtherMasterKey, sections, ...(version !== undefined && { version }) };
      if (level === "warning") log.warn(message, facts);
      else log.info(message, facts);
    }
    for (const [key, { server }] of told)
      if (!found.has(key)) log.info("A server of this store no longer differs from this one, or has ended.", { otherServer: server });
    told = found;
  }

  const compare = (): Promise<void> => (comparing ??= compareNow().finally(() => (comparing = undefined)));
  const timer = setInterval(() => {
    // An outage of the store is reported elsewhere.
    compare().catch(() => undefined);
  }, compareMs);
  timer.unref();
  return {
    differences,
    differencesOf,
    compare,
    async close() {
      clearInterval(timer);
      await comparing?.catch(() => undefined);
    },
  };
}

const compareMs = 5_000;

/** The active servers of `all` that differ from a server with these facts. What a server does not report is not compared. */
export function differencesFrom(self: ServerInfo, all: readonly ListedServer[]): readonly ServerDifference[] {
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
    return [{ server: name, hasOtherMasterKey, hasOtherLog: false, sections, ...(version !== undefined && { version }), level, message }];
  });
}

/** Servers that show another log of definitions: someone replaced it, or one of them works on another copy of the database. */
async function findOtherLogs(heads: LogHeads, own: string, all: readonly ListedServer[]): Promise<readonly ServerDifference[]> {
  const difference = (server: string, message: string): ServerDifference => ({
    server,
    hasOtherMasterKey: false,
    hasOtherLog: true,
    sections: [],
    level: "warning",
    message: `${message} The log was rewritten, or the database was replaced or restored. Compare with a proof that was kept: toolrack audit verify, toolrack proof verify.`,
  });
  const replaced = await heads.look();
  const found =
    replaced === undefined
      ? []
      : [difference(own, `The log of definitions is not the one that this server saw before: it saw ${replaced}.`)];
  for (const { name, isThis, status, info } of all) {
    if (isThis || status !== "active" || info.log === undefined) continue;
    const fault = await heads.faultOf(info.log);
    if (fault !== undefined)
      found.push(difference(name, `The server ${nameOf(name, info)} of the same store shows another log of definitions: it has ${fault}.`));
  }
  return found;
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
export function nameOf(name: string, { host, pid }: ServerInfo): string {
  const where = [...(host === undefined ? [] : [`host ${host}`]), ...(pid === undefined ? [] : [`process ${pid}`])].join(", ");
  return where === "" ? shortName(name) : `${shortName(name)} (${where})`;
}

/** The distinctive part of a server's name. */
export function shortName(name: string): string {
  return name.slice(-6);
}
