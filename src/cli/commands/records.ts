/** `opac records`: records of every kind. The service has no record by id without its kind. */
import { recordCommands } from './records/commands.js';

export const commands = recordCommands('records', {
  purpose: 'list records of every kind with images',
  command: 'opac records list --mock --has-images --limit 5',
});
