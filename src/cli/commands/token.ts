/** `opac token`: the access token, for other programs. */
import { OpacError } from '../../service/errors.js';
import { command } from '../command.js';

export const commands = [
  command({
    name: 'token',
    summary: 'print the access token for use in another program, renewed if need be',
    examples: [
      {
        purpose: 'ask the service with curl',
        command:
          'curl -H "Authorization: Bearer $(opac token)" https://collection.example.org/api/v3/opaccollections',
      },
      { purpose: 'of another profile', command: 'opac token -p museum' },
    ],
    endpoints: ['oauth.authorize', 'oauth.token'],
    parse: () => undefined,
    async run(context) {
      const { bareSender, deploymentOf } = await import('../connect.js');
      const { baseUrl, scheme, credentials } = await deploymentOf(context);
      if (scheme !== 'bearer') {
        throw new OpacError('auth', `there is no access token: the scheme of ${baseUrl} is ${scheme}`, {
          hint: 'log in with "opac login"',
        });
      }
      const header = await credentials(bareSender(context, baseUrl, scheme)).authorization(context.signal);
      const token = header?.replace(/^Bearer /, '') ?? '';
      return { text: token, json: { accessToken: token, tokenType: 'bearer' } };
    },
  }),
];
