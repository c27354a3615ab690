/** What engines that know nothing of tools are given: names taken apart, parameters as text. */
export function readFieldsForPeers({ id, name, description, inputSchema }) {
  const parameters = Object.entries(inputSchema?.properties ?? {}).map(([key, schema]) => `${apart(key)} ${schema?.description ?? ""}`);
  return { id, name: apart(name), description, parameters: parameters.join(" ") };
}

/** "getStock_price" → "get Stock price" */
function apart(name) {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_.\-/]+/g, " ");
}
