import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/read.ts";
import { findUnpinnedPackage } from "../../../src/config/checks/unpinned-package.ts";

const split = (line: string): { command: string; args: string[] } => {
  const [command = "", ...args] = line.split(" ");
  return { command, args };
};

describe("a source that fetches a package", () => {
  it("S31: is found unpinned wherever its version could be another one tomorrow", () => {
    const unpinned: Record<string, string> = {
      "npx some-server": "some-server",
      "npx -y some-server@1.2": "some-server@1.2",
      "npx -y some-server --offline": "some-server",
      "uvx some-server --no": "some-server",
      "npm --yes exec some-server": "some-server",
      "uv run --with some-server tool.py": "some-server",
      "env A=1 npx some-server": "some-server",
      "npx -y some-server": "some-server",
      "npx -y some-server --port 1@2.3.4": "some-server",
      "npx -y @scope/some-server": "@scope/some-server",
      "npx -y @scope/some-server@latest": "@scope/some-server@latest",
      "npx -y some-server@1": "some-server@1",
      "npx -y some-server@^1.2.3": "some-server@^1.2.3",
      "npx -y some-server@1.2.x": "some-server@1.2.x",
      "npx -y some-server@>=1.2.3": "some-server@>=1.2.3",
      "npx --yes --package=some-server bin@1.2.3": "some-server",
      "npx -p one@1.2.3 -p two bin": "two",
      "npx -- some-server": "some-server",
      "/usr/local/bin/npx some-server": "some-server",
      "C:\\nodejs\\npx.cmd some-server": "some-server",
      "npm exec -y some-server": "some-server",
      "pnpm dlx some-server": "some-server",
      "bunx some-server": "some-server",
      "bun x some-server": "some-server",
      "npm x some-server": "some-server",
      "pnpx some-server": "some-server",
      "yarn dlx some-server": "some-server",
      "uvx some-server": "some-server",
      "uvx --from some-server>=1.2.3 bin": "some-server>=1.2.3",
      "uvx --with=extra some-server@1.2.3": "extra",
      "uvx --with extra==1.2.3 some-server": "some-server",
      "uv tool run some-server": "some-server",
      "pipx run some-server": "some-server",
      "npx github:owner/name": "github:owner/name",
      "npx github:owner/name#main": "github:owner/name#main",
      "uvx git+https://example.com/name": "git+https://example.com/name",
      "npx https://example.com/server.tgz": "https://example.com/server.tgz",
    };
    for (const [line, found] of Object.entries(unpinned)) expect([line, findUnpinnedPackage(split(line))]).toEqual([line, found]);
  });

  it("S31: is fine with an exact version, on this machine, or where nothing is fetched", () => {
    const commit = "0123456789abcdef0123456789abcdef01234567";
    for (const line of [
      "npx -y some-server@1.2.3",
      "npx -y @scope/some-server@1.2.3-rc.1 --latest",
      "npx -p some-server@1.2.3 bin",
      "npx ./server",
      "npx --no-install some-server",
      "uvx some-server@1.2.3",
      "uvx some-server==1.2.3",
      "uvx --from some-server==2026.1 bin",
      `npx github:owner/name#${commit}`,
      `uvx git+https://example.com/name@${commit}`,
      "node server.js",
      "npm run server",
      "npx-like some-server",
    ])
      expect([line, findUnpinnedPackage(split(line))]).toEqual([line, undefined]);
    expect(findUnpinnedPackage({})).toBeUndefined();
  });

  it("S31: is refused without an exact version, in the file and over the API, unless the configuration allows it", async () => {
    const issues = (more: string): readonly string[] => {
      const read = readConfig(`sources:\n  github: { command: npx, args: ["-y", some-server]${more} }\n`, "/here/toolrack.config.yaml");
      return read.ok ? [] : read.issues.map(({ message }) => message);
    };
    expect(issues("")).toEqual([expect.stringMatching(/^toolrack\.config\.yaml:2:3 .*"some-server" without an exact version/)]);
    expect(issues(", allowUnpinned: true")).toEqual([]);
    await using server = await openTestServer({ rack: { startSources: false } });
    const put = (body: object): Promise<Response> => server.request("PUT", "/api/v1/sources/github", { body });
    const refused = await put({ command: "npx", args: ["-y", "some-server"] });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("without an exact version")]);
    expect(server.rack.sources.list().map(({ id }) => id)).not.toContain("github");
    expect((await put({ command: "npx", args: ["-y", "some-server@1.2.3"] })).status).toBe(200);
    expect((await put({ command: "npx", args: ["-y", "some-server"], allowUnpinned: true })).status).toBe(200);
  });
});
