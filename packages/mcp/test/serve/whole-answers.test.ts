import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { nothing, post, type RawAnswer, send, type Served, serving } from "./serve.ts";

const tools = [
  defineTool({
    name: "echo",
    title: "Echo",
    description: "Echoes.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    metadata: { usageHint: "For words." },
    handler: ({ text }: { text?: string }) => String(text),
  }),
  defineTool({
    name: "sum",
    description: "Sums.",
    inputSchema: nothing,
    outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    handler: () => ({ n: 3 }),
  }),
  defineTool({ name: "broken", description: "Fails.", inputSchema: nothing, handler: () => Promise.reject(new Error("It broke.")) }),
];

const prompts = [
  {
    name: "greet",
    title: "Greet",
    description: "Greets somebody.",
    arguments: [
      { name: "who", description: "Whom.", required: true, complete: (typed: string) => [`${typed}da`, `${typed}nn`] },
      { name: "how", required: false },
    ],
    get: ({ who }: Readonly<Record<string, string>>) => [{ role: "user" as const, content: { type: "text", text: `Hello ${who}` } }],
  },
  { name: "bare", get: () => [] },
];

const resources = [
  { uri: "note://1", name: "one", title: "One", description: "The first.", mimeType: "text/plain", read: () => ({ text: "first" }) },
  { uri: "note://list", name: "list", read: () => [{ text: "a", mimeType: "text/a", meta: { at: 1 } }, { blob: "Yg==" }, {}] },
  {
    uriTemplate: "user://{id}",
    name: "user",
    complete: (gap: string, typed: string) => [`${gap}:${typed}`],
    read: ({ id }: Readonly<Record<string, string>>) => (id === "none" ? undefined : { text: `user ${id}` }),
  },
];

const options = { prompts, resources, toolPrompts: true, name: "desk", version: "2.0.0", instructions: "Be kind.", ttlMs: 7_000 };

/** "method params → status body", with what differs from run to run left out. */
async function answersOf(
  { url }: Served,
  requests: readonly (readonly [method: string, params?: Record<string, unknown>])[],
): Promise<string> {
  const lines: string[] = [];
  for (const [method, params = {}] of requests) lines.push(shown(method, params, await post(url, method, params)));
  return lines.join("\n");
}

function shown(method: string, params: object, { status, body }: RawAnswer): string {
  const { result, error } = (body ?? {}) as { readonly result?: unknown; readonly error?: unknown };
  return `${method} ${JSON.stringify(params)}\n  ${status} ${JSON.stringify(result ?? error)}`;
}

