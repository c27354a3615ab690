import { describe, expect, it } from "vitest";
import { decodeBody, kindOf } from "../../src/operations/decode.ts";
import { htmlToText, visibleHtml } from "../../src/operations/html-text.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a body", () => {
  it.each([
    ["text/html; charset=utf-8", "", "page"],
    ["Application/XHTML+XML", "", "page"],
    ["text/plain", "", "text"],
    ["application/json", "", "text"],
    ["application/ld+json", "", "text"],
    ["image/svg+xml", "", "text"],
    ["application/x-ndjson; q=1", "", "text"],
    ["application/pdf", "", "binary"],
    ["application/jsonp", "", "binary"],
    ["image/png", "", "binary"],
    ["", "plain", "text"],
    ["", "a\0b", "binary"],
    ["application/octet-stream", "a\0b", "binary"],
    ["application/octet-stream", " <!DOCTYPE html><p>", "page"],
    ["", "<html lang=en>", "page"],
    ["", "see <html>", "text"],
  ])("of the type %j that begins with %j is %s", (type, text, kind) => {
    expect(kindOf(type, bytes(text))).toBe(kind);
  });

  it("is read in the encoding of its mark, then of its header, then of the page itself", () => {
    const latin = Buffer.from("caf\xe9", "latin1");
    expect(decodeBody(latin, "text/plain; charset=iso-8859-1")).toBe("café");
    expect(decodeBody(latin, 'text/plain; charset="windows-1252"')).toBe("café");
    const page = Buffer.from('<meta http-equiv=x charset="iso-8859-1">caf\xe9', "latin1");
    expect(decodeBody(page, "text/html")).toContain("café");
    expect(decodeBody(bytes("<meta charset=iso-8859-1>café"), "text/html; charset=utf-8")).toContain("café");
    expect(decodeBody(bytes("\ufeffcafé"), "text/plain; charset=iso-8859-1")).toBe("café");
    expect(decodeBody(Buffer.from([0xff, 0xfe, 0x41, 0]), "")).toBe("A");
    expect(decodeBody(Buffer.from([0xfe, 0xff, 0, 0x41]), "")).toBe("A");
    expect(decodeBody(bytes("café"), "text/plain; charset=nonsense")).toBe("café");
    expect(decodeBody(bytes("café"), "")).toBe("café");
    expect(decodeBody(Buffer.from([0x80, 0x93, 0x94, 0x9f]), "text/plain; charset=windows-1252")).toBe("€“”Ÿ");
  });
});

describe("HTML", () => {
  it.each([
    ["a < b <3", "a < b <3"],
    ["<p>a<!DOCTYPE x><?php y ?>b", "ab"],
    ["a<!-- never closed", "a"],
    ["a<script>never closed", "a"],
    ["a<svg/>b", "ab"],
    ["a</script>b", "ab"],
    ['<a title="x > y">c</a>', "c"],
    ["<a title='never closed>c", ""],
    ["<a b='>'>c", "c"],
    ["it's <b>5\" wide</b>", "it's 5\" wide"],
    ["<script>a</scriptx></script >b", "b"],
    ["a\n\n  b<br><br><br>c", "a b\n\nc"],
    ["&lt;&gt;&quot;&apos;&ndash;&mdash;&hellip;&copy;&euro;&amp;amp;", "<>\"'–—…©€&amp;"],
    ["&#0;&#xD800;&#x110000;&#1114111;", "&#0;&#xD800;&#x110000;\u{10ffff}"],
    ["<td>a</td><td>b</td><tr>c", "ab\nc"],
  ])("%j is read as %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("keeps its tags without what nobody sees", () => {
    expect(visibleHtml("<p>a</p><style>b</style><!--c--><b>d</b>")).toBe("<p>a</p><b>d</b>");
  });
});
