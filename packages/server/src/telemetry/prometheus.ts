/** Two comment lines that introduce a metric. */
export function heading(name: string, type: "counter" | "gauge" | "histogram", help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

/** sample("up", 'job="a"', 1) → 'up{job="a"} 1' */
export function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

export function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
