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
    output: 'value',
    async run(context) {
      const [{ getAccessToken: accessTokenOf }, { bareSender, deploymentOf }] = await Promise.all([
        import('../../auth/credentials.js'),
        import('../connect.js'),
      ]);
      const { baseUrl, scheme, credentials, profile } = await deploymentOf(context);
      if (context.dryRunLog && scheme === 'bearer') {
        const { tokenScript } = await import('../dry-run/login.js');
        context.dryRunLog.push(...tokenScript(context, baseUrl, profile));
        return undefined;
      }
      const token = await accessTokenOf(credentials(bareSender(context, baseUrl, scheme)), context.signal);
      return { kind: 'value', text: token, json: { accessToken: token, tokenType: 'bearer' } };
    },
  }),
];
