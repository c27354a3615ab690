import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, root } from "../lib/files.mjs";
import { homesOf, readEntries } from "../reference/entries.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

/** Page → every type, function, field, tool and record of the systems that it is about. */
const names = {
  "coming-from-a-tool-array": `
    ToolDefinition name description inputSchema handler ToolResult ok content error JsonSchema type properties required
    additionalProperties exportForApi input_schema findTool executeTool minimal coding full`,
  "coming-from-a-category-registry": `
    Tool Name Description Execute ctx args Result error ToolMetadata Schema schema Category category Optionality optionality UsageHint
    usage_hint Examples examples RequiresCapabilities requires_capabilities ToolOptionality ToolRequired ToolOptional ToolConditional
    required optional conditional ToolExample Input Output ExtendedTool Metadata logits.JSONSchema Type Properties Enum Required
    SimpleExtendedTool FileTool NewFileTool ToolRegistry mu tools byCategory listeners ToolRegistryListener OnToolRegistered
    OnToolUnregistered NewToolRegistry Register Unregister Get List ListByCategory ListByOptionality GetToolDescriptions ToolDescription
    GetToolSchemas Subscribe Unsubscribe RegisterTool code vcs build research publish utility file code_edit search navigate git bash test
    rss_feed calendar web_search blog_notion static_links logit ToolBundle Optional CodeAgentBundle code_agent BlogAgentBundle blog_agent
    Server registry handleToolsList sendResponse inputSchema`,
  "coming-from-openclaw": `
    AgentTool TParams TResult name description parameters execute JSONSchema AgentToolResult AnyAgentTool ownerOnly readStringParam required
    readParamRaw toSnakeCaseKey sessionKey session_key ToolInputError ToolAuthorizationError createActionGate config.actions read write edit
    apply_patch exec process web_search web_fetch memory_search memory_get sessions_list sessions_history sessions_send sessions_spawn
    subagents session_status browser canvas message cron gateway nodes agents_list image tts minimal coding messaging full
    resolveCoreToolProfilePolicy group:openclaw includeInOpenClawGroup group:fs group:runtime group:web group:memory group:sessions group:ui
    group:messaging group:automation group:nodes group:agents group:media getPluginToolMeta pluginId ToolPolicyLike ToolPolicyPipelineStep
    buildDefaultToolPolicyPipelineSteps profilePolicy globalPolicy agentPolicy groupPolicy tools.profile tools.byProvider.profile tools.allow
    tools.deny tools.byProvider.allow agents.<id>.tools.allow agents.<id>.tools.byProvider.allow tools.alsoAllow applyToolPolicyPipeline
    patchToolSchemaForClaudeCompatibility anyOf oneOf allOf cleanToolSchemaForGemini normalizeToolParameters Type.Union stringEnum
    optionalStringEnum Type.Optional format wrapToolWorkspaceRootGuard wrapToolWithAbortSignal wrapToolWithBeforeToolCallHook
    wrapToolParamNormalization applyOwnerOnlyToolPolicy sanitizeToolResultImages createOpenClawCodingTools codingTools grep find ls
    createOpenClawTools listChannelAgentTools`,
  "coming-from-an-invoke-registry": `
    BaseTool ABC name description parameters_schema execute AsyncSession validate_parameters ToolResult success data error
    execution_time_ms ToolRegistry tools register get list_tools invoke tool_registry polar.agent_tools ProductLookupTool PaymentLinkTool
    MockTool product_lookup query limit payment_link discount_calculator inventory_check shipping_calculator review_lookup similar_products
    order_status`,
  "coming-from-tools-as-records": `
    schema_name id title tags context version tool.definition.v1 tool-def-random tool:definition workspace:tools category:general name
    description category inputSchema outputSchema examples input output usage random min max count numbers tool.config.v1 tool:config
    tool:config:openrouter context.tool context.config openrouter apiKey defaultModel temperature maxTokens secret:openrouter-api-key
    buildCatalogFromBreadcrumbs client searchBreadcrumbs tag getBreadcrumb hasConfig configId tool.catalog.v1 tool:catalog tools totalTools
    lastUpdated RCRTToolWrapper ToolRegistry tool.request.v1 tool.response.v1 tool.error.v1`,
  "coming-from-a-hand-written-loop": `fetch messages JSON.parse try maxIterations console.log AbortController`,
  "coming-from-the-ai-sdk-loop": `
    generateText ToolLoopAgent streamText fullStream textStream model system instructions prompt messages tools tool inputSchema execute
    toModelOutput stopWhen isStepCount stepCountIs hasToolCall prepareStep activeTools toolChoice needsApproval addToolApprovalResponse
    onStepFinish onFinish steps toolCalls toolResults usage totalUsage finishReason maxRetries abortSignal repairToolCall pruneMessages useChat
    UIMessage`,
  "coming-from-langgraph": `
    createReactAgent createAgent llm model prompt systemPrompt tools ToolNode invoke stream streamMode streamEvents checkpointer MemorySaver
    thread_id checkpoint_id getState getStateHistory updateState interrupt interruptBefore Command resume isInterrupted recursionLimit
    GraphRecursionError StateGraph addNode addEdge addConditionalEdges Annotation MessagesAnnotation Send createSupervisor store preModelHook
    trimMessages retryPolicy`,
};

const pageOf = (name) => read(`docs/guides/${name}.md`);

