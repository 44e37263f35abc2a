import type { components } from '@kitlane/client'
import { Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { ResultFlag } from './result-flag.tsx'

interface UnassessedResultProps {
  result: components['schemas']['WaitingResult']
  /** What it belongs to: report, kit, person. */
  links: ReactNode
  close: (note: string) => Promise<unknown>
}

/** A result that could not be assessed: its value, the reason, its owner, and "Done" with a note. */
export function UnassessedResult({ result, links, close }: UnassessedResultProps) {
  const { name, value, unit, range, flag, critical, reason, receivedDate, closedDate, note } = result
  const [said, setSaid] = useState('')
  const title = name || 'No name'
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
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
        <Group justify="space-between">
          <Group gap="md">{links}</Group>
          {closedDate === undefined ? (
            <ConfirmButton
              label="Done"
              sentence="The result leaves this list. It stays in its report, together with your note."
              action={() => close(said.trim())}
              done={`${title} is done`}
            >
              <TextInput
                label="What was done about it?"
                required
                maxLength={300}
                value={said}
                onChange={(event) => setSaid(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            </ConfirmButton>
          ) : (
            <Text c="dimmed">
              Done {dayOf(closedDate)}
              {note && `: ${note}`}
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
