import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneOf, sized } from "@toolrack/testkit/sized";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitOverrides, refuseUnknownSettings } from "../../src/code/_git-config.ts";
import { createCodeTools } from "../../src/code/code.ts";
import { createFilesTools } from "../../src/files/files.ts";
import { createProcessOperations } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

// Without isolation, so that what is tested is git alone: the canary could be run, and would be seen.
let workspace: TemporaryWorkspace;
let processes: ProcessOperations;
let canary: string;
let call: Invoke;

const isLong = sized(0, 1) === 1;

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: workspace.root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

beforeEach(() => {
  workspace = createTemporaryWorkspace({ "main.txt": "one\n", ".gitattributes": "* filter=canary diff=canary merge=canary\n" });
  processes = createProcessOperations({ root: workspace.root, unconfined: true });
  canary = join(workspace.outside, "canary");
  writeFileSync(canary, `#!/bin/sh\ntouch "${workspace.outside}/ran"\ncat\n`);
  chmodSync(canary, 0o755);
  call = invokerOf([...createCodeTools({ root: workspace.root, processes }), ...createFilesTools({ root: workspace.root, processes })]);
});
afterEach(async () => {
  await processes.close();
  workspace.remove();
});

const plainConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
[user]
	name = Ann
	email = ann@example.com
[remote "origin"]
	url = git://127.0.0.1:1/nowhere.git
`;

function makeRepository(): void {
  git("init", "-q", "-b", "main");
  workspace.write(".git/config", plainConfig);
  git("add", ".");
  git("commit", "-qm", "first");
  git("branch", "other");
  workspace.write(".git/info/attributes", "* filter=canary diff=canary merge=canary\n");
}

/** Every action of the tool, each with something to do. Answers what was refused because of the configuration. */
async function everyAction(round: number): Promise<{ readonly ran: boolean; readonly refused: boolean }> {
  workspace.write("main.txt", `round ${round}\n`);
  const inputs = [
    { action: "status" },
    { action: "diff" },
    { action: "diff", base: "main" },
    { action: "add", files: ["main.txt"] },
    { action: "commit", message: `Round ${round}` },
    { action: "push" },
    { action: "checkout", branch: "other" },
    { action: "create_branch", branch: `branch-${round}`, base: "main" },
  ];
  const isRefused = async (input: object): Promise<boolean> => {
    const result = await call("git", input);
    return !result.ok && result.error.includes("The repository's configuration sets");
  };
  // What is refused has nothing to wait for. Every action reads the configuration first: in the short form the actions take turns.
  const refused = await isRefused(inputs[round % inputs.length]!);
  if (!refused) for (const input of inputs) await isRefused(input);
  else if (isLong) await Promise.all(inputs.map(isRefused));
  return { ran: existsSync(join(workspace.outside, "ran")), refused };
}

/** "filter.<driver>.clean" → a section of a file for each subsection that git may look at. */
function configFor(key: string): string {
  const value = /^alias|update$/i.test(key) ? `!${canary}` : canary;
  const [section, ...rest] = key.split(".") as [string, ...string[]];
  const name = rest.pop() ?? "x";
  const line = (named: string): string => `\t${named} = "${value}"\n`;
  const subsections =
    rest.length === 0 ? [] : /^[<*]/.test(rest.join(".")) ? ["canary", "origin", "main", "git://127.0.0.1:1"] : [rest.join(".")];
  const lines = (/^[<*]/.test(name) ? ["status", "diff", "commit", "canary"] : [name]).map(line).join("");
  if (subsections.length === 0) return `[${section}]\n${lines}`;
  return subsections.map((subsection) => `[${section} "${subsection}"]\n${lines}`).join("");
}

/** All keys that git's own documentation lists, as this version has them. */
const documented = execFileSync("git", ["help", "--config"], { encoding: "utf8" })
  .split("\n")
  .filter((line) => /^[a-z][\w.<>*-]+$/i.test(line) && line.includes("."));

/** Those that name a program or a command, another configuration, or a place that programs are started from. */
const namesProgram =
  /(command|cmd|program|helper|editor|pager|driver|textconv|\.clean$|smudge|\.process$|hook|hookspath|fsmonitor|gitproxy|askpass|uploadpack|receivepack|uploadarchive|\.vcs|\.path|\.external|browser|difffilter|\.update$|^alias|tool|smtpserver|^include|core\.worktree|^protocol|^filter|^trailer|instaweb|^man\.|templatedir|attributesfile|alternaterefs|^url\.|proxy|procreceive|imap|tunnel|^guitool|^pager)/i;

/** What every version since 2.30 documents: should a name change, the pattern above has to follow. */
const wellKnown =
  `alias.* core.alternateRefsCommand core.askPass core.editor core.fsmonitor core.gitProxy core.hooksPath core.pager core.sshCommand
