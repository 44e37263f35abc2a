import type { Tx } from '../../../platform/database/tx.ts'
import { maybeFindGuardian } from '../../customers/guardians.ts'
import type { CustomerRow } from '../../customers/service.ts'
import { selectWithdrawals } from '../../kits/consent/withdrawal-queries.ts'
import { selectConsents } from '../../kits/consent-queries.ts'
import { selectFile } from '../../lab/data-queries.ts'
import { selectLaboratoryData } from '../../lab/erasure-queries.ts'
import { selectData, selectKitsIn, selectReports, selectUnassessed, selectVersions } from '../export-queries.ts'
import type { RetentionPolicy } from './policy.ts'

/**
 * Seals what is kept of a person, before anything of it is gone. What only the erasure itself finds (orders, e-mails,
 * events) it hands to the policy then.
 */
export async function keepRecords(
  tx: Tx,
  person: CustomerRow,
  kitIds: readonly string[],
  policy: RetentionPolicy,
): Promise<void> {
  if (!policy.isNeeded) return
  await keepResults(tx, person.id, policy)
  await keepData(tx, person.id, policy)
  await keepKits(tx, kitIds, policy)
  if (policy.isHeld) {
    await policy.retain('other', 'customer', tx.now, { ...person, guardian: await maybeFindGuardian(tx, person.id) })
  }
}

async function keepResults(tx: Tx, customerId: number, policy: RetentionPolicy): Promise<void> {
  const reports = await selectReports(tx, customerId)
  for (const report of reports) {
    const versions = await selectVersions(tx, [report.id])
    const last = versions.at(-1)?.createdAt ?? report.createdAt
    await policy.retain('laboratory', 'report', last, { report, versions })
  }
  for (const result of await selectUnassessed(tx, customerId)) {
    await policy.retain('laboratory', 'unassessedResult', result.receivedAt, { result })
  }
}

/** What was added: laboratory records with their files; quizzes and other files need no keeping. */
async function keepData(tx: Tx, customerId: number, policy: RetentionPolicy): Promise<void> {
  const laboratory = new Set(await selectLaboratoryData(tx, customerId))
  for (const data of await selectData(tx, customerId)) {
    const kind = laboratory.has(data.id) ? 'laboratory' : 'other'
    if (!policy.covers(kind, data.createdAt)) continue
    await policy.retain(kind, 'data', data.createdAt, { data })
    // One file in memory at a time.
    const file = data.documents.length > 0 ? await selectFile(tx, data.id) : undefined
    if (file) await policy.retain(kind, 'file', data.createdAt, file.content)
  }
}

async function keepKits(tx: Tx, kitIds: readonly string[], policy: RetentionPolicy): Promise<void> {
  const kits = await selectKitsIn(tx, kitIds)
  const consents = Map.groupBy(await selectConsents(tx, kitIds), ({ kitId }) => kitId)
  const withdrawals = Map.groupBy(await selectWithdrawals(tx, kitIds), ({ kitId }) => kitId)
  for (const kit of kits) {
    const given = (consents.get(kit.id) ?? []).map(({ wordsHash, ...consent }) => ({
      ...consent,
      sha256: wordsHash?.toString('hex'),
    }))
    await policy.retain('requisition', 'kit', kit.registeredAt ?? kit.createdAt, {
      kit,
      consents: given,
      withdrawals: withdrawals.get(kit.id) ?? [],
    })
  }
}
