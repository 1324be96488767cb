/** Prevents URLs in records from making opac connect to this machine or to a private network (server-side request forgery). */
import { lookup as lookUpAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from './base-url.js';

/** Networks that are not public: most special-purpose networks (RFC 6890), multicast, and an address for services of Azure. */
const PRIVATE_IPV4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['168.63.129.16', 32],
] as const;
/** IPv4-compatible, IPv4-translated, local NAT64, Teredo, 6to4, unique local, link-local, site-local and multicast. */
const PRIVATE_IPV6_NETWORKS = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;

const PRIVATE_NETWORKS = new BlockList();
for (const [address, prefix] of PRIVATE_IPV4_NETWORKS) {
  // A BlockList recognizes IPv4 addresses in ::ffff:0:0/96, but not in NAT64 addresses (RFC 6052).
  PRIVATE_NETWORKS.addSubnet(address, prefix);
  PRIVATE_NETWORKS.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6');
}
for (const [address, prefix] of PRIVATE_IPV6_NETWORKS) PRIVATE_NETWORKS.addSubnet(address, prefix, 'ipv6');

/** The IPv4 address at the end of an ISATAP address (RFC 5214 section 6.1). */
const ISATAP = /(?:::|:0:|:200:)5efe:([\da-f]+:[\da-f]+)$/i;

export function isPrivateAddress(address: string): boolean {
  const [, inner] = ISATAP.exec(address) ?? [];
  if (inner !== undefined && PRIVATE_NETWORKS.check(`::ffff:${inner}`, 'ipv6')) return true;
  return PRIVATE_NETWORKS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

export interface SsrfGuard {
  /** Returns true for `localhost` and private addresses, unless they are allowed. Does not look up other names. */
  readonly isRefused: (hostname: string) => boolean;
  /** Fails with the code OPAC_PRIVATE_ADDRESS if one of the addresses is private and the host is not allowed. */
  readonly lookup: LookupFunction;
}

/** `allowOwnHost` allows the host of the deployment. If this host is a loopback host, the option allows all loopback hosts. */
export function createSsrfGuard(
  baseUrl: string,
  {
    allowPrivateImages = false,
    allowOwnHost = true,
    lookup = lookUpAddress as LookupFunction,
  }: SsrfGuardOptions,
): SsrfGuard {
  const own = new URL(baseUrl).hostname;
  const isOwn = (hostname: string) => hostname === own || (isLoopback(own) && isLoopback(hostname));
  const isAllowed = (hostname: string) => allowPrivateImages || (allowOwnHost && isOwn(hostname));
  return {
    isRefused(hostname) {
      const address = hostname.replace(/^\[|\]$/g, '');
      const isPrivate = isIP(address) ? isPrivateAddress(address) : /(?:^|\.)localhost\.*$/i.test(address);
      return isPrivate && !isAllowed(hostname);
    },
    lookup(hostname, options, callback) {
      lookup(hostname, options, (error, found, family) => {
        const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
        const isRefused = !error && !isAllowed(hostname) && addresses.some(isPrivateAddress);
        if (!isRefused) return callback(error, found, family);
        callback(Object.assign(new Error('the address is private'), { code: 'OPAC_PRIVATE_ADDRESS' }), []);
      });
    },
  };
}

export interface SsrfGuardOptions {
  /** Allows requests to this machine and to private networks. */
  readonly allowPrivateImages?: boolean | undefined;
  /** Default true. Set to false if the URL of the deployment is from a file that an attacker may have written. */
  readonly allowOwnHost?: boolean | undefined;
  /** Default: the resolver of the system. */
  readonly lookup?: LookupFunction | undefined;
}

export const formatPrivateHost = (host: string) =>
  `${host} is on a private network or on this machine; use --allow-private-images to allow this`;
