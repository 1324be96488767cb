/** `opac migrate`: rewrites old URLs for version 3. */
import { UsageError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { type Migration, migrateUrl } from '../../../service/migrate/migrate-url.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { ItemsResult } from '../../description/result.js';
import { toItemsResult } from '../../output/item-schemas.js';

export const commands = [
  defineCommand({
    name: 'migrate',
    summary: 'rewrite version 2 URLs, retired paths and retired parameters for version 3',
    arguments: [
      {
        name: 'path-or-url',
        summary: 'URLs or paths, or @file with one per line (default: standard input)',
        variadic: true,
      },
    ],
    examples: {
      'rewrite a deprecated path': 'opac migrate /opaccollections/7/opacobjects',
      'rewrite a version 2 URL with its parameters':
        'opac migrate "https://collection.example.org/api/v2/opacobjects?opacObjectIds=1,2"',
    },
    async run(context, { pathOrUrl: urls }) {
      const [first = '-', ...others] = urls;
      const fromInput = others.length === 0 && first === '-';
      const file = others.length === 0 && first.startsWith('@') ? first.slice(1) : undefined;
      if (fromInput && context.stdin.isTTY) context.note('type URLs, one per line; press Ctrl-D to finish');
      const isRead = fromInput || file !== undefined;
      const lines = isRead ? (await context.readText(file ?? '-')).split(/\r?\n/) : urls;
      return createMigrationResult(
        lines.filter((line) => line.trim() !== '').map((line) => ({ before: line, ...migrateUrl(line) })),
        context,
      );
    },
  }),
];

function createMigrationResult(
  all: readonly (Migration & { readonly before: string })[],
  context: Context,
): ItemsResult {
  for (const { before, status, notes, alternatives } of all) {
    for (const note of notes) context.note(`${before}: ${note}`);
    if (status === 'choose') context.note(`  ${(alternatives ?? []).join('\n  ')}`);
  }
  const unmoved = all.filter(({ status }) => status === 'choose' || status === 'none');
  const items = all.map(({ before, text, status, notes, alternatives = [] }) => ({
    before,
    text,
    status,
    alternatives,
    notes,
  }));
  return toItemsResult(items, 'migration', {
    emptyMessage: 'nothing to migrate',
    ...(context.globalOptions.columns === undefined && { format: 'ids' as const }),
    failure: () =>
      unmoved.length === 0
        ? undefined
        : new UsageError(
            `cannot migrate ${formatNumber(unmoved.length)} of ${formatNumber(all.length)}: ${unmoved.map(({ before }) => before).join(', ')}`,
          ),
  });
}
