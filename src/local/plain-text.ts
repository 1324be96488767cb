/** Texts as words are compared: lower case and without accents. */
export function plainText(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.toLowerCase();
}

const ASCII = /^\p{ASCII}*$/u;
