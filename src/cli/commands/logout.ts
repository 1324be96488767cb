/** `opac logout`: forgets tokens, keys and secrets. */
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import { flagOption } from '../options/read.js';

export const commands = [
  command({
    name: 'logout',
    summary: 'forget the token, key and secret of a profile',
    options: [{ flags: '--all', summary: 'of every profile' }],
    examples: [
      { purpose: 'of the profile in use', command: 'opac logout' },
      { purpose: 'of every profile', command: 'opac logout --all' },
    ],
    parse: ({ options }) => ({ all: flagOption(options, 'all') }),
    async run(context, { all }) {
      const [{ logout }, { openKeyring }] = await Promise.all([
        import('../../auth/logout.js'),
        import('../../auth/store/keyring.js'),
      ]);
      const store = await context.profiles();
      const { names, current } = await store.names();
      const name = context.settings.profile ?? current;
      if (!all && name === undefined) {
        if (names.length === 0) context.note('there are no profiles, so nothing is kept');
        else
          throw new UsageError('no profile is in use', `name one with -p: ${names.join(', ')}, or use --all`);
        return undefined;
      }
      if (context.settings.dryRun) {
        context.note(`would forget what is kept for ${all ? names.join(', ') : name}; nothing is sent`);
        return undefined;
      }
      const forgotten = await logout(all ? undefined : name, { store, openKeyring, notice: context.note });
      if (forgotten.length === 0) {
        context.note('there was nothing to forget');
        return undefined;
      }
      context.note(`logged out of ${forgotten.join(', ')}`);
      context.note(
        'access tokens stay valid at the service until they expire; keys are revoked in its administration',
      );
      return undefined;
    },
  }),
];
