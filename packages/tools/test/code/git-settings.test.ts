import { describe, expect, it } from "vitest";
import { refuseUnknownSettings } from "../../src/code/_git-config.ts";

const list = (...entries: (readonly [key: string, value?: string])[]): string =>
  entries.map(([key, value]) => (value === undefined ? `${key}\0` : `${key}\n${value}\0`)).join("");

describe("the configuration of a repository", () => {
  it.each([
    ["core.bare", "false"],
    ["core.bare", "no"],
    ["core.bare", "OFF"],
    ["core.bare", "0"],
    ["core.bare", ""],
    ["core.filemode", "true"],
    ["core.hookspath", "evil"],
    ["core.sshcommand", "evil"],
    ["core.fsmonitor", "evil"],
    ["credential.helper", "!evil"],
    ["advice.detachedhead", "false"],
    ["apply.whitespace", "fix"],
    ["author.name", "a"],
    ["blame.date", "iso"],
    ["branch.sort", "x"],
    ["branch.main.remote", "origin"],
    ["checkout.guess", "true"],
    ["color.ui", "auto"],
    ["commit.cleanup", "strip"],
    ["committer.email", "a"],
    ["diff.algorithm", "patience"],
    ["extensions.worktreeconfig", "true"],
    ["feature.manyfiles", "true"],
    ["fetch.prune", "true"],
    ["gc.pruneexpire", "now"],
    ["gui.geometry", "x"],
    ["http.sslverify", "true"],
    ["http.https://x.example.extraheader", "a"],
    ["i18n.commitencoding", "utf-8"],
    ["index.version", "4"],
    ["init.defaultbranch", "main"],
    ["log.date", "iso"],
    ["maintenance.strategy", "none"],
    ["merge.ff", "only"],
    ["pack.threads", "1"],
    ["pull.rebase", "true"],
    ["push.default", "simple"],
    ["rebase.autostash", "true"],
    ["receive.denycurrentbranch", "refuse"],
    ["remote.pushdefault", "origin"],
    ["remote.origin.url", "https://x.example/r.git"],
    ["remote.origin.gh-resolved", "base"],
    ["rerere.enabled", "true"],
    ["status.short", "true"],
    ["tag.sort", "x"],
    ["user.name", "a"],
    ["versionsort.suffix", "-rc"],
  ] as const)("may set %s to %s", (key, value) => {
    expect(() => refuseUnknownSettings(list(["user.email", "a@x"], [key, value]))).not.toThrow();
  });

  it.each([
    ["core.bare", "true"],
    ["core.bare", undefined],
    ["core.worktree", "/"],
    ["core.gitproxy", "evil"],
    ["core.attributesfile", "x"],
    ["core.sub.filemode", "true"],
    ["filter.x.clean", "evil"],
    ["filter.x.smudge", "evil"],
    ["diff.external", "evil"],
    ["diff.x.textconv", "evil"],
    ["merge.x.driver", "evil"],
    ["alias.status", "!evil"],
    ["include.path", "/etc/x"],
    ["includeif.gitdir:/.path", "x"],
    ["gpg.program", "evil"],
    ["http.proxy", "evil"],
    ["remote.origin.uploadpack", "evil"],
    ["remote.origin.receivepack", "evil"],
    ["remote.url", "x"],
    ["credential.https://x.helper", "evil"],
    ["url.ext::evil.insteadof", "x"],
    ["user.program", "evil"],
    ["sequence.editor", "evil"],
    ["interactive.difffilter", "evil"],
    ["odd", "x"],
  ] as const)("may not set %s to %s", (key, value) => {
    const message = `The repository's configuration sets ${JSON.stringify(key)}, which may make git run a program or leave the workspace. Remove it from .git/config to use git here.`;
    expect(() => refuseUnknownSettings(list(["user.email", "a@x"], [key, value]))).toThrow(message);
  });

  it("may be empty, and a long key is shown in short", () => {
    expect(() => refuseUnknownSettings("")).not.toThrow();
    expect(() => refuseUnknownSettings(list([`x.${"y".repeat(300)}`, "1"]))).toThrow(`"x.${"y".repeat(198)}"`);
  });
});
