import type { Tx } from '../../../platform/database/tx.ts'
import { judging } from '../../catalogue/signatures.ts'
import { find } from '../../customers/service.ts'
import { refusalOfRegistered } from '../../kits/for-whom.ts'
import { selectKitsByIds } from '../../kits/queries.ts'
import { checksOf } from '../checks/checks.ts'
import { previousResults } from '../checks/previous.ts'
import type { PreviousResult, ReportCheck } from '../checks/schema.ts'
import { subjectOf } from '../judge/subject.ts'
import type { ShownReportRow } from '../read/queries.ts'
import { selectEarlierVersions } from './person-queries.ts'
import { sampleTimes } from './sample-facts.ts'

export interface ReviewFindings {
  previous: ReadonlyMap<string, PreviousResult>
  checks: ReportCheck[]
}

/** What a reviewer is shown beside the values of a report: the results before, and what to look at. */
export async function findingsOf(tx: Tx, report: ShownReportRow): Promise<ReviewFindings> {
  const { entries, customerId, kitId, origin, collectedDate, resultedDate, replaced = [], contradictions } = report
  const customer = await find(tx, customerId)
  const [kit] = kitId === null ? [] : await selectKitsByIds(tx, [kitId])
  const earlier = await selectEarlierVersions(tx, { customerId, reportId: report.id })
  const previous = previousResults(entries, earlier)
  const on = (collectedDate ?? resultedDate ?? tx.now.toISOString()).slice(0, 10)
  const { collected, received } = sampleTimes({ collectedDate, origin, kit })
  const checks = checksOf({
    entries,
    previous,
    collected,
    received,
    contradictions,
    labErrors: report.labErrors,
    catalogue: await judging(tx),
    origin: origin ?? undefined,
    replaced: replaced.flatMap((before) => {
      const entry = entries.find(({ id, type }) => id === before.id && type === 'measured')
      return entry ? [{ entry, before }] : []
    }),
    resulted: resultedDate ?? undefined,
    sex: subjectOf(kit, customer, on).sex,
    today: tx.now.toISOString().slice(0, 10),
    born: customer.dateOfBirth ?? undefined,
    kitMade: kit?.createdAt.toISOString().slice(0, 10),
    refusal: kit && (await refusalOfRegistered(tx, kit)),
  })
  return { previous, checks }
}
