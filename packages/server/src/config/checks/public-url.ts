/** The error of a public URL; undefined if it is valid: "https://tools.example.com", with or without a port. */
export function findPublicUrlFault(publicUrl: string): string | undefined {
  const wrong = (fact: string): string => `server.publicUrl "${publicUrl.slice(0, 100)}" ${fact}. Write it as https://tools.example.com.`;
  if (!URL.canParse(publicUrl)) return wrong("is not a URL");
  const { protocol, username, password, pathname, search, hash } = new URL(publicUrl);
  if (protocol !== "https:" && protocol !== "http:") return wrong("does not begin with https:// or http://");
  if (username !== "" || password !== "") return "server.publicUrl contains credentials. Take them out: everybody is shown this address.";
  if (pathname !== "/" || search !== "" || hash !== "" || /[?#]$/.test(publicUrl)) return wrong("has more than a host and a port");
  return undefined;
}
