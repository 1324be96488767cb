import { readFile } from 'node:fs/promises';
import { parse } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { renderJunit } from '../../../src/check/reports/junit.js';
import { SAMPLE, SECRET } from './sample-report.js';

const SCHEMA = await readFile(new URL('junit.xsd', import.meta.url), 'utf8');

describe.each([false, true])('the JUnit report with strict %s', (strict) => {
  const xml = renderJunit(SAMPLE, strict);

  it('is valid against the schema', async () => {
    const { valid, errors } = await validateXML({
      xml: { fileName: 'report.xml', contents: xml },
      schema: [SCHEMA],
    });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });

  it('contains a suite per group and a case per check, according to a JUnit parser', async () => {
    const read = await parse(xml);
    const suites = (read && 'testsuite' in read ? read.testsuite : undefined) ?? [];
    expect(suites.map(({ name, tests, failures, skipped }) => [name, tests, failures, skipped])).toEqual([
      ['access', 1, 0, 0],
      ['endpoint', 1, 1, 0],
      ['paging', 2, strict ? 1 : 0, 1],
      ['search', 1, 0, 0],
    ]);
    const cases = suites.flatMap(({ testcase = [] }) => testcase);
    expect(cases.map(({ name }) => name?.split(':')[0])).toEqual(SAMPLE.checks.map(({ id }) => id));
    const failed = cases.filter(({ failure }) => failure);
    expect(failed).toHaveLength(strict ? 2 : 1);
    expect(failed[0]?.failure?.[0]?.inner).toContain('<script>alert(1)</script>');
  });

  it('contains warnings as output of the suite, except in strict mode, and no secret', () => {
    expect(xml.includes('warning: paging.cap')).toBe(!strict);
    expect(xml).not.toContain(SECRET);
  });
});
