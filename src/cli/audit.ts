import type { Command } from 'commander'
import { z } from 'zod'
import { sealEntries, type Verification, verifyAudit } from '../modules/audit/seal.ts'
import { addAdministration } from './command.ts'
import { operator } from './session.ts'

export function addAuditCommands(root: Command): void {
  addAdministration(root, {
    name: 'verify-audit',
    summary: 'Seal new audit entries, and check that no entry was changed or removed.',
    options: {},
    input: z.object({}),
    example: 'kitlane verify-audit',
    async run(database) {
      await database.asSystem(operator, sealEntries)
      // A separate transaction: one that has written delays the event feed until it ends, and this one may run long.
      const json = await database.asSystem(operator, verifyAudit)
      return { json, text: inWords(json), failed: !json.intact }
    },
  })
}

function inWords({ intact, brokenAt, entries, sealed }: Verification): string {
  if (brokenAt) return `The audit was changed: ${brokenAt}.`
  if (intact) return `The audit is intact: ${entries} entries, ${sealed} of them sealed.`
  if (entries === 0)
    return 'The audit is empty, so that nothing was checked. That is right only where nobody has done anything yet.'
  return `Nothing was checked: none of the ${entries} entries is sealed. A long-running transaction delays sealing; if there is none, the record of the last seal is missing.`
}
