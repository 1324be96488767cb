/** `opac profiles`: the deployments that the user has logged in to. */
import { command } from '../command/command.js';
import { onePage } from '../command/result.js';
import { itemSchema } from '../output/item-schemas.js';

const NAME = { name: 'name', summary: 'name of the profile', required: true, completes: 'profile' } as const;

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'list profiles',
    examples: [
      { purpose: 'list all profiles; * marks the current one', command: 'opac profiles list' },
      { purpose: 'list them as JSON', command: 'opac profiles list -f json' },
    ],
    parse: () => undefined,
    async run(context) {
      const store = await context.profiles();
      const { names, current } = await store.names();
      const profiles = await Promise.all(names.map((name) => store.get(name)));
      const items = profiles
        .filter((profile) => profile !== undefined)
        .map(({ name, scheme, baseUrl }) => ({
          name,
          current: name === current ? '*' : '',
          scheme,
          baseUrl,
        }));
      return {
        kind: 'items',
        pages: onePage(items),
        schema: itemSchema('profile'),
        emptyMessage: 'no profiles; create one with: opac login',
      };
    },
  }),
  command({
    name: 'use',
    summary: 'set the current profile',
    arguments: [NAME],
    examples: [{ purpose: 'switch to a deployment', command: 'opac profiles use museum' }],
    parse: ({ arguments: [name = ''] }) => name,
    async run(context, name) {
      const store = await context.profiles();
      if (context.settings.dryRun) {
        context.note(`would set the current profile to "${name}"`);
        return undefined;
      }
      await store.use(name);
      context.note(`the current profile is now "${name}"`);
      return undefined;
    },
  }),
  command({
    name: 'remove',
    summary: 'remove a profile with its credentials',
    arguments: [NAME],
    examples: [{ purpose: 'remove a profile', command: 'opac profiles remove museum' }],
    parse: ({ arguments: [name = ''] }) => name,
    async run(context, name) {
      if (context.settings.dryRun) {
        context.note(`would remove "${name}"`);
        return undefined;
      }
      const [{ removeProfile }, { openKeyring }] = await Promise.all([
        import('../../auth/logout.js'),
        import('../../auth/store/keyring.js'),
      ]);
      await removeProfile(name, { store: await context.profiles(), openKeyring, notice: context.note });
      context.note(`removed "${name}"`);
      return undefined;
    },
  }),
];
