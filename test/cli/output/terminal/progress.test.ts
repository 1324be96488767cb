import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgress, type ProgressOptions } from '../../../../src/cli/output/terminal/progress.js';
import { displayWidth } from '../../../../src/cli/output/terminal/text.js';
import { anyScreen, createTerminal, removeColors } from '../screens.js';

/** Creates a progress that records its output, with a clock that the test sets. */
function createTestProgress(options: Partial<ProgressOptions> = {}) {
  const written: string[] = [];
  const clock = { milliseconds: 0 };
  const progress = createProgress({
    stderr: { say: (text) => void written.push(`${text}\n`), draw: (text) => void written.push(text) },
    terminal: createTerminal(100),
    now: () => clock.milliseconds,
    ...options,
  });
  return { progress, written, clock };
}

/** Returns the last line of a terminal after these texts. */
function readLastLine(written: readonly string[]): string {
  let cells: string[] = [];
  let column = 0;
  for (const character of removeColors(written.join(''))) {
    if (character === '\n') cells = [];
    if (character === '\n' || character === '\r') column = 0;
    else cells[column++] = character;
  }
  return cells.join('').trimEnd();
}

describe('createProgress on a terminal', () => {
  it('shows a bar, the percentage, counts, the rate, and elapsed and remaining time', () => {
    const { progress, written, clock } = createTestProgress();
    for (const [at, done] of [
      [1000, 319],
      [2000, 638],
      [3000, 957],
    ] as const) {
      clock.milliseconds = at;
      progress.update(done, 5109);
      // Before 3 s, the rate is too uncertain for an estimate of the time that is left.
      expect(readLastLine(written).includes('left')).toBe(at === 3000);
    }
    clock.milliseconds = 4000;
    progress.update(1276, 5109);
    expect(readLastLine(written)).toBe(
      '█████░░░░░░░░░░░░░░░ 25.0% · 1,276 of 5,109 · 319/s · 4 s so far · 12 s left',
    );
  });

  it('shows the count, the rate and the elapsed time if the total is unknown', () => {
    const { progress, written, clock } = createTestProgress();
    clock.milliseconds = 1000;
    progress.update(100);
    expect(readLastLine(written)).toBe('100 · 100/s · 1 s so far');
  });

  it('does not count the records of earlier runs in the rate', () => {
    const { progress, written, clock } = createTestProgress({ from: 5000 });
    clock.milliseconds = 10_000;
    progress.update(5050, 5100);
    expect(readLastLine(written)).toContain('· 5/s · 10 s so far');
  });

  it('shows the average rate if pages arrive at irregular intervals', () => {
    const { progress, written, clock } = createTestProgress();
    for (let page = 1; page <= 20; page++) {
      clock.milliseconds = page * 1000 + (page % 2) * 800;
      progress.update(page * 100, 10_000);
    }
    expect(Number(/(\d+)\/s/.exec(readLastLine(written))?.[1])).toBeGreaterThan(70);
    expect(Number(/(\d+)\/s/.exec(readLastLine(written))?.[1])).toBeLessThan(140);
  });

  it('draws at most ten times per second', () => {
    const { progress, written, clock } = createTestProgress();
    for (clock.milliseconds = 0; clock.milliseconds < 1000; clock.milliseconds += 1)
      progress.update(clock.milliseconds, 1000);
    expect(written).toHaveLength(10);
  });

  it('prints notes above the line, and removes the line at the end', () => {
    const { progress, written } = createTestProgress();
    progress.update(50, 100);
    progress.note('the total changed from 99 to 100');
    expect(readLastLine(written)).toContain('50 of 100');
    progress.done();
    progress.done();
    expect(readLastLine(written)).toBe('');
    expect(written.join('').split('\n')[0]).toMatch(/\rthe total changed from 99 to 100$/);
  });

  it('overwrites a longer line completely', () => {
    const { progress, written, clock } = createTestProgress();
    progress.update(1_000_000, 2_000_000);
    clock.milliseconds = 200;
    progress.update(1, 2);
    expect(readLastLine(written)).toBe(
      `${'█'.repeat(10)}${'░'.repeat(10)} 50.0% · 1 of 2 · 5/s · 0 s so far`,
    );
  });

  it('never reaches the last column', () => {
    const numbers = fc.oneof(fc.nat(), fc.constantFrom(0, -1, Number.NaN, Number.MAX_VALUE));
    const updates = fc.array(fc.tuple(numbers, fc.option(numbers, { nil: undefined })), { maxLength: 5 });
    fc.assert(
      fc.property(updates, anyScreen, (steps, terminal) => {
        const { progress, written, clock } = createTestProgress({
          terminal: { ...terminal, isTerminal: true },
        });
        for (const [done, total] of steps) {
          clock.milliseconds += 500;
          progress.update(done, total);
          expect(displayWidth(readLastLine(written))).toBeLessThan(terminal.width);
        }
        if (terminal.colors === 0) expect(written.join('')).toBe(removeColors(written.join('')));
      }),
    );
  });
});

describe('createProgress without a terminal', () => {
  const terminal = createTerminal(80, 0, { isTerminal: false, unicode: false });

  it('writes only notes', () => {
    const { progress, written, clock } = createTestProgress({ terminal });
    clock.milliseconds = 60_000;
    progress.update(50, 100);
    progress.note('the total changed');
    progress.done();
    expect(written).toEqual(['the total changed\n']);
  });
});
