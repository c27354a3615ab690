import { ToolAuthorizationError } from "@toolrack/core";

/**
 * Settings that git gets on every run. They override the configuration of the repository, so a repository that sets one of them can still
 * be used.
 */
export const gitOverrides: Readonly<Record<string, string>> = {
  "safe.bareRepository": "explicit",
  "core.fsmonitor": "false",
  "core.pager": "cat",
  "core.editor": "true",
  "core.askPass": "",
  "core.sshCommand": "ssh",
  "core.hooksPath": "/dev/null",
  "credential.helper": "",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "push.gpgSign": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
  "push.recurseSubmodules": "no",
  "diff.ignoreSubmodules": "all",
  // Local paths and remote helpers start programs on the other side that its configuration names.
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.http.allow": "always",
  "protocol.ssh.allow": "always",
  "protocol.git.allow": "always",
};

/**
 * Refuses a repository whose configuration sets anything that is not known to be harmless. Git has dozens of keys that name a program
 * (filters, drivers, helpers, proxies …) and gets new ones, so what is listed is what may be set, and everything else may not.
 */
export function refuseUnknownSettings(list: string): void {
  for (const entry of list.split("\0")) {
    if (entry === "") continue;
    const end = entry.indexOf("\n");
    const key = end === -1 ? entry : entry.slice(0, end);
    if (isHarmless(key, end === -1 ? "true" : entry.slice(end + 1))) continue;
    throw new ToolAuthorizationError(
      `The repository's configuration sets ${JSON.stringify(key.slice(0, 200))}, which may make git run a program or leave the workspace. Remove it from .git/config to use git here.`,
    );
  }
}

function isHarmless(key: string, value: string): boolean {
  if (key === "core.bare") return /^(false|no|off|0|)$/i.test(value);
  if (overridden.has(key)) return true;
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first);
  const names = harmless.get(first === last ? section : `${section}.*`);
  return names === "any" || (names?.has(key.slice(last + 1)) ?? false);
}

/** Git lists sections and names in small letters. */
const overridden: ReadonlySet<string> = new Set(Object.keys(gitOverrides).map((key) => key.toLowerCase()));

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Section, or section and "*" for one with a subsection → the names that may be set there. */
const harmless: ReadonlyMap<string, ReadonlySet<string> | "any"> = new Map<string, ReadonlySet<string> | "any">([
  ["advice", "any"],
  ["apply", names("whitespace ignorewhitespace")],
  ["author", names("name email")],
  ["blame", names("coloring date showemail showroot")],
  ["branch", names("autosetupmerge autosetuprebase sort")],
  ["branch.*", names("remote pushremote merge rebase description vscode-merge-base github-pr-owner-number gh-merge-base")],
  ["checkout", names("defaultremote guess workers thresholdforparallelism")],
  ["color", names("ui branch diff status interactive push")],
  ["commit", names("cleanup status verbose")],
  ["committer", names("name email")],
  [
    "core",
    names(
      `repositoryformatversion filemode logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev
      compression loosecompression bigfilethreshold preloadindex untrackedcache sparsecheckout sparsecheckoutcone commentchar
      whitespace checkstat trustctime longpaths protecthfs protectntfs splitindex multipackindex commitgraph fscache
      sharedrepository hidedotfiles fsync fsyncmethod checkroundtripencoding`,
    ),
  ],
  ["diff", names("algorithm renames renamelimit mnemonicprefix noprefix context interhunkcontext colormoved indentheuristic")],
  ["extensions", names("objectformat refstorage worktreeconfig preciousobjects noop partialclone")],
  ["feature", names("manyfiles")],
  ["fetch", names("prune prunetags fsckobjects parallel")],
  ["gc", names("autodetach pruneexpire reflogexpire")],
  ["gui", names("wmstate geometry")],
  ["http", names("version postbuffer lowspeedlimit lowspeedtime sslverify extraheader")],
  ["http.*", names("sslverify extraheader")],
  ["i18n", names("commitencoding logoutputencoding")],
  ["index", names("version threads skiphash sparse")],
  ["init", names("defaultbranch")],
  ["log", names("date decorate follow")],
  ["maintenance", names("strategy")],
  ["merge", names("conflictstyle ff log stat renames renamelimit directoryrenames")],
  ["pack", names("threads windowmemory depth window compression usesparse")],
  ["pull", names("rebase ff")],
  ["push", names("default autosetupremote followtags")],
  ["rebase", names("autosquash autostash updaterefs stat")],
  ["receive", names("denycurrentbranch")],
  ["remote", names("pushdefault")],
  [
    "remote.*",
    names("url pushurl fetch push mirror tagopt prune prunetags skipdefaultupdate skipfetchall promisor partialclonefilter gh-resolved"),
  ],
  ["rerere", names("enabled autoupdate")],
  ["status", names("branch short showstash showuntrackedfiles relativepaths renames aheadbehind")],
  ["tag", names("sort")],
  ["user", names("name email signingkey useconfigonly")],
  ["versionsort", names("suffix")],
]);
