// Which imports are allowed in src/: between folders in one direction, in a folder from an upper level to a lower one, never in a
// circle. Types count too. The folders are the map in docs/contributing.md.

/** The folders that each folder may import. */
export const MAY_IMPORT = {
  service: [],
  system: ['service'],
  client: ['service', 'system'],
  records: ['client', 'service', 'system'],
  auth: ['client', 'service', 'system'],
  export: ['client', 'records', 'service', 'system'],
  check: ['client', 'images', 'service', 'system'],
  diff: ['client', 'export', 'records', 'service', 'system'],
  images: ['client', 'export', 'records', 'service', 'system'],
  mirror: ['client', 'diff', 'export', 'records', 'service', 'system'],
  library: ['auth', 'check', 'client', 'diff', 'export', 'mirror', 'records', 'service', 'system'],
  local: ['records', 'service', 'system'],
  mock: ['local', 'service', 'system'],
  cli: [
    'auth',
    'check',
    'client',
    'diff',
    'export',
    'images',
    'local',
    'mirror',
    'mock',
    'records',
    'service',
    'system',
  ],
};

/** The modules that a folder must not import, because they do I/O or belong to the client. */
export const WITHOUT = {
  service: ['undici', 'node:fs', 'node:http', 'node:https', 'node:net', 'node:tls', 'node:child_process'],
  local: ['undici', 'node:http'],
  mock: ['undici'],
};

/** The levels of each folder, the top level first. `name` is a file; `name/` is a folder with all its files. */
export const LEVELS = {
  system: [
    ['lock', 'replace-file'],
    ['lock-file'],
    ['append-file', 'finished-file'],
    ['file-error'],
    ['compression'],
    ['folders', 'open-stream', 'regular-file', 'schema'],
    [
      'abortable',
      'clock',
      'error-code',
      'file-owner',
      'html',
      'split-lines',
      'log-commands',
      'output-path',
      'valibot',
      'windows-1252',
    ],
    ['heap-growth'],
  ],
  service: [
    ['openapi/', 'endpoints/find-endpoint'],
    ['migrate/'],
    ['records/', 'search/'],
    ['endpoints/catalogue', 'endpoints/retired'],
    ['endpoints/endpoint-row'],
    ['kinds', 'endpoints/items', 'assert-options'],
    ['errors', 'format-numbers', 'normalize-unicode', 'json', 'suggest-name', 'parse-json', 'version'],
    ['error-codes', 'percent-encoding', 'redact'],
    ['get-or-add-list', 'text-pattern'],
  ],
  client: [
    ['paging/'],
    ['client', 'wait-until'],
    ['layers/'],
    ['fetch-file'],
    ['read-json', 'transport/'],
    ['errors/'],
    ['ssrf-guard'],
    ['http-request', 'credentials', 'base-url', 'defaults'],
  ],
  auth: [
    ['login', 'logout', 'status'],
    ['deployment', 'check-credentials'],
    ['renewal'],
    ['login/'],
    ['credentials', 'dependencies'],
    ['store/'],
    ['flow/'],
  ],
  records: [['columns/'], ['files/'], ['cells/'], ['json/record/'], ['json/']],
  export: [
    ['stream-records'],
    ['export-records'],
    ['previous-run', 'write-outputs'],
    ['verify/'],
    ['collect/'],
    ['export-job'],
    ['convert/'],
    ['export-paths'],
  ],
  check: [
    ['run-checks'],
    ['checks'],
    ['known-deviations'],
    ['checks/', 'reports/'],
    ['samples/', 'checked-deployment'],
    ['check'],
    ['probe/'],
  ],
  diff: [
    ['reports/'],
    ['compare-snapshots', 'comparability'],
    ['tally'],
    ['changes'],
    ['comparable-record'],
    ['snapshot-index'],
    ['snapshot', 'snapshot-record', 'noise'],
  ],
  images: [
    ['sheet/sheet', 'download/finish-download'],
    ['sheet/sheet-html', 'download/download'],
    ['download/download-plan', 'download/image-folder'],
    ['download/index-file', 'download/sidecar', 'sheet/card'],
    ['names/', 'rights/', 'fetch-image'],
    ['image-columns'],
    ['image-row', 'inspect-image'],
    ['image-header'],
    ['complete-image'],
  ],
  mirror: [
    ['sync-mirror'],
    ['kind-run'],
    ['change-log', 'commit', 'incremental-changes', 'read-change-log'],
    ['newest-pages'],
    ['sync-options'],
    ['mirror-state'],
  ],
  library: [
    [
      'check-deployment',
      'diff-snapshots',
      'export-records',
      'paginate-endpoint',
      'sync-mirror',
      'verify-files',
    ],
    ['load-connection'],
  ],
  local: [
    ['routes'],
    ['search-route'],
    ['request'],
    ['search/'],
    ['store'],
    ['file-record-list'],
    ['record-list', 'files/'],
    ['record'],
    ['colors/', 'response'],
  ],
  mock: [
    ['index'],
    ['museum'],
    ['server/'],
    ['options'],
    ['faults/'],
    ['store'],
    ['data/'],
    ['images/'],
    ['random'],
  ],
  cli: [
    ['main'],
    ['run'],
    ['program'],
    ['completion/'],
    ['help/'],
    ['nouns'],
    ['commands/'],
    [
      'commands/access/',
      'commands/api/',
      'commands/check/',
      'commands/images/',
      'commands/lists/',
      'commands/open/',
      'commands/records/',
      'commands/sync/',
      'commands/tools/',
    ],
    ['commands/diff/'],
    ['commands/hints/'],
    ['commands/search/'],
    ['commands/items/'],
    ['create-context'],
    ['connect'],
    ['from/', 'dry-run/'],
    ['output/'],
    ['description/'],
    ['context'],
    ['options/'],
    ['output/terminal/', 'description/option', 'description/item-schema', 'exit-codes', 'defaults'],
  ],
};

