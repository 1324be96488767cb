// Node loads this module before the program. The clock then always shows DIFFERENTIAL_CLOCK (milliseconds), so that two runs can
// be in the same second, or hours apart.
const now = Number(process.env.DIFFERENTIAL_CLOCK);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...words) {
    super(...(words.length > 0 ? words : [now]));
  }
  static now() {
    return now;
  }
};
