/** A run of checks records no part of a secret, also if it truncates the response within the secret. */
import { expect, it, onTestFinished } from 'vitest';
import { Recorder } from '../../../src/check/probe/recorder.js';
import type { HttpResponse } from '../../../src/client/http-request.js';
import { clearSecrets, registerSecret } from '../../../src/service/redact.js';

it.each([6, 20, 35])(
  'Recorder hides the first %i characters of a secret at the end of a truncated response',
  async (length) => {
    const secret = 'q7Zk39fTTxLmB2vVeW81uPpLs0aKdJ4hGyRt';
    registerSecret(secret);
    onTestFinished(clearSecrets);
    // The redaction of the long token makes the text so short that the excerpt would include its end.
    const start = `{"x":"Bearer ${'a'.repeat(65_536 - length - 14)} `;
    expect(start.length).toBe(65_536 - length);
    const bytes = Buffer.from(`${start}${secret}"}`);
    const recorder = new Recorder(() => 'curl');
    const response = { status: 500, elapsed: 1, bytes } as unknown as HttpResponse;
    await recorder.withRecording('user')(async () => response)({ method: 'GET', path: '/x' });
    const { request } = recorder.getExchange({ path: '/x' }, 'user', '');
    expect(request.status).toBe(500);
    expect(JSON.stringify(request)).not.toContain(secret.slice(0, length));
  },
);
