/** A page of `docs/`, whose text the bundler and the test runner put in. */
declare module '*.md' {
  const text: string;
  export default text;
}
