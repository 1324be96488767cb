/** Authority terms under a heading: with bars where the service counts them, else one a line. */
import { counted } from '../../../service/grouped.js';
import { asNumber, asObject, type Json } from '../../../service/json.js';
import type { ItemSchema } from '../../command/item-schema.js';
import { count } from '../terminal/numbers.js';
import { painter } from '../terminal/paint.js';
import { oneLine } from '../terminal/sanitise.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate } from '../terminal/text.js';
import { barChart } from './bar-chart.js';

export function renderTerms(
  field: string,
  items: readonly Json[],
  terminal: Terminal,
  schema: Pick<ItemSchema, 'id'>,
): string {
  const terms = items.map((item) => ({
    label: schema.id(item),
    value: asNumber(asObject(item).count),
  }));
  const heading = `${oneLine(field)}: ${counted(terms.length, 'term')}`;
  const body = terms.some(({ value }) => value !== undefined)
    ? barChart(
        terms.map(({ label, value }) => ({
          label,
          value: value ?? 0,
          figures: [value === undefined ? '' : count(value)],
        })),
        terminal,
      )
    : terms.map(({ label }) => truncate(oneLine(label), terminal.width, terminal)).join('\n');
  return `${painter(terminal).bold(truncate(heading, terminal.width, terminal))}\n${body}`;
}
