/** Bytes of the punctuation and literals of JSON (RFC 8259). */

export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const ZERO = 0x30;
export const N = 0x6e;
export const T = 0x74;
export const F = 0x66;
