import { elrOf } from '@kitlane/lab-reader/elr/message'
import { violationsOf } from '@kitlane/lab-reader/elr/validate'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import type { Tx } from '../../platform/database/tx.ts'
import { VERSION } from '../../platform/package-root.ts'
import * as customers from '../customers/service.ts'
import { selectKitsByIds } from '../kits/queries.ts'
import { personOf, placeOf } from '../lab-orders/compose.ts'
import type { Registered } from '../lab-orders/content.ts'
import { selectOfKit } from '../lab-orders/queries.ts'
import { selectApprovalsOfKits } from '../orders/queries.ts'
import type { StandingReport } from '../reports/queries.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'
import type { selectSettings } from './queries.ts'
import type { Source } from './rules.ts'
import type { Authority } from './schema.ts'

/** A report, or a kit that has none yet, as far as messages are made of it. */
export type Report = Pick<StandingReport, 'kitId' | 'customerId' | 'collectedDate' | 'resultedDate'> & {
  /** null: its kit has none yet, only what could not be judged. */
  id: string | null
  entries: readonly BiomarkerEntry[]
  origin?: Origin | null | undefined
}

/** All that a message says beside the result. */
export async function factsOf(tx: Tx, { kitId, customerId }: Report) {
  const [kit] = kitId === null ? [] : await selectKitsByIds(tx, [kitId])
  const customer = await customers.maybeFind(tx, customerId)
  const { firstName, lastName, dateOfBirth, gender: sex } = customer ?? {}
  const own = { customerId, registration: { firstName, lastName, dateOfBirth, sex } }
  const said = await personOf(tx, kit ?? own)
  const place = kit ? placeOf(said, kit) : said
  const isSentTo = place.state !== undefined && said.state === undefined
  const person = {
    ...said,
    state: place.state,
    zip: said.zip ?? (isSentTo ? kit?.sentTo?.zip : undefined),
  } as Registered
  const approval = kit && (await selectApprovalsOfKits(tx, [kit.id])).get(kit.id)
  const filler = kit?.hasLabOrder ? (await selectOfKit(tx, kit.id))?.fillerNumber : null
  return { kit, person, place, approval, filler: filler ?? null, race: customer?.race ?? null }
}

export type Facts = Awaited<ReturnType<typeof factsOf>>
export type Settings = Awaited<ReturnType<typeof selectSettings>>

/** Where a result comes from, as far as its report says. */
export function sourceOf({ origin, ...report }: Report, { kit }: Facts, entry: BiomarkerEntry): Source {
  const { laboratories = [], specimens = [], reportedDate } = origin ?? {}
  // Of several, nothing says which.
  const specimen = specimens.length === 1 ? specimens[0] : undefined
  const own = laboratories.find(({ name }) => name === entry.said?.laboratory)
  return {
    laboratory: own ?? (laboratories.length === 1 ? laboratories[0] : undefined),
    specimen,
    collected: entry.sent?.collectedDate ?? specimen?.collectedDate ?? report.collectedDate,
    received: specimen?.receivedDate ?? kit?.progress.sampleReceived ?? null,
    resulted: reportedDate ? report.resultedDate : null,
  }
}

/** A message about a result, and what it lacks. */
export function messageOf(
  tx: Tx,
  report: Report,
  facts: Facts,
  about: {
    id: string
    source: Source
    entry: BiomarkerEntry
    authority: Authority
    sender: Settings['sender']
    status: 'F' | 'P' | 'C' | 'W'
  },
) {
  const { reportedDate } = report.origin ?? {}
  const isZoned = /T.*(Z|[+-]\d\d:\d\d)$/.test(reportedDate ?? '')
  const text = elrOf({
    ...{ ...about, ...facts, ...about.source, release: VERSION, controlId: about.id, at: tx.now },
    number: report.kitId ?? report.id ?? '',
    provider:
      facts.approval ??
      (about.sender?.provider && { provider: about.sender.provider.name, npi: about.sender.provider.npi }),
    reported: isZoned && reportedDate ? reportedDate : tx.now.toISOString(),
  })
  return { text, problems: violationsOf(text).map(({ words }) => words) }
}
