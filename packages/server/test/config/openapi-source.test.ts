import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { toShownSource } from "../../src/config/shown-source.ts";

function issuesOf(text: string): readonly string[] {
  const read = readConfig(text, "toolrack.config.yaml");
  return read.ok ? [] : read.issues.map(({ message }) => message);
}

const withOpenApi = (lines: string): string => `sources:\n  pets:\n    openapi:\n${lines.replaceAll(/^/gm, "      ")}\n`;

describe("sources.<id>.openapi", () => {
  it("takes a url or a file, and everything about the document", () => {
    const whole = withOpenApi(
      [
        "url: https://api.example.com/openapi.json",
        "baseUrl: https://api.example.com/v1",
        'include: ["tag:pets", "GET /pets/*"]',
        'exclude: ["DELETE"]',
        "rename: { listPets: all_pets }",
        'group: { zoo: ["tag:pets"] }',
        "secrets: { api_key: PETS_KEY }",
        "overlays: [./fix.yaml]",
        "contentType: [application/json]",
        'allowHosts: ["127.0.0.1:8080"]',
        "refreshMinutes: 60",
        "search: false",
        "timeoutMs: 5000",
        "maxBytes: 100000",
        "maxPages: 3",
        "resultFields: true",
      ].join("\n"),
    );
    expect(issuesOf(whole)).toEqual([]);
    expect(issuesOf(withOpenApi("file: ./pets.yaml"))).toEqual([]);
  });

  it.each([
    ["url: https://a.example/x.json\nfile: ./x.json", ":5:7 sources.pets.openapi has a url and a file"],
    ["baseUrl: https://a.example", ":3:5 sources.pets.openapi needs a url or a file"],
    ["url: https://user:word@a.example/x.json", ":4:7 sources.pets.openapi.url holds a credential"],
    ["file: ./notes.txt", ":4:7 sources.pets.openapi.file"],
    ["file: ./a.json\noverlays: [./b.txt]", ":5:7 sources.pets.openapi.overlays"],
    ["url: ftp://a.example/x.json", ":4:12 "],
    ["url: https://a.example/x.json\nrefreshMinutes: 0", ":5:23 "],
    ["url: https://a.example/x.json\nincludes: [a]", ":5:7 "],
    ["url: https://a.example/x.json\nsecrets: { key: 'a b c' }", ":5:7 sources.pets.openapi.secrets.key must be the name of a secret"],
  ])("names the line of a mistake: %s", (lines, message) => {
    expect(issuesOf(withOpenApi(lines)).join("\n")).toContain(`toolrack.config.yaml${message}`);
  });

  it("stands alone, beside trust", () => {
    expect(issuesOf("sources:\n  pets: { openapi: { url: 'https://a.example/x.json' }, trust: { change: follow } }\n")).toEqual([]);
    const text = "sources:\n  pets: { openapi: { url: 'https://a.example/x.json' }, command: x }\n";
    expect(issuesOf(text)[0]).toContain("sources.pets has openapi; command cannot be set beside it");
  });

  it("is shown with the names of secrets, and without credentials", () => {
    const key = `sk-${"a1B2".repeat(12)}`;
    const shown = toShownSource({
      openapi: { url: "https://a.example/x.json?token=abcdefghijklmnopqrstuvwxyz012345", secrets: { api_key: "PETS_KEY", other: key } },
    });
    expect(JSON.stringify(shown)).toContain("PETS_KEY");
    expect(JSON.stringify(shown)).not.toContain("abcdefghijklmnopqrstuvwxyz012345");
    expect(JSON.stringify(shown)).not.toContain(key);
  });

  it("raises no warning of a plain secret for the name of one", () => {
    const read = readConfig(withOpenApi("url: https://a.example/x.json\nsecrets: { api_key: PETS_KEY, token: PETS_TOKEN }"), "f.yaml");
    expect(read).toMatchObject({ ok: true, warnings: [] });
  });
});
