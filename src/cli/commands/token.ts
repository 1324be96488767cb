/** `opac token`. */
import { command } from '../command/command.js';

export const commands = [
  command({
    name: 'token',
    summary: 'print the access token, renewed if necessary',
    examples: [
      {
        purpose: 'call the service with curl',
        command:
          'curl -H "Authorization: Bearer $(opac token)" https://collection.example.org/api/v3/opaccollections',
      },
      { purpose: 'print the token of another profile', command: 'opac token -p museum' },
    ],
    endpoints: ['oauth.authorize', 'oauth.token'],
    dryRun: 'refused',
    output: 'text',
    parse: () => undefined,
    async run(context) {
      const [{ getAccessToken: accessTokenOf }, { bareSender, deploymentOf }] = await Promise.all([
        import('../../auth/credentials.js'),
        import('../connect.js'),
      ]);
      const { baseUrl, scheme, credentials } = await deploymentOf(context);
      const token = await accessTokenOf(credentials(bareSender(context, baseUrl, scheme)), context.signal);
      return { kind: 'value', text: token, json: { accessToken: token, tokenType: 'bearer' } };
    },
  }),
];
