import type { components } from '@kitlane/client'
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { pluralize } from '../../components/pluralize.ts'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { ResultFlag } from './result-flag.tsx'
import { AddNameButton, AssignButton, type Assignment, DismissButton } from './unassessed-actions.tsx'

export interface UnassessedActions {
  assign: (body: Assignment) => Promise<unknown>
  dismiss: (reason: string) => Promise<unknown>
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
  const title = name || 'No name'
  const choices = [...new Set([...result.suggestions, ...biomarkers])]
  return (
    <Sheet aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="md" style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{title}</Text>
            <Text ff="monospace">{[value || 'no value', unit].filter(Boolean).join(' ')}</Text>
            {range && <Text c="dimmed">Range {range}</Text>}
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
    alsoCalled.length > 0 && `Also called ${alsoCalled.join(', ')}`,
    loinc && `LOINC ${loinc}`,
    status && status !== 'final' && `Status ${status}`,
    specimen && `Specimen ${specimen}`,
    section && section !== specimen && `Under ${section}`,
    position,
  ].filter(Boolean)
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {document && (
        <Text size="sm" c="dimmed">
          {`Of its document: ${pluralize(document.counted, 'line')} that look like results, ${document.assessed} assessed, ${document.waiting} waiting, ${document.dismissed} dismissed`}
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

const endings = { assigned: 'Assigned', dismissed: 'Dismissed', seen: 'Seen with its report', replaced: 'Replaced' }

function endingOf({ closedDate, closedBy, outcome, assigned, note }: UnassessedResultProps['result']): string {
  const what = [outcome ? endings[outcome] : 'Done', assigned && `to ${assigned}`].filter(Boolean).join(' ')
  const who = closedBy && closedBy !== 'system' ? ` by ${closedBy}` : ''
  return `${what} ${dayOf(closedDate ?? '')}${who}${note ? `: ${note}` : ''}`
}
