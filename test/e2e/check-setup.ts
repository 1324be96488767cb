/** Museums and reports for the tests of `opac check`, both spawned and in this process. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'junit2json';
import { expect, onTestFinished } from 'vitest';
import { REPORT_SCHEMA } from '../../src/check/reports/report-schema.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';

export async function startTestMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  return museum;
}

export const createBaseUrlOption = ({ url }: { readonly url: string }) => ['--base-url', url];
const ALL = ['junit', 'json', 'markdown', 'html', 'github'];
export const createReportOptions = (folder: string) =>
  ALL.flatMap((name) => ['--report', `${name}=${join(folder, name)}`]);
export const readReports = (folder: string) =>
  Promise.all(ALL.map((name) => readFile(join(folder, name), 'utf8')));

/** Checks the JSON report against its schema, and the number of tests in the JUnit report. */
export async function expectValid(folder: string): Promise<void> {
  const [junit = '', json = ''] = await readReports(folder);
  const validate = new Ajv2020().compile(REPORT_SCHEMA);
  validate(JSON.parse(json));
  expect(validate.errors).toBeNull();
  const count = JSON.parse(json).checks.length;
  const suites = await parse(junit);
  const tests =
    suites && 'testsuite' in suites ? suites.testsuite?.map(({ tests: number }) => number ?? 0) : [];
  expect(tests?.reduce((sum, number) => sum + number, 0)).toBe(count);
}
