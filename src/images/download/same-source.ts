/** Whether an image comes from where it came from before. */
import { isLoopback } from '../../client/base-url.js';

/** The same address; the port of a museum on this machine is another one each time. */
export function isSameSource(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  const isHere = isLoopback(first.hostname) && isLoopback(second.hostname);
  return isHere && `${first.pathname}${first.search}` === `${second.pathname}${second.search}`;
}