/** The rows of the tables whose second column is "here": [there, here, note]. */
function rowsOf(page) {
  const rows = [];
  let isTable = false;
  for (const line of page.split("\n")) {
    if (!line.startsWith("|")) isTable = false;
    else if (/^\| [\w ]+ \| here \| note \|$/.test(line)) isTable = true;
    else if (isTable && !line.startsWith("| ---"))
      rows.push(
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      );
  }
  return rows;
}

/** "`execute(session, parameters)`" → execute. */
const spansOf = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, span]) => span.replace(/\(.*\)$/, ""));

describe.each(Object.keys(names))("docs/guides/%s.md", (name) => {
  const rows = rowsOf(pageOf(name));

  it("gives every name of the other system a place, or says why it has none", () => {
    const there = new Set(rows.flatMap(([cell]) => spansOf(cell)));
    expect(
      names[name]
        .trim()
        .split(/\s+/)
        .filter((one) => !there.has(one)),
    ).toEqual([]);
    expect(rows.filter((row) => row.length !== 3 || row[1] === "" || (row[1] === "—" && row[2] === ""))).toEqual([]);
  });

  it("names only exports that exist, under the entry that exports them", () => {
    const said = rows.flatMap(([, here, note]) => [...`${here} ${note}`.matchAll(/`(\w+)` \(`(@toolrack\/[\w/-]+)`\)/g)]);
    expect(said.length).toBeGreaterThan(5);
    expect(said.filter(([, one, entry]) => !homes.get(one)?.includes(entry)).map(([text]) => text)).toEqual([]);
  });

  it("names only members, commands and fields that exist", () => {
    const spans = rows.flatMap(([, here, note]) => spansOf(`${here} ${note}`));
    expect(spans.filter((span) => !isKnown(span))).toEqual([]);
  });

  it("shows code that the tests run", () => {
    expect(pageOf(name)).toContain(`<!-- from: examples/${name}/index.ts#`);
    expect(existsSync(join(root, "examples", name, "index.ts"))).toBe(true);
  });
});

describe("the names of @toolrack/core/compat", () => {
  it("are each on one of these pages, unless they only help others of them", () => {
    const text = Object.keys(names).map(pageOf).join("\n");
    const [compat] = entries.filter(({ entry }) => entry === "@toolrack/core/compat");
    expect(compat.names.filter((one) => !helpers.has(one) && !new RegExp(`\\b${one}\\b`).test(text))).toEqual([]);
  });
});

/** Types of options, other readers of parameters, and names of our own earlier versions. */
const helpers = new Set(
  `ActionGate ChannelWithTools ClassTool LegacyTool NumberParamOptions ParamOptions Params StringParamOptions readBooleanParam readNumberParam
  readStringArrayParam readStringOrNumberParam normalizeToolName RegistryExport RegistryExportOptions RegistrySearchOptions blogAgentBundle
  codeAgentBundle`.split(/\s+/),
);

const entries = readEntries(read);
const homes = homesOf([
  ...entries,
  ...["store", "tools", "mcp", "agent"].map((name) => ({ entry: `@toolrack/${name}`, names: exportsOf(`packages/${name}/src/index.ts`) })),
  { entry: "@toolrack/agent/models", names: exportsOf("packages/agent/src/models/models.ts") },
]);

function exportsOf(path) {
  return [...read(path).matchAll(/^export (?:type )?\{([^}]*)\} from "[^"]+";/gm)].flatMap(([, list]) =>
    list.split(",").flatMap((part) => part.trim().split(/\s+/).slice(-1)),
  );
}

/** The members of an interface, read as text. */
function membersOf(path, name) {
  const text = read(path);
  const start = text.search(new RegExp(`^export interface ${name}\\b`, "m"));
  const body = text.slice(start, text.indexOf("\n}", start));
  return new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm)].map(([, member]) => member));
}

const members = {
  registry: membersOf("packages/core/src/registry/registry.ts", "Registry"),
  store: membersOf("packages/store/src/store/store.ts", "BreadcrumbStore"),
  metadata: membersOf("packages/core/src/tool/metadata.ts", "ToolMetadata"),
  context: membersOf("packages/core/src/tool/context.ts", "CallContext"),
};

function isKnown(span) {
  const [, owner, member] = /^(registry|store|metadata|context)\.(\w+)/.exec(span) ?? [];
  if (owner !== undefined) return members[owner].has(member);
  if (/^toolrack \w/.test(span)) return read("docs/reference/command.md").includes(`## \`${span}`);
  if (/^[A-Z]+(?:_[A-Z]+)+$/.test(span)) return read("docs/reference/errors.md").includes(`\`${span}\``);
  return true;
}

describe("names in _meta", () => {
  const page = read("docs/guides/serve-mcp.md").split("## Names in `_meta`")[1].split("\n## ")[0];
  const source = listFiles(join(root, "packages/mcp/src"))
    .map((file) => read(join("packages/mcp/src", file)))
    .join("\n");
  const own = new Set([...source.matchAll(/"(toolrack\/\w+)"/g)].map(([, name]) => name));
  const reserved = [
    ...read("packages/mcp/src/wire/protocol.ts")
      .split("metaKeys = {")[1]
      .split("}")[0]
      .matchAll(/"([^"]+)"/g),
  ].map(([, name]) => name);

  it("are all in the guide, with what they mean, and no others", () => {
    const listed = new Set([...page.matchAll(/`((?:toolrack|io\.modelcontextprotocol)\/\w+)`/g)].map(([, name]) => name));
    expect([...listed].toSorted()).toEqual([...own, ...reserved].toSorted());
  });
});
