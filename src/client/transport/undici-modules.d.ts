// undici's package has types for its whole only. One module of it starts three times as fast.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
