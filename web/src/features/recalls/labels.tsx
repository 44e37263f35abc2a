import type { components } from '@kitlane/client'
import { Text } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { optionsOf, type StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type Recall = components['schemas']['Recall']
export type RecalledKit = components['schemas']['RecalledKit']
export type RecallKind = Recall['kind']
export type RecallAction = Recall['actions'][number]
export type Stage = Recall['stages'][number]['stage']

export const kindWords: Record<RecallKind, string> = {
  componentLot: t('Lot of a component'),
  kitLot: t('Lot of kits'),
  run: t('Run of a laboratory'),
  reagentLot: t('Lot of a reagent'),
}

export const stageWords: Record<Stage, string> = {
  notPacked: t('Its shipment was taken back'),
  undelivered: t('Not delivered: nobody has it'),
  withRecipient: t('With the recipient, not registered'),
  registered: t('Registered, no sample yet'),
  sampleUnderWay: t('Sample under way'),
  atLaboratory: t('Sample at the laboratory'),
  inReview: t('Results, not published'),
  published: t('Results, published'),
  settled: t('Canceled, or rejected before'),
}

export const actionWords: Record<RecallAction, string> = {
  stopUse: t('Kits without a sample are not registered any more'),
  rejectSamples: t('Samples are rejected, also those that arrive'),
  holdReports: t('No report is published'),
  markResults: t('Published reports say it'),
  replace: t('Another kit is sent, free of charge'),
  retest: t('Also to those who have results'),
  tell: t('People get an e-mail'),
}

const deedWords: Record<RecalledKit['done'][number], string> = {
  stopped: t('stopped'),
  rejected: t('sample rejected'),
  held: t('report held back'),
  marked: t('report marked'),
  replaced: t('replaced'),
  told: t('person told'),
}

const states: Record<Recall['state'], StatusLabel> = {
  running: { label: t('Running'), tone: 'fair' },
  done: { label: t('All kits done'), tone: 'good' },
  closed: { label: t('Closed'), tone: 'idle' },
}
export const stateOptions = optionsOf(states)

export function RecallState({ recall: { state, kits } }: { recall: Recall }) {
  const { label, tone }: StatusLabel =
    state === 'done' && kits === 0 ? { label: t('Nothing holds it yet'), tone: 'fair' } : states[state]
  return <StatusDot tone={tone}>{label}</StatusDot>
}

/** How bad it is, where that is said. */
export const gradeOf = ({ grade }: Recall): string | undefined => grade && t('Grade {grade}', { grade })

/** The lot that is recalled, and of what it is. */
export const lotOf = ({ subject, lot }: { subject: string; lot: string }): string =>
  [subject, lot].filter(Boolean).join(' · ')

/** Of a run or reagent that may be misspelled. */
export const Unnamed = () => (
  <>
    <StatusDot tone="bad">{t('No result names it yet')}</StatusDot>
    <Text size="sm">{t('Is it written right? Results that come are held.')}</Text>
  </>
)

/** A release, or an end, cancels no free kit. */
export const underWayText = (count: number): string =>
  t('{count, plural, one {# free kit is} other {# free kits are}} under way and not canceled.', { count })

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What was done with a kit, and whether its person has still to be told. */
export function Done({ kit }: { kit: RecalledKit }) {
  if (kit.released) return <Text size="sm">{t('Released: it was found to be right')}</Text>
  const isOver = kit.stage === 'published' || kit.stage === 'settled'
  const isStopped = kit.stage !== undefined && kit.stage !== 'undelivered' && kit.done.length > 0
  const isUntold = (isOver || isStopped) && !kit.done.includes('told')
  return (
    <>
      <Text size="sm">{capital(kit.done.map((deed) => deedWords[deed]).join(', '))}</Text>
      {isUntold && <StatusDot tone="bad">{t('Nobody wrote to the person')}</StatusDot>}
    </>
  )
}