describe("a modern server", () => {
  it("describes itself and lists all that it has", async () => {
    const requests = ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    expect(
      await answersOf(
        await serving(tools, options),
        requests.map((method) => [method] as const),
      ),
    ).toMatchInlineSnapshot(`
      "server/discover {}
        200 {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"instructions":"Be kind.","ttlMs":7000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      tools/list {}
        200 {"tools":[{"name":"echo","title":"Echo","description":"Echoes.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"_meta":{"toolrack/state":"ready"}},{"name":"sum","description":"Sums.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"_meta":{"toolrack/state":"ready"}},{"name":"broken","description":"Fails.","inputSchema":{"type":"object","properties":{}},"_meta":{"toolrack/state":"ready"}}],"ttlMs":7000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      prompts/list {}
        200 {"prompts":[{"name":"greet","title":"Greet","description":"Greets somebody.","arguments":[{"name":"who","description":"Whom.","required":true},{"name":"how","required":false}]},{"name":"bare"},{"name":"use-echo","title":"Use Echo","description":"For words.","arguments":[{"name":"task","description":"What you want to get done with it."}]}],"ttlMs":7000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      resources/list {}
        200 {"resources":[{"uri":"note://1","name":"one","title":"One","description":"The first.","mimeType":"text/plain"},{"uri":"note://list","name":"list"},{"uri":"toolrack://catalog","name":"catalog","title":"Catalog of tools","description":"Every tool that you may use, with its category and how it is doing.","mimeType":"application/json"}],"ttlMs":7000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      resources/templates/list {}
        200 {"resourceTemplates":[{"uriTemplate":"user://{id}","name":"user"},{"uriTemplate":"toolrack://tools/{name}","name":"tool","title":"One tool","description":"What a tool does, what it takes, and examples.","mimeType":"text/markdown"},{"uriTemplate":"toolrack://results/{id}/{page}","name":"result","title":"A page of a long result","description":"The following pages of a result that is longer than one answer.","mimeType":"text/plain"}],"ttlMs":7000,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}"
    `);
  });

  it("answers calls, prompts, resources and completions", async () => {
    expect(
      await answersOf(await serving(tools, options), [
        ["tools/call", { name: "echo", arguments: { text: "hi" } }],
        ["tools/call", { name: "sum" }],
        ["tools/call", { name: "echo", arguments: { text: 7 } }],
        ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
        ["prompts/get", { name: "bare" }],
        ["prompts/get", { name: "use-echo" }],
        ["resources/read", { uri: "note://1" }],
        ["resources/read", { uri: "note://list" }],
        ["resources/read", { uri: "user://ada" }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "how", value: "" } }],
        ["completion/complete", { ref: { type: "ref/resource", uri: "user://{id}" }, argument: { name: "id", value: "a" } }],
      ]),
    ).toMatchInlineSnapshot(`
      "tools/call {"name":"echo","arguments":{"text":"hi"}}
        200 {"content":[{"type":"text","text":"hi"}],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      tools/call {"name":"sum"}
        200 {"content":[{"type":"text","text":"{\\"n\\":3}"}],"structuredContent":{"n":3},"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      tools/call {"name":"echo","arguments":{"text":7}}
        200 {"content":[{"type":"text","text":"The input of \\"echo\\" is not valid:\\n- text must be a text, but it is 7.\\nA valid input: {}"}],"isError":true,"_meta":{"toolrack/code":"INPUT_INVALID","toolrack/status":400,"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}},"resultType":"complete"}
      prompts/get {"name":"greet","arguments":{"who":"Ada"}}
        200 {"description":"Greets somebody.","messages":[{"role":"user","content":{"type":"text","text":"Hello Ada"}}],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      prompts/get {"name":"bare"}
        200 {"messages":[],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      prompts/get {"name":"use-echo"}
        200 {"description":"For words.","messages":[{"role":"user","content":{"type":"text","text":"Use the tool \\"echo\\".\\n\\nEchoes.\\n\\nWhen to use it: For words."}}],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      resources/read {"uri":"note://1"}
        200 {"contents":[{"uri":"note://1","mimeType":"text/plain","text":"first"}],"ttlMs":7000,"cacheScope":"private","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      resources/read {"uri":"note://list"}
        200 {"contents":[{"uri":"note://list","mimeType":"text/a","text":"a","_meta":{"at":1}},{"uri":"note://list","blob":"Yg=="},{"uri":"note://list","text":""}],"ttlMs":7000,"cacheScope":"private","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      resources/read {"uri":"user://ada"}
        200 {"contents":[{"uri":"user://ada","text":"user ada"}],"ttlMs":7000,"cacheScope":"private","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}
        200 {"completion":{"values":["Ada","Ann"],"total":2,"hasMore":false},"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"how","value":""}}
        200 {"completion":{"values":[],"total":0,"hasMore":false},"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}
      completion/complete {"ref":{"type":"ref/resource","uri":"user://{id}"},"argument":{"name":"id","value":"a"}}
        200 {"completion":{"values":["id:a"],"total":1,"hasMore":false},"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"2.0.0"}}}"
    `);
  });

  it("says of each wrong request what is wrong", async () => {
    const ref = { type: "ref/prompt", name: "greet" };
    expect(
      await answersOf(await serving(tools, options), [
        ["tools/call", {}],
        ["tools/call", { name: "echo", arguments: [] }],
        ["tools/call", { name: "nothing" }],
        ["tools/call", { name: "echo", inputResponses: 1 }],
        ["tools/call", { name: "echo", requestState: 1 }],
        ["tools/call", { name: "echo", requestState: "x" }],
        ["tools/list", { cursor: "x" }],
        ["tools/list", { cursor: 7 }],
        ["prompts/get", {}],
        ["prompts/get", { name: "greet" }],
        ["prompts/get", { name: "greet", arguments: 1 }],
        ["prompts/get", { name: "greet", arguments: { who: 1 } }],
        ["resources/read", {}],
        ["resources/read", { uri: "note://2" }],
        ["resources/read", { uri: "user://none" }],
        ["completion/complete", { ref }],
        ["completion/complete", { ref: 1, argument: { name: "who", value: "" } }],
        ["completion/complete", { ref, argument: { name: "who" } }],
        ["completion/complete", { ref, argument: { value: "" } }],
        ["completion/complete", { ref, argument: { name: "x", value: "" } }],
        ["completion/complete", { ref: { type: "ref/x" }, argument: { name: "x", value: "" } }],
        ["completion/complete", { ref: { type: "ref/resource", uri: "user://{id}" }, argument: { name: "x", value: "" } }],
        ["completion/complete", { ref: { type: "ref/resource", uri: "x://{id}" }, argument: { name: "id", value: "" } }],
        ["subscriptions/listen", { notifications: 1 }],
        ["subscriptions/listen", { notifications: { resourceSubscriptions: Array.from({ length: 1_001 }, (_, index) => `a://${index}`) } }],
        ["tasks/get", {}],
        ["tasks/get", { taskId: "none" }],
        ["tasks/update", { taskId: "none" }],
        ["tasks/cancel", { taskId: "none" }],
        ["ping", {}],
        ["nothing/there", {}],
      ]).then((text) => text.replaceAll(/"a:\/\/\d+",?/g, "")),
    ).toMatchInlineSnapshot(`
      "tools/call {}
        200 {"code":-32602,"message":"name must be the name of a tool."}
      tools/call {"name":"echo","arguments":[]}
        200 {"code":-32602,"message":"arguments must be an object."}
      tools/call {"name":"nothing"}
        200 {"code":-32602,"message":"Tool \\"nothing\\" was not found. List the tools to see what there is."}
      tools/call {"name":"echo","inputResponses":1}
        200 {"code":-32602,"message":"inputResponses must be an object."}
      tools/call {"name":"echo","requestState":1}
        200 {"code":-32602,"message":"requestState must be a text."}
      tools/call {"name":"echo","requestState":"x"}
        200 {"code":-32602,"message":"The requestState was changed, or comes from another server. Make the call again without it."}
      tools/list {"cursor":"x"}
        200 {"code":-32602,"message":"The cursor belongs to no list, or the list has changed since. Start again without a cursor."}
      tools/list {"cursor":7}
        200 {"code":-32602,"message":"The cursor belongs to no list, or the list has changed since. Start again without a cursor."}
      prompts/get {}
        200 {"code":-32602,"message":"There is no prompt of this name. List the prompts to see what there is."}
      prompts/get {"name":"greet"}
        200 {"code":-32602,"message":"The prompt \\"greet\\" needs the argument \\"who\\"."}
      prompts/get {"name":"greet","arguments":1}
        200 {"code":-32602,"message":"arguments must be an object."}
      prompts/get {"name":"greet","arguments":{"who":1}}
        200 {"code":-32602,"message":"The argument \\"who\\" of prompt \\"greet\\" must be a text."}
      resources/read {}
        200 {"code":-32602,"message":"uri must be a text."}
      resources/read {"uri":"note://2"}
        200 {"code":-32602,"message":"There is no such resource.","data":{"uri":"note://2"}}
      resources/read {"uri":"user://none"}
        200 {"code":-32602,"message":"There is no such resource.","data":{"uri":"user://none"}}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"}}
        200 {"code":-32602,"message":"ref and argument must be objects."}
      completion/complete {"ref":1,"argument":{"name":"who","value":""}}
        200 {"code":-32602,"message":"ref and argument must be objects."}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who"}}
        200 {"code":-32602,"message":"argument needs a name and a value."}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"value":""}}
        200 {"code":-32602,"message":"argument needs a name and a value."}
      completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"x","value":""}}
        200 {"code":-32602,"message":"There is no such prompt, or no such argument of it."}
      completion/complete {"ref":{"type":"ref/x"},"argument":{"name":"x","value":""}}
        200 {"code":-32602,"message":"ref.type must be \\"ref/prompt\\" or \\"ref/resource\\"."}
      completion/complete {"ref":{"type":"ref/resource","uri":"user://{id}"},"argument":{"name":"x","value":""}}
        200 {"code":-32602,"message":"There is no such resource template, or no such gap in it."}
      completion/complete {"ref":{"type":"ref/resource","uri":"x://{id}"},"argument":{"name":"id","value":""}}
        200 {"code":-32602,"message":"There is no such resource template, or no such gap in it."}
      subscriptions/listen {"notifications":1}
        400 {"code":-32602,"message":"notifications must be an object that says what to listen for."}
      subscriptions/listen {"notifications":{"resourceSubscriptions":[]}}
        400 {"code":-32602,"message":"At most 1000 resources can be listened to in one subscription."}
      tasks/get {}
        200 {"code":-32602,"message":"There is no such task. It may have expired."}
      tasks/get {"taskId":"none"}
        200 {"code":-32602,"message":"There is no such task. It may have expired."}
      tasks/update {"taskId":"none"}
        200 {"code":-32602,"message":"There is no such task. It may have expired."}
      tasks/cancel {"taskId":"none"}
        200 {"code":-32602,"message":"There is no such task. It may have expired."}
      ping {}
        404 {"code":-32601,"message":"This server has no method \\"ping\\"."}
      nothing/there {}
        404 {"code":-32601,"message":"This server has no method \\"nothing/there\\"."}"
    `);
  });

  it("answers for a tool that failed with a result that says so", async () => {
    const { body } = await post((await serving(tools, options)).url, "tools/call", { name: "broken" });
    expect(body.result).toMatchInlineSnapshot(`
      {
        "_meta": {
          "io.modelcontextprotocol/serverInfo": {
            "name": "desk",
            "version": "2.0.0",
          },
          "toolrack/code": "TOOL_FAILED",
          "toolrack/status": 500,
        },
        "content": [
          {
            "text": "It broke.",
            "type": "text",
          },
        ],
        "isError": true,
        "resultType": "complete",
      }
    `);
  });
});

