/** `opac token`: prints the access token. */
import { defineCommand } from '../../description/command.js';

export const commands = [
  defineCommand({
    name: 'token',
    summary: 'print the access token, renewed if necessary',
    examples: {
      'call the service with curl':
        'curl -H "Authorization: Bearer $(opac token)" https://collection.example.org/api/v3/opaccollections',
      'print the token of another profile': 'opac token -p museum',
    },
    endpoints: ['oauth.authorize', 'oauth.token'],
    dryRun: 'refused',
    output: 'summary',
    async run(context) {
      const [{ getAccessToken }, { createAnonymousSender, openDeployment }] = await Promise.all([
        import('../../../auth/credentials.js'),
        import('../../connect.js'),
      ]);
      const { baseUrl, scheme, credentials } = await openDeployment(context);
      const sender = createAnonymousSender(context, baseUrl, scheme);
      const token = await getAccessToken(credentials(sender), context.signal);
      return { kind: 'value', text: token, json: { accessToken: token, tokenType: 'bearer' } };
    },
  }),
];
