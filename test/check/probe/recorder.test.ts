/** What a run of checks keeps of a response: no part of a secret, wherever the response is cut. */
import { expect, it, onTestFinished } from 'vitest';
import { Recorder } from '../../../src/check/probe/recorder.js';
import type { HttpResponse } from '../../../src/client/http-request.js';
import { clearSecrets, registerSecret } from '../../../src/service/redact.js';

it.each([6, 20, 35])(
  'a response that is cut after %i characters of a secret shows none of them',
  async (kept) => {
    const secret = 'q7Zk39fTTxLmB2vVeW81uPpLs0aKdJ4hGyRt';
    registerSecret(secret);
    onTestFinished(clearSecrets);
    // The redaction of a long word makes the text so short that its end would be in the excerpt.
    const start = `{"x":"Bearer ${'a'.repeat(65_536 - kept - 14)} `;
    expect(start.length).toBe(65_536 - kept);
    const bytes = Buffer.from(`${start}${secret}"}`);
    const recorder = new Recorder(() => 'curl');
    const response = { status: 500, elapsed: 1, bytes } as unknown as HttpResponse;
    await recorder.withRecording('user')(async () => response)({ method: 'GET', path: '/x' });
    const { request } = recorder.getExchange({ path: '/x' }, 'user', '');
    expect(request.status).toBe(500);
    expect(JSON.stringify(request)).not.toContain(secret.slice(0, kept));
  },
);
