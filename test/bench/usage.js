// Loaded into each measured Node process. When the process exits, writes the CPU seconds and the peak memory in MB.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 }));
});