describe("a legacy server", () => {
  const begin = async (url: string): Promise<Record<string, string>> => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { headers } = await send(url, { jsonrpc: "2.0", id: 0, method: "initialize", params });
    return { "mcp-session-id": headers.get("mcp-session-id")!, "mcp-protocol-version": "2025-06-18" };
  };

  it("answers the same in the form of its era", async () => {
    const { url } = await serving(tools, options);
    const headers = await begin(url);
    const requests: readonly (readonly [string, Record<string, unknown>?])[] = [
      ["ping"],
      ["tools/list"],
      ["tools/call", { name: "echo", arguments: { text: "hi" } }],
      ["tools/call", { name: "sum" }],
      ["tools/call", {}],
      ["tools/call", { name: "nothing" }],
      ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
      ["resources/read", { uri: "note://1" }],
      ["resources/subscribe", { uri: "note://1" }],
      ["resources/unsubscribe", { uri: "note://1" }],
      ["resources/subscribe", {}],
      ["logging/setLevel", { level: "debug" }],
      ["logging/setLevel", { level: "loud" }],
      ["server/discover"],
      ["tasks/get", { taskId: "x" }],
    ];
    const lines: string[] = [];
    for (const [index, [method, params = {}]] of requests.entries())
      lines.push(shown(method, params, await send(url, { jsonrpc: "2.0", id: index + 1, method, params }, headers)));
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "ping {}
        200 {}
      tools/list {}
        200 {"tools":[{"name":"echo","title":"Echo","description":"Echoes.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"_meta":{"toolrack/state":"ready"}},{"name":"sum","description":"Sums.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"_meta":{"toolrack/state":"ready"}},{"name":"broken","description":"Fails.","inputSchema":{"type":"object","properties":{}},"_meta":{"toolrack/state":"ready"}}]}
      tools/call {"name":"echo","arguments":{"text":"hi"}}
        200 {"content":[{"type":"text","text":"hi"}]}
      tools/call {"name":"sum"}
        200 {"content":[{"type":"text","text":"{\\"n\\":3}"}],"structuredContent":{"n":3}}
      tools/call {}
        200 {"code":-32602,"message":"name must be the name of a tool."}
      tools/call {"name":"nothing"}
        200 {"code":-32602,"message":"Tool \\"nothing\\" was not found. List the tools to see what there is."}
      prompts/get {"name":"greet","arguments":{"who":"Ada"}}
        200 {"description":"Greets somebody.","messages":[{"role":"user","content":{"type":"text","text":"Hello Ada"}}]}
      resources/read {"uri":"note://1"}
        200 {"contents":[{"uri":"note://1","mimeType":"text/plain","text":"first"}]}
      resources/subscribe {"uri":"note://1"}
        200 {}
      resources/unsubscribe {"uri":"note://1"}
        200 {}
      resources/subscribe {}
        400 {"code":-32602,"message":"uri must be a text."}
      logging/setLevel {"level":"debug"}
        200 {}
      logging/setLevel {"level":"loud"}
        400 {"code":-32602,"message":"level must be one of debug, info, notice, warning, error, critical, alert, emergency."}
      server/discover {}
        200 {"code":-32601,"message":"This server has no method \\"server/discover\\"."}
      tasks/get {"taskId":"x"}
        200 {"code":-32601,"message":"This server has no method \\"tasks/get\\"."}"
    `);
  });

  it("says of each wrong frame what is wrong", async () => {
    const { url } = await serving(tools, options);
    const frames: readonly unknown[] = [
      "{",
      "[]",
      "1",
      { jsonrpc: "1.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: {}, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: 7 },
      { jsonrpc: "2.0", id: 1, method: "ping", params: [] },
      { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ];
    const lines: string[] = [];
    for (const frame of frames) {
      const { status, body } = await send(url, frame);
      lines.push(`${JSON.stringify(frame)}\n  ${status} ${JSON.stringify(body)}`);
    }
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      ""{"
        400 {"jsonrpc":"2.0","error":{"code":-32700,"message":"The message is not valid JSON. Send one JSON value, encoded as UTF-8."}}
      "[]"
        400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"Batches were removed from the protocol: send one message at a time."}}
      "1"
        400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"A message is an object with jsonrpc: \\"2.0\\"."}}
      {"jsonrpc":"1.0","id":1,"method":"ping"}
        400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"A message is an object with jsonrpc: \\"2.0\\"."}}
      {"jsonrpc":"2.0","id":{},"method":"ping"}
        400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"The id of a request must be a text or a whole number."}}
      {"jsonrpc":"2.0","id":1,"method":7}
        400 {"jsonrpc":"2.0","error":{"code":-32600,"message":"A message is a request, a notification or a response."}}
      {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
        400 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object."}}
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
        400 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"protocolVersion must be a text."}}
      {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        200 {"jsonrpc":"2.0","result":{"tools":[{"name":"echo","title":"Echo","description":"Echoes.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"_meta":{"toolrack/state":"ready"}},{"name":"sum","description":"Sums.","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"_meta":{"toolrack/state":"ready"}},{"name":"broken","description":"Fails.","inputSchema":{"type":"object","properties":{}},"_meta":{"toolrack/state":"ready"}}]},"id":1}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
        202 undefined"
    `);
    for (const [method, status] of [
      ["PUT", 405],
      ["PATCH", 405],
      ["GET", 405],
    ] as const) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, status, "POST, GET, DELETE"]);
    }
  });
});

