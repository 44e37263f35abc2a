import { WITHDRAWN_REASON } from '@kitlane/display/consent'
import type { Kit, KitEvent } from '../../api/shapes.ts'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'
import { eventLabel } from './labels.ts'

export type ReportStatus = Kit['status']

/** What is known about the person tested. */
export type PersonTested = 'known' | 'erased' | 'doubted' | 'none'

export function personOf(kit: Kit): PersonTested {
  if (kit.kitStatus === 'registrationException') return 'doubted'
  if (kit.registrationDate === undefined) return 'none'
  return kit.customerID === undefined ? 'erased' : 'known'
}

const reportWords: Partial<Record<ReportStatus, StatusLabel>> = {
  inReview: { label: t('Report in review'), tone: 'fair' },
  published: { label: t('Report published'), tone: 'good' },
  rejected: { label: t('Report rejected'), tone: 'bad' },
}
const UNREGISTERED: StatusLabel = { label: t('Not registered'), tone: 'fair' }
/** Nothing is wrong, and nobody has to do anything. */
export const WITHDRAWN: StatusLabel = { label: t('Consent withdrawn'), tone: 'idle' }

/** Whether the test stopped because its person took back the consent. */
export const isWithdrawn = ({ exceptionReason }: Pick<Kit, 'exceptionReason'>): boolean =>
  exceptionReason === WITHDRAWN_REASON

const bad: readonly KitEvent[] = ['sampleRejected', 'deliveryException', 'collectionException', 'registrationException']
const idle: readonly KitEvent[] = ['kitPreparing', 'canceled']

/** The label of a step that happened. Headers, lists and timelines all use it, so that none contradicts another. */
export function stepLabel(
  event: KitEvent,
  { report, person }: { report?: ReportStatus; person: PersonTested },
): StatusLabel {
  const ofReport = event === 'reportReady' && report ? reportWords[report] : undefined
  if (ofReport) return ofReport
  // The sample arrived before anyone registered the kit: the step was inferred, and the registration is still missing.
  if (event === 'kitRegistered' && person === 'none') return UNREGISTERED
  return { label: eventLabel(event), tone: bad.includes(event) ? 'bad' : idle.includes(event) ? 'idle' : 'info' }
}

/** The current step of a kit: its exception, else the last step that happened. */
export function stepOf(kit: Kit): { event: KitEvent; report?: ReportStatus } {
  const { kitStatus, sampleStatus } = kit
  if (kitStatus === 'deliveryException' || kitStatus === 'registrationException' || kitStatus === 'canceled') {
    return { event: kitStatus }
  }
  if (sampleStatus === 'deliveryException' || sampleStatus === 'collectionException') return { event: sampleStatus }
  const event = kit.progress.findLast(({ date }) => date !== undefined)?.type ?? 'orderPlaced'
  return event === 'reportReady' ? { event, report: kit.status } : { event }
}

/** The label that describes where a kit is. */
export function standingOf(kit: Kit): StatusLabel {
  if (isWithdrawn(kit)) return WITHDRAWN
  const { event, report } = stepOf(kit)
  return stepLabel(event, { report, person: personOf(kit) })
}
