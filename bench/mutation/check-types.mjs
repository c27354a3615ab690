export function findTypeErrors() { return new Set(); }
