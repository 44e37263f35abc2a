import type { Command } from 'commander'
import { z } from 'zod'
import { rotateMasterKey } from '../modules/keys/secrets.ts'
import { type KeysStatus, keysStatus, rotateDataKeys } from '../modules/keys/service.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { operator } from './session.ts'

export function addKeyCommands(root: Command): void {
  const group = addGroup(root, 'keys', 'The keys that personal data is sealed with.')
  addAdministration(group, {
    name: 'status',
    summary: 'Show which master keys are in use, and how many rows are sealed.',
    options: {},
    input: z.object({}),
    example: 'kitlane keys status',
    async run(database) {
      const json = await keysStatus(database, operator)
      return { json, text: inWords(json) }
    },
  })
  addAdministration(group, {
    name: 'rotate',
    summary:
      'Seal everything with new keys and destroy the old ones, while the service runs. Interrupted, it goes on when it is called again.',
    options: {
      '--master': 'replace the master key only: ENCRYPTION_KEY or KMS_KEY_ID in the place of ENCRYPTION_KEY_PREVIOUS',
    },
    input: z.object({ master: z.boolean().optional() }),
    example: 'kitlane keys rotate',
    async run(database, { master }, _realmPorts, portsOf) {
      if (master) {
        const json = await rotateMasterKey(database, operator)
        return {
          json,
          text: `The master key has wrapped ${json.keys} keys, and ${json.secrets} secrets were sealed again. ENCRYPTION_KEY_PREVIOUS is not needed any more, but for backups from before.`,
        }
      }
      const json = await rotateDataKeys(database, operator, {
        store: portsOf('live').fileStore,
        say: (line) => console.error(line),
      })
      return {
        json,
        text: `Sealed ${json.sealed} values again, and destroyed ${json.destroyed} old keys. Backups that hold the old keys can still be read with the master key.`,
      }
    },
  })
}

function inWords({ masters, rotatingSince, tables }: KeysStatus): string {
  const old = tables.reduce((sum, one) => sum + one.old, 0)
  return [
    table([
      ['MASTER KEY', 'KEYS', 'REALMS'],
      ...masters.map(({ master, keys, realms }) => [master, String(keys), String(realms)]),
    ]),
    table([
      ['TABLE', 'SEALED', 'IN CLEAR OR UNDER AN OLD KEY'],
      ...tables.map(({ table: name, sealed, old }) => [name, String(sealed), String(old)]),
    ]),
    rotatingSince
      ? `A rotation began at ${rotatingSince.toISOString()} and has not ended. To go on: kitlane keys rotate`
      : old > 0
        ? `${old} rows wait for the job that seals what earlier versions wrote. A worker runs it every ten minutes.`
        : 'Everything is sealed with the newest keys.',
  ].join('\n\n')
}