const FOLDERS = Object.keys(MAY_IMPORT);

const place = (folder, name) => `^src/${folder}/${name.endsWith('/') ? name : `${name}(\\.d)?\\.ts$`}`;

/** A file or folder that a level names does not count as part of its parent folder. */
function levelRules(folder, levels) {
  const all = levels.flat();
  const placed = (level) => ({
    path: level.map((name) => place(folder, name)),
    pathNot: all
      .filter((inner) => level.some((name) => name !== inner && inner.startsWith(name) && name.endsWith('/')))
      .map((name) => place(folder, name)),
  });
  return levels.slice(1).map((level, above) => ({
    name: `${folder}: ${level.join(' ')} imports nothing from above`,
    severity: 'error',
    from: placed(level),
    to: mergePlaces(levels.slice(0, above + 1).map(placed)),
  }));
}

function mergePlaces(places) {
  const path = places.flatMap((each) => each.path);
  return { path, pathNot: places.flatMap((each) => each.pathNot).filter((inner) => !path.includes(inner)) };
}

export default {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    ...FOLDERS.map((folder) => ({
      name: `${folder} imports only ${MAY_IMPORT[folder].join(', ') || 'its own'}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: FOLDERS.filter((to) => to !== folder && !MAY_IMPORT[folder].includes(to)).map(
          (to) => `^src/${to}/`,
        ),
      },
    })).filter(({ to }) => to.path.length > 0),
    ...Object.entries(WITHOUT).map(([folder, names]) => ({
      name: `${folder} does without ${names.join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      // Node's own modules are resolved to names without `node:`.
      to: { path: names.map((name) => `(^|node_modules/)${name.replace('node:', '')}(/|$)`) },
    })),
    ...Object.entries(LEVELS).flatMap(([folder, levels]) => levelRules(folder, levels)),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
