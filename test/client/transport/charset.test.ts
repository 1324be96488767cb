import { expect, it } from 'vitest';
import { transcodeToUtf8 } from '../../../src/client/transport/transport.js';

const response = (type: string | undefined, bytes: Buffer) => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  bytes,
  elapsed: 1,
});

it.each([
  ['application/json; charset=iso-8859-1', Buffer.from('é', 'latin1')],
  ['application/json;CHARSET = "ISO-8859-1"; q=1', Buffer.from('é', 'latin1')],
  ['application/json; charset=utf-16le', Buffer.from('é', 'utf16le')],
])('converts a body with the Content-Type %s to UTF-8', (type, bytes) => {
  expect(transcodeToUtf8(response(type, bytes)).bytes.toString()).toBe('é');
});

it.each([
  undefined,
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=UTF8',
  'application/json; charset=klingon',
  'application/charset=iso-8859-1',
])('does not change a body with the Content-Type %s', (type) => {
  // Invalid UTF-8 with a BOM, which a decoder would remove.
  const received = response(type, Buffer.from([0xef, 0xbb, 0xbf, 0xe9]));
  expect(transcodeToUtf8(received)).toBe(received);
});

it('leaves bytes that are not valid in the charset invalid', () => {
  const received = response('application/json; charset=shift_jis', Buffer.from('A\xffB\x83\x41', 'latin1'));
  const expected = Buffer.concat([Buffer.from('A'), Buffer.of(0xff), Buffer.from('Bア')]);
  expect(transcodeToUtf8(received).bytes).toEqual(expected);
});

it.each(['windows-1252', 'iso-8859-1'])('reads the quotes and dashes of Windows-1252: %s', (charset) => {
  const received = response(`application/json; charset=${charset}`, Buffer.from([0x91, 0x92, 0x96, 0xe9]));
  expect(transcodeToUtf8(received).bytes.toString()).toBe('‘’–é');
});

it('keeps the rest of the response', () => {
  const received = response('text/plain; charset=latin1', Buffer.from([0xe9]));
  expect(transcodeToUtf8(received)).toEqual({ ...received, bytes: Buffer.from('é') });
});
