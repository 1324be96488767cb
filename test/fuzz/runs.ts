/** How often a fuzzer draws: a little at each change, a hundred times that by `npm run fuzz` (OPAC_FUZZ_TIMES). */
const TIMES = Number(process.env.OPAC_FUZZ_TIMES ?? 1);

export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.ceil(usual * TIMES),
});
