/** Reads tables (CSV and TSV, RFC 4180), and the values of a cell. */

/** Returns rows of texts. Throws an Error for a quote that is not closed, and for text after a closing quote. */
export function readTable(text, separator) {
  const rows = [];
  let row = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new Error('a quote is not closed');
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
      if (at < text.length && ![separator, '\n', '\r'].includes(text[at]))
        throw new Error(`text after a closing quote: ${text.slice(at, at + 40)}`);
    } else {
      const end = endOfCell(text, at, separator);
      cell = text.slice(at, end);
      at = end;
    }
    row.push(cell);
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push('');
      else if (text[at] !== '\n' && text[at] !== '\r') continue;
      else row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

function endOfCell(text, from, separator) {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}

/**
 * Returns true if the cell contains these values (`docs/formats.md`). The separator joins several values. Inside a value, a
 * backslash precedes a separator, and backslashes before it are doubled. A single value is unchanged, so it may look like more.
 */
export function containsValues(cell, values, separator) {
  const filled = values.filter((value) => value !== '');
  if (filled.length === 0) return cell.split(separator).every((value) => value === '');
  if (values.length === 1) return cell === values[0];
  if (filled.length === 1 && cell === filled[0]) return true;
  const isEqual = (list) => list.length === filled.length && list.every((value, n) => value === filled[n]);
  return isEqual(splitCell(cell, separator).filter((value) => value !== ''));
}

function splitCell(cell, separator) {
  const values = [''];
  for (let at = 0; at < cell.length; ) {
    const last = values.length - 1;
    const [slashes] = /^\\*/.exec(cell.slice(at));
    at += slashes.length;
    if (cell.startsWith(separator, at)) {
      values[last] += '\\'.repeat(Math.floor(slashes.length / 2));
      if (slashes.length % 2 === 1) values[last] += separator;
      else values.push('');
      at += separator.length;
    } else {
      values[last] += slashes + (cell[at] ?? '');
      at++;
    }
  }
  return values;
}
