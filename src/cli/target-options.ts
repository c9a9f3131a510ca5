// The flags that say what is known of a target beside its address: users, control API, what may be done to it. Asks nobody.
import { Option } from 'commander';

export function targetOptions(): Option[] {
  return [
    new Option('--user <id:key>', 'first user: id and token or API key').env('PBXSIM_USER'),
    new Option('--second-user <id:key>', 'another user of the account').env('PBXSIM_SECOND_USER'),
    new Option('--restricted-user <id:key>', 'a user who may not do everything').env('PBXSIM_RESTRICTED_USER'),
    new Option('--other-customer-user <id:key>', 'user of another customer').env('PBXSIM_OTHER_CUSTOMER_USER'),
    new Option('--control <root>', 'control API of the target, where it is a simulator'),
    new Option('--control-token <token>', 'token of that control API').env('PBXSIM_CONTROL_TOKEN'),
    new Option(
      '--allow <list>',
      'what may be done to the target: write,dial,spend,wait,destroy (default: a simulator, or a system on this machine, is there to be used, another is only read)',
    ).argParser((text) => text.split(',')),
  ];
}
