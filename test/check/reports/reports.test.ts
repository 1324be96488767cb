import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { REPORT_FORMATS, REPORT_RENDERERS } from '../../../src/check/reports/formats.js';
import { REPORT_SCHEMA } from '../../../src/check/reports/report-schema.js';
import { checkMuseum, openMuseum } from '../check-museum.js';
import { SAMPLE, SECRET } from './sample-report.js';

describe.each(REPORT_FORMATS)('the %s report', (format) => {
  const text = REPORT_RENDERERS[format](SAMPLE, false);

  it('contains no secret and no control character', () => {
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}/u);
  });

  it('ends with one line break', () => {
    expect(text).toMatch(/[^\n]\n$/);
  });
});

describe('the JSON report', () => {
  const validate = new Ajv2020().compile(REPORT_SCHEMA);

  it('is valid against its schema', () => {
    validate(JSON.parse(REPORT_RENDERERS.json(SAMPLE, false)));
    expect(validate.errors).toBeNull();
  });

  it('is valid for a real run', { timeout: 30_000 }, async () => {
    const { report } = await checkMuseum(await openMuseum({ maxPageSize: 50 }), 'anonymous');
    validate(JSON.parse(REPORT_RENDERERS.json(report, false)));
    expect(validate.errors).toBeNull();
  });

  it('is invalid if a key is missing', () => {
    const { requests: _, ...rest } = SAMPLE;
    expect(validate(rest)).toBe(false);
  });
});

describe('the HTML report', () => {
  const html = REPORT_RENDERERS.html(SAMPLE, false);

  it('is well-formed XML, also with hostile texts of the deployment', async () => {
    const { valid, errors } = await validateXML({
      xml: [{ fileName: 'report.html', contents: html }],
      schema: [ANY],
    });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });

  it('contains no scripts, and loads nothing', () => {
    expect(html).not.toMatch(/<(script|img|link|iframe|object|base)\b/i);
    expect(html).not.toMatch(/<[^>]*\s((on\w+|src|style)=|href="[^#])/i);
    expect(html).not.toMatch(/url\(|@import/);
    expect(html).toContain("default-src 'none'");
  });

  it('contains the request and the response of each deviation', () => {
    expect(html.match(/<article /g)).toHaveLength(2);
    expect(html.match(/<details>/g)).toHaveLength(4);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

/** A schema that accepts any content of the root element. */
const ANY = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xhtml" elementFormDefault="qualified">
  <xs:element name="html"><xs:complexType><xs:sequence><xs:any processContents="skip" maxOccurs="unbounded"/></xs:sequence>
  <xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>
</xs:schema>`;

describe('the Markdown report', () => {
  it('contains texts of the deployment only as code', () => {
    const outside = REPORT_RENDERERS.markdown(SAMPLE, false)
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
    expect(outside).toContain('the promise of endpoint.objects.search');
    expect(outside).not.toMatch(/script|onerror|javascript|@all|::/);
  });
});

describe('the annotations for GitHub', () => {
  it('contain one command per line, and no commands from texts of the deployment', () => {
    const lines = REPORT_RENDERERS.github(SAMPLE, false).trimEnd().split('\n');
    expect(lines.map((line) => /^::(\w+) title=([^:]*)::/.exec(line)?.slice(1))).toEqual([
      ['error', 'endpoint.objects.search'],
      ['warning', 'paging.cap'],
      ['error', 'opac check'],
      ['notice', 'opac check'],
    ]);
  });
});
