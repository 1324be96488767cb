import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgress, type ProgressOptions } from '../../../../src/cli/output/terminal/progress.js';
import { displayWidth } from '../../../../src/cli/output/terminal/text.js';
import { anyScreen, plain, screen } from '../screens.js';

/** A progress that keeps what it wrote, with a clock that is set by hand. */
function watched(options: Partial<ProgressOptions> = {}) {
  const written: string[] = [];
  const clock = { milliseconds: 0 };
  const progress = createProgress({
    stderr: { say: (text) => void written.push(`${text}\n`), draw: (text) => void written.push(text) },
    terminal: screen(100),
    now: () => clock.milliseconds,
    ...options,
  });
  return { progress, written, clock };
}

/** What a terminal shows in its last line after these texts. */
function lastLine(written: readonly string[]): string {
  let cells: string[] = [];
  let column = 0;
  for (const character of plain(written.join(''))) {
    if (character === '\n') cells = [];
    if (character === '\n' || character === '\r') column = 0;
    else cells[column++] = character;
  }
  return cells.join('').trimEnd();
}

describe('createProgress on a terminal', () => {
  it('shows part, numbers, rate, elapsed and remaining time', () => {
    const { progress, written, clock } = watched();
    for (const [at, done] of [
      [1000, 319],
      [2000, 638],
      [3000, 957],
    ] as const) {
      clock.milliseconds = at;
      progress.update(done, 5109);
      // Fewer pages say nothing about the time left.
      expect(lastLine(written).includes('left')).toBe(at === 3000);
    }
    clock.milliseconds = 4000;
    progress.update(1276, 5109);
    expect(lastLine(written)).toBe(
      '█████░░░░░░░░░░░░░░░ 25.0% · 1,276 of 5,109 · 319/s · 4 s so far · 12 s left',
    );
  });

  it('shows what it can while the total is not known', () => {
    const { progress, written, clock } = watched();
    clock.milliseconds = 1000;
    progress.update(100);
    expect(lastLine(written)).toBe('100 · 100/s · 1 s so far');
  });

  it('takes no rate from what earlier runs have done', () => {
    const { progress, written, clock } = watched({ from: 5000 });
    clock.milliseconds = 10_000;
    progress.update(5050, 5100);
    expect(lastLine(written)).toContain('· 5/s · 10 s so far');
  });

  it('smooths the rate over pages that come in bursts', () => {
    const { progress, written, clock } = watched();
    for (let page = 1; page <= 20; page++) {
      clock.milliseconds = page * 1000 + (page % 2) * 800;
      progress.update(page * 100, 10_000);
    }
    expect(Number(/(\d+)\/s/.exec(lastLine(written))?.[1])).toBeGreaterThan(70);
    expect(Number(/(\d+)\/s/.exec(lastLine(written))?.[1])).toBeLessThan(140);
  });

  it('draws at most ten times a second', () => {
    const { progress, written, clock } = watched();
    for (clock.milliseconds = 0; clock.milliseconds < 1000; clock.milliseconds += 1)
      progress.update(clock.milliseconds, 1000);
    expect(written).toHaveLength(10);
  });

  it('keeps notes above the line, and takes the line away at the end', () => {
    const { progress, written } = watched();
    progress.update(50, 100);
    progress.note('the total changed from 99 to 100');
    expect(lastLine(written)).toContain('50 of 100');
    progress.done();
    progress.done();
    expect(lastLine(written)).toBe('');
    expect(written.join('').split('\n')[0]).toMatch(/\rthe total changed from 99 to 100$/);
  });

  it('leaves nothing of a longer line', () => {
    const { progress, written, clock } = watched();
    progress.update(1_000_000, 2_000_000);
    clock.milliseconds = 200;
    progress.update(1, 2);
    expect(lastLine(written)).toBe(`${'█'.repeat(10)}${'░'.repeat(10)} 50.0% · 1 of 2 · 5/s · 0 s so far`);
  });

  it('never reaches the last column', () => {
    const numbers = fc.oneof(fc.nat(), fc.constantFrom(0, -1, Number.NaN, Number.MAX_VALUE));
    const updates = fc.array(fc.tuple(numbers, fc.option(numbers, { nil: undefined })), { maxLength: 5 });
    fc.assert(
      fc.property(updates, anyScreen, (steps, terminal) => {
        const { progress, written, clock } = watched({ terminal: { ...terminal, isTerminal: true } });
        for (const [done, total] of steps) {
          clock.milliseconds += 500;
          progress.update(done, total);
          expect(displayWidth(lastLine(written))).toBeLessThan(terminal.width);
        }
        if (terminal.colors === 0) expect(written.join('')).toBe(plain(written.join('')));
      }),
    );
  });
});

describe('createProgress elsewhere', () => {
  const terminal = screen(80, 0, { isTerminal: false, unicode: false });

  it('is silent but for notes', () => {
    const { progress, written, clock } = watched({ terminal });
    clock.milliseconds = 60_000;
    progress.update(50, 100);
    progress.note('the total changed');
    progress.done();
    expect(written).toEqual(['the total changed\n']);
  });
});
