/**
 * The entry of the `toolrack` package in the MCP registry, from package.json. The form is that of the registry's schema of 2025-12-11; the
 * registry compares `name` with `mcpName` of the published package.
 */
export function serverJson(read) {
  const { name, version, mcpName, repository, homepage } = JSON.parse(read("packages/cli/package.json"));
  const entry = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "Toolrack",
    description: "The tools of a Toolrack project for one agent, under its policy, with approvals and an audit.",
    version,
    websiteUrl: homepage,
    repository: {
      url: repository.url.replace(/^git\+/, "").replace(/\.git$/, ""),
      source: "github",
      subfolder: repository.directory,
    },
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [
          {
            type: "named",
            name: "--config",
            description: "The configuration file of the project, as an absolute path",
            format: "filepath",
            placeholder: "/home/me/project/toolrack.config.yaml",
            isRequired: true,
          },
          { type: "positional", value: "mcp" },
          {
            type: "named",
            name: "--agent",
            description: "The agent whose tools the client gets; the configuration lists it",
            isRequired: true,
          },
        ],
        environmentVariables: [
          { name: "TOOLRACK_URL", description: "The address of a server elsewhere, instead of the project's own" },
          { name: "TOOLRACK_KEY", description: "An API key of the agent, for a server elsewhere", isSecret: true },
        ],
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
