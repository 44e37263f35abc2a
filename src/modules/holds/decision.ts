import type { KitRow } from '../kits/queries.ts'

// What a held sample waits for, who can mend it, and until when. It stands beside the kit's status.

export const causes = [
  'notRegistered',
  'consentMissing',
  'nameDiffers',
  'collectionDateMissing',
  'labelUnreadable',
] as const
export type HoldCause = (typeof causes)[number]

export const states = ['open', 'released', 'discarded'] as const
export type HoldState = (typeof states)[number]

export const clocks = ['collection', 'receipt', 'extension'] as const
export type HoldClock = (typeof clocks)[number]

export const ends = ['mended', 'tested', 'laboratory', 'clock', 'erased'] as const
export type HoldEnd = (typeof ends)[number]

export const actionCodes = [
  'register',
  'consent',
  'confirmName',
  'approveName',
  'giveCollectionDate',
  'identifySample',
] as const
export type ActionCode = (typeof actionCodes)[number]

export const actors = ['person', 'business', 'operator'] as const
export type Actor = (typeof actors)[number]

/** What the rules know of a kit. */
export interface HoldFacts {
  isRegistered: boolean
  /** Of the person who is registered; of anybody while nobody is. */
  hasConsent: boolean
  hasCollectionDate: boolean
  isNameConfirmed: boolean
  isIdentified: boolean
}

interface CauseRow {
  isMended(facts: HoldFacts): boolean
  action: ActionCode
  by: readonly Actor[]
}

/** One row for each cause: when it is mended, by what, and by whom. */
const table: Record<HoldCause, CauseRow> = {
  notRegistered: { isMended: (kit) => kit.isRegistered, action: 'register', by: ['person', 'business'] },
  consentMissing: { isMended: (kit) => kit.hasConsent, action: 'consent', by: ['person', 'business'] },
  // There is no name to compare before somebody is registered.
  nameDiffers: {
    isMended: (kit) => kit.isRegistered && kit.isNameConfirmed,
    action: 'confirmName',
    by: ['person', 'business'],
  },
  collectionDateMissing: {
    isMended: (kit) => kit.hasCollectionDate,
    action: 'giveCollectionDate',
    by: ['person', 'business', 'operator'],
  },
  labelUnreadable: { isMended: (kit) => kit.isIdentified, action: 'identifySample', by: ['business', 'operator'] },
}

/** Which of the causes are mended, in the order of the table. */
export const mendedOf = (of: readonly HoldCause[], facts: HoldFacts): HoldCause[] =>
  causes.filter((cause) => of.includes(cause) && table[cause].isMended(facts))

export interface RequiredAction {
  code: ActionCode
  by: readonly Actor[]
  cause: HoldCause
}

/** What is required for causes that are not mended. A name that the person gave waits for the business alone. */
export function actionsFor(open: readonly HoldCause[], { hasProposal }: { hasProposal: boolean }): RequiredAction[] {
  return causes
    .filter((cause) => open.includes(cause))
    .map((cause) => {
      const { action, by } = table[cause]
      if (cause === 'nameDiffers' && hasProposal) return { code: 'approveName', by: ['business'], cause }
      return { code: action, by, cause }
    })
}

/** What a laboratory finds missing when it takes a sample in, without a word of anybody. */
export const causesAtDock = (facts: HoldFacts, wants: { consent: boolean; collectionDate: boolean }): HoldCause[] =>
  causes.filter(
    (cause) =>
      (cause === 'notRegistered' && !facts.isRegistered) ||
      // Registering asks for the consent too.
      (cause === 'consentMissing' && facts.isRegistered && wants.consent && !facts.hasConsent) ||
      (cause === 'collectionDateMissing' && wants.collectionDate && !facts.hasCollectionDate),
  )

/** Also those that wait for a review. Nothing of them is thrown away: the report decides what becomes of the sample. */
export const hasResults = ({ progress, status }: Pick<KitRow, 'progress' | 'status'>): boolean =>
  progress.reportReady !== undefined || !['notStarted', 'rejected'].includes(status)

const DAY_MS = 86_400_000
export const DEFAULT_STABILITY_DAYS = 7
const LEAST_DAYS = 2

/**
 * Until when a sample is kept: as long as it is stable after the beginning of the day on which it was taken, or after its
 * receipt where nobody knows that day. Nobody can mend anything within minutes, so that it is at least two days from now.
 */
export function discardAtOf({
  collectedOn,
  receivedAt,
  stabilityDays,
  now,
}: {
  collectedOn: string | undefined
  receivedAt: Date
  stabilityDays: number
  now: Date
}): { discardAt: Date; clock: Exclude<HoldClock, 'extension'> } {
  const start = collectedOn === undefined ? receivedAt : new Date(`${collectedOn}T00:00:00Z`)
  const end = Math.max(start.getTime() + stabilityDays * DAY_MS, now.getTime() + LEAST_DAYS * DAY_MS)
  return { discardAt: new Date(end), clock: collectedOn === undefined ? 'receipt' : 'collection' }
}

/** More than three e-mails: the end has passed, and the laboratory decides what becomes of the sample. */
export const PASSED = 4

/** How many of the three e-mails are due: at the beginning, half-way, and the day before the end. */
export function emailsDue({ since, discardAt }: { since: Date; discardAt: Date }, now: Date): 1 | 2 | 3 {
  if (now.getTime() >= discardAt.getTime() - DAY_MS) return 3
  return now.getTime() >= (since.getTime() + discardAt.getTime()) / 2 ? 2 : 1
}

/**
 * HL7 table 0490 (specimen reject reason, HL7 v2.5.1 chapter 2C): those that a person can mend. The others (EX expired, QS
 * quantity, RB broken, RC clotting, RH hemolysis, RN contamination, RR storage) make a sample useless, and RP (phlebotomist)
 * is of no kit: they do what they did before.
 */
const recoverable: Readonly<Record<string, HoldCause>> = {
  RA: 'labelUnreadable',
  RD: 'collectionDateMissing',
  RE: 'labelUnreadable',
  RI: 'labelUnreadable',
  RM: 'labelUnreadable',
  RS: 'nameDiffers',
}

/** The causes of codes by which a laboratory refuses a sample; none where one of them cannot be mended, or is not known. */
export function causesOfCodes(codes: readonly string[]): HoldCause[] {
  const found = codes.map((code) => recoverable[code.toUpperCase()])
  return found.every((cause) => cause !== undefined) ? causes.filter((cause) => found.includes(cause)) : []
}
