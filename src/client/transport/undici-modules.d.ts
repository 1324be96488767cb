// undici has types only for the complete package. Loading only `agent.js` is three times as fast.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
