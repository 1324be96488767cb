/** `opac profiles`: manages profiles, which are saved deployments. */
import { profileSettings, withSetting } from '../../../auth/store/profile.js';
import { UsageError } from '../../../service/errors.js';
import { didYouMean } from '../../../service/suggest-name.js';
import { defineCommand } from '../../description/command.js';
import { SETTINGS, type Setting } from '../../options/settings.js';
import { toItemsResult } from '../../output/item-schemas.js';

const KEYS = SETTINGS.map(({ key }) => key);

const NAME = { name: 'name', summary: 'name of the profile', required: true, completes: 'profile' } as const;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list profiles',
    examples: {
      'list all profiles; * marks the current one': 'opac profiles list',
      'list all profiles as JSON': 'opac profiles list -f json',
    },
    async run(context) {
      const store = await context.profiles();
      const { names, current } = await store.listNames();
      const profiles = await Promise.all(names.map((name) => store.get(name)));
      const items = profiles
        .filter((profile) => profile !== undefined)
        .map(({ name, scheme, baseUrl }) => ({
          name,
          current: name === current ? '*' : '',
          scheme,
          baseUrl,
        }));
      return toItemsResult(items, 'profile', { emptyMessage: 'no profiles; create one with: opac login' });
    },
  }),
  defineCommand({
    name: 'show',
    summary: 'show a profile, the effective settings and where each one comes from',
    arguments: [
      { name: 'name', summary: 'name of the profile (default: the current profile)', completes: 'profile' },
    ],
    examples: { 'show the settings of a profile': 'opac profiles show museum' },
    async run(context, { name: named }) {
      const store = await context.profiles();
      const name = named ?? context.globalOptions.profile ?? (await store.listNames()).current;
      if (name === undefined)
        throw new UsageError('no current profile', 'name a profile; to list them, use: opac profiles list');
      const profile = await store.getRequired(name);
      const { baseUrl, scheme, clientId = '', redirectURI = '' } = profile;
      const own = { name, 'base-url': baseUrl, scheme, 'client-id': clientId, 'redirect-uri': redirectURI };
      const saved = profileSettings(profile);
      const items = [
        ...Object.entries(own)
          .filter(([, value]) => value !== '')
          .map(([key, value]) => ({ setting: key, value, from: 'profile' })),
        ...SETTINGS.map(({ key, variable, default: defaultValue }) => {
          const given = context.environment[variable];
          const [value, from] = given
            ? [given, `environment (${variable})`]
            : [saved[key] ?? String(defaultValue), saved[key] === undefined ? 'default' : 'profile'];
          return { setting: key, value, from };
        }),
      ];
      return toItemsResult(items, 'setting');
    },
  }),
  defineCommand({
    name: 'set',
    summary: 'set the default of an option in a profile',
    dryRun: 'refused',
    arguments: [
      NAME,
      { name: 'setting', summary: KEYS.join(', '), required: true, choices: KEYS, parse: findSetting },
      {
        name: 'value',
        summary: 'value, as for the option; yes or no for switches; omit it to restore the default',
      },
    ],
    examples: {
      'set the page size to 50 records': 'opac profiles set museum page-size 50',
      'restore the default': 'opac profiles set museum page-size',
    },
    output: 'nothing',
    parse: ({ name, setting: { key, parse }, value }) => {
      const parsed = value === undefined ? undefined : parse(value.trim(), key);
      return { name, key, value: typeof parsed === 'boolean' ? parsed : value?.trim() };
    },
    async run(context, { name, key, value }) {
      const store = await context.profiles();
      await store.getRequired(name);
      const shown = value === undefined ? 'the default' : (value === true && 'yes') || value || 'no';
      await store.update(name, (profile) => withSetting(profile, key, value));
      context.note(`${key} of "${name}" is now ${shown}`);
    },
  }),
  defineCommand({
    name: 'use',
    summary: 'set the current profile',
    dryRun: 'refused',
    arguments: [NAME],
    examples: { 'use this profile for later commands': 'opac profiles use museum' },
    output: 'nothing',
    async run(context, { name }) {
      const store = await context.profiles();
      await store.setCurrent(name);
      context.note(`the current profile is now "${name}"`);
    },
  }),
  defineCommand({
    name: 'remove',
    summary: 'remove a profile with its credentials',
    dryRun: 'refused',
    arguments: [NAME],
    examples: { 'remove a profile': 'opac profiles remove museum' },
    output: 'nothing',
    async run(context, { name }) {
      const [{ removeProfile }, { openKeyring }] = await Promise.all([
        import('../../../auth/logout.js'),
        import('../../../auth/store/keyring.js'),
      ]);
      await removeProfile(name, { store: await context.profiles(), openKeyring, note: context.note });
      context.note(`removed "${name}"`);
    },
  }),
];

function findSetting(key: string): Setting {
  const setting = SETTINGS.find((each) => each.key === key);
  if (setting) return setting;
  throw new UsageError(`unknown setting "${key}"`, didYouMean(key, KEYS));
}
