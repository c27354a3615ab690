/** A small record for each server that has stored programs, so that others look for them only then. */
export const markerSchema = "toolrack.program-server.v1";

export function markerIdOf(server: string): string {
  return `program-server-${server}`;
}
