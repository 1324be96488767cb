/**
 * The types of cases. The seed of a case selects its type. The types take turns. A type that finds a bug only sometimes has
 * several turns.
 */
import * as diff from './cases/diff.js';
import * as exports from './cases/export.js';
import * as interrupted from './cases/interrupted.js';
import * as lists from './cases/lists.js';
import * as search from './cases/search.js';
import * as sync from './cases/sync.js';
import * as verify from './cases/verify.js';

export const CASES = [
  [
    'export-codings',
    'pages of over 64 KB in several content codings, requested concurrently',
    exports.exportCodings,
    3,
  ],
  ['export-formats', 'every kind and format of a service that does not change', exports.exportFormats],
  ['export-faults', 'temporary errors, resets, and incomplete or damaged responses', exports.exportFaults],
  ['export-numbers', 'integers above 2^53 as ids and values', exports.exportNumbers],
  ['export-from', 'exports with --from the file of an export', exports.exportFrom],
  ['export-resume', 'a killed export is resumed after records changed', interrupted.exportResume],
  ['export-several', 'an export to several files is killed and resumed', interrupted.exportSeveral],
  ['export-moving', 'records change between two pages of one run', interrupted.exportMoving],
  ['export-broken', 'a page fails permanently, and --resume receives it', interrupted.exportBroken],
  ['export-hint', 'the printed command resumes an export', interrupted.exportHint],
  ['export-foreign', 'a different export to the file of an unfinished export', interrupted.exportForeignPart],
  ['export-parts', 'parts, read together and combined with --from', interrupted.exportParts],
  ['list-formats', 'list, get and count agree with the service', exports.listFormats],
  ['sync-runs', 'runs with edits between and during them, and temporary faults', sync.syncRuns],
  ['sync-broken', 'a killed or failed run, then edits, then a successful run', sync.syncBroken],
  ['sync-newest', '--newest-first with equal days, ignored sort, empty pages', sync.syncNewest],
  ['sync-damaged', 'a damaged response does not change the mirror', sync.syncDamaged],
  ['sync-second', 'several runs in the same second', sync.syncSecond],
  ['sync-hook', 'each change log reaches --on-change, even after failures', sync.syncHook],
  ['sync-from', 'commands with --from a mirror, also with an empty kind', sync.syncFrom],
  ['diff-leaves', 'diff reports an edit of any value, but no change of notation', diff.diffLeaves],
  ['diff-exports', 'two exports in any formats, with edits between them', diff.diffExports],
  ['diff-copy', 'an edited copy of a table, without a manifest and some columns', diff.diffCopy],
  ['verify-files', 'missing, copied and damaged files', verify.verifyFiles],
  ['verify-manifests', 'manifests that contradict themselves', verify.verifyManifests],
  ['list-items', 'lists with a maximum page size, without totals, with ignored offsets', lists.listItems],
  ['list-empty', 'an empty table has a header', lists.listEmpty],
  ['list-names', 'the name of a collection on a later page', lists.listNames],
  ['list-images', 'pages of images contain each image once', lists.listImages],
  ['get-by', 'get --by id, title and a field', lists.getBy],
  ['search', 'one search in list, count, export, sync and --from', search.searchEverywhere],
  ['search-mistakes', 'unknown fields and empty queries are errors', search.searchMistakes],
  ['search-diff', 'diff of the records that a search finds', search.searchDiff],
].map(([name, description, run, turns = 1]) => ({ name, description, run, turns }));

/** Returns the type of a case. */
export function findCase(seed) {
  return TURNS[seed % TURNS.length];
}

const TURNS = CASES.flatMap((each) => Array.from({ length: each.turns }, () => each));
