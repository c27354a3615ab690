/** Names as they come out of a file: half of the core, half of fifty plugins. A new list on every call, of new objects. */
export function makeTools(count) {
  const tools = Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return { name: `core_tool_${index}` };
    return { name: `plug${index % 50}_tool_${index}`, metadata: { pluginId: `plug${index % 50}` } };
  });
  return JSON.parse(JSON.stringify(tools));
}

/** Seven steps with groups, globs and `group:plugins`; about four tools in five are left. */
export const policies = {
  profilePolicy: { allow: ["group:plugins", "group:fs", "core_*"] },
  providerProfilePolicy: { allow: ["group:plugins", "group:openclaw", "core_tool_*"] },
  globalPolicy: { allow: ["group:plugins", "core_*"], deny: ["core_tool_1*", "exec", "group:runtime"] },
  globalProviderPolicy: { allow: ["group:plugins", "*_tool_*"], deny: ["plug3", "plug4", "*_99"] },
  agentPolicy: { allow: ["group:plugins", "group:sessions", "core_*"], deny: ["group:web"] },
  agentProviderPolicy: { allow: ["group:plugins", "core_*"], deny: ["plug1_*"] },
  groupPolicy: { allow: ["group:plugins", "core_*"], deny: ["group:sessions", "*tool_7*"] },
};
