/** `opac merge`: joins the parts of one export that several machines made. */
import { UsageError } from '../../service/errors.js';
import { counted } from '../../service/grouped.js';
import { command } from '../command/command.js';
import { DESCRIBE_OPTION } from '../options/export.js';
import { flagOption } from '../options/read.js';
import { bytes } from '../output/terminal/numbers.js';

export const commands = [
  command({
    name: 'merge',
    summary: 'join the parts of an export into one file',
    arguments: [
      { name: 'part', summary: 'files written with export --part', required: true, variadic: true },
    ],
    examples: [
      {
        purpose: 'join the parts that several machines exported',
        command: 'opac merge part-1.csv part-2.csv -o all.csv',
      },
    ],
    options: [DESCRIBE_OPTION],
    parse: ({ arguments: parts, options }) => {
      if (parts.length === 0) throw new UsageError('missing required argument "part"');
      return { parts, describe: flagOption(options, 'describe') };
    },
    async run(context, { parts, describe }) {
      const { output: target } = context.settings;
      if (target === undefined)
        throw new UsageError(
          'missing the file to write',
          'name it with -o: opac merge part-*.csv -o all.csv',
        );
      const { mergeParts } = await import('../../export/merge.js');
      const { commandLine, signal } = context;
      const { manifest } = await mergeParts({ parts, target, describe, command: commandLine, signal });
      const size = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
      context.note(
        `${counted(manifest.records, 'record')} of ${counted(parts.length, 'part')} in ${target} (${bytes(size)})`,
      );
      return undefined;
    },
  }),
];
