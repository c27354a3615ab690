import { describe, expect, it } from "vitest";
import type { ClientFormat } from "@toolrack/server/client-entries";
import { openFile } from "../../src/clients/edit.ts";

const entry = { command: "node", args: ["a b", "-x"], env: { KEY: "v" } };

/** What each text becomes with the entry "new", and without the entry "old"; or why it is left alone. */
async function edited(format: ClientFormat, key: string, texts: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const text of texts) {
    const shown = [`===== ${JSON.stringify(text)}`];
    try {
      const file = await openFile("mcp.file", text, format, key);
      shown.push(`empty: ${file.isEmpty}, old: ${JSON.stringify(file.entry("old"))}`);
      for (const change of [() => file.with("new", entry), () => file.with("old", { url: "u" }), () => file.without("old")])
        shown.push("-----", outcome(change));
    } catch (error) {
      shown.push(`! ${(error as Error).message}`);
    }
    parts.push(shown.join("\n"));
  }
  return parts.join("\n").replaceAll("\r", "␍").replaceAll("\uFEFF", "␢").replaceAll("\t", "␉");
}

function outcome(change: () => string): string {
  try {
    return change();
  } catch (error) {
    return `! ${(error as Error).message}`;
  }
}

describe("the settings file of a client, changed at one entry", () => {
  it("as JSON: each other line stays as it was written", async () => {
    expect(
      await edited("json", "mcpServers", [
        "",
        "{}",
        "\uFEFF{}\n",
        '{"mcpServers":{}}',
        '{"mcpServers":{"old":{"url":"x"}},"theme":"dark"}',
        '{"mcpServers":{"a":{},"old":{"url":"x"},"b":{}}}',
        '{\n    "theme": "dark", // night\n    "mcpServers": {\n        "old": { "url": "x" }, // ours\n        "b": {} /* last */\n    }\n}\n',
        '{\n  "mcpServers": {\n    "a": {},\n    "old": {\n      "url": "x"\n    }\n  }\n}\n',
        '{\r\n\t"mcpServers": {\r\n\t\t"old": { "url": "x" },\r\n\t}\r\n}\r\n',
        '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
        '{"mcpServers":{"old":1}}',
        '{"mcpServers":{"old":{},"old":{"url":"x"}}}',
        '{"mcpServers":[]}',
        '{"mcpServers":null}',
        "[]",
        '{\n  "a": 1,\n  b\n}',
      ]),
    ).toMatchInlineSnapshot(`
      "===== ""
      empty: true, old: undefined
      -----
      {
        "mcpServers": {
          "new": {
            "command": "node",
            "args": [
              "a b",
              "-x"
            ],
            "env": {
              "KEY": "v"
            }
          }
        }
      }

      -----
      {
        "mcpServers": {
          "old": {
            "url": "u"
          }
        }
      }

      -----
      {}

      ===== "{}"
      empty: true, old: undefined
      -----
      {
        "mcpServers": {
          "new": {
            "command": "node",
            "args": [
              "a b",
              "-x"
            ],
            "env": {
              "KEY": "v"
            }
          }
        }
      }
      -----
      {
        "mcpServers": {
          "old": {
            "url": "u"
          }
        }
      }
      -----
      {}
      ===== "␢{}\\n"
      empty: true, old: undefined
      -----
      ␢{
        "mcpServers": {
          "new": {
            "command": "node",
            "args": [
              "a b",
              "-x"
            ],
            "env": {
              "KEY": "v"
            }
          }
        }
      }

      -----
      ␢{
        "mcpServers": {
          "old": {
            "url": "u"
          }
        }
      }

      -----
      ␢{}

      ===== "{\\"mcpServers\\":{}}"
      empty: true, old: undefined
      -----
      {"mcpServers":{
        "new": {
          "command": "node",
          "args": [
            "a b",
            "-x"
          ],
          "env": {
            "KEY": "v"
          }
        }
      }}
      -----
      {"mcpServers":{
        "old": {
          "url": "u"
        }
      }}
      -----
      {"mcpServers":{}}
      ===== "{\\"mcpServers\\":{\\"old\\":{\\"url\\":\\"x\\"}},\\"theme\\":\\"dark\\"}"
      empty: false, old: {"url":"x"}
      -----
      {"mcpServers":{"old":{"url":"x"}, "new": {"command":"node","args":["a b","-x"],"env":{"KEY":"v"}}},"theme":"dark"}
      -----
      {"mcpServers":{
        "old": {
          "url": "u"
        }
      },"theme":"dark"}
      -----
      {"mcpServers":{},"theme":"dark"}
      ===== "{\\"mcpServers\\":{\\"a\\":{},\\"old\\":{\\"url\\":\\"x\\"},\\"b\\":{}}}"
      empty: false, old: {"url":"x"}
      -----
      {"mcpServers":{"a":{},"old":{"url":"x"},"b":{}, "new": {"command":"node","args":["a b","-x"],"env":{"KEY":"v"}}}}
      -----
      {"mcpServers":{"a":{},"b":{}, "old": {"url":"u"}}}
      -----
      {"mcpServers":{"a":{},"b":{}}}
      ===== "{\\n    \\"theme\\": \\"dark\\", // night\\n    \\"mcpServers\\": {\\n        \\"old\\": { \\"url\\": \\"x\\" }, // ours\\n        \\"b\\": {} /* last */\\n    }\\n}\\n"
      empty: false, old: {"url":"x"}
      -----
      {
          "theme": "dark", // night
          "mcpServers": {
              "old": { "url": "x" }, // ours
              "b": {}, /* last */
              "new": {
                  "command": "node",
                  "args": [
                      "a b",
                      "-x"
                  ],
                  "env": {
                      "KEY": "v"
                  }
              }
          }
      }

      -----
      {
          "theme": "dark", // night
          "mcpServers": { // ours
              "b": {}, /* last */
              "old": {
                  "url": "u"
              }
          }
      }

      -----
      {
          "theme": "dark", // night
          "mcpServers": { // ours
              "b": {} /* last */
          }
      }

      ===== "{\\n  \\"mcpServers\\": {\\n    \\"a\\": {},\\n    \\"old\\": {\\n      \\"url\\": \\"x\\"\\n    }\\n  }\\n}\\n"
      empty: false, old: {"url":"x"}
      -----
      {
        "mcpServers": {
          "a": {},
          "old": {
            "url": "x"
          },
          "new": {
            "command": "node",
            "args": [
              "a b",
              "-x"
            ],
            "env": {
              "KEY": "v"
            }
          }
        }
      }

      -----
      {
        "mcpServers": {
          "a": {},
          "old": {
            "url": "u"
          }
        }
      }

      -----
      {
        "mcpServers": {
          "a": {}
        }
      }

      ===== "{\\r\\n\\t\\"mcpServers\\": {\\r\\n\\t\\t\\"old\\": { \\"url\\": \\"x\\" },\\r\\n\\t}\\r\\n}\\r\\n"
      empty: false, old: {"url":"x"}
      -----
      {␍
      ␉"mcpServers": {␍
      ␉␉"old": { "url": "x" },␍
      ␉␉"new": {␍
      ␉␉␉"command": "node",␍
      ␉␉␉"args": [␍
      ␉␉␉␉"a b",␍
      ␉␉␉␉"-x"␍
      ␉␉␉],␍
      ␉␉␉"env": {␍
      ␉␉␉␉"KEY": "v"␍
      ␉␉␉}␍
      ␉␉},␍
      ␉}␍
      }␍

      -----
      {␍
      ␉"mcpServers": {␍
      ␉␉"old": {␍
      ␉␉␉"url": "u"␍
      ␉␉}␍
      ␉}␍
      }␍

      -----
      {␍
      ␉"mcpServers": {␍
      ␉}␍
      }␍

      ===== "{\\n  \\"mcpServers\\": {\\n    // none yet\\n  }\\n}\\n"
      empty: true, old: undefined
      -----
      {
        "mcpServers": {
          // none yet
          "new": {
            "command": "node",
            "args": [
              "a b",
              "-x"
            ],
            "env": {
              "KEY": "v"
            }
          }
        }
      }

      -----
      {
        "mcpServers": {
          // none yet
          "old": {
            "url": "u"
          }
        }
      }

      -----
      {
        "mcpServers": {
          // none yet
        }
      }

      ===== "{\\"mcpServers\\":{\\"old\\":1}}"
      empty: false, old: undefined
      -----
      {"mcpServers":{"old":1, "new": {"command":"node","args":["a b","-x"],"env":{"KEY":"v"}}}}
      -----
      {"mcpServers":{
        "old": {
          "url": "u"
        }
      }}
      -----
      {"mcpServers":{}}
      ===== "{\\"mcpServers\\":{\\"old\\":{},\\"old\\":{\\"url\\":\\"x\\"}}}"
      empty: false, old: {"url":"x"}
      -----
      {"mcpServers":{"old":{},"old":{"url":"x"}, "new": {"command":"node","args":["a b","-x"],"env":{"KEY":"v"}}}}
      -----
      ! mcp.file was not changed: it has "old" more than once. Mend it, or add the entry by hand.
      -----
      ! mcp.file was not changed: its form does not allow to change "mcpServers.old" alone. Mend it, or add the entry by hand.
      ===== "{\\"mcpServers\\":[]}"
      ! mcp.file was not changed: its "mcpServers" is not an object of servers. Mend it, or add the entry by hand.
      ===== "{\\"mcpServers\\":null}"
      empty: true, old: undefined
      -----
      {"mcpServers":{
        "new": {
          "command": "node",
          "args": [
            "a b",
            "-x"
          ],
          "env": {
            "KEY": "v"
          }
        }
      }}
      -----
      {"mcpServers":{
        "old": {
          "url": "u"
        }
      }}
      -----
      {"mcpServers":null}
      ===== "[]"
      ! mcp.file was not changed: it holds something else than settings by name. Mend it, or add the entry by hand.
      ===== "{\\n  \\"a\\": 1,\\n  b\\n}"
      ! mcp.file was not changed: it is not valid JSON: InvalidSymbol in line 3. Mend it, or add the entry by hand."
    `);
  });

  it("as TOML: its table comes last, and goes with the empty line before it", async () => {
    expect(
      await edited("toml", "mcp_servers", [
        "",
        'model = "o"',
        'model = "o"\n\n[mcp_servers.old]\nurl = "x"\n',
        '[mcp_servers.old]\nurl = "x"\n\n[mcp_servers.old.env]\nA = "b"\n# about b\n[mcp_servers.b]\nurl = "y"\n',
        '# first\n[mcp_servers."old"]\nurl = "x"\n# at the end\n',
        '[mcp_servers.a]\r\nurl = "x"\r\n',
        'text = """\n[mcp_servers.old]\n"""\nother = \'\'\'\n[mcp_servers.old] """\n\'\'\' # """\n',
        "a = 1 # [x]\n[ mcp_servers . 'old' ] # ours\nurl = \"x\"\n\n[[list]]\nb = 2\n",
        'mcp_servers = { old = { url = "x" } }\n',
        "mcp_servers = 1\n",
        "a = = 1\n",
      ]),
    ).toMatchInlineSnapshot(`
      "===== ""
      empty: true, old: undefined
      -----
      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      [mcp_servers.old]
      url = "u"

      -----

      ===== "model = \\"o\\""
      empty: false, old: undefined
      -----
      model = "o"

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      model = "o"

      [mcp_servers.old]
      url = "u"

      -----
      model = "o"

      ===== "model = \\"o\\"\\n\\n[mcp_servers.old]\\nurl = \\"x\\"\\n"
      empty: false, old: {"url":"x"}
      -----
      model = "o"

      [mcp_servers.old]
      url = "x"

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      model = "o"

      [mcp_servers.old]
      url = "u"

      -----
      model = "o"

      ===== "[mcp_servers.old]\\nurl = \\"x\\"\\n\\n[mcp_servers.old.env]\\nA = \\"b\\"\\n# about b\\n[mcp_servers.b]\\nurl = \\"y\\"\\n"
      empty: false, old: {"url":"x","env":{"A":"b"}}
      -----
      [mcp_servers.old]
      url = "x"

      [mcp_servers.old.env]
      A = "b"
      # about b
      [mcp_servers.b]
      url = "y"

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      # about b
      [mcp_servers.b]
      url = "y"

      [mcp_servers.old]
      url = "u"

      -----
      # about b
      [mcp_servers.b]
      url = "y"

      ===== "# first\\n[mcp_servers.\\"old\\"]\\nurl = \\"x\\"\\n# at the end\\n"
      empty: false, old: {"url":"x"}
      -----
      # first
      [mcp_servers."old"]
      url = "x"
      # at the end

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      # first

      # at the end

      [mcp_servers.old]
      url = "u"

      -----
      # first

      # at the end

      ===== "[mcp_servers.a]\\r\\nurl = \\"x\\"\\r\\n"
      empty: false, old: undefined
      -----
      [mcp_servers.a]␍
      url = "x"␍
      ␍
      [mcp_servers.new]␍
      command = "node"␍
      args = ["a b", "-x"]␍
      env = { KEY = "v" }␍

      -----
      [mcp_servers.a]␍
      url = "x"␍
      ␍
      [mcp_servers.old]␍
      url = "u"␍

      -----
      [mcp_servers.a]␍
      url = "x"␍

      ===== "text = \\"\\"\\"\\n[mcp_servers.old]\\n\\"\\"\\"\\nother = '''\\n[mcp_servers.old] \\"\\"\\"\\n''' # \\"\\"\\"\\n"
      empty: false, old: undefined
      -----
      text = """
      [mcp_servers.old]
      """
      other = '''
      [mcp_servers.old] """
      ''' # """

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      text = """
      [mcp_servers.old]
      """
      other = '''
      [mcp_servers.old] """
      ''' # """

      [mcp_servers.old]
      url = "u"

      -----
      text = """
      [mcp_servers.old]
      """
      other = '''
      [mcp_servers.old] """
      ''' # """

      ===== "a = 1 # [x]\\n[ mcp_servers . 'old' ] # ours\\nurl = \\"x\\"\\n\\n[[list]]\\nb = 2\\n"
      empty: false, old: {"url":"x"}
      -----
      a = 1 # [x]
      [ mcp_servers . 'old' ] # ours
      url = "x"

      [[list]]
      b = 2

      [mcp_servers.new]
      command = "node"
      args = ["a b", "-x"]
      env = { KEY = "v" }

      -----
      a = 1 # [x]

      [[list]]
      b = 2

      [mcp_servers.old]
      url = "u"

      -----
      a = 1 # [x]

      [[list]]
      b = 2

      ===== "mcp_servers = { old = { url = \\"x\\" } }\\n"
      empty: false, old: {"url":"x"}
      -----
      ! mcp.file was not changed: it is not valid TOML: Invalid TOML document: trying to redefine an already defined table or value. Mend it, or add the entry by hand.
      -----
      ! mcp.file was not changed: it is not valid TOML: Invalid TOML document: trying to redefine an already defined table or value. Mend it, or add the entry by hand.
      -----
      ! mcp.file was not changed: its form does not allow to change "mcp_servers.old" alone. Mend it, or add the entry by hand.
      ===== "mcp_servers = 1\\n"
      ! mcp.file was not changed: its "mcp_servers" is not an object of servers. Mend it, or add the entry by hand.
      ===== "a = = 1\\n"
      ! mcp.file was not changed: it is not valid TOML: Invalid TOML document: invalid value. Mend it, or add the entry by hand."
    `);
  });

  it("as YAML: comments and quotes of the others stay", async () => {
    expect(
      await edited("yaml", "servers", [
        "",
        "theme: dark",
        "# top\nservers:\n  # first\n  old:\n    url: x\n  b: { url: 'y' } # inline\nlast: 1\n",
        "servers:\n    old:\n        url: x",
        "theme: dark\nservers:\n  old:\n    url: x\nlast: 1\n",
        "servers: { old: { url: x }, b: {} }\n",
        "servers: {}\n",
        "servers:\n",
        "servers:\n  old: 1\n",
        "servers: [a]\n",
        "- a\n",
        "a: [\n",
      ]),
    ).toMatchInlineSnapshot(`
      "===== ""
      empty: true, old: undefined
      -----
      servers:
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v

      -----
      servers:
        old:
          url: u

      -----

      ===== "theme: dark"
      empty: false, old: undefined
      -----
      theme: dark
      servers:
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v

      -----
      theme: dark
      servers:
        old:
          url: u

      -----
      theme: dark
      ===== "# top\\nservers:\\n  # first\\n  old:\\n    url: x\\n  b: { url: 'y' } # inline\\nlast: 1\\n"
      empty: false, old: {"url":"x"}
      -----
      # top
      servers:
        # first
        old:
          url: x
        b: { url: 'y' } # inline
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v
      last: 1

      -----
      # top
      servers:
        # first
        b: { url: 'y' } # inline
        old:
          url: u
      last: 1

      -----
      # top
      servers:
        # first
        b: { url: 'y' } # inline
      last: 1

      ===== "servers:\\n    old:\\n        url: x"
      empty: false, old: {"url":"x"}
      -----
      servers:
          old:
              url: x
          new:
            command: node
            args:
              - a b
              - -x
            env:
              KEY: v

      -----
      servers:
        old:
          url: u

      -----

      ===== "theme: dark\\nservers:\\n  old:\\n    url: x\\nlast: 1\\n"
      empty: false, old: {"url":"x"}
      -----
      theme: dark
      servers:
        old:
          url: x
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v
      last: 1

      -----
      theme: dark
      last: 1
      servers:
        old:
          url: u

      -----
      theme: dark
      last: 1

      ===== "servers: { old: { url: x }, b: {} }\\n"
      empty: false, old: {"url":"x"}
      -----
      servers: { old: { url: x }, b: {}, new: { command: node, args: [ a b, -x ], env: { KEY: v } } }

      -----
      servers: { b: {}, old: { url: u } }

      -----
      servers: { b: {} }

      ===== "servers: {}\\n"
      empty: true, old: undefined
      -----
      servers: { new: { command: node, args: [ a b, -x ], env: { KEY: v } } }

      -----
      servers: { old: { url: u } }

      -----
      servers: {}

      ===== "servers:\\n"
      empty: true, old: undefined
      -----
      servers:
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v

      -----
      servers:
        old:
          url: u

      -----
      servers:

      ===== "servers:\\n  old: 1\\n"
      empty: false, old: undefined
      -----
      servers:
        old: 1
        new:
          command: node
          args:
            - a b
            - -x
          env:
            KEY: v

      -----
      servers:
        old:
          url: u

      -----

      ===== "servers: [a]\\n"
      ! mcp.file was not changed: its "servers" is not an object of servers. Mend it, or add the entry by hand.
      ===== "- a\\n"
      ! mcp.file was not changed: it holds something else than settings by name. Mend it, or add the entry by hand.
      ===== "a: [\\n"
      ! mcp.file was not changed: it is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 1:. Mend it, or add the entry by hand."
    `);
  });

  it("writes each kind of value in TOML, and quotes names that need it", async () => {
    const file = await openFile("config.toml", "", "toml", "mcp_servers");
    const odd = { "a b": "x\u007Fy\n", list: [1, true, ["z"]], none: {}, nested: { "c.d": 2.5 } };
    expect(file.with("my server", odd)).toMatchInlineSnapshot(`
      "[mcp_servers."my server"]
      "a b" = "x\\u007Fy\\n"
      list = [1, true, ["z"]]
      none = {}
      nested = { "c.d" = 2.5 }
      "
    `);
  });
});
