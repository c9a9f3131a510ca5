// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// pbxsim init: a target file to be filled in, with a word on everything that it may say.
import { TOUCH_MEANINGS, TOUCHES } from '../harness/target/what-it-takes.ts';
import { exists, writeReport } from '../wires/scenario-files.ts';
import { UsageError } from './errors.ts';

export const TARGET_TEMPLATE = `# A system to be judged: pbxsim doctor <this file>, then pbxsim conform <this file>.
# What begins with # is optional. \${env.NAME} stands for a variable of the environment: secrets belong there.

api_root: https://pbx.example/v1.1/pbx

users:
  # Whoever may do everything in the account that is used for the test. key: an API key, or a user token.
  first:
    id: 1001
    key: \${env.PBX_FIRST_KEY}
    # email: ada@pbx.example               # with password: login and the life of tokens are judged
    # password: \${env.PBX_FIRST_PASSWORD}
    # customer_id: 7
    # ext: "101"
    # number: "+442079460101"
    # sip: { username: "101", password: "\${env.PBX_FIRST_SIP_PASSWORD}" }
  # second: { id: 1002, key: "\${env.PBX_SECOND_KEY}", ext: "102" }
  # third: { id: 1003, email: cleo@pbx.example }         # its password is reset, where the mail can be read
  # restricted: { id: 1004, key: "\${env.PBX_RESTRICTED_KEY}" }   # may not do everything: 403 is judged
  # two_factor: { id: 1005, email: dan@pbx.example, password: "\${env.PBX_TWO_FACTOR_PASSWORD}" }
  # other_customer: { id: 2001, key: "\${env.PBX_OTHER_KEY}" }    # must see nothing of the first account

# What may be done to the system; what is not named here is not done, and its checks are unevaluable.
${TOUCHES.map((touch) => `#   ${touch.padEnd(9)}${TOUCH_MEANINGS[touch]}`).join('\n')}
allow: [read]

# Where phones of the harness register.
# sip: { domain: pbx.example, udp: "pbx.example:5060" }

# Webhooks that somebody has set up by hand: where the harness listens for them.
# webhooks: { listen: "0.0.0.0:8443", certificate: receiver.pem, key: receiver.key.pem }

# What the system does not have; its checks are unsupported then, not failed.
# capabilities: { recordings: false }

# Operations that it does not have, by operation id or path.
# absent: [/faxes, createLeadCall]

# Ids of records that the API neither makes nor lists.
# known: { /mohs: [1] }

# What is so at the system and cannot be read from its API.
# presets:
#   call_states: { RINGING: 3, CONNECTED: 4 }
#   restricted_may_not: [listQueues, createQueue]

# The control API, where the target is a simulator.
# control: { root: "http://127.0.0.1:8080/_sim" }
`;

export async function init(file: string, { force = false }: { readonly force?: boolean }): Promise<void> {
  if (!force && (await exists(file))) throw new UsageError(`${file} is there already; --force writes over it.`);
  await writeReport(file, TARGET_TEMPLATE, 'init');
  console.log(`${file} is written: fill it in, then run pbxsim doctor ${file}`);
}