credential.helper diff.<driver>.command diff.<driver>.textconv diff.external difftool.<tool>.cmd filter.<driver>.clean
filter.<driver>.smudge gpg.program gpg.<format>.program imap.tunnel instaweb.httpd interactive.diffFilter man.<tool>.cmd
merge.<driver>.driver mergetool.<tool>.cmd pager.<cmd> remote.<name>.receivepack remote.<name>.uploadpack remote.<name>.vcs
sendemail.smtpServer sequence.editor submodule.<name>.update trailer.<token>.command uploadpack.packObjectsHook browser.<tool>.cmd
include.path protocol.allow`.split(/\s+/);

describe("git starts no program that the workspace names", () => {
  const programs = [
    ...new Set([
      ...wellKnown,
      "filter.<driver>.process",
      "trailer.<token>.cmd",
      "browser.<tool>.path",
      "includeIf.<condition>.path",
      ...documented.filter((key) => namesProgram.test(key)),
    ]),
  ];

  it("SD3: the list of keys is the one of git's documentation", () => {
    expect(documented.length).toBeGreaterThan(500);
    expect(
      wellKnown
        .filter((key) => !documented.some((one) => one.toLowerCase() === key.toLowerCase()))
        .filter((key) => !/^(include|pager|filter|trailer)/.test(key)),
    ).toEqual([]);
    expect(wellKnown.filter((key) => !namesProgram.test(key))).toEqual([]);
  });

  it("SD3: the canary works: git by itself runs it", () => {
    makeRepository();
    workspace.write(".git/config", plainConfig + configFor("filter.<driver>.clean"));
    workspace.write("main.txt", "changed\n");
    git("add", "main.txt");
    expect(existsSync(join(workspace.outside, "ran"))).toBe(true);
  });

  it("SD3: by no key of the configuration that names a program, in any action", { timeout: 600_000 }, async () => {
    makeRepository();
    // Which keys are refused, the tests of the configuration say of each: here in the short form those that everybody knows, and one of three others.
    const tried = new Set([...wellKnown, ...oneOf(3, programs)]);
    for (const [round, key] of [...tried].entries()) {
      workspace.write(".git/config", plainConfig + configFor(key));
      const { ran } = await everyAction(round);
      expect({ key, ran }).toEqual({ key, ran: false });
    }
  });

  it("SD3: by no other key that is accepted, whatever it is set to", { timeout: 300_000 }, async () => {
    makeRepository();
    const isAccepted = (key: string): boolean => {
      const [section, ...rest] = key.split(".") as [string, ...string[]];
      const name = rest.pop()!.toLowerCase();
      try {
        refuseUnknownSettings(`${[section.toLowerCase(), ...rest, name].join(".")}\n${canary}\0`);
        return true;
      } catch {
        return false;
      }
    };
    const accepted = documented.filter((key) => isAccepted(key) && !programs.includes(key));
    expect(accepted.length).toBeGreaterThan(30);
    // What names a program is accepted only where git is told something else on every run.
    const told = new Set(Object.keys(gitOverrides).map((key) => key.toLowerCase()));
    const harmless = /^(protocol|submodule\.recurse|push\.recurse|advice\.)/i;
    expect(programs.filter((key) => isAccepted(key) && !told.has(key.toLowerCase()) && !harmless.test(key))).toEqual([]);
    for (const [round, key] of oneOf(3, accepted).entries()) {
      workspace.write(".git/config", plainConfig + configFor(key));
      workspace.write("main.txt", `round ${round}\n`);
      const actions = [{ action: "diff" }, { action: "commit", message: key, files: ["main.txt"] }];
      for (const input of isLong ? actions : [actions[round % 2]!]) await call("git", input);
      expect({ key, ran: existsSync(join(workspace.outside, "ran")) }).toEqual({ key, ran: false });
    }
  });

  it("SD3: also where the key stands in a worktree's configuration, behind thousands of others, or in an included file", async () => {
    makeRepository();
    const evil = configFor("filter.<driver>.clean");
    workspace.write("evil.config", evil);
    const many = Array.from({ length: sized(5_000, 20_000) }, (_, n) => `[branch "b${n}"]\n\tremote = origin\n`).join("");
    for (const [round, write] of [
      () => workspace.write(".git/config", `${plainConfig}[extensions]\n\tworktreeConfig = true\n`),
      () => workspace.write(".git/config", many + evil + many + plainConfig),
      () => workspace.write(".git/config", `${plainConfig}[include]\n\tpath = ../evil.config\n`),
      () => workspace.write(".git/config", `${plainConfig}[includeIf "gitdir:**"]\n\tpath = ../evil.config\n`),
    ].entries()) {
      workspace.write(".git/config.worktree", round === 0 ? evil : "");
      write();
      expect({ round, ...((await everyAction(round)).ran && { ran: true }) }).toEqual({ round });
    }
  });

  it("SD3: a workspace whose own files look like a bare repository is none", async () => {
    const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${canary}\n${configFor("filter.<driver>.clean")}`;
    for (const [path, content] of Object.entries({ HEAD: "ref: refs/heads/main\n", "objects/keep": "x", "refs/keep": "x", config })) {
      expect(await call("write", { path, content })).toMatchObject({ ok: true });
    }
    expect(await everyAction(0)).toEqual({ ran: false, refused: false });
    expect(await call("git", { action: "status" })).toMatchObject({ ok: false, error: expect.stringContaining("no .git folder") });
  });

  it.each<[string, () => void]>([
    ["a .git file that points elsewhere", () => workspace.write(".git", "gitdir: ../moved\n")],
    ["a .git that is a link", () => symlinkSync("../moved", join(workspace.root, ".git"))],
    [
      "a linked worktree",
      () => {
        mkdirSync(join(workspace.root, ".git"));
        workspace.write(".git/HEAD", "ref: refs/heads/main\n");
        workspace.write(".git/commondir", "../../moved\n");
      },
    ],
    [
      "objects of another repository",
      () => {
        back();
        workspace.write(".git/objects/info/alternates", `${workspace.outside}\n`);
      },
    ],
    [
      "submodules",
      () => {
        back();
        mkdirSync(join(workspace.root, ".git/modules/evil"), { recursive: true });
      },
    ],
    [
      "a configuration that is a link",
      () => {
        back();
        rmSync(join(workspace.root, ".git/config"));
        symlinkSync("../../moved-config", join(workspace.root, ".git/config"));
      },
    ],
  ])("SD3: %s is refused", async (_, change) => {
    makeRepository();
    const evil = plainConfig + configFor("filter.<driver>.clean");
    workspace.write(".git/config", evil);
    writeFileSync(join(workspace.root, "../moved-config"), evil);
    renameSync(join(workspace.root, ".git"), join(workspace.root, "../moved"));
    change();
    expect(await everyAction(0)).toMatchObject({ ran: false });
    expect(await call("git", { action: "status" })).toMatchObject({ ok: false, error: expect.stringMatching(/points to|Git is not used/) });
  });

  it("SD3: hooks run only where that is said, and settings of the machine never", async () => {
    makeRepository();
    workspace.write(".git/hooks/pre-commit", `#!/bin/sh\ntouch "${workspace.outside}/ran"\n`);
    chmodSync(join(workspace.root, ".git/hooks/pre-commit"), 0o755);
    expect(await everyAction(0)).toEqual({ ran: false, refused: false });
    const hooked = invokerOf(createCodeTools({ root: workspace.root, processes, gitHooks: true }));
    workspace.write("main.txt", "again\n");
    expect(await hooked("git", { action: "commit", message: "With hooks", files: ["main.txt"] })).toMatchObject({ ok: true });
    expect(existsSync(join(workspace.outside, "ran"))).toBe(true);
    rmSync(join(workspace.outside, "ran"));

    workspace.write("home/.gitconfig", configFor("filter.<driver>.clean"));
    const environment = { set: { HOME: join(workspace.root, "home"), PATH: process.env["PATH"]! } };
    const athome = invokerOf(createCodeTools({ root: workspace.root, processes, environment }));
    workspace.write("main.txt", "at home\n");
    expect(await athome("git", { action: "add", files: ["main.txt"] })).toMatchObject({ ok: true });
    expect(existsSync(join(workspace.outside, "ran"))).toBe(false);
  });

  it("SD3: a push goes over a network, never to a path or through a helper", async () => {
    makeRepository();
    execFileSync("git", ["init", "-q", "--bare", join(workspace.outside, "remote.git")]);
    writeFileSync(join(workspace.outside, "remote.git/hooks/post-receive"), `#!/bin/sh\ntouch "${workspace.outside}/ran"\n`);
    chmodSync(join(workspace.outside, "remote.git/hooks/post-receive"), 0o755);
    for (const url of [
      `${workspace.outside}/remote.git`,
      `file://${workspace.outside}/remote.git`,
      `ext::${canary}`,
      "fd::1",
      "canary::x",
    ]) {
      workspace.write(".git/config", plainConfig.replace("git://127.0.0.1:1/nowhere.git", url));
      const pushed = await call("git", { action: "push", branch: "main" });
      expect({ url, pushed }).toMatchObject({ url, pushed: { ok: false, error: expect.stringContaining("not allowed") } });
    }
    expect(existsSync(join(workspace.outside, "ran"))).toBe(false);
  });

  it("says who to name where nobody is named as the one who commits", async () => {
    makeRepository();
    workspace.write(".git/config", plainConfig.replace(/\[user\][^[]*/, ""));
    const result = await call("git", { action: "commit", message: "x", files: ["main.txt"] });
    workspace.write("main.txt", "changed\n");
    const changed = await call("git", { action: "commit", message: "x", files: ["main.txt"] });
    expect([result, changed].some((one) => !one.ok && one.error.includes("Set user.name and user.email"))).toBe(true);
  });
});

function back(): void {
  renameSync(join(workspace.root, "../moved"), join(workspace.root, ".git"));
  workspace.write(".git/config", plainConfig);
}
