/**
 * The types of cases. The seed of a case chooses its type: they take turns. Where a fault shows itself only sometimes, a type has
 * more than one turn.
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
    'pages of over 64 KB in mixed content codings, several at once',
    exports.exportCodings,
    3,
  ],
  ['export-formats', 'every kind and format of a service at rest', exports.exportFormats],
  ['export-faults', 'errors, resets, cut and damaged responses that pass', exports.exportFaults],
  ['export-numbers', 'integers beyond 2^53 as ids and values', exports.exportNumbers],
  ['export-from', 'exports made from the file of an export', exports.exportFrom],
  ['export-resume', 'a killed export is resumed after records moved', interrupted.exportResume],
  ['export-several', 'several files of one export, killed, then in another order', interrupted.exportSeveral],
  ['export-moving', 'records move between two pages of one run', interrupted.exportMoving],
  ['export-broken', 'a page fails for good, and comes with --resume', interrupted.exportBroken],
  ['export-hint', 'the printed command to resume, run as it is printed', interrupted.exportHint],
  ['export-foreign', 'another export to the file of an unfinished one', interrupted.exportForeignPart],
  ['export-parts', 'parts, read together and joined with --from', interrupted.exportParts],
  ['list-formats', 'list, get and count agree with the service', exports.listFormats],
  ['sync-runs', 'runs between edits, with passing faults and kept pages', sync.syncRuns],
  ['sync-broken', 'a killed or failed run, then edits, then a run that ends', sync.syncBroken],
  ['sync-newest', '--newest-first with equal days, ignored sort, empty pages', sync.syncNewest],
  ['sync-damaged', 'a damaged response changes nothing', sync.syncDamaged],
  ['sync-second', 'several runs in the same second', sync.syncSecond],
  ['sync-hook', 'each change log reaches --on-change, whatever fails', sync.syncHook],
  ['sync-from', 'a mirror in place of the deployment, also with an empty kind', sync.syncFrom],
  ['diff-leaves', 'an edit of any leaf is reported, and a new spelling is not', diff.diffLeaves],
  ['diff-exports', 'two exports in any formats, with edits between', diff.diffExports],
  ['diff-copy', 'an edited copy of a table, without manifest and some columns', diff.diffCopy],
  ['verify-files', 'missing, copied and damaged files', verify.verifyFiles],
  ['verify-manifests', 'manifests that contradict themselves', verify.verifyManifests],
  ['list-items', 'lists with caps, without totals, with ignored offsets', lists.listItems],
  ['list-empty', 'an empty table has its header', lists.listEmpty],
  ['list-names', 'the name of a collection on a later page', lists.listNames],
  ['list-images', 'pages of images hold each image once', lists.listImages],
  ['get-by', 'get --by id, title and a field', lists.getBy],
  ['search', 'one search in list, count, export, sync and --from', search.searchEverywhere],
  ['search-mistakes', 'unknown fields and empty queries are errors', search.searchMistakes],
  ['search-diff', 'diff of the records that a search finds', search.searchDiff],
].map(([name, description, run, turns = 1]) => ({ name, description, run, turns }));

/** The type of a case by its seed. */
export function caseOf(seed) {
  return TURNS[seed % TURNS.length];
}

const TURNS = CASES.flatMap((each) => Array.from({ length: each.turns }, () => each));
