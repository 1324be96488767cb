/** `opac records`: records of every kind. The service has no record by id without its kind. */
import { recordCommands } from './records/commands.js';

export const commands = recordCommands('records', {
  'list records of every kind with images': 'opac records list --mock --has-images --limit 5',
});
