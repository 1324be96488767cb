// The software bill of materials of the executables (CycloneDX), from that of npm.
import { execFileSync } from 'node:child_process';
import { NODE_VERSION } from './node-binaries.js';

/** Of all packages that npm lists, those of `packages`; and Node. Without what differs from run to run. */
export function createBillOfMaterials(packages, date) {
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const { serialNumber, ...bill } = JSON.parse(execFileSync('npm', words, { maxBuffer: 1e8 }));
  const bundled = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const node = {
    'bom-ref': `node@${NODE_VERSION}`,
    type: 'platform',
    name: 'node',
    version: NODE_VERSION,
    purl: `pkg:generic/node@${NODE_VERSION}`,
  };
  const components = [...bill.components.filter((each) => bundled.has(each['bom-ref'])), node];
  // npm names it after the folder.
  const component = { ...bill.metadata.component, name: 'opac' };
  const refs = new Set([component, ...components].map((each) => each['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return {
    ...bill,
    metadata: { ...bill.metadata, component, timestamp: date.toISOString() },
    components,
    dependencies: [...dependencies, { ref: node['bom-ref'], dependsOn: [] }],
  };
}
