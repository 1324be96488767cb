/** Opens an address in the person's browser. Throws when there is none to be started. */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url);
}
