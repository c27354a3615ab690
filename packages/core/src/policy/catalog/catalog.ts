/** One well-known tool, as data: policies can name it before it is implemented. */
export interface CatalogTool {
  readonly name: string;
  readonly section: string;
  /** The profiles that contain it. Empty: it is offered only without a profile, with "full", or through `alsoAllow`. */
  readonly profiles: readonly string[];
  readonly description: string;
  readonly groups: readonly string[];
}

const sections: readonly Section[] = [
  {
    id: "fs",
    label: "Files",
    host: false,
    tools: [
      ["read", "coding", "Read file contents"],
      ["write", "coding", "Create or overwrite files"],
      ["edit", "coding", "Make precise edits"],
      ["apply_patch", "coding", "Patch files (OpenAI format)"],
    ],
  },
  {
    id: "runtime",
    label: "Runtime",
    host: false,
    tools: [
      ["exec", "coding", "Run shell commands"],
      ["process", "coding", "Manage background processes"],
    ],
  },
  {
    id: "web",
    label: "Web",
    host: true,
    tools: [
      ["web_search", "", "Search the web"],
      ["web_fetch", "", "Fetch web content"],
    ],
  },
  {
    id: "memory",
    label: "Memory",
    host: true,
    tools: [
      ["memory_search", "coding", "Semantic memory search"],
      ["memory_get", "coding", "Read memory files"],
    ],
  },
  {
    id: "sessions",
    label: "Sessions",
    host: true,
    tools: [
      ["sessions_list", "coding messaging", "List sessions"],
      ["sessions_history", "coding messaging", "Fetch session history"],
      ["sessions_send", "coding messaging", "Send to another session"],
      ["sessions_spawn", "coding", "Spawn a sub-agent"],
      ["subagents", "coding", "Manage sub-agent runs"],
      ["session_status", "minimal coding messaging", "Show session status card"],
    ],
  },
  {
    id: "ui",
    label: "UI",
    host: true,
    tools: [
      ["browser", "", "Control web browser"],
      ["canvas", "", "Control canvases"],
    ],
  },
  { id: "messaging", label: "Messaging", host: true, tools: [["message", "messaging", "Send messages and channel actions"]] },
  {
    id: "automation",
    label: "Automation",
    host: true,
    tools: [
      ["cron", "", "Schedule tasks and reminders"],
      ["gateway", "", "Gateway control (restart, update)"],
    ],
  },
  { id: "nodes", label: "Nodes", host: true, tools: [["nodes", "", "List/control paired devices"]] },
  { id: "agents", label: "Agents", host: true, tools: [["agents_list", "", "List configured agent IDs"]] },
  {
    id: "media",
    label: "Media",
    host: true,
    tools: [
      ["image", "coding", "Image understanding"],
      ["tts", "", "Text-to-speech conversion"],
    ],
  },
];

interface Section {
  readonly id: string;
  readonly label: string;
  /** Whether an agent host provides these tools; all of them together are `group:openclaw`. */
  readonly host: boolean;
  /** Name, profiles separated by spaces, description. */
  readonly tools: readonly (readonly [name: string, profiles: string, description: string])[];
}

/** The 25 tools in the order of their sections. */
export const coreToolCatalog: readonly CatalogTool[] = Object.freeze(
  sections.flatMap(({ id, label, host, tools }) =>
    tools.map(([name, profiles, description]) =>
      Object.freeze({
        name,
        section: label,
        profiles: Object.freeze(profiles === "" ? [] : profiles.split(" ")),
        description,
        groups: Object.freeze(host ? [`group:${id}`, "group:openclaw"] : [`group:${id}`]),
      }),
    ),
  ),
);

const catalogNames: ReadonlySet<string> = new Set(coreToolCatalog.map((tool) => tool.name));

/** Whether a normalised name belongs to the catalog. */
export function isCatalogName(name: string): boolean {
  return catalogNames.has(name);
}
