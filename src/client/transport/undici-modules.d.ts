// undici has types for the complete package only. This one module loads three times as fast.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
