import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createProcessOperations, type ProcessOperationsOptions } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import { unshare } from "../../src/operations/unshare.ts";
import { createRuntimeTools } from "../../src/runtime/runtime.ts";
import { bundleOperations } from "../bundle-operations.ts";
import { oddSeconds, processesWith } from "../processes-of.ts";
import { createTemporaryWorkspace, invokerOf, outsideSecret, type TemporaryWorkspace } from "../temporary-workspace.ts";

const secret = "planted-secret-of-the-server";

describe.each(["bubblewrap", "unshare"] as const)("programs isolated by %s", (isolation) => {
  let workspace: TemporaryWorkspace;
  const opened: ProcessOperations[] = [];
  beforeEach(() => {
    workspace = createTemporaryWorkspace({ "hello.txt": "hello\n" });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    workspace.remove();
  });
  const isThere = hasPart(isolation, findIsolation(isolation).kind !== "none");

  async function run(command: string, options: Partial<ProcessOperationsOptions> = {}): Promise<string> {
    const { root } = workspace;
    const processes = createProcessOperations({ root, isolation, graceMs: 300, ...options });
    opened.push(processes);
    const result = await invokerOf(createRuntimeTools({ root, processes, shell: true }))("exec", { command });
    if (!result.ok) throw new Error(result.error);
    const { stdout, stderr } = result.data as { stdout: string; stderr: string };
    return stdout + stderr;
  }

  describe.skipIf(!isThere)("where it works", () => {
    it("SD14: see no environment of another process, and not the server's processes", async () => {
      const other: ChildProcess = spawn("sleep", ["60"], { env: { PATH: process.env["PATH"], PLANTED: secret } });
      try {
        const seen = await run(
          `cat /proc/*/environ /proc/${other.pid}/environ /proc/${process.pid}/environ /proc/$PPID/environ; cat /proc/*/cmdline; ls -d /proc/[0-9]*`,
        );
        expect(seen).not.toContain(secret);
        expect(seen).not.toContain("vitest");
        expect(seen.match(/^\/proc\/\d+$/gm)!.length).toBeLessThan(10);
      } finally {
        other.kill();
      }
    });

    it("SD14: find none of the server's own files, wherever they lie, and cannot move or replace them", async () => {
      symlinkSync("../work-outside", join(workspace.root, "link"));
      const own = ["toolrack.config.yaml", ".toolrack/toolrack.db", ".toolrack/keys/master.key", "deep/er/folder/key", "it's here"];
      const files = own.map((path) => {
        workspace.write(path, secret);
        return join(workspace.root, path);
      });
      workspace.write("private/a/b.txt", secret);
      const hidden = [...files, join(workspace.root, "private"), join(workspace.outside, "secret.txt"), join(workspace.root, "not-there")];
      for (const file of [
        ...files,
        join(workspace.root, "private/a/b.txt"),
        join(workspace.root, "link/secret.txt"),
        `${workspace.outside}/secret.txt`,
      ]) {
        const path = `'${file.replaceAll("'", "'\\''")}'`;
        const seen = await run(
          `cat ${path}; cp ${path} copy; ln ${path} hard; mv ${path} moved; rm -rf ${path}; echo changed > ${path}; cat copy hard moved; true`,
          { hidden },
        );
        expect({ file, seen }).toEqual({ file, seen: expect.not.stringMatching(`${secret}|${outsideSecret}`) });
      }
      const moved = await run(
        "mv .toolrack away; mv deep/er away; mv private away; rm -rf .toolrack deep private; cat away/* away/*/*; true",
        {
          hidden,
        },
      );
      expect(moved).not.toContain(secret);
      for (const file of files) expect({ file, text: readFileSync(file, "utf8") }).toEqual({ file, text: secret });
      expect(readFileSync(join(workspace.root, "private/a/b.txt"), "utf8")).toBe(secret);
      expect(await run("cat deep/er/folder/key .toolrack/*/*; grep -r planted .; true", { hidden })).not.toContain(secret);
    });

    it("SD14: write nothing outside of the workspace, and find no home directory, sockets or other people's files", async () => {
      const before = workspace.snapshotOutside();
      const seen = await run(
        `touch mine; for place in ${workspace.outside} /usr /etc /opt /home /root /var/lib /run /sys / ; do touch $place/planted && echo wrote $place; done; ls -A ~; ls /home /root /run/user /var/run/docker.sock ${workspace.outside}; echo agent=$SSH_AUTH_SOCK; cat /etc/shadow; true`,
      );
      expect(existsSync(join(workspace.root, "mine"))).toBe(true);
      expect(workspace.snapshotOutside()).toEqual(before);
      expect(seen).not.toMatch(/^wrote/m);
      for (const place of ["/usr", "/etc", "/opt", "/home", "/root", "/run", "/"]) expect(existsSync(join(place, "planted"))).toBe(false);
      expect(seen).toContain("agent=\n");
      expect(seen).not.toMatch(/secret\.txt|root:/);
    });

    it("SD14: share no temporary files with the server or with each other", async () => {
      expect(await run("echo one > /tmp/note; cat /tmp/note")).toBe("one\n");
      expect(await run("ls /tmp /var/tmp | grep -c note; true")).toBe("0\n");
    });

    it("SD14: gain no privileges: no capability is left, and setuid does nothing", async () => {
      const status = await run("cp /usr/bin/env mine; chmod u+s mine; grep -E 'NoNewPrivs|CapEff|CapPrm|CapBnd' /proc/self/status");
      expect(status.replaceAll("\t", " ").trim().split("\n").sort()).toEqual([
        "CapBnd: 0000000000000000",
        "CapEff: 0000000000000000",
        "CapPrm: 0000000000000000",
        "NoNewPrivs: 1",
      ]);
      expect(await run("umount /proc 2>/dev/null && echo unmounted; mount -t tmpfs x /tmp 2>/dev/null && echo mounted; true")).toBe("");
    });

    it("SD14: may write to no setting of the kernel, and see nothing of its memory and keys", async () => {
      // Only asks whether it may be written: nothing is opened.
      expect(
        await run(
          "find /proc -type f -not -path '/proc/[0-9]*' -writable 2>/dev/null | while read -r file; do [ -f $file ] && echo $file; done; true",
        ),
      ).toBe("");
      const mounts = await run("cat /proc/self/mountinfo");
      const optionsAt = (place: string): string | undefined => new RegExp(`^\\S+ \\S+ \\S+ \\S+ ${place} (\\S+)`, "m").exec(mounts)?.[1];
      for (const name of ["sys", "irq", "bus", "fs", "sysrq-trigger"].filter((one) => existsSync(`/proc/${one}`)))
        expect({ name, options: optionsAt(`/proc/${name}`) }).toEqual({ name, options: expect.stringMatching(/^ro\b/) });
      expect(await run("cat /proc/keys /proc/timer_list /proc/kcore 2>/dev/null | head -c 100; ls /proc/scsi 2>/dev/null; true")).toBe("");
      expect(await run("cat /proc/sys/kernel/ostype")).toBe("Linux\n");
    });

    it("SD14: leave no daemon behind, also one that left its session and cleared its environment", async () => {
      const seconds = oddSeconds();
      const daemon = `(env -i setsid sh -c "env -i sleep ${seconds} & env -i sleep ${seconds}" </dev/null >/dev/null 2>&1 &)`;
      expect(await run(`${daemon}; sleep 0.2; echo done`)).toBe("done\n");
      expect(processesWith(seconds)).toEqual([]);
    });

    it("SD14: reach no network, unless it is allowed", async () => {
      const server = createServer((_, response) => response.end("reached"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const get = `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("failed"))'`;
        expect(await run(get)).toBe("failed\n");
        expect(await run(get, { network: true })).toBe("reached\n");
      } finally {
        server.close();
      }
    });

    it("see more folders where they are told to, and may not change them", async () => {
      const readable = [workspace.outside];
      expect(await run(`cat ${workspace.outside}/secret.txt; touch ${workspace.outside}/x; true`, { readable })).toMatch(
        new RegExp(`^${outsideSecret}\n.*Read-only`),
      );
    });

    it("tell of a program that lies where programs do not see it", async () => {
      mkdirSync(join(workspace.outside, "bin"));
      await expect(run(`exec ${process.execPath} -e 1`)).resolves.toBe("");
      const processes = createProcessOperations({ root: workspace.root, isolation });
      const start = (program: string): Promise<unknown> => processes.start({ program, args: [], env: {}, onOutput() {} });
      await expect(start(join(workspace.outside, "secret.txt"))).rejects.toThrow(/ENOENT/);
      writeFileSync(join(workspace.outside, "bin/tool"), "#!/bin/sh\n");
      chmodSync(join(workspace.outside, "bin/tool"), 0o755);
      await expect(start(join(workspace.outside, "bin/tool"))).rejects.toThrow(/folder that isolated programs do not see/);
    });

    it("SD14: are refused where nothing isolates them, unless that is said to be all right", async () => {
      // Inside of a sandbox no other one can be made: such a machine is where this program runs.
      const operations = await bundleOperations(join(workspace.root, "bundle"));
      workspace.write(
        "try.mjs",
        `import { createProcessOperations } from ${JSON.stringify(operations)};
         for (const unconfined of [false, true]) {
           const processes = createProcessOperations({ root: ${JSON.stringify(workspace.root)}, unconfined });
           const command = { program: "echo", args: ["it ran"], env: process.env, onOutput: (_, bytes) => process.stdout.write(bytes) };
           await processes.start(command).then((one) => one.ended, (error) => console.log(error.code, error.message));
           await processes.close();
         }`,
      );
      const seen = await run("node try.mjs");
      expect(seen).toMatch(/^TOOL_UNAVAILABLE Programs are not run here.*Install bubblewrap.*unconfined: true.*\nit ran\n$/);
    });

    it("a workspace that holds the whole machine is refused", async () => {
      const processes = createProcessOperations({ root: "/", isolation });
      await expect(processes.start({ program: "true", args: [], env: {}, onOutput() {} })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
      });
    });
  });
});

it("background programs end when their time is over", async () => {
  const workspace = createTemporaryWorkspace();
  const processes = createProcessOperations({ root: workspace.root, unconfined: true });
  const call = invokerOf(createRuntimeTools({ root: workspace.root, processes, maxBackgroundMs: 50 }));
  const started = await call("exec", { argv: ["cat"], background: true });
  const { handle } = (started.ok && started.data) as { handle: string };
  const polled = await call("process", { action: "poll", handle, wait_ms: 20_000 });
  expect(polled).toMatchObject({ ok: true, data: { state: "ended" } });
  await processes.close();
  workspace.remove();
});

describe("the script that unshare runs", () => {
  it("SD14: takes no variable whose name is more than a name, and values as they are", () => {
    const env = { GOOD: "it's $(touch one)", "BAD; touch two #": "x", "BAD\ntouch three": "x" };
    const { setup } = unshare.wrap({ program: "/bin/true", args: [], cwd: "/", env, mounts: [], network: false, setupFd: 3 });
    expect(setup).toContain(`export GOOD='it'\\''s $(touch one)'\n`);
    expect(setup).not.toMatch(/touch (two|three)/);
  });
});
