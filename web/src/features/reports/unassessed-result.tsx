import type { components } from '@kitlane/client'
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'
import { ResultFlag } from './result-flag.tsx'
import { AddNameButton, AssignButton, type Assignment, type Dismissal, DismissButton } from './unassessed-actions.tsx'

export interface UnassessedActions {
  assign: (body: Assignment) => Promise<unknown>
  dismiss: (body: Dismissal) => Promise<unknown>
  /** Only for who may change the catalogue. */
  addName?: ((body: { biomarker: string; reason: string }) => Promise<unknown>) | undefined
}

interface UnassessedResultProps {
  result: components['schemas']['WaitingResult']
  /** What it belongs to: report, kit, person. */
  links: ReactNode
  /** Catalogue IDs to choose from, besides the suggestions; empty where the reader may not list them. */
  biomarkers: readonly string[]
  actions: UnassessedActions
}

/** A result that could not be assessed: as it was sent, the reason, its owner, and what a person may do about it. */
export function UnassessedResult({ result, links, biomarkers, actions }: UnassessedResultProps) {
  const { name, value, unit, range, flag, critical, reason, receivedDate } = result
  const title = name || t('No name')
  const choices = [...new Set([...result.suggestions, ...biomarkers])]
  return (
    <Sheet aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="md" style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{title}</Text>
            <Text ff="monospace">{[value || t('no value'), unit].filter(Boolean).join(' ')}</Text>
            {range && <Text c="dimmed">{t('Range {range}', { range })}</Text>}
            {(critical || flag) && <ResultFlag flag={flag} critical={critical} />}
          </Group>
          <RelativeDate value={receivedDate} />
        </Group>
        <Text>{reason}</Text>
        <AsSent result={result} />
        <Group justify="space-between">
          <Group gap="md">{links}</Group>
          {result.closedDate === undefined ? (
            <Group gap="xs">
              {actions.addName && (
                <AddNameButton result={result} title={title} choices={choices} action={actions.addName} />
              )}
              <DismissButton title={title} action={actions.dismiss} />
              <AssignButton result={result} title={title} choices={choices} action={actions.assign} />
            </Group>
          ) : (
            <Text c="dimmed">{endingOf(result)}</Text>
          )}
        </Group>
      </Stack>
    </Sheet>
  )
}

function AsSent({ result }: { result: UnassessedResultProps['result'] }) {
  const { alsoCalled = [], loinc, status, specimen, section, position, line, document } = result
  const facts = [
    alsoCalled.length > 0 && t('Also called {names}', { names: alsoCalled.join(', ') }),
    loinc && t('LOINC {loinc}', { loinc }),
    status && status !== 'final' && t('Status {status}', { status }),
    specimen && t('Specimen {specimen}', { specimen }),
    section && section !== specimen && t('Under {section}', { section }),
    position,
  ].filter(Boolean)
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {document && (
        <Text size="sm" c="dimmed">
          {t(
            'Of its document: {count, plural, one {# line} other {# lines}} that look like results, {assessed} assessed, {waiting} waiting, {dismissed} dismissed',
            {
              count: document.counted,
              assessed: document.assessed,
              waiting: document.waiting,
              dismissed: document.dismissed,
            },
          )}
        </Text>
      )}
      {line && (
        <Text size="xs" ff="monospace" c="dimmed">
          {line}
        </Text>
      )}
    </Stack>
  )
}

function endingOf({ closedDate, closedBy, outcome, assigned, note }: UnassessedResultProps['result']): string {
  const day = dayOf(closedDate ?? '')
  const by = closedBy && closedBy !== 'system' ? closedBy : ''
  const who = { day, by, isKnown: by ? 'yes' : 'no' }
  return [endings(outcome, assigned ?? '', who), note].filter(Boolean).join(': ')
}

function endings(
  outcome: UnassessedResultProps['result']['outcome'],
  biomarker: string,
  who: { day: string; by: string; isKnown: string },
): string {
  if (outcome === 'assigned')
    return t('Assigned to {biomarker} on {day}{isKnown, select, yes { by {by}} other {}}', { ...who, biomarker })
  if (outcome === 'dismissed') return t('Dismissed on {day}{isKnown, select, yes { by {by}} other {}}', who)
  if (outcome === 'seen') return t('Seen with its report on {day}{isKnown, select, yes { by {by}} other {}}', who)
  if (outcome === 'replaced') return t('Replaced on {day}', { day: who.day })
  return t('Done on {day}{isKnown, select, yes { by {by}} other {}}', who)
}
