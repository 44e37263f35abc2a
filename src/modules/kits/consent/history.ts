import type { Tx } from '../../../platform/database/tx.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import { type ConsentRow, selectConsents } from '../consent-queries.ts'
import type { ConsentEntry } from './schema.ts'
import { selectWithdrawals, type WithdrawalRow } from './withdrawal-queries.ts'

/** What was agreed to and taken back, by kit, oldest first. `showsNames`: also by whom and from where. */
export async function consentHistory(
  tx: Tx,
  kitIds: readonly string[],
  showsNames: boolean,
): Promise<Map<string, ConsentEntry[]>> {
  const entries = [
    ...(await selectConsents(tx, kitIds)).map((row) => ({ row, entry: agreed(row, showsNames) })),
    ...(await selectWithdrawals(tx, kitIds)).map((row) => ({ row, entry: withdrawn(row) })),
  ]
  const sorted = entries.sort((a, b) => a.row.at.getTime() - b.row.at.getTime())
  const byKit = Map.groupBy(sorted, ({ row }) => row.kitId)
  return new Map([...byKit].map(([kitId, all]) => [kitId, all.map(({ entry }) => entry)]))
}

function agreed(row: ConsentRow, showsNames: boolean): ConsentEntry {
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ')
  return {
    type: 'agreed',
    at: row.at.toISOString(),
    consentVersion: row.consentVersion,
    ...(row.kitType !== null && { kitType: publicKitType(row.kitType) }),
    ...(row.language !== null && { language: row.language }),
    ...(row.wordsHash !== null && { sha256: row.wordsHash.toString('hex') }),
    research: row.research,
    ...(row.relation !== null && { relation: row.relation }),
    ...(showsNames && name && { name }),
    ...(showsNames && row.email !== null && { email: row.email }),
    ...(showsNames && row.ip !== null && { ip: row.ip }),
  }
}

const withdrawn = ({ what, outcome, by, at }: WithdrawalRow): ConsentEntry => ({
  type: 'withdrawn',
  at: at.toISOString(),
  what,
  outcome,
  // The audit names who of the business did it.
  by: by.split(':')[0] ?? by,
})
