/** Ways to write the same JSON: keys in another order, and white space between tokens. */

export function shuffledKeys(random, tree) {
  if (Array.isArray(tree)) return tree.map((each) => shuffledKeys(random, each));
  if (!(tree instanceof Map)) return tree;
  return new Map(random.shuffle([...tree]).map(([key, value]) => [key, shuffledKeys(random, value)]));
}

/** White space behind commas and colons that are not inside strings. */
export function spaced(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/gs, (token) =>
    token === ',' ? ',\n  ' : token === ':' ? ': ' : token,
  );
}

/** Letters beyond ASCII as escapes. */
export function escaped(text) {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
