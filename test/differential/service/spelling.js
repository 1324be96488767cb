/** Changes the notation of JSON: the order of keys, white space, and escapes. */

export function shuffleKeys(random, tree) {
  if (Array.isArray(tree)) return tree.map((each) => shuffleKeys(random, each));
  if (!(tree instanceof Map)) return tree;
  return new Map(random.shuffle([...tree]).map(([key, value]) => [key, shuffleKeys(random, value)]));
}

/** Inserts white space after commas and colons outside strings. */
export function insertSpaces(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/gs, (token) =>
    token === ',' ? ',\n  ' : token === ':' ? ': ' : token,
  );
}

/** Replaces non-ASCII characters with escapes. */
export function escapeNonAscii(text) {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
