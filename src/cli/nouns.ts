/** The nouns of the command tree, such as `objects`, in the order of `opac --help`. */
import type { Kind } from '../service/kinds.js';
import type { CommandDescription } from './description/command.js';

export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** A noun without verbs, such as `check`, has one command, with the name of the noun. */
  readonly load: () => Promise<{ readonly commands: readonly CommandDescription[] }>;
}

type Row = readonly [name: string, summary: string, load: Noun['load']];

async function loadKind(kind: Kind) {
  const { RECORD_COMMANDS } = await import('./commands/records/nouns.js');
  return { commands: RECORD_COMMANDS[kind] };
}

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Records:': [
    ['objects', 'list, show, count and export objects', () => loadKind('objects')],
    ['persons', 'list, show, count and export persons', () => loadKind('persons')],
    ['venues', 'list, show, count and export exhibition venues', () => loadKind('venues')],
    ['records', 'list, count and export records of all kinds', () => loadKind('records')],
    ['open', 'open the public page of a record in the browser', () => import('./commands/open.js')],
  ],
  'About records:': [
    [
      'facets',
      'show how many records have each value, as charts',
      () => import('./commands/lists/facets.js'),
    ],
    ['images', 'list, download and show the images of records', () => import('./commands/images.js')],
    ['relationships', 'show how records are related', () => import('./commands/lists/relationships.js')],
    ['collections', 'list collections', () => import('./commands/lists/collections.js')],
    ['highlights', 'list and show highlights', () => import('./commands/lists/highlights.js')],
    ['comments', 'list comments on records', () => import('./commands/lists/comments.js')],
    [
      'imagelabels',
      'list the labels that image recognition gave to images',
      () => import('./commands/lists/imagelabels.js'),
    ],
    ['colors', 'list the colours that describe images', () => import('./commands/lists/colors.js')],
  ],
  'The service:': [
    ['authorities', 'list the authority terms of a field', () => import('./commands/lists/authorities.js')],
    ['views', 'list views and their fields', () => import('./commands/lists/views.js')],
    ['api', 'send a GET request and print the response', () => import('./commands/api.js')],
  ],
  'Deployments and access:': [
    ['login', 'log in to a deployment and save it as a profile', () => import('./commands/access/login.js')],
    ['logout', 'remove the saved credentials of a profile', () => import('./commands/access/logout.js')],
    [
      'status',
      'show the deployment and check whether the credentials work',
      () => import('./commands/access/status.js'),
    ],
    ['token', 'print the access token', () => import('./commands/access/token.js')],
    ['profiles', 'manage saved deployments', () => import('./commands/access/profiles.js')],
  ],
  'Tools:': [
    ['mock', 'run the built-in museum as a local server', () => import('./commands/tools/mock.js')],
    ['check', 'check that a deployment follows the documented API', () => import('./commands/check.js')],
    ['diff', 'show what changed between two exports', () => import('./commands/diff.js')],
    ['sync', 'mirror a deployment to a folder', () => import('./commands/sync.js')],
    ['verify', 'check exported files against their manifests', () => import('./commands/tools/verify.js')],
    [
      'migrate',
      'rewrite version 2 URLs, retired paths and retired parameters for version 3',
      () => import('./commands/tools/migrate.js'),
    ],
    ['openapi', 'print an OpenAPI 3.1 document of the service', () => import('./commands/tools/openapi.js')],
    [
      'doctor',
      'show versions, settings and the connection, for a help desk',
      () => import('./commands/tools/doctor.js'),
    ],
    ['completion', 'print a shell completion script', () => import('./commands/tools/completion.js')],
  ],
};

export const NOUNS: readonly Noun[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([name, summary, load]) => ({ name, summary, group, load })),
);
