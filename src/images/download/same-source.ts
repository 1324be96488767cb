/** Compares addresses of images between runs. */
import { isLoopback } from '../../client/base-url.js';

/** Ignores the port on loopback: the built-in museum has another one each time. */
export function isSameSource(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  const isHere = isLoopback(first.hostname) && isLoopback(second.hostname);
  return isHere && `${first.pathname}${first.search}` === `${second.pathname}${second.search}`;
}
