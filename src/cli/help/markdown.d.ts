/** A page of `docs/`. The bundler and the test runner insert its text. */
declare module '*.md' {
  const text: string;
  export default text;
}
