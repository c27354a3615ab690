export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable of OpenTelemetry is set: otherwise nothing of the exporter is loaded. */
export function hasExportVariables(environment: Environment): boolean {
  return Object.keys(environment).some((name) => name.startsWith("OTEL_") && environment[name] !== "");
}
