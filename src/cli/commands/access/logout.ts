/** `opac logout`: removes saved credentials. */
import { UsageError } from '../../../service/errors.js';
import { defineCommand } from '../../description/command.js';

export const commands = [
  defineCommand({
    name: 'logout',
    summary: 'remove the saved token, key and secret of a profile',
    options: [{ flags: '--all', summary: 'log out of every profile' }],
    examples: {
      'log out of the current profile': 'opac logout',
      'log out of every profile': 'opac logout --all',
    },
    output: 'nothing',
    dryRun: 'refused',
    async run(context, { all }) {
      const [{ logout }, { openKeyring }] = await Promise.all([
        import('../../../auth/logout.js'),
        import('../../../auth/store/keyring.js'),
      ]);
      const store = await context.profiles();
      const { names, current } = await store.listNames();
      const name = context.globalOptions.profile ?? current;
      if (!all && name === undefined && names.length > 0)
        throw new UsageError('no current profile', `choose one with -p: ${names.join(', ')}; or use --all`);
      const dependencies = { store, openKeyring, note: context.note };
      const removed = await logout(all ? undefined : name, dependencies);
      const removedNames = removed.map((profile) => profile.name);
      const nothing =
        all || name === undefined ? 'nothing to remove' : `profile "${name}" has no credentials`;
      context.note(removed.length === 0 ? nothing : `logged out of ${removedNames.join(', ')}`);
      if (removed.some(({ accessToken }) => accessToken !== undefined))
        context.note('the access token remains valid until it expires');
      if (removed.some(({ basicKey }) => basicKey !== undefined))
        context.note('the basic key remains valid; to revoke it, use the administration of the service');
    },
  }),
];
