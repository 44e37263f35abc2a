import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import { maybeFindGuardian } from '../../customers/guardians.ts'
import { shownEmail } from '../../customers/rules.ts'
import { type CustomerRow, find } from '../../customers/service.ts'
import { selectEmailsTo } from '../../emails/person-queries.ts'
import { consentHistory } from '../../kits/consent/history.ts'
import { type KitRow, selectKitsByIds } from '../../kits/queries.ts'
import { stateOf } from '../../kits/records.ts'
import { allowed } from '../../kits/rules.ts'
import { subjectOf } from '../judge/subject.ts'
import { realmOfReport } from '../locate.ts'
import { selectNote } from '../note-queries.ts'
import { selectReportForReview } from '../read/queries.ts'
import type { VersionContent } from '../sealed-queries.ts'
import { reportNotFound } from '../versions/publish.ts'
import { type OtherReport, selectOtherReports } from './person-queries.ts'
import { daysInTransit, type SampleTimes, sampleTimes } from './sample-facts.ts'
import type { PersonOfReport } from './schema.ts'

const MESSAGES = 20

/** Whose report it is, for a reviewer. `showsNames`: the caller may see names. @throws REPORT_NOT_FOUND */
export async function personOfReport(tx: SystemTx, reportId: string, showsNames: boolean): Promise<PersonOfReport> {
  const realm = within(tx, await realmOfReport(tx, reportId))
  const report = await selectReportForReview(realm, reportId)
  if (!report) throw reportNotFound()
  const customer = await find(realm, report.customerId)
  const [kit] = report.kitId === null ? [] : await selectKitsByIds(realm, [report.kitId])
  const guardian = await maybeFindGuardian(realm, customer.id)
  const on = (report.collectedDate ?? report.resultedDate ?? tx.now.toISOString()).slice(0, 10)
  const { sex, ageYears } = subjectOf(kit, customer, on)
  const times = sampleTimes({ ...report, kit })
  const reports = await selectOtherReports(realm, customer.id, reportId)
  return {
    customerID: customer.id,
    ...(showsNames && { name: customer.name }),
    ...(sex && { sex }),
    ...(ageYears !== undefined && { age: ageYears }),
    ...(guardian && {
      guardian: {
        relation: guardian.relation,
        ...(showsNames && { name: `${guardian.firstName} ${guardian.lastName}` }),
      },
    }),
    consent: await consentOf(realm, kit, customer),
    reports: await Promise.all(reports.map((row) => otherReport(realm, row))),
    messages: await messagesTo(realm, [shownEmail(customer.email), kit?.registeredEmail, guardian?.email]),
    ...(kit && { kit: kitOf(kit, times) }),
    ...sampleOf(report),
  }
}

async function consentOf(tx: Tx, kit: KitRow | undefined, customer: CustomerRow): Promise<PersonOfReport['consent']> {
  const all = kit ? ((await consentHistory(tx, [kit.id], false)).get(kit.id) ?? []) : []
  const last = all.findLast((entry) => entry.type === 'agreed' || entry.what === 'testing')
  if (!last) return { state: 'notRecorded' }
  if (last.type === 'withdrawn') return { state: 'withdrawn', date: last.at }
  const { at: date, relation } = last
  return { state: 'agreed', date, research: customer.research, ...(relation && { relation }) }
}

async function otherReport(tx: Tx, row: OtherReport): Promise<PersonOfReport['reports'][number]> {
  const { id, status, kitType, laboratory } = row
  const date = row.collectedDate ?? row.resultedDate
  const note = await selectNote(tx, id)
  return {
    reportID: id,
    status,
    ...(date !== null && { date: new Date(date).toISOString() }),
    ...(kitType !== null && { panel: publicKitType(kitType) }),
    ...(laboratory && { laboratory }),
    ...(note && { note: { text: note.text, author: note.author } }),
  }
}

function sampleOf({ origin, labErrors }: Pick<VersionContent, 'origin' | 'labErrors'>) {
  const { laboratories = [], specimens = [], notes = [] } = origin ?? {}
  return {
    laboratories: laboratories.map(({ name }) => name),
    specimens: specimens.map(({ source, condition }) => ({
      ...(source && { source }),
      ...(condition && { condition }),
    })),
    notes,
    labErrors,
  }
}

async function messagesTo(tx: Tx, addresses: readonly (string | null | undefined)[]) {
  const known = [...new Set(addresses.filter((one) => typeof one === 'string'))]
  return (await selectEmailsTo(tx, known, MESSAGES)).map(({ kind, subject, status, kitId, createdAt }) => ({
    kind,
    subject,
    status,
    ...(kitId !== null && { kitID: kitId }),
    date: createdAt.toISOString(),
  }))
}

function kitOf(kit: KitRow, times: SampleTimes): NonNullable<PersonOfReport['kit']> {
  const days = daysInTransit(times)
  const { received } = times
  return {
    kitID: kit.id,
    panel: publicKitType(kit.kitType),
    ...(times.collected && { collectedDate: times.collected }),
    ...(received && { receivedDate: new Date(received).toISOString() }),
    ...(days !== undefined && { daysInTransit: days }),
    ...(kit.replacedBy !== null && { replacedBy: kit.replacedBy }),
    isRejectable: allowed(stateOf(kit)).includes('sampleRejected'),
  }
}
