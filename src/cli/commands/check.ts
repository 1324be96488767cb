/** `opac check`: checks a deployment against the API documentation and against a baseline. */
import { defineCommand } from '../description/command.js';
import { CHECK_OPTIONS, parseCheck } from './check/options.js';

export const commands = [
  defineCommand({
    name: 'check',
    summary: 'check that a deployment behaves as the API documentation says; exit 7 if it does not',
    options: CHECK_OPTIONS,
    examples: {
      'check the built-in museum': 'opac check --mock',
      'write a JUnit report for CI': 'opac check --mock --report junit=check.xml',
      'check only paging and searching': 'opac check --mock --only paging,search',
      'list the checks and their sources': 'opac check --list',
    },
    endpoints: [],
    output: 'report',
    parse: parseCheck,
    async run(context, input) {
      const { listChecks, runCheck } = await import('./check/run-check.js');
      return input.list ? listChecks(input) : runCheck(context, input);
    },
  }),
];
