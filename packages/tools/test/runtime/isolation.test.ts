import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { oddSeconds, processesWith, untilProcesses } from "@toolrack/testkit/processes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createProcessOperations, type ProcessOperationsOptions } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import { unshare } from "../../src/operations/unshare.ts";
import { createRuntimeTools } from "../../src/runtime/runtime.ts";
import { bundleOperations } from "../bundle-operations.ts";
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
        expect(await run("env")).not.toContain("TOOLRACK_PROCESS");
        expect(seen.match(/^\/proc\/\d+$/gm)!.length).toBeLessThan(10);
      } finally {
        other.kill();
      }
    });

    it("SD14: find none of the server's own files in folders that they may read", async () => {
      const own = ["toolrack.config.yaml", ".toolrack/keys/master.key", "it's here"].map((path) => join(workspace.outside, path));
      mkdirSync(join(workspace.outside, ".toolrack/keys"), { recursive: true });
      for (const file of own) writeFileSync(file, secret);
      const hidden = [own[0]!, join(workspace.outside, ".toolrack"), own[2]!, join(workspace.outside, "not-there")];
      const options = { hidden, readable: [workspace.outside] };
      expect(await run(`cat ${workspace.outside}/secret.txt`, options)).toContain(outsideSecret);
      const seen = await run(
        `cd ${workspace.outside}; cat *; grep -r planted .; cat .toolrack/keys/*; cp -r . ${workspace.root}/copy; true`,
        options,
      );
      expect(seen).not.toContain(secret);
      expect(await run("grep -r planted .; true")).toBe("");
    });

    it("SD14: are not run where the server's own files lie in the workspace, also those that are still to be made", async () => {
      workspace.write("toolrack.config.yaml", secret);
      for (const name of ["toolrack.config.yaml", ".toolrack/toolrack.db-journal"]) {
        for (const unconfined of [false, true]) {
          const running = run("cat toolrack.config.yaml", { hidden: [join(workspace.root, name)], unconfined });
          await expect(running).rejects.toThrow(/Programs are not run here.*Set workspace to a folder of its own/);
        }
      }
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

    // unshare has no way to set a filter; security.md says so.
    it.runIf(isolation === "bubblewrap" && existsSync("/usr/bin/perl"))(
      "TD9: make no sockets to the machine below a virtual one, by whichever call, and the usual ones as before",
      async () => {
        const tries = {
          vsock: "socket(my $s, 40, 1, 0)",
          "vsock with more bits": "syscall(SOCKET, 40 | 1 << 32, 1, 0) >= 0",
          x32: "syscall(SOCKET | 0x40000000, 40, 1, 0) >= 0",
          io_uring: "syscall(425, 1, my $buffer = chr(0) x 120) >= 0",
          unix: "socket(my $s, 1, 1, 0)",
          internet: "socket(my $s, 2, 1, 0)",
        };
        const number = process.arch === "arm64" ? 198 : 41;
        const script = Object.entries(tries)
          .map(([name, attempt]) => `print "${name}: ", ((${attempt}) ? "made" : "refused"), "\\n";`)
          .join(" ");
        expect(await run(`perl -e 'use constant SOCKET => ${number}; ${script}'`)).toBe(
          "vsock: refused\nvsock with more bits: refused\nx32: refused\nio_uring: refused\nunix: made\ninternet: made\n",
        );
      },
    );

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

    it("SD14: get no descriptor that the server was started with, isolated or not", async () => {
      const operations = await bundleOperations(join(workspace.outside, "bundle"));
      const program = join(workspace.outside, "run.mjs");
      writeFileSync(
        program,
        `import { createProcessOperations } from ${JSON.stringify(operations)};
         for (const unconfined of [false, true]) {
           const options = { root: ${JSON.stringify(workspace.root)}, isolation: ${JSON.stringify(isolation)}, unconfined };
           const processes = createProcessOperations(options);
           const args = ["-c", "for fd in /proc/self/fd/*; do [ -f $fd ] && cat $fd; done; echo done"];
           const command = { program: "/bin/sh", args, env: { PATH: "/usr/bin:/bin" }, onOutput: (_, bytes) => process.stdout.write(bytes) };
           await (await processes.start(command)).ended;
           await processes.close();
         }`,
      );
      writeFileSync(join(workspace.outside, "left-open"), secret);
      const leftOpen = openSync(join(workspace.outside, "left-open"), "r");
      try {
        const more = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? leftOpen : ("ignore" as const)));
        const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit", ...more] });
        let seen = "";
        child.stdout!.on("data", (bytes: Buffer) => (seen += bytes.toString()));
        await once(child, "close");
        expect(seen).toBe("done\ndone\n");
      } finally {
        closeSync(leftOpen);
      }
    });

    it("end with the server when it is killed as they start", async () => {
      const operations = await bundleOperations(join(workspace.outside, "bundle"));
      const seconds = oddSeconds();
      const program = join(workspace.outside, "run.mjs");
      writeFileSync(
        program,
        `import { readFileSync } from "node:fs";
         import { createProcessOperations } from ${JSON.stringify(operations)};
         const childrenOf = (pid) => readFileSync("/proc/" + pid + "/task/" + pid + "/children", "utf8").split(" ").filter(Boolean);
         const processes = createProcessOperations({ root: ${JSON.stringify(workspace.root)}, isolation: ${JSON.stringify(isolation)} });
         void processes.start({ program: "sleep", args: ["${seconds}"], env: process.env, onOutput() {} });
         setInterval(() => {
           const leader = childrenOf(process.pid).find((pid) => readFileSync("/proc/" + pid + "/cmdline", "utf8").includes("${seconds}"));
           if (leader === undefined) return;
           // Its first process has left the group, may not have asked to end with the leader yet, and this one has heard nothing of it.
           let first;
           while ((first = childrenOf(leader)[0]) === undefined);
           while (readFileSync("/proc/" + first + "/stat", "utf8").split(") ")[1].split(" ")[3] !== first);
           process.kill(Number(first), "SIGSTOP");
           process.kill(process.pid, "SIGKILL");
         }, 1);`,
      );
      for (let round = 0; round < 5; round++) {
        const server = spawn(process.execPath, [program], { stdio: "inherit" });
        await once(server, "exit");
        expect(server.signalCode).toBe("SIGKILL");
        expect(await untilProcesses(seconds, 0)).toBe(0);
      }
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
