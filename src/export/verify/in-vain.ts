/** Incomplete exports of which a later run would not get more from the partial file. */
import { isFarFewer } from './completeness.js';
import type { Manifest } from './manifest.js';

/** What to do instead of resuming; undefined where a resumed run may get more. */
export function whyInVain(manifest: Manifest): string | undefined {
  const { reasons, gaps, plan } = manifest;
  if (isOnlyStrict(manifest)) return 'run the export again, or leave out --strict';
  const isUnreachable = ({ reason }: Manifest['gaps'][number]) =>
    plan?.unreachable.some(({ what }) => reason.includes(what));
  if (gaps.length === 0 || gaps.length < reasons.length || !gaps.every(isUnreachable)) return undefined;
  return 'the service gives no way to these records; look for them with --where';
}

/** Whether only --strict makes it incomplete. */
function isOnlyStrict({ reasons, totals, idCheck, notFound, notUtf8, records, replaces }: Manifest): boolean {
  const strict = [
    totals.drift.length > 1 && !idCheck?.isSettled,
    notFound.length > 0,
    notUtf8.records > 0,
    isFarFewer(records, replaces),
  ];
  return reasons.length === strict.filter(Boolean).length;
}
