/** Renders the report as JUnit XML for Ant and Jenkins. Their schemas have no warnings, so the warnings are in `system-out`. */
import XMLBuilder from 'fast-xml-builder';
import { type CheckResult, formatDeviations, isFailure, type Report } from './report-text.js';

const formatSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

export function renderJunit(report: Report, strict: boolean): string {
  const groups = new Map<string, CheckResult[]>();
  for (const result of report.checks) {
    const group = result.id.split('.')[0] ?? result.id;
    groups.set(group, [...(groups.get(group) ?? []), result]);
  }
  const builder = new XMLBuilder({
    attributeNamePrefix: '@',
    ignoreAttributes: false,
    format: true,
    suppressEmptyNode: true,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      testsuite: [...groups].map((group, index) => createSuite(group, index, report, strict)),
    },
  });
}

function createSuite(
  [group, results]: [string, CheckResult[]],
  index: number,
  report: Report,
  strict: boolean,
) {
  const { deployment, generator, requests, ended, problem, started } = report;
  const properties = { deployment, generator, requests, ended, ...(problem !== null && { problem }) };
  const warnings = results.filter(({ verdict }) => verdict === 'warn' && !strict);
  const output = warnings.flatMap((result) => [`warning: ${result.id}`, ...formatDeviations(result)]);
  return {
    '@package': 'opac.check',
    '@id': index,
    '@name': group,
    '@timestamp': started.slice(0, 19),
    '@hostname': URL.canParse(deployment) ? new URL(deployment).hostname : 'localhost',
    '@tests': results.length,
    '@failures': results.filter(({ verdict }) => isFailure(verdict, strict)).length,
    '@errors': 0,
    '@skipped': results.filter(({ verdict }) => verdict === 'skip').length,
    '@time': formatSeconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
    properties: {
      property: Object.entries(properties).map(([name, value]) => ({ '@name': name, '@value': value })),
    },
    testcase: results.map((result) => createTestCase(result, group, strict)),
    'system-out': output.join('\n'),
    'system-err': '',
  };
}

function createTestCase(result: CheckResult, group: string, strict: boolean): object {
  const { id, promise, verdict, reason, deviations, milliseconds } = result;
  return {
    '@name': `${id}: ${promise}`,
    '@classname': `opac.check.${group}`,
    '@time': formatSeconds(milliseconds),
    ...(verdict === 'skip' && { skipped: { '@message': reason ?? '' } }),
    ...(isFailure(verdict, strict) && {
      failure: {
        '@message': `expected ${deviations[0]?.expected}; received ${deviations[0]?.received}`,
        '@type': verdict,
        '#text': formatDeviations(result).join('\n'),
      },
    }),
  };
}
