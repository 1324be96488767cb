/** `opac doctor`: prints facts for a help desk, without secrets. */
import { isObject, type Json, type JsonObject } from '../../../service/json.js';
import { parseJsonLossless } from '../../../service/parse-json.js';
import { redactText } from '../../../service/redact.js';
import { defineCommand } from '../../description/command.js';
import { sanitizeLine } from '../../output/terminal/sanitize.js';

export const commands = [
  defineCommand({
    name: 'doctor',
    summary: 'show versions, settings and the connection, for a help desk',
    examples: {
      'check this machine and the current profile': 'opac doctor',
      'save a file for support': 'opac doctor -f json -o doctor.json',
      'check this machine without a deployment': 'opac doctor --mock',
    },
    endpoints: ['records.search'],
    dryRun: 'refused',
    output: 'value',
    async run(context) {
      const [{ diagnoseMachine }, { diagnoseDeployment }] = await Promise.all([
        import('./diagnose-machine.js'),
        import('./diagnose-deployment.js'),
      ]);
      const machine = await diagnoseMachine(context);
      const { error, ...deployment } = await diagnoseDeployment(context);
      const json = removeSecrets({ ...machine, ...deployment });
      return { kind: 'value', text: formatLines(json).join('\n'), json, failure: () => error };
    },
  }),
];

function removeSecrets(value: JsonObject): JsonObject {
  const clean = (_: string, each: unknown) => (typeof each === 'string' ? redactText(each) : each);
  return parseJsonLossless(JSON.stringify(value), clean) as JsonObject;
}

function formatLines(value: JsonObject, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, each]) => {
    const name = key.replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`);
    if (isObject(each) && !('path' in each)) return [`${indent}${name}`, ...formatLines(each, `${indent}  `)];
    return `${indent}${name.padEnd(22)} ${sanitizeLine(showValue(each))}`;
  });
}

function showValue(value: Json | undefined): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (isObject(value)) {
    const { path, ...more } = value;
    const facts = Object.entries(more).map(([name, each]) => `${name}: ${showValue(each)}`);
    return `${path} (${facts.join(', ')})`;
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'none' : String(value);
}
