// undici has types only for the complete package. This module alone loads three times as fast.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