describe("what is long", () => {
  it("is listed page by page, each with the cursor of the next", async () => {
    const { url } = await serving(tools, { ...options, pageSize: 2 });
    const names: unknown[] = [];
    for (const [method, field] of [
      ["tools/list", "tools"],
      ["prompts/list", "prompts"],
      ["resources/list", "resources"],
      ["resources/templates/list", "resourceTemplates"],
    ] as const) {
      const pages: string[][] = [];
      for (let cursor: unknown; pages.length < 5;) {
        const { result } = (await post(url, method, cursor === undefined ? {} : { cursor })).body;
        pages.push(result[field].map(({ name }: { name: string }) => name));
        cursor = result.nextCursor;
        if (cursor === undefined) break;
      }
      names.push([method, pages]);
    }
    expect(names).toMatchInlineSnapshot(`
      [
        [
          "tools/list",
          [
            [
              "echo",
              "sum",
            ],
            [
              "broken",
            ],
          ],
        ],
        [
          "prompts/list",
          [
            [
              "greet",
              "bare",
            ],
            [
              "use-echo",
            ],
          ],
        ],
        [
          "resources/list",
          [
            [
              "one",
              "list",
            ],
            [
              "catalog",
            ],
          ],
        ],
        [
          "resources/templates/list",
          [
            [
              "user",
              "tool",
            ],
            [
              "result",
            ],
          ],
        ],
      ]
    `);
    const { result } = (await post(url, "tools/list")).body;
    const beyond = Buffer.from(Buffer.from(result.nextCursor, "base64url").toString().replace(/^\d+/, "4")).toString("base64url");
    expect((await post(url, "tools/list", { cursor: beyond })).body.error).toMatchObject({ code: -32602 });
    const other = Buffer.from(Buffer.from(result.nextCursor, "base64url").toString().replace(/^\d+/, "1")).toString("base64url");
    expect((await post(url, "tools/list", { cursor: other })).body.result.tools).toHaveLength(2);
  });

  it("is sent page by page where it is the text of a result", async () => {
    const { url } = await serving(tools, { ...options, resultPageLength: 1_024 });
    const call = (length: number) => post(url, "tools/call", { name: "echo", arguments: { text: "x".repeat(length) } });
    expect((await call(1_024)).body.result.content).toEqual([{ type: "text", text: "x".repeat(1_024) }]);
    const { content } = (await call(2_500)).body.result;
    const { uri } = content[2];
    expect(uri).toMatch(/^toolrack:\/\/results\/[\w.-]+\/2$/);
    expect(content).toEqual([
      { type: "text", text: "x".repeat(1_024) },
      { type: "text", text: `[This is page 1 of 3. Read the next page from the resource ${uri}]` },
      { type: "resource_link", uri, name: "page 2 of 3", mimeType: "text/plain" },
    ]);
    const read = async (page: string) => (await post(url, "resources/read", { uri: uri.replace(/2$/, page) })).body;
    const id = uri.split("/").at(-2);
    expect(
      JSON.parse(
        JSON.stringify([await read("2"), await read("3"), await read("4"), await read("0"), await read("x")]).replaceAll(id, "<id>"),
      ),
    ).toMatchInlineSnapshot(`
      [
        {
          "id": 1,
          "jsonrpc": "2.0",
          "result": {
            "_meta": {
              "io.modelcontextprotocol/serverInfo": {
                "name": "desk",
                "version": "2.0.0",
              },
            },
            "cacheScope": "private",
            "contents": [
              {
                "_meta": {
                  "toolrack/next": "toolrack://results/<id>/3",
                },
                "mimeType": "text/plain",
                "text": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "uri": "toolrack://results/<id>/2",
              },
            ],
            "resultType": "complete",
            "ttlMs": 7000,
          },
        },
        {
          "id": 1,
          "jsonrpc": "2.0",
          "result": {
            "_meta": {
              "io.modelcontextprotocol/serverInfo": {
                "name": "desk",
                "version": "2.0.0",
              },
            },
            "cacheScope": "private",
            "contents": [
              {
                "mimeType": "text/plain",
                "text": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "uri": "toolrack://results/<id>/3",
              },
            ],
            "resultType": "complete",
            "ttlMs": 7000,
          },
        },
        {
          "error": {
            "code": -32602,
            "data": {
              "uri": "toolrack://results/<id>/4",
            },
            "message": "There is no such resource.",
          },
          "id": 1,
          "jsonrpc": "2.0",
        },
        {
          "error": {
            "code": -32602,
            "data": {
              "uri": "toolrack://results/<id>/0",
            },
            "message": "There is no such resource.",
          },
          "id": 1,
          "jsonrpc": "2.0",
        },
        {
          "error": {
            "code": -32602,
            "data": {
              "uri": "toolrack://results/<id>/x",
            },
            "message": "There is no such resource.",
          },
          "id": 1,
          "jsonrpc": "2.0",
        },
      ]
    `);
  });
});

it("a request in a version that nobody speaks is answered with those that there are", async () => {
  const { url } = await serving(tools, options);
  const meta = { "io.modelcontextprotocol/protocolVersion": "2020-01-01", "io.modelcontextprotocol/clientCapabilities": {} };
  const { status, body } = await post(url, "tools/list", {}, { meta, headers: { "mcp-protocol-version": "2020-01-01" } });
  expect([status, body]).toMatchInlineSnapshot(`
      [
        400,
        {
          "error": {
            "code": -32022,
            "data": {
              "requested": "2020-01-01",
              "supported": [
                "2026-07-28",
              ],
            },
            "message": "This server does not speak protocol version "2020-01-01".",
          },
          "id": 1,
          "jsonrpc": "2.0",
        },
      ]
    `);
});
