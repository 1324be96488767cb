/** The top of the command tree: enough for `opac --help`; a noun's own file is loaded when it is used. */
import type { CommandDescription } from './command/command.js';

export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** Its verbs; one command of the noun's own name when it has none. */
  readonly load: () => Promise<{ readonly commands: readonly CommandDescription[] }>;
}

const RECORDS = 'Records:';
const AROUND = 'What records hold and belong to:';
const SERVICE = 'The service:';
const ACCESS = 'Deployments and access:';
const TOOLS = 'Tools:';

export const NOUNS: readonly Noun[] = [
  noun(RECORDS, 'objects', 'find, look at, count and export objects', () => import('./commands/objects.js')),
  noun(RECORDS, 'persons', 'find, look at, count and export persons', () => import('./commands/persons.js')),
  noun(
    RECORDS,
    'venues',
    'find, look at, count and export exhibition venues',
    () => import('./commands/venues.js'),
  ),
  noun(
    RECORDS,
    'records',
    'find, count and export records of every kind together',
    () => import('./commands/records.js'),
  ),
  noun(
    RECORDS,
    'open',
    'open the public page of a record in the browser',
    () => import('./commands/open.js'),
  ),
  noun(
    AROUND,
    'facets',
    'how many records have which value, as charts',
    () => import('./commands/facets.js'),
  ),
  noun(
    AROUND,
    'images',
    'list, download and look at the images of records',
    () => import('./commands/images.js'),
  ),
  noun(AROUND, 'relationships', 'which records belong together', () => import('./commands/relationships.js')),
  noun(AROUND, 'collections', 'the collections of the museum', () => import('./commands/collections.js')),
  noun(AROUND, 'highlights', 'the highlights of the museum', () => import('./commands/highlights.js')),
  noun(AROUND, 'comments', 'comments on records', () => import('./commands/comments.js')),
  noun(
    AROUND,
    'imagelabels',
    'what image recognition saw in the pictures',
    () => import('./commands/imagelabels.js'),
  ),
  noun(
    AROUND,
    'colors',
    'the palette that pictures are described with',
    () => import('./commands/colors.js'),
  ),
  noun(SERVICE, 'authorities', 'the terms that a field may hold', () => import('./commands/authorities.js')),
  noun(SERVICE, 'views', 'which fields the deployment shows where', () => import('./commands/views.js')),
  noun(
    SERVICE,
    'api',
    'send any GET request to the service, and print the answer as it comes',
    () => import('./commands/api.js'),
  ),
  noun(
    ACCESS,
    'login',
    'log in to a deployment and keep it as a profile',
    () => import('./commands/login.js'),
  ),
  noun(
    ACCESS,
    'logout',
    'forget the token, key and secret of a profile',
    () => import('./commands/logout.js'),
  ),
  noun(
    ACCESS,
    'status',
    'which deployment, as whom, and whether it works now',
    () => import('./commands/status.js'),
  ),
  noun(
    ACCESS,
    'token',
    'print the access token for use in another program',
    () => import('./commands/token.js'),
  ),
  noun(ACCESS, 'profiles', 'the deployments you have logged in to', () => import('./commands/profiles.js')),
  noun(
    TOOLS,
    'mock',
    'serve the built-in museum, or your own files, on a port',
    () => import('./commands/mock.js'),
  ),
  noun(
    TOOLS,
    'check',
    'check that a deployment keeps the promises of the interface',
    () => import('./commands/check.js'),
  ),
  noun(TOOLS, 'verify', 'check exported files against their manifests', () => import('./commands/verify.js')),
  noun(
    TOOLS,
    'migrate',
    'turn version 2 and deprecated addresses into version 3',
    () => import('./commands/migrate.js'),
  ),
  noun(
    TOOLS,
    'openapi',
    'describe the service as an OpenAPI 3.1 document',
    () => import('./commands/openapi.js'),
  ),
  noun(
    TOOLS,
    'completion',
    'let the shell complete commands, options, fields and profiles',
    () => import('./commands/completion.js'),
  ),
];

function noun(group: string, name: string, summary: string, load: Noun['load']): Noun {
  return { group, name, summary, load };
}
