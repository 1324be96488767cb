/** The top of the command tree: enough for `opac --help`; a noun's own file is loaded when it is used. */
import type { CommandDescription } from './command/command.js';

export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** Its verbs; one command of the noun's own name when it has none. */
  readonly load: () => Promise<{ readonly commands: readonly CommandDescription[] }>;
}

type Row = readonly [name: string, summary: string, load: Noun['load']];

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Records:': [
    ['objects', 'list, show, count and export objects', () => import('./commands/objects.js')],
    ['persons', 'list, show, count and export persons', () => import('./commands/persons.js')],
    ['venues', 'list, show, count and export exhibition venues', () => import('./commands/venues.js')],
    ['records', 'list, count and export records of all kinds', () => import('./commands/records.js')],
    ['open', 'open the public page of a record in the browser', () => import('./commands/open.js')],
  ],
  'About records:': [
    ['facets', 'chart how many records have each value', () => import('./commands/facets.js')],
    ['images', 'list, download and show the images of records', () => import('./commands/images.js')],
    ['relationships', 'show how records are related', () => import('./commands/relationships.js')],
    ['collections', 'list collections', () => import('./commands/collections.js')],
    ['highlights', 'list and show highlights', () => import('./commands/highlights.js')],
    ['comments', 'list comments on records', () => import('./commands/comments.js')],
    ['imagelabels', 'show what image recognition found in images', () => import('./commands/imagelabels.js')],
    ['colors', 'list the colours that describe images', () => import('./commands/colors.js')],
  ],
  'The service:': [
    ['authorities', 'list the authority terms of a field', () => import('./commands/authorities.js')],
    ['views', 'list views and their fields', () => import('./commands/views.js')],
    ['api', 'send a GET request and print the response', () => import('./commands/api.js')],
  ],
  'Deployments and access:': [
    ['login', 'log in to a deployment and save it as a profile', () => import('./commands/login.js')],
    ['logout', 'remove the saved credentials of a profile', () => import('./commands/logout.js')],
    ['status', 'show the deployment, the credentials and if they work', () => import('./commands/status.js')],
    ['token', 'print the access token', () => import('./commands/token.js')],
    ['profiles', 'manage saved deployments', () => import('./commands/profiles.js')],
  ],
  'Tools:': [
    ['mock', 'run the built-in museum as a local server', () => import('./commands/mock.js')],
    ['check', 'check a deployment against the interface', () => import('./commands/check.js')],
    ['diff', 'show what changed between two exports', () => import('./commands/diff.js')],
    ['sync', 'keep a mirror of a deployment in a folder', () => import('./commands/sync.js')],
    ['verify', 'check exported files against their manifests', () => import('./commands/verify.js')],
    ['migrate', 'rewrite retired addresses for version 3', () => import('./commands/migrate.js')],
    ['openapi', 'print an OpenAPI 3.1 document of the service', () => import('./commands/openapi.js')],
    ['completion', 'print a shell completion script', () => import('./commands/completion.js')],
  ],
};

export const NOUNS: readonly Noun[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([name, summary, load]) => ({ name, summary, group, load })),
);
