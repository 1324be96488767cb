/** Addresses that only this machine reaches (RFC 6890): its own, and link-local addresses, where clouds serve credentials. */
import { BlockList, isIP } from 'node:net';

const SPECIAL_PURPOSE_NETWORKS = new BlockList();
SPECIAL_PURPOSE_NETWORKS.addSubnet('0.0.0.0', 8);
SPECIAL_PURPOSE_NETWORKS.addSubnet('127.0.0.0', 8);
SPECIAL_PURPOSE_NETWORKS.addSubnet('169.254.0.0', 16);
SPECIAL_PURPOSE_NETWORKS.addAddress('::', 'ipv6');
SPECIAL_PURPOSE_NETWORKS.addAddress('::1', 'ipv6');
SPECIAL_PURPOSE_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/** Whether only this machine can reach a URL, although the deployment is on another machine. */
export function isSsrfTarget({ hostname }: URL, baseUrl: string): boolean {
  return isSpecialPurposeAddress(hostname) && !isSpecialPurposeAddress(new URL(baseUrl).hostname);
}

/** Knows IP addresses and `localhost` only: it does not look up other names. */
function isSpecialPurposeAddress(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  // RFC 6761 section 6.3.
  if (version === 0) return /(?:^|\.)localhost\.?$/i.test(address);
  return SPECIAL_PURPOSE_NETWORKS.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
