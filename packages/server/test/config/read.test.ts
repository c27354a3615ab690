import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { starterConfig } from "../../src/config/starter.ts";

function issuesOf(text: string): string[] {
  const read = readConfig(text, "/here/toolrack.config.yaml");
  return read.ok ? [] : read.issues.map(({ message }) => message);
}

describe("the configuration file", () => {
  it("that toolrack init writes is sound, and nothing in it warns", () => {
    expect(readConfig(starterConfig(), "/here/toolrack.config.yaml")).toMatchObject({ ok: true, warnings: [] });
    // Each example holds when its "# " is taken away; of two that exclude each other, one does.
    const uncommented = starterConfig()
      .replaceAll(/^# ( *[a-z]\w*:( .*)?)$/gim, "$1")
      .replace(/^ {2}sqlite:.*$/m, "")
      .replace(/^ {2}socket:.*$/m, "");
    expect(uncommented).toContain("\n  github:\n    command: npx\n");
    expect(issuesOf(uncommented)).toEqual([]);
  });

  it("takes a list of names with nothing below it as empty, and any of its lines uncommented", () => {
    const text = "sources:\nagents: null\nbundles:\npolicy:\n  agents:\n";
    expect(readConfig(text, "c.yaml")).toMatchObject({
      ok: true,
      config: { sources: {}, agents: {}, bundles: {}, policy: { agents: {} } },
    });
    expect(issuesOf("limits:\n")[0]).toContain("limits");
    for (const block of ["support: {", "research: {", "docs:\n#     url.*\n#     headers", "support:\n#       tools"]) {
      const found = new RegExp(`(^# +${block}.*\n)`, "m").exec(starterConfig())![1]!;
      expect(issuesOf(starterConfig().replace(found, found.replaceAll(/^# /gm, "")))).toEqual([]);
    }
  });

  it("tells the place of a wrong policy once, and its path from the top of the file", () => {
    expect(issuesOf('policy:\n  tools: { conditions: [{ tool: read, deny: "nope(" }] }\n')).toEqual([
      expect.stringMatching(/^toolrack\.config\.yaml:2:\d+ The condition "nope\(" at policy\.tools\.conditions\[0\][^(]* is refused: /),
    ]);
    const [wrong] = issuesOf("policy:\n  tools: { deny: 5 }\n");
    expect(wrong).toMatch(/^toolrack\.config\.yaml:2:\d+ policy\.tools\.deny must be /);
    expect(issuesOf("policy: { tool: {} }\n")[0]).not.toMatch(/policy\.The/);
  });

  it("may be empty, or say nothing but comments", () => {
    expect(readConfig("", "c.yaml")).toMatchObject({ ok: true, config: {} });
    expect(readConfig("# nothing\n", "c.yaml")).toMatchObject({ ok: true, config: {} });
  });

  it("lifts the time limit with false, and with nothing else that is no number", () => {
    expect(readConfig("limits: { timeoutMs: false }\n", "c.yaml")).toMatchObject({ ok: true, config: { limits: { timeoutMs: false } } });
    for (const wrong of ["true", "0", "none"]) expect(issuesOf(`limits: { timeoutMs: ${wrong} }\n`)[0]).toContain("limits.timeoutMs");
  });

  it("names every fault with its line and column, and the nearest right word", () => {
    const issues = issuesOf("sever:\n  port: 7333\nstore:\n  sqlit: a.db\nlimits:\n  timeoutMs: soon\n");
    expect(issues).toHaveLength(3);
    expect(issues[0]).toMatch(/^toolrack\.config\.yaml:1:1 .*sever.*server/);
    expect(issues[1]).toMatch(/^toolrack\.config\.yaml:4:3 .*store/);
    expect(issues[2]).toMatch(/^toolrack\.config\.yaml:6:14 .*timeoutMs/);
  });

  it("names the place of a fault in the policy, with the nearest group, profile or key", () => {
    expect(issuesOf('policy:\n  tools:\n    deny: ["group:runtim"]\n')[0]).toMatch(
      /^toolrack\.config\.yaml:3:12 policy\.tools\.deny.*group:runtime/,
    );
    expect(issuesOf("policy:\n  agents:\n    a:\n      tools: { profile: codin }\n")[0]).toMatch(/^toolrack\.config\.yaml:4:.*coding/);
    expect(issuesOf("policy:\n  tool: {}\n")[0]).toMatch(/^toolrack\.config\.yaml:2:.*Did you mean "tools"/);
  });

  it("says where YAML itself is wrong, and refuses keys that come twice and references that unfold", () => {
    expect(issuesOf("server: [1\n")[0]).toMatch(/^toolrack\.config\.yaml:\d+:\d+ /);
    expect(issuesOf("store: { memory: true }\nstore: { memory: false }\n")[0]).toMatch(/:2:1 .*unique/i);
    expect(issuesOf("a: &a [x, x]\nb: &b [*a, *a]\nagents: *b\n")).not.toEqual([]);
    expect(issuesOf("__proto__: { x: 1 }\n")[0]).toMatch(/:1:1 .*__proto__/);
  });

  it("wants each source to be one thing", () => {
    expect(issuesOf("sources:\n  a: {}\n")[0]).toMatch(/:2:3 sources\.a needs a command, a url, openapi or workers/);
    expect(issuesOf("sources:\n  a: { command: x, url: 'https://x' }\n")[0]).toContain("keep one of them");
    expect(issuesOf("sources:\n  a b: { command: x }\n")[0]).toContain("letters and digits");
    expect(issuesOf("sources:\n  a: { url: 'http://[bad' }\n")[0]).toContain("a url that is none");
    expect(issuesOf("signIn: { jwt: { issuer: i, audience: a } }\n")[0]).toContain("either jwksUrl or jwksFile");
  });

  it("SD21: is refused where an agent's name could pass for another one", () => {
    for (const name of ["ａdmin", "ad\u200dmin", "аdmin"]) {
      for (const text of [`agents:\n  "${name}": {}`, `policy:\n  agents:\n    "${name}": { tools: { allow: [a] } }`]) {
        const read = readConfig(text, "c.yaml");
        expect([name, read.ok ? [] : read.issues.map(({ message }) => message)]).toEqual([
          name,
          [expect.stringMatching(/^c\.yaml:\d+:\d+ .*names an agent "[ -~]+" that could pass for another one: /)],
        ]);
      }
    }
  });

  it("is warned about where it holds a secret value, and not where it refers to one", () => {
    const warningsOf = (text: string): readonly string[] => {
      const read = readConfig(text, "c.yaml");
      return read.ok ? read.warnings : ["not sound"];
    };
    expect(warningsOf('sources:\n  a: { command: x, env: { API_TOKEN: "abc" } }\n')[0]).toMatch(
      /^c\.yaml:2:\d+ sources\.a\.env\.API_TOKEN holds a secret/,
    );
    expect(warningsOf("store: { postgres: 'postgres://me:pw@host/db' }\n")).toHaveLength(1);
    expect(warningsOf("sources:\n  a: { url: 'https://x', headers: { X: ghp_0123456789 } }\n")).toHaveLength(1);
    expect(warningsOf('sources:\n  a: { command: x, env: { API_TOKEN: "secret:TOKEN" } }\nstore: { postgres: "env:DB" }\n')).toEqual([]);
    expect(warningsOf("policy: { tools: { deny: [get_token] } }\n")).toEqual([]);
    const channel = (secret: string): readonly string[] =>
      warningsOf(`tools: { packs: { messages: { channels: { team: { type: slack, secret: "${secret}", recipients: [C1] } } } } }\n`);
    expect(channel("slack-token")).toEqual([]);
    for (const value of ["xoxb-1234-abcd", "7712345678:AAHk3mQ0vT4bKz7LpWn2Yd8HaXrC9mQ0v"])
      expect(channel(value)).toEqual([expect.stringMatching(/team\.secret holds a secret value\..* write the name of the secret here\.$/)]);
  });

  it("is where its relative paths start", () => {
    const read = readConfig("signIn: { jwt: { issuer: i, audience: a, jwksFile: keys/jwks.json } }\n", "/here/toolrack.config.yaml");
    expect(read).toMatchObject({ config: { signIn: { jwt: { jwksFile: "/here/keys/jwks.json" } } } });
  });

  it("tells the line of every part", () => {
    const read = readConfig("policy:\n  agents:\n    a:\n      tools:\n        deny:\n          - x\n          - y\n", "/p/c.yaml");
    if (!read.ok) throw new Error("not sound");
    expect(read.originOf(["policy", "agents", "a"])).toBe("c.yaml:3");
    expect(read.originOf(["policy", "agents", "a", "tools", "deny", 1])).toBe("c.yaml:7");
    expect(read.originOf(["policy", "agents", "a", "tools", "allow"])).toBe("c.yaml:5");
  });
});
