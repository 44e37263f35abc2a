import type { Command } from 'commander'
import { z } from 'zod'
import { kitId } from '../domain/id-fields.ts'
import { advanceKit } from '../modules/kits/advance.ts'
import { realmOfKit } from '../modules/kits/locate.ts'
import { parseStatus } from '../modules/kits/rules.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup } from './command.ts'
import { addKitImport } from './kit-import.ts'
import { operator } from './session.ts'

const shown =
  'kitInTransit, kitDelivered, sampleInTransit, sampleReceived, sampleRejected, or an exception such as deliveryException'

const status = z.string().transform((given, context) => {
  const found = parseStatus(given)
  if (found) return found
  context.addIssue({ code: 'custom', message: `must be ${shown}` })
  return z.NEVER
})

export function addKitCommands(root: Command): void {
  const group = addGroup(root, 'kit', 'Record what happens to live kits, and take over those of another vendor.')

  addAdministration(group, {
    name: 'advance',
    summary: 'Record a step of a live kit. Skipped steps are filled in.',
    options: {
      '--kit <id>': 'the ID on the box',
      '--status <status>': shown,
      '--reason <text>': 'the reason for a rejection or an exception',
    },
    input: z.object({ kit: kitId, status, reason: text(500).optional() }),
    example: 'kitlane kit advance --kit K4T9WQZ2M7 --status kitInTransit',
    async run(database, { kit, status, reason }) {
      const realm = await database.asSystem(operator, (tx) => realmOfKit(tx, kit))
      const record = await database.inRealm(realm, operator, (tx) => advanceKit(tx, kit, status, reason))
      return {
        json: record,
        text: `The kit ${kit} is now ${record.kitStatus}, its sample ${record.sampleStatus}, its report ${record.status}.`,
      }
    },
  })

  addKitImport(group)
}
