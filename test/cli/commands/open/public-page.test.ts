import { describe, expect, it } from 'vitest';
import { DEFAULT_PATTERN, formatPublicPageUrl } from '../../../../src/cli/commands/open/public-page.js';

const VALUES = {
  base_url: 'https://museum.example/collection',
  kind: 'objects',
  id: '12 / b',
  slug: 'a-vase',
};

describe('formatPublicPageUrl', () => {
  it.each([
    [DEFAULT_PATTERN, 'https://museum.example/collection/objects/12%20%2F%20b'],
    ['https://other.example/{slug}-{id}?k={kind}', 'https://other.example/a-vase-12%20%2F%20b?k=objects'],
  ])('fills in the pattern %s', (pattern, address) => {
    expect(formatPublicPageUrl(pattern, VALUES)).toBe(address);
  });

  it('throws for an unknown placeholder', () => {
    expect(() => formatPublicPageUrl('{base_url}/{slugg}', VALUES)).toThrow('unknown placeholder {slugg}');
  });

  it.each(['{kind}/{id}', 'file:///etc/{id}', 'javascript:alert({id})'])(
    'throws if the pattern does not create an http URL: %s',
    (pattern) => {
      expect(() => formatPublicPageUrl(pattern, VALUES)).toThrow('does not create an http URL');
    },
  );
});
