import type { Command } from 'commander'
import { z } from 'zod'
import { sealEntries, verifyAudit } from '../modules/audit/seal.ts'
import { addAdministration } from './command.ts'
import { operator } from './session.ts'

export function addAuditCommands(root: Command): void {
  addAdministration(root, {
    name: 'verify-audit',
    summary: 'Seal what is new in the audit, and check that nothing of it was changed or removed.',
    options: {},
    input: z.object({}),
    example: 'kitlane verify-audit',
    async run(database) {
      await database.asSystem(operator, sealEntries)
      // Apart: a transaction that has written holds back the event feed until it ends, and this one may take long.
      const json = await database.asSystem(operator, verifyAudit)
      const counted = `${json.entries} entries, ${json.sealed} of them sealed`
      const text = json.intact ? `The audit is intact: ${counted}.` : `The audit was changed: ${json.brokenAt}.`
      return { json, text, failed: !json.intact }
    },
  })
}
