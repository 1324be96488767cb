/** `opac profiles`: the deployments that this user has logged in to. */
import { command } from '../command/command.js';
import { onePage } from '../command/result.js';
import { itemSchema } from '../output/item-schemas.js';

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'the profiles there are',
    examples: [
      { purpose: 'all profiles; * marks the one in use', command: 'opac profiles list' },
      { purpose: 'for a script', command: 'opac profiles list -f json' },
    ],
    parse: () => undefined,
    async run(context) {
      const store = await context.profiles();
      const { names, current } = await store.names();
      const profiles = await Promise.all(names.map((name) => store.get(name)));
      const items = profiles.flatMap((profile) =>
        profile === undefined
          ? []
          : [
              {
                name: profile.name,
                current: profile.name === current ? '*' : '',
                scheme: profile.scheme,
                baseUrl: profile.baseUrl,
              },
            ],
      );
      return {
        pages: onePage(items),
        schema: itemSchema('profile'),
        nothing: 'there are no profiles; "opac login" makes one',
      };
    },
  }),
  command({
    name: 'use',
    summary: 'make a profile the one in use',
    arguments: [{ name: 'name', summary: 'name of the profile', required: true, completes: 'profile' }],
    examples: [{ purpose: 'from now on ask this deployment', command: 'opac profiles use museum' }],
    parse: ({ arguments: [name = ''] }) => name,
    async run(context, name) {
      const store = await context.profiles();
      if (context.settings.dryRun) {
        context.note(`would put "${name}" in use`);
        return undefined;
      }
      await store.use(name);
      context.note(`"${name}" is now in use`);
      return undefined;
    },
  }),
  command({
    name: 'remove',
    summary: 'forget a profile with its token and its keys',
    arguments: [{ name: 'name', summary: 'name of the profile', required: true, completes: 'profile' }],
    examples: [{ purpose: 'forget a deployment', command: 'opac profiles remove museum' }],
    parse: ({ arguments: [name = ''] }) => name,
    async run(context, name) {
      if (context.settings.dryRun) {
        context.note(`would forget "${name}"`);
        return undefined;
      }
      const [{ removeProfile }, { openKeyring }] = await Promise.all([
        import('../../auth/logout.js'),
        import('../../auth/store/keyring.js'),
      ]);
      await removeProfile(name, { store: await context.profiles(), openKeyring, notice: context.note });
      context.note(`"${name}" is forgotten`);
      return undefined;
    },
  }),
];
