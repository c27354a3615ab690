/** Whether it is a URL of http or https without a user name and a password: whoever keeps or shows it would keep those as well. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
